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

// scope is what a condition is held against: a note, some lines of it, or one of
// its names, tags or properties.
type scope struct {
	note      *vault.Note
	in        kind
	raw       string
	folded    []byte // see words
	lineRange        // of the page, 0 for all
	*page
}

// kind says what a scope is made of.
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
	text *vault.Text
	lines
	hit lineRange // that an operator or an expression found first
}

// words are those of the scope, folded.
func (p *scope) words() []byte {
	if p.folded == nil {
		p.folded = foldText([]byte{}, p.raw)
	}
	return p.folded
}

// holds reports whether c fits a scope.
func (c *cond) holds(p *scope) bool {
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
	case search.Content:
		text := *p
		text.in = inText
		return len(c.list) == 0 || c.list[0].holds(&text)
	}
	if ofMeta(c.op) {
		return c.meta(p.note)
	}
	return p.page != nil && c.inParts(p)
}

// inPiece looks for a word or phrase.
func (c *cond) inPiece(p *scope) bool {
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
		return strings.Contains(foldName(p.raw), c.name)
	case c.term.folded == "":
		return true
	}
	return c.term.in(p.words()) || p.in == inNote && c.term.in(foldText(nil, titles(p.note)))
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
func (c *cond) matches(p *scope) bool {
	at := c.expr.FindStringIndex(p.raw)
	if at != nil && p.page != nil && p.hit.from == 0 {
		line := max(p.from, 1) + strings.Count(p.raw[:at[0]], "\n")
		p.hit = lineRange{line, line}
	}
	return at != nil
}

// inParts looks at the parts of a scope that an operator names, one by one.
func (c *cond) inParts(p *scope) (found bool) {
	c.parts(p.page, func(from, to int) bool {
		if p.from > 0 && (from < p.from || to > p.to) {
			return true
		}
		to = min(to, p.count())
		hit := p.hit
		part := scope{note: p.note, in: inText, raw: p.lines.between(from, to), lineRange: lineRange{from, to}, page: p.page}
		if found = len(c.list) == 0 || c.list[0].holds(&part); !found {
			p.hit = hit
		} else if p.hit.from == 0 {
			p.hit = part.lineRange
		}
		return !found
	})
	return found
}

// parts calls f with the first and last line of each part that the operator of c
// names, in their order, until f returns false.
func (c *cond) parts(p *page, f func(from, to int) bool) {
	switch c.op {
	case search.Line:
		for n := 1; n <= p.count() && f(n, n); n++ {
		}
	case search.Section:
		for _, s := range sections(p.text) {
			if !f(s.start, max(s.start, s.end)) {
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
func (p *page) body() int { return min(max(p.text.Note.BodyLine, 1), p.count()) }

// blocks calls f for each block of the text below the properties.
func (p *page) blocks(f func(from, to int) bool) {
	lineOf := func(at int) int {
		n, found := slices.BinarySearch(p.starts, at)
		if found {
			n++
		}
		return n
	}
	for b := range md.Blocks(p.text.Content, p.start(p.body())) {
		if !f(lineOf(b.Start), lineOf(max(b.End-1, b.Start))) {
			return
		}
	}
}

// tasks calls f for each task that op asks for: its line, and those below it up to
// the next item or blank line.
func (p *page) tasks(op search.Op, f func(from, to int) bool) {
	var fences md.Fences
	start := 0
	for n := p.body(); n <= p.count()+1; n++ {
		line := ""
		if n <= p.count() {
			line = strings.TrimSuffix(p.lines.between(n, n), "\n")
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
