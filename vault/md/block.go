package md

import (
	"iter"
	"strings"
)

// Kind is the kind of a block.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Title          // a heading
	Code           // fenced, indented, or mathematics between $$
	Quote          // a quotation or a callout
	Item           // item of a list, with everything below it
	Table
	Break   // a thematic break
	Comment // <!-- -->, or %% %% over several lines
)

// Block is a range of whole lines of a text.
type Block struct {
	Kind       Kind
	Start, End int    // offsets, without the end of the last line
	Level      int    // level of a Title
	Text       string // text of a Title, without its marks

	// Closing is the line that would end a block which is still open at the end of the text, "" for others. A block
	// in a quotation or a list is never open: it ends with that.
	Closing string
}

// Blocks divides text from offset start on into blocks. Blank lines, thematic breaks and comments are left out.
// Blocks do not nest: everything in a quotation or below an item of a list belongs to it. The text is read only
// as far as blocks are requested.
func Blocks(text string, start int) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for b := range AllBlocks(text, start) {
			if b.Kind != Break && b.Kind != Comment && !yield(b) {
				return
			}
		}
	}
}

// AllBlocks works like Blocks, and leaves out blank lines only.
func AllBlocks(text string, start int) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		b := blocks{text: text, next: start}
		for b.advance() {
			b.block()
			for _, found := range b.all {
				if !yield(found) {
					return
				}
			}
			b.all = b.all[:0]
		}
	}
}

// blocks is the state of reading a text, at one line.
type blocks struct {
	text     string
	from, to int // the line, without its end
	next     int // the offset of the line after it
	columns  int
	line     string // unindented
	all      []Block
	closing  string // of the block that was read up to the end of the text
}

// advance goes to the next line; it returns false at the end.
func (b *blocks) advance() bool {
	if b.next >= len(b.text) {
		b.line, b.columns, b.from, b.to = "", 0, len(b.text), len(b.text)
		return false
	}
	b.from = b.next
	if n := strings.IndexByte(b.text[b.from:], '\n'); n >= 0 {
		b.to, b.next = b.from+n, b.from+n+1
	} else {
		b.to, b.next = len(b.text), len(b.text)
	}
	line := b.text[b.from:b.to]
	columns, n := Indent(line)
	b.columns, b.line = columns, strings.TrimRight(line[n:], " \t\r")
	return true
}

// add adds a block from offset start to the current line.
func (b *blocks) add(kind Kind, start int) {
	b.all = append(b.all, Block{Kind: kind, Start: start, End: b.to, Closing: b.closing})
}

// block reads the block that begins at the current line, up to its last line.
func (b *blocks) block() {
	start := b.from
	fence, fenced := FenceOf(b.line)
	level, text, heading := Heading(b.line)
	html := htmlBlockOf(b.line, false)
	switch {
	case b.line == "":
	case Rule(b.line):
		b.add(Break, start)
	case strings.HasPrefix(b.line, "<!--"):
		b.advanceUntil("-->", func() bool { return strings.Contains(b.line, "-->") })
		b.add(Comment, start)
	case opensComment(b.line):
		b.advance()
		b.advanceUntil("%%", func() bool { return strings.Contains(b.line, "%%") })
		b.add(Comment, start)
	case b.columns >= 4:
		b.advanceWhile(func() bool { return b.columns >= 4 && b.line != "" })
		b.add(Code, start)
	case html == "\n":
		b.advanceWhile(func() bool { return b.line != "" })
		b.add(Paragraph, start)
	case html != noHTML:
		b.advanceUntil(html.closing(b.line), func() bool { return html.ends(b.line) })
		b.add(Paragraph, start)
	case fenced:
		b.advance()
		b.advanceUntil(strings.Repeat(string(fence.Char), fence.Len), func() bool {
			f, _ := FenceOf(b.line)
			return f.Closes(fence)
		})
		b.add(Code, start)
	case b.line == "$$":
		b.advance()
		b.advanceUntil("$$", func() bool { return strings.HasSuffix(b.line, "$$") })
		b.add(Code, start)
	case heading:
		b.all = append(b.all, Block{Kind: Title, Start: start, End: b.to, Level: level, Text: text})
	case b.line[0] == '>':
		b.advanceWhile(func() bool { return strings.HasPrefix(b.line, ">") })
		b.add(Quote, start)
	case b.table():
		b.advanceWhile(func() bool { return strings.Contains(b.line, "|") })
		b.add(Table, start)
	case ListMark(b.line) > 0:
		b.item()
	default:
		b.paragraph()
	}
}

// opensComment reports whether an unindented line opens a comment that does not end on it.
func opensComment(line string) bool {
	rest, opens := strings.CutPrefix(line, "%%")
	return opens && !strings.HasPrefix(rest, "%") && !strings.Contains(rest, "%%")
}

// advanceUntil advances to the first line, beginning with the current one, for which last is true. If the text ends
// before that, the block is open, and closing would end it.
func (b *blocks) advanceUntil(closing string, last func() bool) {
	for !last() {
		if !b.advance() {
			b.closing = closing
			return
		}
	}
}

// advanceWhile advances as long as the next line belongs to the block.
func (b *blocks) advanceWhile(belongs func() bool) {
	for {
		was := *b
		if !b.advance() || !belongs() {
			*b = was
			return
		}
	}
}

// table reports whether a table begins at the current line.
func (b *blocks) table() bool {
	if !strings.Contains(b.line, "|") {
		return false
	}
	row, _, _ := strings.Cut(b.text[b.next:], "\n")
	return TableRule(row)
}

// TableRule reports whether a line is the one below the header of a table.
func TableRule(line string) bool {
	return strings.Contains(line, "-") && strings.Contains(line, "|") && strings.Trim(line, "|:- \t\r") == ""
}

// item reads an item of a list: the lines that follow directly, and after blank lines those that are indented.
func (b *blocks) item() {
	start, margin := b.from, b.columns
	for {
		was, blank := *b, false
		for b.advance() && b.line == "" {
			blank = true
		}
		if b.line == "" || b.columns <= margin && (blank || ListMark(b.line) > 0 || b.interruptsParagraph()) {
			*b = was
			b.add(Item, start)
			return
		}
	}
}

// interruptsParagraph reports whether the current line interrupts a paragraph.
func (b *blocks) interruptsParagraph() bool {
	if _, ok := FenceOf(b.line); ok {
		return true
	}
	_, _, ok := Heading(b.line)
	return ok || htmlBlockOf(b.line, true) != noHTML || b.line[0] == '>' || Rule(b.line) || b.table() ||
		itemInterrupts(b.line, ListMark(b.line))
}

// itemInterrupts reports whether an unindented line with a list mark of this length begins an item also directly below
// running text: one that is not empty, and of a numbered list only the first.
func itemInterrupts(line string, size int) bool {
	isEmpty := strings.Trim(line[size:], " \t") == ""
	isLater := size > 1 && strings.TrimLeft(line[:size-1], "0") != "1"
	return size > 0 && !isEmpty && !isLater
}

// paragraph reads running text, or a heading with an underline.
func (b *blocks) paragraph() {
	start := b.from
	level := 0
	end := b.to
	b.advanceWhile(func() bool {
		if b.line != "" && level == 0 {
			if level = Underline(b.line); level > 0 {
				return true
			}
			end = b.to
		}
		return b.line != "" && level == 0 && !b.interruptsParagraph()
	})
	if level > 0 {
		text := OneLine(b.text[start:end])
		b.all = append(b.all, Block{Kind: Title, Start: start, End: b.to, Level: level, Text: text})
		return
	}
	b.add(Paragraph, start)
}
