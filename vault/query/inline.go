package query

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"ibid/vault/md"
)

// rawField is a field as written in the text of a note.
type rawField struct {
	key, value string
	at         int
}

// longestLine is the length in bytes above which lines are not searched for fields.
const longestLine = 32 << 10

// inlineFields returns the fields [key:: value] and (key:: value) in a line.
func inlineFields(line string) []rawField {
	if len(line) > longestLine || !strings.Contains(line, "::") {
		return nil
	}
	var found []rawField
	for _, marks := range []string{"[]", "()"} {
		for from := 0; ; {
			at := strings.IndexByte(line[from:], marks[0])
			if at < 0 {
				break
			}
			at += from
			f, n := readEnclosedField(line[at:], marks)
			if n == 0 {
				from = at + 1
				continue
			}
			f.at = at
			found = append(found, f)
			from = at + n
		}
	}
	slices.SortStableFunc(found, func(a, b rawField) int { return a.at - b.at })
	return found
}

// readEnclosedField parses the field at the beginning of s, which starts with the first of two marks. n is its
// length, 0 if there is none.
func readEnclosedField(s, marks string) (f rawField, n int) {
	const longestKey = 200
	sep := strings.Index(s[:min(len(s), longestKey)], "::")
	if sep < 0 || strings.ContainsAny(s[1:sep], "[]()") {
		return f, 0
	}
	depth := 0
	for i := sep + 2; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case marks[0]:
			depth++
		case marks[1]:
			if depth--; depth < 0 {
				return rawField{key: strings.TrimSpace(s[1:sep]), value: strings.TrimSpace(s[sep+2 : i])}, i + 1
			}
		}
	}
	return f, 0
}

// lineField parses a line "key:: value", with marks of markdown around the key.
func lineField(line string) (rawField, bool) {
	key, value, ok := strings.Cut(line, "::")
	if !ok || len(line) > longestLine {
		return rawField{}, false
	}
	key = strings.TrimLeftFunc(key, func(r rune) bool { return !isKey(r) || r == '_' || unicode.IsSpace(r) })
	key = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(key), "_*~`"))
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return !isKey(r) }) {
		return rawField{}, false
	}
	return rawField{key: key, value: strings.TrimSpace(value)}, true
}

func isKey(r rune) bool {
	return isLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) || r == '-' || r == '/' || r == 0xFE0F
}

// taskDates maps the emoji that introduce dates in tasks to the names of these fields.
var taskDates = strings.NewReplacer("➕", "created", "🛫", "start", "⏳", "scheduled", "⌛", "scheduled",
	"📅", "due", "📆", "due", "🗓", "due", "✅", "completion")

var emojiDate = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([➕🛫⏳⌛📅📆🗓✅])\x{FE0F}?\s*(\d{4}-\d{2}-\d{2})`)
})

// emojiFields returns the dates behind emoji in a task, the first one for each name.
func emojiFields(text string) (found []rawField) {
	for _, m := range emojiDate().FindAllStringSubmatchIndex(text, -1) {
		f := rawField{taskDates.Replace(text[m[2]:m[3]]), text[m[4]:m[5]], m[0]}
		if !slices.ContainsFunc(found, func(g rawField) bool { return g.key == f.key }) {
			found = append(found, f)
		}
	}
	return found
}

// fieldName returns the second name of a field: in lower case, with hyphens for white space and without other
// marks.
func fieldName(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '-'
		case isLetter(r) || unicode.IsDigit(r) || r == '-':
			return r
		}
		return -1
	}, strings.ToLower(key))
}

// body holds the fields and items in the text of a note.
type body struct {
	fields []rawField
	items  []*item
}

// bodyReader parses the text of a note line by line.
type bodyReader struct {
	body
	fences  md.Fences
	open    []*item // items that may contain the next one, outermost first
	inItem  bool    // the last line belongs to an item
	section string
}

// readBody parses text from the line first on, counted from 1. It skips code.
func readBody(text string, first int) body {
	var r bodyReader
	line := 0
	for l := range strings.SplitSeq(text, "\n") {
		if line++; line >= first {
			r.line(l, line)
		}
	}
	for _, it := range r.items {
		r.finish(it)
	}
	return r.body
}

func (r *bodyReader) line(text string, num int) {
	if r.fences.Line(text) {
		r.inItem = false
		return
	}
	columns, n := md.Indent(text)
	rest := text[n:]
	for strings.HasPrefix(rest, ">") {
		columns, n = md.Indent(rest[1:])
		rest = rest[1+n:]
	}
	if rest == "" {
		r.inItem = false
		return
	}
	if _, heading, ok := md.Heading(rest); ok && columns < 4 {
		r.section, r.inItem, r.open = heading, false, nil
	} else if mark := md.ListMark(rest); mark > 0 && !md.Rule(rest) && !r.continuesText(columns) {
		r.item(rest, mark, columns, num)
		return
	} else if r.inItem {
		last := r.items[len(r.items)-1]
		last.text += "\n" + strings.TrimSpace(rest)
		last.lines++
		return
	} else if columns == 0 {
		r.open = nil
	}
	r.fields = append(r.fields, fieldsOf(rest)...)
}

// openItemsAt returns the open items to which a line with that indentation can belong, and the column at which
// the text of the innermost one begins.
func (r *bodyReader) openItemsAt(columns int) (open []*item, content int) {
	for n := len(r.open); n > 0; n-- {
		if at := r.open[n-1].content; at <= columns {
			return r.open[:n], at
		}
	}
	return nil, 0
}

// continuesText reports whether a list mark is indented too far to begin an item: it continues the text above.
func (r *bodyReader) continuesText(columns int) bool {
	_, content := r.openItemsAt(columns)
	return r.inItem && columns-content >= 4
}

// fieldsOf returns the fields in a line that belongs to no list.
func fieldsOf(line string) []rawField {
	if !strings.Contains(line, "::") {
		return nil
	}
	if found := inlineFields(line); found != nil {
		return found
	}
	if f, ok := lineField(line); ok {
		return []rawField{f}
	}
	return nil
}

// item begins an item. line, without its indentation, begins with a list mark of mark bytes.
func (r *bodyReader) item(line string, mark, indent, num int) {
	r.open, _ = r.openItemsAt(indent)
	gap, _ := md.Indent(line[mark:])
	if gap > 4 {
		gap = 1 // the rest is code in the item
	}
	it := &item{line: num, lines: 1, content: indent + mark + gap, section: r.section}
	if n := len(r.open); n > 0 {
		it.parent = r.open[n-1]
		it.parent.children = append(it.parent.children, it)
	}
	it.text = strings.TrimSpace(line[mark:])
	if status, after, ok := taskMark(it.text); ok {
		it.task, it.status, it.text = true, status, after
	}
	r.open, r.items = append(r.open, it), append(r.items, it)
	r.inItem = true
}

// taskMark parses "[x] text".
func taskMark(s string) (status, rest string, ok bool) {
	inner, ok := strings.CutPrefix(s, "[")
	_, n := utf8.DecodeRuneInString(inner)
	rest, closed := strings.CutPrefix(inner[n:], "]")
	if !ok || n == 0 || !closed || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", "", false
	}
	return inner[:n], strings.TrimSpace(rest), true
}

// finish parses the fields of an item. The fields of an item that is no task belong to the note too.
func (r *bodyReader) finish(it *item) {
	if id, before, ok := md.BlockID(it.text); ok {
		it.block, it.text = id, before
	}
	line := strings.ReplaceAll(it.text, "\n", " ")
	it.written = append(inlineFields(line), emojiFields(line)...)
	if it.task {
		return
	}
	if it.written == nil {
		it.written = fieldsOf(line)
	}
	r.fields = append(r.fields, it.written...)
}
