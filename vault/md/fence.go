package md

import (
	"slices"
	"strings"
)

// Fence is a line that opens or closes a code block; the zero value is none.
type Fence struct {
	Char byte   // '`' or '~'
	Len  int    // number of these characters, at least three
	Info string // text behind them, without white space around it
}

// FenceOf parses an unindented line as a fence.
func FenceOf(line string) (Fence, bool) {
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return Fence{}, false
	}
	f := Fence{Char: line[0]}
	for f.Len < len(line) && line[f.Len] == f.Char {
		f.Len++
	}
	// Backticks followed by other backticks are code in running text.
	if f.Len < 3 || f.Char == '`' && strings.IndexByte(line[f.Len:], '`') >= 0 {
		return Fence{}, false
	}
	f.Info = strings.TrimSpace(line[f.Len:])
	return f, true
}

// Closes reports whether f is the last line of the block that open begins: with the same character, at least as
// many of them, and nothing else.
func (f Fence) Closes(open Fence) bool {
	return f.Char == open.Char && f.Len >= open.Len && f.Info == "" && f.Char != 0
}

// Fences follows code fences through a text, line by line, by the rules of CommonMark: a code block ends at its
// closing fence or with the list item or quotation that contains it, and a block of HTML contains none. HTML
// comments count as text here. The zero value is the state before the first line.
type Fences struct {
	open  Fence
	html  htmlBlock
	kind  LineKind
	para  bool        // the last line belongs to a paragraph, which may continue
	stack []container // containers of the last line, outermost first
}

// maxNested limits the nesting of containers; the marks of deeper ones are text.
const maxNested = 100

// LineKind is the kind of a line.
type LineKind uint8

// The kinds of lines.
const (
	TextLine     LineKind = iota // text, or a blank line
	FencedLine                   // part of a fenced code block
	IndentedLine                 // part of an indented code block
	HTMLLine                     // part of a block of HTML
	UnderLine                    // underline that makes a heading of the paragraph above it
)

// container is a quotation or an item of a list.
type container struct {
	width int  // number of columns before the content of an item; 0 for a quotation
	empty bool // the first line of the item has no content
}

// Open returns the open fence, the zero Fence if none is open.
func (s *Fences) Open() Fence { return s.open }

// Kind returns the kind of the last line.
func (s *Fences) Kind() LineKind { return s.kind }

// Nested reports whether the last line is in a quotation or a list.
func (s *Fences) Nested() bool { return len(s.stack) > 0 }

// InList reports whether the last line is in a list.
func (s *Fences) InList() bool {
	return slices.ContainsFunc(s.stack, func(c container) bool { return c.width > 0 })
}

// Inside reports whether text after before in the next line would be in a fenced code block.
func (s *Fences) Inside(before string) bool { return s.KindBehind(before) == FencedLine }

// KindBehind returns the kind that the next line would have with text after before.
func (s *Fences) KindBehind(before string) LineKind {
	next := s.Clone()
	next.Line(before + "x")
	return next.kind
}

// Clone returns a copy that goes on by itself.
func (s *Fences) Clone() Fences {
	next := *s
	next.stack = slices.Clone(s.stack)
	return next
}

// Line reads the next line and reports whether it belongs to a fenced code block, with its first and last
// lines.
func (s *Fences) Line(line string) (code bool) {
	if s.isRunningText(line) {
		s.para, s.kind = true, TextLine
		return false
	}
	l := cursor{rest: strings.TrimRight(line, "\r")}
	in := s.enterContainers(&l)
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
		s.beginLine(&l, in)
	}
	return s.kind == FencedLine
}

// isRunningText reports whether line is running text outside of everything: a fast answer for most lines.
func (s *Fences) isRunningText(line string) bool {
	if len(s.stack) > 0 || s.open.Char != 0 || s.html != noHTML || line == "" {
		return false
	}
	c := line[0] | 0x20
	return 'a' <= c && c <= 'z'
}

// enterContainers skips the marks of the containers that continue in l, and returns their number.
func (s *Fences) enterContainers(l *cursor) (in int) {
	for ; in < len(s.stack); in++ {
		c := &s.stack[in]
		switch columns := l.indent(); {
		case c.width == 0:
			if columns > 3 || !l.skipQuoteMark() {
				return in
			}
		case l.blank():
			if c.empty {
				return in
			}
		case columns < c.width:
			return in
		default:
			l.skipColumns(c.width)
			c.empty = false
		}
	}
	return in
}

// beginLine reads the rest of a line behind its first in containers, when no block of code or HTML continues in it.
func (s *Fences) beginLine(l *cursor, in int) {
	goesOn := s.para && in == len(s.stack)
	lazy := s.para && !goesOn // a paragraph can continue without the marks of its containers
	depth := in
	for depth < maxNested && l.indent() <= 3 {
		c, ok := l.skipContainerMark(goesOn)
		if !ok {
			break
		}
		s.stack, goesOn, lazy = append(s.stack[:depth], c), false, false
		depth++
	}
	columns, text := l.indent(), l.unindented()
	f, fence := FenceOf(text)
	html := htmlBlockOf(text, goesOn || lazy)
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

// cursor is the rest of a line. It measures white space in columns.
type cursor struct {
	rest   string
	column int // column of the first byte of rest
	spaces int // columns of white space in front of rest that remain of a split tab
}

func (l *cursor) blank() bool { return strings.Trim(l.rest, " \t") == "" }

// indent returns the columns of white space at the beginning.
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

// unindented returns the rest without white space at the beginning, "" if that has more than three columns.
func (l *cursor) unindented() string {
	if l.indent() > 3 {
		return ""
	}
	return strings.TrimLeft(l.rest, " \t")
}

// skipColumns skips n columns of white space.
func (l *cursor) skipColumns(n int) {
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

// skipQuoteMark skips the mark of a quotation, and reports whether there is one.
func (l *cursor) skipQuoteMark() bool {
	if !strings.HasPrefix(l.unindented(), ">") {
		return false
	}
	l.skipColumns(3)
	l.skipBytes(1)
	l.skipColumns(1)
	return true
}

// skipBytes skips n bytes, none of them a tab.
func (l *cursor) skipBytes(n int) { l.column, l.rest = l.column+n, l.rest[n:] }

// skipContainerMark skips the mark of a quotation or an item of a list. Fewer items can interrupt a paragraph.
func (l *cursor) skipContainerMark(paragraph bool) (container, bool) {
	if l.skipQuoteMark() {
		return container{}, true
	}
	text := l.unindented()
	n := ListMark(text)
	if n == 0 || Rule(text) {
		return container{}, false
	}
	after := strings.Trim(text[n:], " \t")
	if paragraph && !itemInterrupts(text, n) {
		return container{}, false
	}
	width := l.indent() + n
	l.skipColumns(3)
	l.skipBytes(n)
	columns := l.indent()
	if after == "" || columns > 4 {
		columns = 1
	}
	l.skipColumns(columns)
	return container{width: width + columns, empty: after == ""}, true
}

// CodeBlock is a fenced code block.
type CodeBlock struct {
	Info string // text behind the opening fence
	Text string // without the indentation of the fence
}

// CodeBlocks returns the closed fenced code blocks in text.
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
