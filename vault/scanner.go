package vault

import (
	"strings"

	"ibid/vault/md"
)

// scanner parses the body of a note line by line: it separates code from text, finds headings and block ids,
// and passes stretches of text (a paragraph, a list item, a table row) to the inline pass, which finds links
// and tags. It handles only as much of markdown as that needs.
type scanner struct {
	text string
	note *draft
	tags tagSet

	gathered stretch // the stretch that is being gathered
	fences   md.Fences
	opaque   int // offset up to which lines belong to a comment of HTML or to mathematics

	blank    bool // the last line was blank
	comment  bool // inside %%…%%
	missing  missingMarks
	items    []openItem // list items with an id that may have children
	tail     int        // index into note.blocks of an id that may end a paragraph, -1 for none
	block    span       // lines of the current block
	previous span       // lines of the block before the last blank line
}

// stretch is a piece of text for the inline pass.
type stretch struct {
	open       bool
	nested     bool // in a list or a quote
	kind       md.LineKind
	quote      int // depth of quotes
	start, end int // offsets
	line       int
}

// span is a range of lines, from 1 and inclusive; the zero span is none.
type span struct{ start, end int }

// openItem is a list item with an id whose end is not reached yet.
type openItem struct {
	index  int // into note.blocks
	indent int
}

// missingMarks records which closing marks do not occur any more, so that each is searched in vain only once.
type missingMarks struct {
	comment, math, html bool
}

// mdLine is a line in its parts.
type mdLine struct {
	end    int // offset in the text
	num    int
	quote  int    // depth of quotes
	indent int    // columns of white space before rest
	rest   string // the text behind quote marks and white space
}

// stopEvery is the number of lines between two calls of stop in a long text.
const stopEvery = 1 << 12

// body scans the text from offset start on, which is on the given line, until stop, which may be nil, returns
// true.
func (s *scanner) body(start, line int, stop func() bool) {
	s.blank, s.tail = true, -1
	for pos := start; pos < len(s.text); line++ {
		if stop != nil && line%stopEvery == 0 && stop() {
			return
		}
		end := strings.IndexByte(s.text[pos:], '\n')
		if end < 0 {
			end = len(s.text)
		} else {
			end += pos
		}
		s.line(pos, end, line)
		pos = end + 1
	}
	s.flush()
	s.closeItems(-1)
}

// line handles one line.
func (s *scanner) line(start, end, num int) {
	if start < s.opaque {
		s.extendBlock(num)
		return
	}
	l := splitLine(s.text[start:end])
	l.end, l.num = end, num
	first := s.fences.Open().Char == 0
	if s.fences.Line(s.text[start:end]) {
		s.fenced(l, first)
		return
	}
	if l.rest == "" && l.quote == 0 {
		s.endBlock()
		return
	}
	s.dropTail(l)
	switch {
	case s.fences.Kind() == md.IndentedLine && !s.fences.InList():
		s.flush()
		s.extendBlock(num)
	case s.structureLine(l):
	default:
		s.textLine(l)
	}
	s.blank = false
}

// splitLine splits a line into its quote marks, white space and the rest.
func splitLine(text string) mdLine {
	var l mdLine
	l.indent, l.rest = unindent(text)
	for strings.HasPrefix(l.rest, ">") && (l.indent < 4 || l.quote > 0) {
		l.quote++
		l.indent, l.rest = unindent(strings.TrimPrefix(l.rest[1:], " "))
	}
	return l
}

func unindent(line string) (columns int, rest string) {
	columns, n := md.Indent(line)
	return columns, line[n:]
}

// structureLine handles the lines that are not running text; it returns false for all others.
func (s *scanner) structureLine(l mdLine) bool {
	if s.fences.Nested() {
		// Headings of quotes and lists do not divide the note.
	} else if kind := s.fences.Kind(); kind == md.TextLine && l.indent < 4 {
		if level, text, ok := md.Heading(l.rest); ok {
			s.flush()
			s.closeItems(-1)
			s.heading(level, text, l.num)
			s.inline(l.end-len(strings.TrimLeft(l.rest, "#")), l.end, l.num, 0)
			s.block, s.previous = span{}, span{}
			return true
		}
	} else if kind == md.UnderLine {
		if level := md.Underline(l.rest); s.gathered.open {
			text := md.OneLine(strings.ReplaceAll(s.text[s.gathered.start:s.gathered.end], "\n", " "))
			line := s.gathered.line
			s.flush()
			s.heading(level, text, line)
			s.block, s.previous = span{}, span{}
			return true
		}
	}
	if md.Rule(l.rest) {
		s.flush()
		s.closeItems(-1)
		s.block = span{}
		return true
	}
	return s.opaqueStart(l)
}

// fenced handles a line of a code block; first says that it may be its first line.
func (s *scanner) fenced(l mdLine, first bool) {
	if first {
		s.dropTail(l)
		s.blank = false
		s.flush()
	}
	if first && md.ListMark(l.rest) > 0 {
		s.closeItems(l.indent)
	}
	s.extendBlock(l.num)
}

// opaqueStart handles lines that start something opaque: an HTML comment or mathematics over several lines.
func (s *scanner) opaqueStart(l mdLine) bool {
	rest := l.rest
	for n := md.ListMark(rest); n > 0; n = md.ListMark(rest) {
		rest = strings.TrimLeft(rest[n:], " \t")
	}
	if strings.HasPrefix(rest, "<!--") && !strings.Contains(rest, "-->") {
		return s.markOpaqueUntil(l, "-->", len(rest)-4, &s.missing.html)
	}
	if strings.HasPrefix(rest, "$$") && !strings.Contains(rest[2:], "$$") {
		return s.markOpaqueUntil(l, "$$", len(rest)-2, &s.missing.math)
	}
	return false
}

// markOpaqueUntil makes all text up to the closing mark opaque, if there is one. The search begins back bytes
// before the end of the line.
func (s *scanner) markOpaqueUntil(l mdLine, mark string, back int, never *bool) bool {
	if *never {
		return false
	}
	at := strings.Index(s.text[l.end-back:], mark)
	if at < 0 {
		*never = true
		return false
	}
	s.flush()
	s.opaque = l.end - back + at + len(mark)
	s.extendBlock(l.num)
	return true
}

// textLine handles a line of running text.
func (s *scanner) textLine(l mdLine) {
	if l.quote == 0 && beginsMessage(l.rest) {
		s.note.chat |= chatHeader
	}
	from, item := l.end-len(l.rest), false
	rest, mark := l.rest, l.indent
	for n := md.ListMark(rest); n > 0; n = md.ListMark(rest) {
		after := strings.TrimLeft(rest[n:], " \t")
		if item {
			mark += n + 1
		}
		item, rest = true, after
	}
	item = item && s.fences.InList()
	switch {
	case item:
		s.flush()
		s.closeItems(l.indent)
		from = l.end - len(rest)
	case s.blank && l.indent == 0:
		s.closeItems(-1)
	}
	if s.gathered.open && (s.gathered.quote != l.quote || s.gathered.nested != s.fences.Nested() ||
		s.gathered.kind != s.fences.Kind() || strings.HasPrefix(rest, "|")) {
		s.flush()
	}
	alone := s.blockID(l, rest, item, mark)
	if !s.gathered.open {
		s.gathered = stretch{
			open: true, start: from, line: l.num, quote: l.quote, nested: s.fences.Nested(), kind: s.fences.Kind(),
		}
	}
	s.gathered.end = l.end
	if alone {
		s.flush()
		return
	}
	s.extendBlock(l.num)
}

// flush passes the gathered stretch to the inline pass.
func (s *scanner) flush() {
	if s.gathered.open {
		s.gathered.open = false
		s.inline(s.gathered.start, s.gathered.end, s.gathered.line, 0)
	}
}

// extendBlock adds a line to the current block.
func (s *scanner) extendBlock(num int) {
	if s.block.start == 0 {
		s.block.start = num
	}
	s.block.end = num
}

// endBlock handles a blank line.
func (s *scanner) endBlock() {
	s.flush()
	if s.block.start != 0 {
		s.previous, s.block = s.block, span{}
	}
	s.blank, s.tail = true, -1
}

// maxHeadings limits the headings of a note: no note that a person wrote has more, and each takes more memory
// than its text.
const maxHeadings = 1 << 16

// heading records a heading, and the block id at its end, unless it is in a comment.
func (s *scanner) heading(level int, text string, line int) {
	if s.comment || len(s.note.Headings) >= maxHeadings {
		return
	}
	s.note.Headings = append(s.note.Headings, Heading{Level: level, Text: text, Line: line})
	if id, _, ok := md.BlockID(text); ok {
		s.note.blocks = append(s.note.blocks, Block{ID: id, Start: line, End: line})
	}
}
