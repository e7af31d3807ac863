package mdview

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// dialect returns the parsers for what Obsidian adds to GitHub's markdown, but for footnotes and links to notes.
func dialect() []parser.Option {
	return []parser.Option{
		parser.WithBlockParsers(
			util.Prioritized(blockParser{"$\\%", openVerbatim, continueVerbatim}, 690),
		),
		parser.WithInlineParsers(
			util.Prioritized(inlineParser{"$\\%#[", parseSpan}, 150),
			util.Prioritized(markers{}, 500),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(transformer(keepLongLines), 98), util.Prioritized(transformer(takeCallout), 99),
			util.Prioritized(transformer(keepLongText), 201), // the transformers of tables run at 200
		),
	}
}

// links returns the parsers of links and footnotes as the screen shows them.
func links() []parser.Option {
	return []parser.Option{
		parser.WithBlockParsers(
			util.Prioritized(boundedParser{blockParser{"[", openFootnote, continueFootnote}, maxTail}, 691),
		),
		parser.WithInlineParsers(
			util.Prioritized(inlineParser{"[", parseReference}, 198),
			util.Prioritized(inlineParser{"![", parseWikilink}, 199),
		),
	}
}

// ownKind is the kind of the nodes of the dialect.
var ownKind = ast.NewNodeKind("Dialect")

// ownBlock is the base of the dialect's block nodes, and ownInline of its inline nodes.
type (
	ownBlock  struct{ ast.BaseBlock }
	ownInline struct{ ast.BaseInline }
)

// Kind implements ast.Node.
func (*ownBlock) Kind() ast.NodeKind { return ownKind }

// Dump implements ast.Node.
func (n *ownBlock) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// Kind implements ast.Node.
func (*ownInline) Kind() ast.NodeKind { return ownKind }

// Dump implements ast.Node.
func (n *ownInline) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// blockParser parses blocks that begin with one of the bytes of trigger.
type blockParser struct {
	trigger string
	open    func(reader text.Reader, at int) (ast.Node, parser.State) // at is the offset of the trigger in the line
	next    func(n ast.Node, reader text.Reader) parser.State
}

// Trigger implements parser.BlockParser.
func (b blockParser) Trigger() []byte { return []byte(b.trigger) }

// Open implements parser.BlockParser.
func (b blockParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if at := pc.BlockOffset(); at >= 0 {
		return b.open(reader, at)
	}
	return nil, parser.NoChildren
}

// Continue implements parser.BlockParser.
func (b blockParser) Continue(n ast.Node, reader text.Reader, _ parser.Context) parser.State {
	return b.next(n, reader)
}

// Close implements parser.BlockParser.
func (blockParser) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (blockParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (blockParser) CanAcceptIndentedLine() bool { return false }

// inlineParser parses inline nodes that begin with one of the bytes of trigger.
type inlineParser struct {
	trigger string
	parse   func(parent ast.Node, block text.Reader, pc parser.Context) ast.Node
}

// Trigger implements parser.InlineParser.
func (p inlineParser) Trigger() []byte { return []byte(p.trigger) }

// Parse implements parser.InlineParser.
func (p inlineParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	return p.parse(parent, block, pc)
}

// transformer changes a parsed paragraph.
type transformer func(n *ast.Paragraph, r text.Reader)

// Transform implements parser.ParagraphTransformer.
func (t transformer) Transform(n *ast.Paragraph, r text.Reader, _ parser.Context) { t(n, r) }

// Limits of parsing: time and memory grow with squares and products of these sizes.
const (
	maxNested  = 24       // depth of blocks; below it, marks of blocks are text
	maxHeading = 1 << 10  // bytes of the line of a heading
	maxCells   = 32 << 10 // cells of a table; a larger one is shown as source text
)

// boundedParser parses blocks that are not nested deeper than maxNested and do not begin with a line of
// more than most bytes. The marks of other blocks are text.
type boundedParser struct {
	parser.BlockParser
	max int
}

// Open implements parser.BlockParser.
func (b boundedParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if line, _ := reader.PeekLine(); depth > maxNested || len(line) > b.max {
		return nil, parser.NoChildren
	}
	return b.BlockParser.Open(parent, reader, pc)
}

// blockParsers returns the block parsers of markdown, with limits for those that nest or may be long.
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

// keepLongLines turns a paragraph with a line longer than maxTail, or a table with too many cells, into
// source text.
func keepLongLines(n *ast.Paragraph, r text.Reader) {
	columns, longest := 0, 0
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		columns, longest = max(columns, bytes.Count(r.Value(line), []byte("|"))), max(longest, line.Len())
	}
	if longest > maxTail || columns*n.Lines().Len() > maxCells {
		keepWritten(n)
	}
}

// keepLongText turns a paragraph longer than maxTail into source text.
func keepLongText(n *ast.Paragraph, _ text.Reader) {
	size := 0
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		size += line.Len()
	}
	if size > maxTail {
		keepWritten(n)
	}
}

// keepWritten replaces a paragraph by a block whose text is shown as it is.
func keepWritten(n *ast.Paragraph) {
	v := &verbatimBlock{}
	v.SetPos(n.Pos())
	v.SetLines(n.Lines())
	n.Parent().ReplaceChild(n.Parent(), n, v)
}

// verbatimBlock is a block between two lines of marks: a formula between $$ and $$ or between \[ and
// \], or a comment between %% and %%. Without marks it is source text.
type verbatimBlock struct {
	ownBlock
	open, end string
	closed    bool
}

// IsRaw implements ast.Node: the content is not markdown.
func (v *verbatimBlock) IsRaw() bool { return true }

// openVerbatim implements the opening of a verbatimBlock.
func openVerbatim(reader text.Reader, at int) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	mark := string(bytes.TrimSpace(line[at:]))
	v := &verbatimBlock{open: mark, end: mark}
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
		if marks := v.open + v.end; marks != "%%%%" && marks != "$$$$" && (marks != `\[\]` || !isTeX(inside)) ||
			strings.Contains(inside, v.end) {
			return nil, parser.NoChildren
		}
		from := segment.Start - segment.Padding + at + 2
		v.Lines().Append(text.NewSegment(from, from+len(inside)))
	}
	reader.AdvanceToEOL()
	return v, parser.NoChildren
}

// continueVerbatim adds a line to a verbatimBlock.
func continueVerbatim(n ast.Node, reader text.Reader) parser.State {
	v := n.(*verbatimBlock)
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

// footnote is the text of a footnote: [^1]: text, with the indented blocks below it.
type footnote struct {
	ownBlock
	mark string // [^1]
}

// openFootnote implements the opening of a footnote.
func openFootnote(reader text.Reader, at int) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	n := footnoteLen(line[at:])
	if segment.Padding > 0 || n == 0 || at+n >= len(line) || line[at+n] != ':' {
		return nil, parser.NoChildren
	}
	reader.Advance(at + n + 1)
	return &footnote{mark: string(line[at : at+n])}, parser.HasChildren
}

// continueFootnote adds a line to a footnote.
func continueFootnote(_ ast.Node, reader text.Reader) parser.State {
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
