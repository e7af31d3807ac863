package mdview

import (
	"bytes"
	"hash/maphash"
	"reflect"
	"slices"
	"strconv"
	"time"

	gansi "charm.land/glamour/v2/ansi"
	"github.com/alecthomas/chroma/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"ibid/ui/picture"
	"ibid/ui/theme"
)

// MinWidth and MaxWidth bound the width of the text column, in cells: lines longer than 100 are hard to
// read, and below 8 nothing is readable.
const (
	MinWidth = 8
	MaxWidth = 100
)

// Renderer renders markdown in one theme. All Views of the theme share it, because it caches lexers and
// holds the parser. It is not safe for concurrent use.
type Renderer struct {
	theme  theme.Theme
	md     parser.Parser
	leaf   renderer.Renderer // glamour, without wrapping
	lexers map[string]chroma.Lexer
	paint  codePaint
	seed   maphash.Seed
}

// NewRenderer returns a Renderer for t.
func NewRenderer(t theme.Theme) *Renderer {
	// Newlines stay, and nothing wraps: layout wraps once per width, while this runs once.
	leaf := gansi.NewRenderer(gansi.Options{Styles: t.Markdown(), PreserveNewLines: true})
	return &Renderer{
		theme: t,
		md: newMarkdown(
			blockParsers(), parser.DefaultInlineParsers(),
			goldmark.WithParserOptions(dialect()...), goldmark.WithParserOptions(links()...),
		).Parser(),
		leaf:   renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(leaf, 1))),
		lexers: map[string]chroma.Lexer{},
		paint:  newCodePaint(t),
		seed:   maphash.MakeSeed(),
	}
}

// newMarkdown returns the parser and renderer of GitHub's markdown with some parsers and options.
func newMarkdown(blocks, inlines []util.PrioritizedValue, more ...goldmark.Option) goldmark.Markdown {
	p := parser.NewParser(
		parser.WithBlockParsers(blocks...), parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	base := []goldmark.Option{goldmark.WithParser(p), goldmark.WithExtensions(extension.GFM)}
	return goldmark.New(append(base, more...)...)
}

// Whole returns the view of a document that is complete.
func Whole(t theme.Theme, text string, o Options) *View {
	v := New(NewRenderer(t), o)
	v.Append(text)
	v.Finish()
	return v
}

func clampWidth(w int) int { return min(max(w, MinWidth), MaxWidth) }

// unit is a top-level block, or one item of a top-level list.
type unit struct {
	key        uint64 // hash of everything that the boxes depend on
	start, end int    // offsets in the parsed text, whole lines
	node       ast.Node
	page       *page
	box        box
	uncoloured bool      // code in it has no colours yet
	colourDue  time.Time // when the code may get colours
	list       listState // place in its list, if it is an item
	from, to   int       // its lines in the View
}

// listState is the place of an item in its list. The zero value is no list.
type listState struct {
	on        bool
	marker    byte // -, +, *, . or ), and a space for numbers of sources
	number    int  // of an item of an ordered list
	continues bool // the previous unit is an item of the same list
}

// page is a parsed text. Rewriting a node appends to src and never changes existing bytes.
type page struct {
	src   []byte
	base  int                // offset of src in the document
	refs  []parser.Reference // defined before or in src
	links *Links

	whole bool // the current block is complete

	pictures []*picture.Picture // embedded in the current block
}

// parse parses the text of a page, which has the references that are defined before it.
func (r *Renderer) parse(src []byte, p *page) ast.Node {
	pc := parser.NewContext()
	for _, ref := range p.refs {
		pc.AddReference(ref)
	}
	doc := r.md.Parse(text.NewReader(src), parser.WithContext(pc))
	p.src, p.refs = slices.Clip(src), pc.References()
	return doc
}

// units parses src, which must be sanitized, and splits it into units. refs are link definitions from
// before; in is the list that src continues, if any; base is the offset of src in the document. Boxes
// are not built yet.
func (r *Renderer) units(src []byte, base int, refs []parser.Reference, in listState) []unit {
	p := &page{base: base, refs: refs, links: &Links{}}
	doc := r.parse(src, p)
	var out []unit
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if list, ok := n.(*ast.List); ok {
			out = append(out, items(list, p, in)...)
		} else if n.Kind() != ast.KindLinkReferenceDefinition {
			out = append(out, unit{start: startOf(n, p.src), node: n, page: p})
		}
		in = listState{}
	}
	for i := range out {
		out[i].end = len(src)
		for _, next := range out[i+1:] {
			if next.start > out[i].start {
				out[i].end = next.start
				break
			}
		}
	}
	r.keys(out, p)
	return out
}

// items splits a top-level list. in has the number with which a list continues that was cut before its
// first item.
func items(list *ast.List, p *page, in listState) []unit {
	state := listState{on: true, marker: list.Marker, number: list.Start}
	switch {
	case in.on && in.marker == list.Marker:
		state = in
	case list.IsOrdered() && isSources(list.PreviousSibling(), p.src):
		state.marker = ' '
	}
	out := make([]unit, 0, list.ChildCount())
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		out = append(out, unit{start: lineStart(p.src, n.Pos()), node: n, page: p, list: state})
		state.number++
		state.continues = true
	}
	return out
}

// keys hashes everything that each unit's boxes depend on: its source, its place in a list, and, if it
// may contain a reference, the definitions.
func (r *Renderer) keys(units []unit, p *page) {
	var h maphash.Hash
	h.SetSeed(r.seed)
	var defs uint64
	for _, ref := range p.refs {
		h.Reset()
		h.Write(ref.Label())
		h.WriteByte(0)
		h.Write(ref.Destination())
		defs += h.Sum64() // in any order
	}
	for i := range units {
		u := &units[i]
		src := trimBlank(p.src[u.start:u.end])
		h.Reset()
		h.Write(src)
		maphash.WriteComparable(&h, u.list)
		maphash.WriteComparable(&h, reflect.TypeOf(u.node))
		if bytes.Contains(src, []byte("[!")) {
			h.WriteString(strconv.Itoa(p.base + u.start)) // folded callouts are identified by the offset
		}
		if defs != 0 && bytes.IndexByte(src, '[') >= 0 {
			maphash.WriteComparable(&h, defs)
		}
		u.key = h.Sum64()
	}
}

// gap reports whether a blank line separates two units. Items of one list have none, unless the upper
// one is tall. The result must not depend on anything below, else closed units would move.
func gap(upper, lower *unit) bool {
	return !lower.list.continues || upper.box.needsBlank()
}

func trimBlank(src []byte) []byte { return bytes.TrimRight(src, "\n ") }

// lineStart returns the offset of the start of the line that contains pos.
func lineStart(src []byte, pos int) int { return lastLine(src[:min(max(pos, 0), len(src))]) }

// startOf returns the offset of the line on which the block n starts. For a table it takes the first
// cell, because the table has the position of the paragraph that it was cut from.
func startOf(n ast.Node, src []byte) int {
	pos := n.Pos()
	if table := n.FirstChild(); table != nil && n.Kind() == east.KindTable {
		for cell := table.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if cell.Lines() != nil && cell.Lines().Len() > 0 {
				pos = cell.Lines().At(0).Start
				break
			}
		}
	}
	return lineStart(src, pos)
}
