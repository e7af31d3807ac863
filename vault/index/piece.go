package index

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"ibid/vault"
	search "ibid/vault/index/syntax"
	"ibid/vault/md"
)

// piece is what a condition is held against: a note, some lines of it, or one of
// its names, tags or properties.
type piece struct {
	note     *vault.Note
	in       kind
	raw      string
	folded   []byte // of text and values
	from, to int    // lines of the page
	*page
}

// kind says what a piece is made of.
type kind uint8

const (
	inNote kind = iota // with the names of the note
	inText
	inName
	inTags
	inValue
)

// page is the text of a note while it is looked at.
type page struct {
	text          *vault.Text
	lines, folded []int // where they start, in the text and folded
	words         []byte
	names         []byte
	hit           int // the first line that an operator or an expression found, 0 for none
}

// whole is all of a note.
func (p *page) whole() *piece {
	return &piece{note: p.text.Note, in: inNote, raw: p.text.Content, folded: p.words, page: p}
}

// open begins with another note. The buffers are used again.
func (p *page) open(text *vault.Text) {
	p.text, p.hit, p.lines = text, 0, nil
	p.words = foldText(p.words[:0], text.Content)
	p.names = foldText(p.names[:0], titles(text.Note))
}

// cut is lines from..to, 1-based and inclusive.
func (p *page) cut(from, to int) *piece {
	if p.lines == nil {
		p.lines, p.folded = lineStarts(p.text.Content), p.folded[:0]
		p.folded = append(p.folded, 0)
		for i, c := range p.words {
			if c == '\n' {
				p.folded = append(p.folded, i+1)
			}
		}
	}
	to = min(to, len(p.lines))
	return &piece{
		note: p.text.Note, in: inText, from: from, to: to, page: p,
		raw:    p.text.Content[p.lines[from-1]:lineEnd(p.lines, to, len(p.text.Content))],
		folded: p.words[p.folded[from-1]:lineEnd(p.folded, to, len(p.words))],
	}
}

func lineEnd(starts []int, line, end int) int {
	if line < len(starts) {
		return starts[line]
	}
	return end
}

// holds reports whether c fits a piece.
func (c *cond) holds(p *piece) bool {
	switch c.op {
	case search.And, search.MatchCase, search.IgnoreCase:
		return !slices.ContainsFunc(c.list, func(part *cond) bool { return !part.holds(p) })
	case search.Or:
		return slices.ContainsFunc(c.list, func(part *cond) bool { return part.holds(p) })
	case search.Not:
		return !c.list[0].holds(p)
	case search.Word, search.Phrase:
		return c.inPiece(p)
	case search.Regex:
		return c.matches(p)
	case search.Path, search.File, search.Tag, search.Property, search.Date:
		return c.meta(p.note)
	}
	return p.page != nil && c.inParts(p)
}

// inPiece looks for a word or phrase.
func (c *cond) inPiece(p *piece) bool {
	switch {
	case p.in == inTags:
		return hasTag(p.note, strings.Trim(strings.TrimPrefix(c.name, "#"), "/"))
	case p.in == inValue && strings.EqualFold(c.name, "null"):
		return strings.TrimSpace(p.raw) == ""
	case p.in == inValue && c.op == search.Word && c.name != "" && strings.Contains("<>", c.name[:1]):
		return slices.ContainsFunc(strings.Split(p.raw, "\n"), c.compare)
	case c.written != "":
		return strings.Contains(p.raw, c.written) || p.in == inNote && strings.Contains(titles(p.note), c.written)
	case p.in == inName:
		return named(p.raw, c.name)
	case c.term.folded == "":
		return true
	}
	if at, _ := c.term.index(p.folded); at >= 0 {
		return true
	}
	return p.in == inNote && c.term.in(p.names)
}

// compare holds "<5" or ">2025-01-01" against a value: as numbers, else as text.
func (c *cond) compare(value string) bool {
	want := strings.TrimSpace(c.name[1:])
	a, err := strconv.ParseFloat(value, 64)
	b, err2 := strconv.ParseFloat(want, 64)
	order := strings.Compare(foldName(value), want)
	if err == nil && err2 == nil {
		order = 0
		if a < b {
			order = -1
		} else if a > b {
			order = 1
		}
	}
	return want != "" && value != "" && (c.name[0] == '<' && order < 0 || c.name[0] == '>' && order > 0)
}

// matches looks for a regular expression.
func (c *cond) matches(p *piece) bool {
	at := c.find(p.raw)
	if at < 0 {
		return false
	}
	if p.page != nil && p.hit == 0 {
		p.hit = max(p.from, 1) + strings.Count(p.raw[:at], "\n")
	}
	return true
}

// find is where the first match of an expression stands in text, or at least its
// line, -1 if there is none. It looks only where what every match holds stands.
func (c *cond) find(text string) int {
	if folds := c.folds(text); len(c.need) == 0 || !c.inLine || folds {
		holds := func(need string) bool { return containsFold(text, need) }
		if len(c.need) > 0 && !folds && !slices.ContainsFunc(c.need, holds) {
			return -1
		}
		at := c.expr.FindStringIndex(text)
		if at == nil {
			return -1
		}
		return at[0]
	}
	var next [mostNeeded]int // where each of them stands, at from or later
	for i := range c.need {
		next[i] = -1
	}
	for from := 0; from < len(text); {
		first := len(text)
		for i, need := range c.need {
			if next[i] < from {
				if next[i] = indexFold(text[from:], need); next[i] < 0 {
					next[i] = len(text)
				} else {
					next[i] += from
				}
			}
			first = min(first, next[i])
		}
		if first == len(text) {
			return -1
		}
		start := strings.LastIndexByte(text[:first], '\n') + 1
		end := len(text)
		if n := strings.IndexByte(text[first:], '\n'); n >= 0 {
			end = first + n
		}
		if c.expr.MatchString(text[start:end]) {
			return start
		}
		from = end + 1
	}
	return -1
}

// folds reports whether text has letters that match k or s in any case and are not of
// ASCII.
func (c *cond) folds(text string) bool {
	return slices.ContainsFunc(c.need, func(need string) bool { return strings.ContainsAny(need, "ks") }) &&
		(strings.Contains(text, "\u212a") || strings.Contains(text, "\u017f")) // K and ſ
}

// inParts looks at the parts of a piece that an operator names, one by one.
func (c *cond) inParts(p *piece) bool {
	if c.op == search.Content {
		text := *p
		text.in = inText
		return len(c.list) == 0 || c.list[0].holds(&text)
	}
	if len(c.list) > 0 && !c.list[0].may(p) {
		return false
	}
	found := false
	c.parts(p.page, func(from, to int) bool {
		if p.from > 0 && (from < p.from || to > p.to) {
			return true
		}
		part, hit := p.cut(from, to), p.hit
		if found = len(c.list) == 0 || c.list[0].holds(part); !found {
			p.hit = hit
		} else if p.hit == 0 {
			p.hit = c.firstLine(part)
		}
		return !found
	})
	return found
}

// firstLine is the first line of a part with a word that is looked for.
func (c *cond) firstLine(part *piece) int {
	first := len(part.folded)
	c.words(func(w *cond) {
		if at, _ := w.term.index(part.folded); at >= 0 {
			first = min(first, at)
		}
	})
	if first == len(part.folded) {
		return part.from
	}
	return part.from + strings.Count(string(part.folded[:first]), "\n")
}

// may reports whether c can fit a part of p: whether its words stand there at all.
func (c *cond) may(p *piece) bool {
	switch c.op {
	case search.And, search.MatchCase, search.IgnoreCase:
		return !slices.ContainsFunc(c.list, func(part *cond) bool { return !part.may(p) })
	case search.Or:
		return slices.ContainsFunc(c.list, func(part *cond) bool { return part.may(p) })
	case search.Word, search.Phrase:
		at, _ := c.term.index(p.folded)
		return at >= 0 || c.term.folded == ""
	}
	return true
}

// mayASCII reports, at little cost, whether c can fit a note with a text of ASCII:
// whether its words stand in its text or names at all.
func (c *cond) mayASCII(text *vault.Text) bool {
	switch c.op {
	case search.And, search.MatchCase, search.IgnoreCase:
		return !slices.ContainsFunc(c.list, func(part *cond) bool { return !part.mayASCII(text) })
	case search.Or:
		return slices.ContainsFunc(c.list, func(part *cond) bool { return part.mayASCII(text) })
	case search.Word, search.Phrase:
		first, _, _ := strings.Cut(c.term.folded, " ")
		if containsFold(text.Content, first) {
			return true
		}
		names := titles(text.Note)
		return !plainASCII(names) || containsFold(names, first)
	case search.Not, search.Regex, search.Path, search.File, search.Tag, search.Property, search.Date:
		return true
	}
	return len(c.list) == 0 || c.list[0].mayASCII(text)
}

// parts calls f with the first and last line of each part that the operator of c
// names, until f returns false.
func (c *cond) parts(p *page, f func(from, to int) bool) {
	switch c.op {
	case search.Line:
		p.cut(1, 1)
		for n := range p.lines {
			if !f(n+1, n+1) {
				return
			}
		}
	case search.Section:
		for _, s := range sections(p.text) {
			if !f(s.start, max(s.end, s.start)) {
				return
			}
		}
	case search.Block:
		p.blocks(f)
	default:
		p.tasks(c.op, f)
	}
}

// body is the line on which the text below the properties starts.
func (p *page) body() int { return min(max(p.text.Note.BodyLine, 1), len(p.lines)) }

// blocks calls f for each block of the text below the properties.
func (p *page) blocks(f func(from, to int) bool) {
	p.cut(1, 1)
	lineOf := func(at int) int {
		n, found := slices.BinarySearch(p.lines, at)
		if found {
			n++
		}
		return n
	}
	for _, b := range md.Blocks(p.text.Content, p.lines[p.body()-1]) {
		if !f(lineOf(b.Start), lineOf(max(b.End-1, b.Start))) {
			return
		}
	}
}

// tasks calls f for each task that op asks for: its line, and those below it up to
// the next item or blank line.
func (p *page) tasks(op search.Op, f func(from, to int) bool) {
	p.cut(1, 1)
	var fences md.Fences
	start := 0
	for n := p.body(); n <= len(p.lines)+1; n++ {
		line := ""
		if n <= len(p.lines) {
			line = strings.TrimSuffix(lineAt(p.text.Content, p.lines, n), "\n")
			if fences.Line(line) || fences.Kind() != md.TextLine {
				continue
			}
			line = strings.TrimSpace(strings.TrimLeft(line, " \t>"))
		}
		mark := md.ListMark(line)
		if mark == 0 && line != "" {
			continue
		}
		if start > 0 && !f(start, n-1) {
			return
		}
		start = 0
		if box, ok := checkbox(line[mark:]); ok && mark > 0 && (op == search.Task || (op == search.TaskTodo) == (box == ' ')) {
			start = n
		}
	}
}

// checkbox reads the box that the text of a task starts with.
func checkbox(text string) (mark rune, ok bool) {
	text, ok = strings.CutPrefix(strings.TrimLeft(text, " \t"), "[")
	mark, n := utf8.DecodeRuneInString(text)
	rest, closed := strings.CutPrefix(text[n:], "]")
	return mark, ok && n > 0 && closed && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// values are the printed values of a property: of a list its elements.
func values(v any, to []string) []string {
	switch v := v.(type) {
	case nil:
		return append(to, "")
	case []any:
		for _, e := range v {
			to = values(e, to)
		}
		return to
	case map[string]any:
		for key, e := range v {
			for _, s := range values(e, nil) {
				to = append(to, key+": "+s)
			}
		}
		slices.Sort(to)
		return to
	case time.Time:
		if v.Hour() == 0 && v.Minute() == 0 && v.Second() == 0 {
			return append(to, v.Format(time.DateOnly))
		}
		return append(to, v.Format("2006-01-02T15:04:05"))
	}
	return append(to, fmt.Sprint(v))
}

// named reports whether a name holds want, which is folded by foldName.
func named(name, want string) bool {
	if plainASCII(name) {
		return containsFold(name, want)
	}
	return strings.Contains(foldName(name), want)
}
