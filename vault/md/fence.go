package md

import (
	"slices"
	"strings"
)

// Fence is a line that opens or closes a block of code; the zero value is none.
type Fence struct {
	Char byte   // '`' or '~'
	Len  int    // how many of them, at least three
	Info string // what stands behind them, trimmed
}

// FenceOf reads an unindented line.
func FenceOf(line string) (Fence, bool) {
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return Fence{}, false
	}
	f := Fence{Char: line[0]}
	for f.Len < len(line) && line[f.Len] == f.Char {
		f.Len++
	}
	// Backticks behind backticks are code in running text.
	if f.Len < 3 || f.Char == '`' && strings.IndexByte(line[f.Len:], '`') >= 0 {
		return Fence{}, false
	}
	f.Info = strings.TrimSpace(line[f.Len:])
	return f, true
}

// Closes reports whether f is the last line of the block that open begins:
// of the same marks, at least as many, and nothing else.
func (f Fence) Closes(open Fence) bool {
	return f.Char == open.Char && f.Len >= open.Len && f.Info == "" && f.Char != 0
}

// Fences follows code fences through a text, line by line, as CommonMark reads
// them: a block of code ends at its closing fence or with the list item or the
// quotation in which it stands, and within a block of HTML there is none.
// Comments of HTML are text here. The zero value stands before the first line.
type Fences struct {
	open  Fence
	html  htmlBlock
	kind  LineKind
	para  bool        // the line before is of a paragraph, which may go on
	stack []container // what the line before stands in, outermost first
}

// maxNested is how many containers may stand in each other; deeper, their marks are text.
const maxNested = 100

// LineKind says what a line is.
type LineKind uint8

// The kinds of lines.
const (
	TextLine     LineKind = iota // or blank
	FencedLine                   // of a block of code between fences
	IndentedLine                 // of an indented block of code
	HTMLLine                     // of a block of HTML
	UnderLine                    // makes a heading of the paragraph above it
)

// container is a quotation or an item of a list.
type container struct {
	width int  // of an item: the columns in front of what belongs to it; 0 of a quotation
	empty bool // nothing stands in the first line of the item
}

// Open is the fence that is open, the zero Fence if none is.
func (s *Fences) Open() Fence { return s.open }

// Kind says what the last line was.
func (s *Fences) Kind() LineKind { return s.kind }

// Nested reports whether the last line stands in a quotation or in a list.
func (s *Fences) Nested() bool { return len(s.stack) > 0 }

// InList reports whether the last line stands in a list.
func (s *Fences) InList() bool {
	return slices.ContainsFunc(s.stack, func(c container) bool { return c.width > 0 })
}

// Inside reports whether text that stands behind before in the next line is in a
// fenced block of code.
func (s *Fences) Inside(before string) bool { return s.KindBehind(before) == FencedLine }

// KindBehind says what the next line is if text stands in it behind before.
func (s *Fences) KindBehind(before string) LineKind {
	next := *s
	next.stack = slices.Clone(s.stack)
	next.Line(before + "x")
	return next.kind
}

// Line takes the next line and reports whether it belongs to a block of code,
// whose first and last lines do.
func (s *Fences) Line(line string) (code bool) {
	if s.plain(line) {
		s.para, s.kind = true, TextLine
		return false
	}
	l := cursor{rest: strings.TrimRight(line, "\r")}
	in := s.enter(&l)
	if all := in == len(s.stack); all && s.open.Char != 0 {
		if f, ok := FenceOf(l.unindented()); ok && f.Closes(s.open) {
			s.open = Fence{}
		}
		s.kind = FencedLine
	} else if all && s.html != noHTML {
		if s.html.ends(l.rest) {
			s.html = noHTML
		}
		s.kind = HTMLLine
	} else {
		s.open, s.html, s.kind = Fence{}, noHTML, TextLine
		s.begin(&l, in)
	}
	return s.kind == FencedLine
}

// plain reports whether line is running text, outside of everything. It is an
// answer at once for most lines.
func (s *Fences) plain(line string) bool {
	if len(s.stack) > 0 || s.open.Char != 0 || s.html != noHTML || line == "" {
		return false
	}
	c := line[0] | 0x20
	return 'a' <= c && c <= 'z'
}

// enter goes through the containers in which l goes on, and returns their number.
func (s *Fences) enter(l *cursor) (in int) {
	for ; in < len(s.stack); in++ {
		c := &s.stack[in]
		switch columns := l.indent(); {
		case c.width == 0:
			if columns > 3 || !l.quote() {
				return in
			}
		case l.blank():
			if c.empty {
				return in
			}
		case columns < c.width:
			return in
		default:
			l.skip(c.width)
			c.empty = false
		}
	}
	return in
}

// begin reads what is left of a line behind its first in containers, with no
// block of code or of HTML that goes on in it.
func (s *Fences) begin(l *cursor, in int) {
	goesOn := s.para && in == len(s.stack)
	lazy := s.para && !goesOn // a paragraph goes on without the marks of its containers
	depth := in
	for depth < maxNested && l.indent() <= 3 {
		c, ok := l.container(goesOn)
		if !ok {
			break
		}
		s.stack, goesOn, lazy = append(s.stack[:depth], c), false, false
		depth++
	}
	columns, text := l.indent(), l.unindented()
	f, fence := FenceOf(text)
	html := htmlOf(text, goesOn || lazy)
	_, _, heading := Heading(text)
	indented := columns > 3 && !goesOn && !lazy && !l.blank()
	under := goesOn && Underline(text) > 0
	switch {
	case l.blank() || fence || indented || heading || html != noHTML || Rule(text) || under:
		s.para = false
	case lazy:
		return
	default:
		s.para = true
	}
	s.stack, s.open = s.stack[:depth], f
	switch {
	case fence:
		s.kind = FencedLine
	case indented:
		s.kind = IndentedLine
	case under:
		s.kind = UnderLine
	case html != noHTML:
		s.kind = HTMLLine
		if !html.ends(text) {
			s.html = html
		}
	}
}

// cursor is the rest of a line, whose white space is measured in columns.
type cursor struct {
	rest   string
	column int // of the first byte of rest
	spaces int // columns of white space in front of it, of a tab that was cut
}

func (l *cursor) blank() bool { return strings.Trim(l.rest, " \t") == "" }

// indent is the columns of white space at the beginning.
func (l *cursor) indent() int {
	column := l.column
	for i := range len(l.rest) {
		switch l.rest[i] {
		case ' ':
			column++
			continue
		case '\t':
			column += 4 - column%4
			continue
		}
		break
	}
	return l.spaces + column - l.column
}

// unindented is the rest without its white space, or "" if there are more than
// three columns of it.
func (l *cursor) unindented() string {
	if l.indent() > 3 {
		return ""
	}
	return strings.TrimLeft(l.rest, " \t")
}

// skip goes n columns of white space on.
func (l *cursor) skip(n int) {
	cut := min(n, l.spaces)
	l.spaces -= cut
	for n -= cut; n > 0 && l.rest != ""; {
		width := 1
		switch l.rest[0] {
		case '\t':
			width = 4 - l.column%4
		case ' ':
		default:
			return
		}
		l.column, l.rest = l.column+width, l.rest[1:]
		l.spaces, n = max(width-n, 0), n-width
	}
}

// quote goes behind the mark of a quotation.
func (l *cursor) quote() bool {
	if !strings.HasPrefix(l.unindented(), ">") {
		return false
	}
	l.skip(3)
	l.mark(1)
	l.skip(1)
	return true
}

// mark goes n bytes on, none of them a tab.
func (l *cursor) mark(n int) { l.column, l.rest = l.column+n, l.rest[n:] }

// container goes behind the mark of a quotation or of an item of a list. A
// paragraph that goes on is interrupted by fewer items.
func (l *cursor) container(paragraph bool) (container, bool) {
	if l.quote() {
		return container{}, true
	}
	text := l.unindented()
	n := ListMark(text)
	if n == 0 || Rule(text) {
		return container{}, false
	}
	after := strings.Trim(text[n:], " \t")
	if paragraph && (after == "" || n > 1 && strings.TrimLeft(text[:n-1], "0") != "1") {
		return container{}, false
	}
	width := l.indent() + n
	l.skip(3)
	l.mark(n)
	columns := l.indent()
	if after == "" || columns > 4 {
		columns = 1
	}
	l.skip(columns)
	return container{width: width + columns, empty: after == ""}, true
}

// CodeBlock is a fenced block of code.
type CodeBlock struct {
	Info string // what stands behind the fence that opens it
	Text string // without the indentation that the fence has
}

// CodeBlocks lists the fenced blocks of code in text that are closed.
func CodeBlocks(text string) (all []CodeBlock) {
	var s Fences
	var block strings.Builder
	indent := 0
	for line := range strings.Lines(text) {
		was := s.open
		s.Line(strings.TrimRight(line, "\r\n"))
		switch {
		case was.Char == 0:
			block.Reset()
			indent = strings.IndexAny(line, "`~")
		case s.open.Char == 0:
			all = append(all, CodeBlock{was.Info, block.String()})
		default:
			n := 0
			for n < min(indent, len(line)) && (line[n] == ' ' || line[n] == '\t') {
				n++
			}
			block.WriteString(line[n:])
		}
	}
	return all
}

// LastCode is the content of the last of CodeBlocks.
func LastCode(text string) (code string, ok bool) {
	all := CodeBlocks(text)
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1].Text, true
}
