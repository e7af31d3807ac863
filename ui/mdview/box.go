package mdview

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"ibid/ui/theme"
)

// boxKind is how a box is laid out.
type boxKind int

const (
	textBox    boxKind = iota // text wraps at words
	codeBox                   // lines scroll, or wrap anywhere
	rawBox                    // lines wrap at words
	ruleBox                   // one rule across the column
	tableBox                  // cells
	quoteBox                  // kids behind a bar, head above them
	itemBox                   // kids behind lead
	listBox                   // kids are items
	pictureBox                // an image
	noBox                     // nothing, not even a blank line
)

// A box is a block with everything done that does not depend on the width.
type box struct {
	kind  boxKind
	text  string   // styled, unwrapped
	lines []string // of a codeBox or a rawBox, styled
	// The code of a codeBox that is still to be coloured, nil if none is.
	source *source
	lead   string    // what hangs before an item: its bullet, number or check box
	bar    string    // what stands before every line of a quote
	head   string    // first line of a callout
	fold   foldState // of a callout
	table  *table

	picture illustration
	kids    []box
	at      int // offset in the source, of one that stands in another
	ends    int // offset in the source where what stands in details ends, 0 for others
}

// foldState is whether what is below the head of a callout can be folded.
type foldState struct {
	on     bool
	folded bool // as it is written
	at     int  // its offset in the source, which it is known by
}

// tall reports whether an item deserves a blank line below it: when it holds
// more than a text and a list.
func (b box) tall() bool {
	n := 0
	for _, k := range b.kids {
		if k.kind != listBox {
			n++
		}
	}
	return b.kind == itemBox && n > 1
}

// build fills in the unit's boxes. It may be called once.
func (r *Renderer) build(u *unit) {
	if u.built {
		return
	}
	if u.list.on {
		u.box = r.item(u.node, u.page, u.list)
	} else {
		u.box = r.block(u.node, u.page)
	}
	if r.theme.Options.Apart {
		u.box.part(&r.theme)
	}
	// The tree is not needed any more, and it holds the whole text.
	u.node, u.page, u.built = nil, nil, true
}

// part parts the emoji in a box, see theme.Parted.
func (b *box) part(t *theme.Theme) {
	b.text, b.head = t.Parted(b.text), t.Parted(b.head)
	for i, line := range b.lines {
		b.lines[i] = t.Parted(line)
	}
	if b.table != nil {
		b.table.each(t.Parted)
		b.table.measure()
	}
	for i := range b.kids {
		b.kids[i].part(t)
	}
}

func (r *Renderer) block(n ast.Node, p *page) box {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		return r.fence(n, p)
	case *ast.CodeBlock:
		// Its indentation is all that tells it from text.
		lines := strings.Split(expandTabs(strings.TrimSuffix(string(n.Lines().Value(p.src)), "\n")), "\n")
		return box{kind: codeBox, lines: prefixLines(lines, codeIndent, codeIndent)}
	case *ast.HTMLBlock:
		raw := string(n.Lines().Value(p.src))
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(p.src))
		}
		return box{kind: rawBox, lines: paintLines(r.theme.Styles.Muted, raw)}
	case *ast.ThematicBreak:
		return box{kind: ruleBox}
	case *ast.Blockquote:
		return r.quote(n, p)
	case *ast.List:
		b := box{kind: listBox}
		state := listState{on: true, marker: n.Marker, number: n.Start}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			b.kids = append(b.kids, r.item(c, p, state))
			state.number++
		}
		return b
	case *east.Table:
		return r.illustrated(r.table(n, p), p)
	case *verbatim:
		return r.verbatim(n, p)
	case *details:
		return r.details(n, p)
	case *footnote:
		return box{kind: itemBox, lead: r.theme.Styles.Accent.Render(r.footnote(n.mark)) + " ", kids: r.blocks(n, p)}
	case *definition:
		return r.illustrated(r.definition(n, p), p)
	default:
		return r.illustrated(box{kind: textBox, text: r.inline(n, p)}, p)
	}
}

func (r *Renderer) blocks(parent ast.Node, p *page) []box {
	var out []box
	// Building a block takes its children, never its place among its siblings.
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindLinkReferenceDefinition {
			continue
		}
		at := p.base + n.Pos()
		if b := r.block(n, p); b.kind != noBox {
			b.at = at
			out = append(out, b)
		}
	}
	return out
}

func (r *Renderer) item(n ast.Node, p *page, list listState) box {
	g := r.theme.Glyphs
	lead := g.Bullet + " "
	ordered := list.marker == '.' || list.marker == ')'
	if ordered {
		lead = strconv.Itoa(list.number) + string(list.marker) + " "
	}
	mark, _ := n.AttributeString(markAttr)
	if first := n.FirstChild(); first != nil {
		if check, ok := first.FirstChild().(*east.TaskCheckBox); ok {
			if mark = "[ ]"; check.IsChecked {
				mark = "[" + g.Check + "]"
			}
			first.RemoveChild(first, check)
		}
	}
	if mark != nil {
		if !ordered {
			lead = ""
		}
		lead += mark.(string) + " "
	}
	return box{kind: itemBox, lead: r.theme.Styles.Accent.Render(lead), kids: r.blocks(n, p)}
}

// fence keeps its two marker lines, so that code can be told from text without
// colour and an open fence does not move when it closes.
func (r *Renderer) fence(n *ast.FencedCodeBlock, p *page) box {
	info := ""
	if n.Info != nil {
		info = string(n.Info.Segment.Value(p.src))
	}
	muted := r.theme.Styles.Muted
	code := expandTabs(strings.TrimSuffix(string(n.Lines().Value(p.src)), "\n"))
	b := box{kind: codeBox, lines: []string{muted.Render(fenceMark + theme.OneLine(info))}}
	if lang := string(n.Language(p.src)); lang != "" && len(code) <= maxHighlight {
		b.source = &source{code, lang, len(b.lines)}
	}
	b.lines = append(append(b.lines, strings.Split(code, "\n")...), muted.Render(fenceMark))
	return b
}

// verbatim keeps the marks of a formula, so that it can be told from text. One that
// is not closed, like a comment that is not, is shown as it is written at the end.
func (r *Renderer) verbatim(n *verbatim, p *page) box {
	if n.hidden() || n.open == "%%" && !p.whole { // it may still be closed
		return box{kind: noBox}
	}
	muted, text := r.theme.Styles.Muted, string(n.Lines().Value(p.src))
	var lines []string
	if n.open != "" {
		lines = append(lines, muted.Render(n.open))
	}
	if !n.closed {
		if text != "" {
			lines = append(lines, strings.Split(strings.TrimSuffix(expandTabs(text), "\n"), "\n")...)
		}
		return box{kind: rawBox, lines: lines}
	}
	for line := range strings.SplitSeq(r.formula(text), "\n") {
		if line = strings.TrimRight(expandTabs(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return box{kind: codeBox, lines: append(lines, muted.Render(n.end))}
}

// definition is a term, and below it what defines it.
func (r *Renderer) definition(n *definition, p *page) box {
	b := box{kind: listBox}
	lead := r.theme.Styles.Accent.Render(":") + " "
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		text := box{kind: textBox, text: r.inline(c, p)}
		if len(b.kids) == 0 {
			text.text = bold(text.text)
		} else {
			text = box{kind: itemBox, lead: lead, kids: []box{text}}
		}
		b.kids = append(b.kids, text)
	}
	return b
}

// codeIndent stands before the lines of an indented code block.
const codeIndent = "    "

// fenceMark is how every fence is drawn, ~~~ and longer ones too.
const fenceMark = "```"

// quote makes a quote, or a callout if its first line says [!kind].
func (r *Renderer) quote(n *ast.Blockquote, p *page) box {
	b := box{kind: quoteBox}
	color := r.theme.Tokens.Border
	if c, ok := n.AttributeString(calloutAttr); ok {
		color = r.calloutColor(c.(callout).kind)
		b.head = calloutHead(color, c.(callout), r.theme.Glyphs.Dot)
		b.fold = c.(callout).fold
		b.fold.at = p.base + n.Pos()
	}
	b.bar = lipgloss.NewStyle().Foreground(color).Render(r.theme.Glyphs.Quote) + " "
	b.kids = r.blocks(n, p)
	return b
}

// calloutAttr marks the quotes that are callouts.
const calloutAttr = "callout"

// callout is what the first line of a callout says.
type callout struct {
	kind, title string
	fold        foldState
}

// callouts takes the first line away from quotes that begin with [!kind]± title.
type callouts struct{}

// Transform implements parser.ParagraphTransformer.
func (callouts) Transform(n *ast.Paragraph, r text.Reader, _ parser.Context) {
	quote, lines := n.Parent(), n.Lines()
	if quote.Kind() != ast.KindBlockquote || n.PreviousSibling() != nil {
		return
	}
	c, ok := parseCallout(string(r.Value(lines.At(0))))
	if !ok {
		return
	}
	quote.SetAttributeString(calloutAttr, c)
	if lines.SetSliced(1, lines.Len()); lines.Len() == 0 {
		quote.RemoveChild(quote, n)
	}
}

func parseCallout(line string) (callout, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "[!")
	kind, title, closed := strings.Cut(rest, "]")
	if !ok || !closed || kind == "" || strings.ContainsAny(kind, "[] ") {
		return callout{}, false
	}
	c := callout{kind: kind}
	if title != "" && (title[0] == '-' || title[0] == '+') {
		c.fold = foldState{on: true, folded: title[0] == '-'}
		title = title[1:]
	}
	c.title = strings.TrimSpace(title)
	return c, true
}

func calloutHead(color theme.Color, c callout, dot string) string {
	head := strings.ToUpper(c.kind)
	if c.title != "" {
		head += " " + dot + " " + c.title
	}
	return lipgloss.NewStyle().Foreground(color).Bold(true).Render(head)
}

func (r *Renderer) calloutColor(kind string) theme.Color {
	t := r.theme.Tokens
	switch strings.ToLower(kind) {
	case "tip", "hint", "success", "check", "done":
		return t.Good
	case "warning", "caution", "attention", "important", "question", "help", "faq":
		return t.Warn
	case "danger", "error", "bug", "failure", "fail", "missing":
		return t.Bad
	}
	return t.Accent
}
