package md

import "strings"

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

// Fences follows code fences through a text, line by line, as it comes. A fence
// is indented by three columns at most, but for those inside a list. The zero
// value stands before the first line.
type Fences struct {
	open  Fence
	list  bool
	blank bool // the line before was blank
}

// Line takes the next line and reports whether it belongs to a block of code,
// whose first and last lines do.
func (s *Fences) Line(line string) (code bool) {
	columns, n := Indent(line)
	line = line[n:]
	if s.open.Char == 0 {
		line = s.text(line, columns)
	}
	f, ok := FenceOf(line)
	if columns > 3 && !s.list {
		f, ok = Fence{}, false
	}
	switch {
	case s.open.Char == 0:
		s.open = f
		return ok
	case f.Closes(s.open):
		s.open = Fence{}
	}
	return true
}

// text keeps track of lists outside of fences. It returns line without the
// list marks that may stand before a fence.
func (s *Fences) text(line string, columns int) string {
	if line == "" || line == "\r" {
		s.blank = true
		return ""
	}
	marks := 0
	for n := ListMark(line); n > 0 && !Rule(line); n = ListMark(line) {
		line = strings.TrimLeft(line[n:], " \t")
		marks++
	}
	s.list = marks > 0 || s.list && !(s.blank && columns == 0)
	s.blank = false
	return line
}

// Open is the fence that is open, the zero Fence if none is.
func (s *Fences) Open() Fence { return s.open }

// LastCode is the content of the last fenced block of code in text that is
// closed, without the indentation that the fence has.
func LastCode(text string) (code string, ok bool) {
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
			code, ok = block.String(), true
		default:
			n := 0
			for n < min(indent, len(line)) && (line[n] == ' ' || line[n] == '\t') {
				n++
			}
			block.WriteString(line[n:])
		}
	}
	return code, ok
}
