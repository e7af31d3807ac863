package vault

import "strings"

// scanner reads the body of a note line by line: it tells code from text,
// finds headings and block ids, and hands stretches of text that belong
// together (a paragraph, a list item, a row) to the inline pass, which finds
// links and tags. It knows as much of markdown as that takes.
type scanner struct {
	text string
	note *Note
	tags tagSet

	run    stretch // the text that is being gathered
	fence  fence   // the code block that is open
	opaque int     // offset up to which lines belong to a comment of HTML or to mathematics

	blank    bool // the line before was blank
	code     bool // the line before was indented code
	inList   bool
	comment  bool // inside %%…%%
	noMore   closers
	items    []openItem // list items with an id that may have children
	tail     int        // index into note.Blocks of an id that may end a paragraph, -1 for none
	block    span       // lines of the block that is being read
	previous span       // lines of the block before the last blank line
}

// stretch is a piece of text for the inline pass.
type stretch struct {
	open       bool
	para       bool // a paragraph outside lists and quotes: may become a heading
	quote      int  // depth of quotes
	start, end int  // offsets
	line       int
}

// fence is an open code block.
type fence struct {
	char  byte // 0: none is open
	len   int
	quote int
}

// span is a range of lines, 1-based and inclusive; the zero span is none.
type span struct{ start, end int }

// openItem is a list item that carries an id.
type openItem struct {
	index  int // into note.Blocks
	indent int
}

// closers remembers which closing marks do not occur any more, so that each
// is looked for in vain only once.
type closers struct {
	comment, math, html bool
}

// mdLine is a line taken apart.
type mdLine struct {
	start, end int // offsets in the text
	num        int
	quote      int    // depth of quotes
	indent     int    // columns of white space before rest
	rest       string // what stands after quote marks and white space
}

// stopEvery is the number of lines after which a long text asks whether
// anybody still waits for it.
const stopEvery = 1 << 12

// body scans the text from offset start on, which is on the given line, until
// stop, which may be nil, says that nobody waits for it any more.
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
	l := takeApart(s.text[start:end])
	l.start, l.end, l.num = start, end, num
	if s.fence.char != 0 {
		if l.quote >= s.fence.quote {
			s.grow(num)
			if s.fence.closedBy(l) {
				s.fence = fence{}
			}
			return
		}
		s.fence = fence{}
	}
	if start < s.opaque {
		s.grow(num)
		return
	}
	if l.rest == "" && l.quote == 0 {
		s.endBlock()
		return
	}
	s.tail, s.code = s.endTail(l), s.code && s.isCode(l)
	switch {
	case s.isCode(l):
		s.code = true
		s.flush()
		s.grow(num)
	case s.special(l):
	default:
		s.words(l)
	}
	s.blank = false
}

// takeApart finds the quote marks, the white space and the list marks at the
// start of a line.
func takeApart(text string) mdLine {
	var l mdLine
	col, i := 0, 0
	space := func() {
		from := col
		for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
			if text[i] == '\t' {
				col += 4 - col%4
			} else {
				col++
			}
			i++
		}
		l.indent = col - from
	}
	space()
	for i < len(text) && text[i] == '>' && (l.indent < 4 || l.quote > 0) {
		l.quote++
		i, col = i+1, 0
		if i < len(text) && text[i] == ' ' {
			i++
		}
		space()
	}
	l.rest = text[i:]
	return l
}

// listMark is the length of the list mark that rest starts with, 0 if none.
func listMark(rest string) int {
	n := 0
	for n < len(rest) && n < 9 && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	switch {
	case n == len(rest):
		return 0
	case n > 0 && (rest[n] == '.' || rest[n] == ')'):
		n++
	case n == 0 && (rest[0] == '-' || rest[0] == '*' || rest[0] == '+'):
		n = 1
	default:
		return 0
	}
	if n < len(rest) && rest[n] != ' ' && rest[n] != '\t' {
		return 0
	}
	return n
}

// isCode reports whether l is indented code: four columns after a blank line
// or more code, and not inside a list.
func (s *scanner) isCode(l mdLine) bool {
	return l.indent >= 4 && l.quote == 0 && !s.inList && (s.blank || s.code) && !s.run.open
}

// special handles the lines that are not running text; it returns false for
// all others.
func (s *scanner) special(l mdLine) bool {
	if l.indent < 4 && l.quote == 0 {
		if level, text, ok := atxHeading(l.rest); ok {
			s.flush()
			s.closeItems(-1)
			s.inList = false
			s.heading(level, text, l.num)
			s.inline(l.end-len(strings.TrimLeft(l.rest, "#")), l.end, l.num, 0)
			s.block, s.previous = span{}, span{}
			return true
		}
		if level := underline(l.rest); level > 0 && s.run.open && s.run.para {
			text := strings.Join(strings.Fields(strings.ReplaceAll(s.text[s.run.start:s.run.end], "\n", " ")), " ")
			line := s.run.line
			s.flush()
			s.heading(level, text, line)
			s.block, s.previous = span{}, span{}
			return true
		}
	}
	if isRule(l.rest) {
		s.flush()
		s.closeItems(-1)
		s.inList, s.block = false, span{}
		return true
	}
	return s.opens(l)
}

// opens handles lines that start something opaque: a fence, a comment of HTML
// or mathematics over several lines.
func (s *scanner) opens(l mdLine) bool {
	rest, item := l.rest, false
	for n := listMark(rest); n > 0; n = listMark(rest) {
		rest, item = strings.TrimLeft(rest[n:], " \t"), true
	}
	if f, ok := openFence(rest); ok {
		f.quote = l.quote
		s.flush()
		s.fence = f
		if item {
			s.inList = true
			s.closeItems(l.indent)
		}
		s.grow(l.num)
		return true
	}
	if strings.HasPrefix(rest, "<!--") && !strings.Contains(rest, "-->") {
		return s.swallow(l, "-->", len(rest)-4, &s.noMore.html)
	}
	if strings.HasPrefix(rest, "$$") && !strings.Contains(rest[2:], "$$") {
		return s.swallow(l, "$$", len(rest)-2, &s.noMore.math)
	}
	return false
}

// swallow makes everything up to the line with the closing mark opaque, if
// there is one. back is how far before the line's end to look for it.
func (s *scanner) swallow(l mdLine, mark string, back int, never *bool) bool {
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
	s.grow(l.num)
	return true
}

// words handles a line of running text.
func (s *scanner) words(l mdLine) {
	from, item := l.end-len(l.rest), false
	rest, mark := l.rest, l.indent
	for n := listMark(rest); n > 0; n = listMark(rest) {
		after := strings.TrimLeft(rest[n:], " \t")
		if item {
			mark += n + 1
		}
		item, rest = true, after
	}
	switch {
	case item:
		s.flush()
		s.closeItems(l.indent)
		s.inList = true
		from = l.end - len(rest)
	case s.blank && l.indent == 0:
		s.closeItems(-1)
		s.inList = false
	}
	if s.run.open && (s.run.quote != l.quote || strings.HasPrefix(rest, "|")) {
		s.flush()
	}
	alone := s.blockID(l, rest, item, mark)
	if !s.run.open {
		s.run = stretch{open: true, start: from, line: l.num, quote: l.quote}
		s.run.para = !item && !s.inList && l.quote == 0 && !strings.HasPrefix(rest, "|")
	}
	s.run.end = l.end
	if alone {
		s.flush()
		return
	}
	s.grow(l.num)
}

// flush hands the gathered text to the inline pass.
func (s *scanner) flush() {
	if s.run.open {
		s.run.open = false
		s.inline(s.run.start, s.run.end, s.run.line, 0)
	}
}

// grow counts a line to the block that is being read.
func (s *scanner) grow(num int) {
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

// heading records a heading unless it stands in a comment.
func (s *scanner) heading(level int, text string, line int) {
	if !s.comment {
		s.note.Headings = append(s.note.Headings, Heading{Level: level, Text: strings.Clone(text), Line: line})
	}
}

// atxHeading reads "## Text ##".
func atxHeading(rest string) (level int, text string, ok bool) {
	for level < len(rest) && rest[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(rest) && rest[level] != ' ' && rest[level] != '\t' {
		return 0, "", false
	}
	text = strings.Trim(rest[level:], " \t")
	if bare := strings.TrimRight(text, "#"); bare == "" || strings.HasSuffix(bare, " ") || strings.HasSuffix(bare, "\t") {
		text = strings.TrimRight(bare, " \t")
	}
	return level, text, true
}

// underline is the level of the heading that a line of === or --- makes of the
// paragraph above it; 0 if rest is no such line.
func underline(rest string) int {
	rest = strings.TrimRight(rest, " \t")
	switch {
	case rest == "":
		return 0
	case strings.Trim(rest, "=") == "":
		return 1
	case strings.Trim(rest, "-") == "":
		return 2
	}
	return 0
}

// isRule reports whether rest is a thematic break: three or more of - * _.
func isRule(rest string) bool {
	if len(rest) < 3 || rest[0] != '-' && rest[0] != '*' && rest[0] != '_' {
		return false
	}
	n := 0
	for i := range len(rest) {
		switch rest[i] {
		case rest[0]:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// openFence reads the first line of a code block.
func openFence(rest string) (fence, bool) {
	if len(rest) < 3 || rest[0] != '`' && rest[0] != '~' {
		return fence{}, false
	}
	f := fence{char: rest[0]}
	for f.len < len(rest) && rest[f.len] == f.char {
		f.len++
	}
	if f.len < 3 || f.char == '`' && strings.IndexByte(rest[f.len:], '`') >= 0 {
		return fence{}, false
	}
	return f, true
}

// closedBy reports whether l is the last line of the code block.
func (f fence) closedBy(l mdLine) bool {
	n := 0
	for n < len(l.rest) && l.rest[n] == f.char {
		n++
	}
	return n >= f.len && strings.Trim(l.rest[n:], " \t") == ""
}
