package mdview

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// dialect are the parsers of what Obsidian has and GitHub's markdown has not.
func dialect() []parser.Option {
	return []parser.Option{
		parser.WithBlockParsers(util.Prioritized(verbatimBlocks{}, 690), util.Prioritized(boundedParser{footnoteBlocks{}, maxTail}, 691), util.Prioritized(detailsBlocks{}, 692)),
		parser.WithInlineParsers(
			util.Prioritized(spans{}, 150), util.Prioritized(wikilinks{}, 199), util.Prioritized(references{}, 198),
			util.Prioritized(markers{}, 500), util.Prioritized(asides{}, 197),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(longLines{}, 97), util.Prioritized(taskMarks{}, 98), util.Prioritized(callouts{}, 99),
			// Tables are found here.
			util.Prioritized(longTexts{}, 201), util.Prioritized(definitions{}, 202),
		),
	}
}

// Bounds of what is parsed: time and memory grow with their squares and products.
const (
	maxNested  = 24       // blocks in each other; deeper, marks of blocks are text
	maxHeading = 1 << 10  // bytes
	maxCells   = 32 << 10 // of a table with more, nothing is drawn as one
)

// boundedParser parses blocks that are neither nested too deep nor begin with a line of more
// bytes, whose marks are text else.
type boundedParser struct {
	parser.BlockParser
	most int
}

// Open implements parser.BlockParser.
func (b boundedParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if line, _ := reader.PeekLine(); depth > maxNested || len(line) > b.most {
		return nil, parser.NoChildren
	}
	return b.BlockParser.Open(parent, reader, pc)
}

// blockParsers are those of markdown, where what may be deep or long is bounded.
func blockParsers() []util.PrioritizedValue {
	all := parser.DefaultBlockParsers()
	for i, p := range all {
		most := map[int]int{300: maxTail, 600: maxHeading, 800: maxTail}[p.Priority] // lists, headings, quotes
		if most > 0 {
			all[i].Value = boundedParser{p.Value.(parser.BlockParser), most}
		}
	}
	return all
}

// longLines shows a text with a line longer than a tail as it is written, and one that
// is a table with too many cells.
type longLines struct{}

// Transform implements parser.ParagraphTransformer.
func (longLines) Transform(n *ast.Paragraph, r text.Reader, _ parser.Context) {
	columns, longest := 0, 0
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		columns, longest = max(columns, bytes.Count(r.Value(line), []byte("|"))), max(longest, line.Len())
	}
	if longest > maxTail || columns*n.Lines().Len() > maxCells {
		keepWritten(n)
	}
}

// longTexts shows a text longer than a tail as it is written.
type longTexts struct{}

// Transform implements parser.ParagraphTransformer.
func (longTexts) Transform(n *ast.Paragraph, _ text.Reader, _ parser.Context) {
	size := 0
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		size += line.Len()
	}
	if size > maxTail {
		keepWritten(n)
	}
}

// keepWritten makes a block of which nothing is parsed of a paragraph.
func keepWritten(n *ast.Paragraph) {
	v := &verbatim{}
	v.SetPos(n.Pos())
	v.SetLines(n.Lines())
	n.Parent().ReplaceChild(n.Parent(), n, v)
}

// verbatim is a block between two lines of marks: a formula, between $$ and $$ or
// between \[ and \], or a comment between %% and %%. Without marks it is a text that is
// shown as it is written.
type verbatim struct {
	ast.BaseBlock
	open, end string
	closed    bool
}

// kindOfVerbatim is the kind of verbatim nodes.
var kindOfVerbatim = ast.NewNodeKind("Verbatim")

// Kind implements ast.Node.
func (v *verbatim) Kind() ast.NodeKind { return kindOfVerbatim }

// IsRaw implements ast.Node: nothing in it is markdown.
func (v *verbatim) IsRaw() bool { return true }

// Dump implements ast.Node.
func (v *verbatim) Dump(source []byte, level int) { ast.DumpHelper(v, source, level, nil, nil) }

// verbatimBlocks parses verbatim blocks.
type verbatimBlocks struct{}

// Trigger implements parser.BlockParser.
func (verbatimBlocks) Trigger() []byte { return []byte{'$', '\\', '%'} }

// Open implements parser.BlockParser.
func (verbatimBlocks) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || pc.BlockIndent() > 3 {
		return nil, parser.NoChildren
	}
	mark := string(bytes.TrimSpace(line[at:]))
	v := &verbatim{open: mark, end: mark}
	switch {
	case mark == "$$" || mark == "%%":
	case mark == `\[`:
		v.end = `\]`
	default:
		if len(mark) < 5 {
			return nil, parser.NoChildren
		}
		v.open, v.end, v.closed = mark[:2], mark[len(mark)-2:], true // on one line
		inside := mark[2 : len(mark)-2]
		if marks := v.open + v.end; marks != "%%%%" && marks != "$$$$" && (marks != `\[\]` || !isTeX(inside)) || strings.Contains(inside, v.end) {
			return nil, parser.NoChildren
		}
		from := segment.Start - segment.Padding + at + 2
		v.Lines().Append(text.NewSegment(from, from+len(inside)))
	}
	reader.AdvanceToEOL()
	return v, parser.NoChildren
}

// Continue implements parser.BlockParser.
func (verbatimBlocks) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	v := node.(*verbatim)
	if v.closed {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	if before, ok := bytes.CutSuffix(bytes.TrimSpace(line), []byte(v.end)); ok {
		v.closed = true
		if len(bytes.TrimSpace(before)) == 0 {
			reader.AdvanceToEOL()
			return parser.Close
		}
		at := bytes.LastIndex(line, []byte(v.end))
		segment.Stop = segment.Start - segment.Padding + at
	}
	v.Lines().Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// Close implements parser.BlockParser.
func (verbatimBlocks) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (verbatimBlocks) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (verbatimBlocks) CanAcceptIndentedLine() bool { return false }

// footnote is what a footnote says: [^1]: text, and what is indented below it.
type footnote struct {
	ast.BaseBlock
	mark string // [^1]
}

// kindOfFootnote is the kind of footnote nodes.
var kindOfFootnote = ast.NewNodeKind("Footnote")

// Kind implements ast.Node.
func (f *footnote) Kind() ast.NodeKind { return kindOfFootnote }

// Dump implements ast.Node.
func (f *footnote) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

// footnoteBlocks parses footnotes.
type footnoteBlocks struct{}

// Trigger implements parser.BlockParser.
func (footnoteBlocks) Trigger() []byte { return []byte{'['} }

// Open implements parser.BlockParser.
func (footnoteBlocks) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || segment.Padding > 0 {
		return nil, parser.NoChildren
	}
	n := footnoteLen(line[at:])
	if n == 0 || at+n >= len(line) || line[at+n] != ':' {
		return nil, parser.NoChildren
	}
	reader.Advance(at + n + 1)
	return &footnote{mark: string(line[at : at+n])}, parser.HasChildren
}

// Continue implements parser.BlockParser.
func (footnoteBlocks) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	at, padding := util.IndentPosition(line, reader.LineOffset(), 4)
	if at < 0 {
		return parser.Close
	}
	reader.AdvanceAndSetPadding(at, padding)
	return parser.Continue | parser.HasChildren
}

// Close implements parser.BlockParser.
func (footnoteBlocks) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (footnoteBlocks) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (footnoteBlocks) CanAcceptIndentedLine() bool { return false }

// markAttr is the mark of a task that is neither done nor open, as in "- [/] text".
const markAttr = "mark"

// taskMarks takes such marks away from the items of lists.
type taskMarks struct{}

// Transform implements parser.ParagraphTransformer.
func (taskMarks) Transform(n *ast.Paragraph, r text.Reader, _ parser.Context) {
	item := n.Parent()
	if item.Kind() != ast.KindListItem || n.PreviousSibling() != nil {
		return
	}
	first := n.Lines().At(0)
	line := r.Value(first)
	if len(line) < 5 || line[0] != '[' || line[2] != ']' || line[3] != ' ' || strings.IndexByte("/-><?!*\"lbiSIpcfkwud", line[1]) < 0 || util.IsBlank(line[4:]) {
		return
	}
	item.SetAttributeString(markAttr, string(line[:3]))
	n.Lines().Set(0, first.WithStart(first.Start+4))
}

// definition is a term and what defines it, each of which is a block of text.
type definition struct{ ast.BaseBlock }

// kindOfDefinition is the kind of definition nodes.
var kindOfDefinition = ast.NewNodeKind("Definition")

// Kind implements ast.Node.
func (d *definition) Kind() ast.NodeKind { return kindOfDefinition }

// Dump implements ast.Node.
func (d *definition) Dump(source []byte, level int) { ast.DumpHelper(d, source, level, nil, nil) }

// maxTerm is the length in bytes above which a line is no term of a definition that
// stands below a blank line.
const maxTerm = 100

// isTerm reports whether a paragraph is one short line.
func isTerm(n *ast.Paragraph, src []byte) bool {
	return n.Lines().Len() == 1 && len(trimBlank(n.Lines().Value(src))) <= maxTerm
}

// definitions makes a definition of a paragraph that is one line, the term, and
// lines that begin with a colon, also below blank lines.
type definitions struct{}

// Transform implements parser.ParagraphTransformer.
func (definitions) Transform(n *ast.Paragraph, r text.Reader, _ parser.Context) {
	lines := n.Lines()
	colon := func(i int) bool { return bytes.HasPrefix(r.Value(lines.At(i)), []byte(": ")) }
	parent, above := n.Parent(), n.PreviousSibling()
	if d, ok := above.(*definition); ok && colon(0) {
		d.add(lines, r)
		parent.RemoveChild(parent, n)
		return
	}
	term, ok := above.(*ast.Paragraph)
	if ok = ok && colon(0) && isTerm(term, r.Source()); !ok && (lines.Len() < 2 || !colon(1)) {
		return
	}
	d := &definition{}
	d.SetPos(n.Pos())
	if ok {
		d.SetPos(term.Pos())
		d.add(term.Lines(), r)
		parent.RemoveChild(parent, term)
	}
	d.add(lines, r)
	parent.ReplaceChild(parent, n, d)
}

// add adds lines to a definition: the term if it is empty, and parts that begin with
// a colon.
func (d *definition) add(lines *text.Segments, r text.Reader) {
	for i := range lines.Len() {
		line := lines.At(i)
		line = line.TrimLeftSpace(r.Source())
		part := d.LastChild()
		colon := bytes.HasPrefix(r.Value(line), []byte(": "))
		if part == nil || colon {
			part = ast.NewTextBlock()
			d.AppendChild(d, part)
			if colon {
				line = line.WithStart(line.Start + 2)
			}
		}
		part.Lines().Append(line)
	}
	for c := d.FirstChild(); c != nil; c = c.NextSibling() { // no text ends in a break
		last := c.Lines().Len() - 1
		line := c.Lines().At(last)
		c.Lines().Set(last, line.TrimRightSpace(r.Source()))
	}
}
