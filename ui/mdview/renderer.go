package mdview

import (
	"bytes"
	"hash/maphash"
	"reflect"
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

	"ibid/ui/theme"
)

// MinWidth and MaxWidth bound the width of the text column, in cells: lines
// longer than 100 are hard to read, and below 8 nothing is.
const (
	MinWidth = 8
	MaxWidth = 100
)

// Renderer renders markdown in one theme. It is made once and shared by all
// Views of that theme, as it remembers lexers and holds the parser. It is not
// safe for concurrent use.
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
	// Newlines stay, and nothing wraps: wrapping is layout's part, which happens
	// once per width while this happens once.
	leaf := gansi.NewRenderer(gansi.Options{Styles: t.Markdown(), PreserveNewLines: true})
	return &Renderer{
		theme:  t,
		md:     markdown().Parser(),
		leaf:   renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(leaf, 1))),
		lexers: map[string]chroma.Lexer{},
		paint:  newCodePaint(t),
		seed:   maphash.MakeSeed(),
	}
}

// markdown is the markdown that is understood here.
func markdown() goldmark.Markdown {
	p := parser.NewParser(
		parser.WithBlockParsers(blockParsers()...), parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	return goldmark.New(goldmark.WithParser(p), goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(dialect()...))
}

func clampWidth(w int) int { return min(max(w, MinWidth), MaxWidth) }

// A unit is a top-level block, or one item of a top-level list.
type unit struct {
	key        uint64 // of everything the boxes depend on
	start, end int    // offsets in the parsed text, whole lines
	node       ast.Node
	page       *page
	box        box
	built      bool
	plain      bool      // code in it has no colours yet
	due        time.Time // when it may get them
	list       listState // the list that this is an item of
	from, to   int       // its lines in the View
}

// listState is where in a list an item stands. The zero value is no list.
type listState struct {
	on        bool
	marker    byte // -, +, *, . or ), and a space for numbers of sources
	number    int  // of an ordered list's item
	continues bool // the unit before is an item of the same list
}

// page is a parsed text. Rewriting a node appends to src, it never changes what
// is there.
type page struct {
	src   []byte
	base  int                // offset of src in the document
	refs  []parser.Reference // defined before or in src
	links *Links

	whole bool // nothing more can come of the block that is being built
	depth int  // of what is parsed apart

	pictures []illustration // embedded in the block that is being built
	asides   []string       // what the asides in it say
}

// units parses src, which is sanitized, and splits it. refs are link definitions
// known from before; in is the list that src continues, if any; base is where src
// begins in the document. Boxes are not built yet.
func (r *Renderer) units(src []byte, base int, refs []parser.Reference, in listState) []unit {
	pc := parser.NewContext()
	for _, ref := range refs {
		pc.AddReference(ref)
	}
	doc := r.md.Parse(text.NewReader(src), parser.WithContext(pc))
	p := &page{src: src[:len(src):len(src)], base: base, refs: pc.References(), links: &Links{}}
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

// items splits a top-level list. in says which number a list goes on with that
// was cut before its first item.
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

// keys hashes what each unit's boxes depend on: its source, its place in a list,
// and, if it may hold a reference, the definitions.
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
		if _, folds := u.node.(*details); folds || bytes.Contains(src, []byte("[!")) {
			h.WriteString(strconv.Itoa(p.base + u.start)) // what is folded is known by it
		}
		if defs != 0 && bytes.IndexByte(src, '[') >= 0 {
			maphash.WriteComparable(&h, defs)
		}
		u.key = h.Sum64()
	}
}

// gap reports whether a blank line stands between two units. Items of one list
// stand close, unless the upper one is tall. It must not depend on anything
// below, else closed units would move.
func gap(upper, lower *unit) bool {
	return !lower.list.continues || upper.box.tall()
}

func trimBlank(src []byte) []byte { return bytes.TrimRight(src, "\n ") }

// lineStart returns the offset of the start of the line that holds pos.
func lineStart(src []byte, pos int) int { return lastLine(src[:min(max(pos, 0), len(src))]) }

// startOf returns where the line starts on which the block n starts. A table
// claims the position of the paragraph it was cut from, so it is asked for its
// first cell.
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
