package mdview

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"ibid/ui/picture"
	"ibid/ui/theme"
)

// boxKind is the way in which a box is laid out.
type boxKind int

const (
	textBox    boxKind = iota // text wraps at words
	codeBox                   // lines scroll, or wrap at any character; head is the language above them
	formulaBox                // lines stand in the middle
	rawBox                    // lines wrap at words
	ruleBox                   // a rule across the column, or around a text
	tableBox                  // cells
	quoteBox                  // kids beside a bar, below head
	itemBox                   // kids beside lead
	listBox                   // kids are items
	pictureBox                // an image
	noBox                     // nothing, not even a blank line
)

// box is a block after all processing that does not depend on the width.
type box struct {
	kind      boxKind
	text      string   // styled, unwrapped
	lines     []string // of a codeBox, a formulaBox or a rawBox, styled
	underline string   // character that underlines a heading
	// The code of a codeBox that is not coloured yet, nil if all is.
	source      *source
	firstPrefix string    // prefix of an item's first line: its bullet, number or check box
	linePrefix  string    // prefix of every line of a quote
	head        string    // first line of a callout or of code
	fold        foldState // of a callout
	table       *table
	picture     *picture.Picture
	kids        []box
}

// foldState is the state of a callout whose content can be folded.
type foldState struct {
	on     bool
	folded bool // initial state in the source
	at     int  // offset in the source, which identifies the callout
}

// needsBlank reports whether an item gets a blank line below it: whether it holds more than a text and a
// list.
func (b box) needsBlank() bool {
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
	if u.list.on {
		u.box = r.item(u.node, u.page, u.list)
	} else {
		u.box = r.block(u.node, u.page)
	}
	// The tree is not needed any more, and it keeps the whole text in memory.
	u.node, u.page = nil, nil
}

// block returns the box of a block node.
func (r *Renderer) block(n ast.Node, p *page) box {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		return r.fence(n, p)
	case *ast.CodeBlock:
		return codeOf(string(n.Lines().Value(p.src)))
	case *ast.HTMLBlock:
		return box{kind: rawBox, lines: paintLines(r.theme.Styles.Muted, writtenHTML(n, p.src))}
	case *ast.Heading:
		return r.heading(n, p)
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
		return r.withImages(r.table(n, p), p)
	case *verbatimBlock:
		return r.verbatim(n, p)
	case *footnote:
		return box{
			kind: itemBox, firstPrefix: r.theme.Styles.Accent.Render(r.footnote(n.mark)) + " ",
			kids: r.blocks(n, p),
		}
	default:
		return r.withImages(box{kind: textBox, text: r.inline(n, p)}, p)
	}
}

// writtenHTML returns the source of a block of HTML.
func writtenHTML(n *ast.HTMLBlock, src []byte) string {
	raw := string(n.Lines().Value(src))
	if n.HasClosure() {
		raw += string(n.ClosureLine.Value(src))
	}
	return raw
}

// blocks returns the boxes of the children of a node.
func (r *Renderer) blocks(parent ast.Node, p *page) []box {
	var out []box
	// building a block takes its children away, never its place among its siblings
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindLinkReferenceDefinition {
			continue
		}
		if b := r.block(n, p); b.kind != noBox {
			out = append(out, b)
		}
	}
	return out
}

// item returns the box of a list item. list has its marker and number.
func (r *Renderer) item(n ast.Node, p *page, list listState) box {
	g := r.theme.Glyphs
	lead := g.Bullet + " "
	ordered := !strings.ContainsRune("-+*", rune(list.marker))
	if ordered {
		lead = strconv.Itoa(list.number) + string(list.marker) + " "
	}
	if first := n.FirstChild(); first != nil {
		if check, ok := first.FirstChild().(*east.TaskCheckBox); ok {
			mark := g.Todo
			if check.IsChecked {
				mark = g.Done
			}
			if !ordered {
				lead = ""
			}
			lead += mark + " "
			first.RemoveChild(first, check)
		}
	}
	return box{kind: itemBox, firstPrefix: r.theme.Styles.Accent.Render(lead), kids: r.blocks(n, p)}
}

// isSources reports whether a block is the heading above the sources of a reply.
func isSources(n ast.Node, src []byte) bool {
	h, ok := n.(*ast.Heading)
	return ok && h.Level == 4 && strings.TrimSuffix(string(h.Lines().Value(src)), ":") == "Sources"
}

// heading returns the box of a heading. Bold text marks it; where that may be invisible, a rule or a
// colon does.
func (r *Renderer) heading(n *ast.Heading, p *page) box {
	if isSources(n, p.src) {
		return box{kind: ruleBox, text: "Sources"}
	}
	b := box{kind: textBox, text: r.inline(n, p)}
	switch g := r.theme.Glyphs; {
	case r.theme.Options.ASCII && n.Level > 2:
		b.text = strings.TrimSuffix(b.text, ":") + ":"
	case r.theme.Options.ASCII:
		b.underline = "=-"[n.Level-1 : n.Level]
	case n.Level == 1:
		b.underline = g.Rule
	}
	return r.withImages(b, p)
}

// fence returns the box of a fenced code block, below its language.
func (r *Renderer) fence(n *ast.FencedCodeBlock, p *page) box {
	code := strings.TrimSuffix(string(n.Lines().Value(p.src)), "\n")
	b := codeOf(code)
	if n.Info != nil {
		b.head = theme.OneLine(string(n.Info.Segment.Value(p.src)))
	}
	if lang := string(n.Language(p.src)); lang != "" && len(code) <= maxHighlight {
		b.source = &source{expandTabs(code), lang}
	}
	return b
}

// codeOf returns a box of code without colours.
func codeOf(code string) box {
	return box{kind: codeBox, lines: strings.Split(expandTabs(strings.TrimSuffix(code, "\n")), "\n")}
}

// verbatim returns the box of a formula without its marks. A formula or comment that is still open at
// the end of the document is shown as source text.
func (r *Renderer) verbatim(n *verbatimBlock, p *page) box {
	text, formula := expandTabs(string(n.Lines().Value(p.src))), n.open != "" && n.open != "%%"
	switch open := !n.closed && p.whole; {
	case n.open == "%%" && !open: // it may still be closed
		return box{kind: noBox}
	case formula && !open:
		b := box{kind: formulaBox}
		for line := range strings.Lines(r.formula(text)) {
			if line = strings.TrimSpace(line); line != "" {
				b.lines = append(b.lines, line)
			}
		}
		return b
	case n.open != "":
		text = n.open + "\n" + text
	}
	return box{kind: rawBox, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
}

// quote returns the box of a quote, or of a callout if its first line begins with [!kind].
func (r *Renderer) quote(n *ast.Blockquote, p *page) box {
	b := box{kind: quoteBox}
	color := r.theme.Tokens.Border
	if c, ok := n.AttributeString(calloutAttr); ok {
		var sign string
		color, sign = r.calloutLook(c.(callout).kind)
		b.head = calloutHead(color, sign, c.(callout), r.theme.Glyphs.Dot)
		b.fold = c.(callout).fold
		b.fold.at = p.base + n.Pos()
	}
	b.linePrefix = lipgloss.NewStyle().Foreground(color).Render(r.theme.Glyphs.Quote) + " " + barMark
	b.kids = r.blocks(n, p)
	return b
}

// calloutAttr holds the callout of a quote.
const calloutAttr = "callout"

// callout is the parsed first line of a callout.
type callout struct {
	kind, title string
	fold        foldState
}

// takeCallout moves a first line [!kind]± title from the text of a quote to its attributes.
func takeCallout(n *ast.Paragraph, r text.Reader) {
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

func calloutHead(color theme.Color, sign string, c callout, dot string) string {
	head := sign + " " + strings.ToUpper(c.kind)
	if c.title != "" {
		head += " " + dot + " " + c.title
	}
	return lipgloss.NewStyle().Foreground(color).Bold(true).Render(head)
}

// calloutLook returns the colour and the sign of a kind of callout.
func (r *Renderer) calloutLook(kind string) (theme.Color, string) {
	t, g := r.theme.Tokens, r.theme.Glyphs
	switch strings.ToLower(kind) {
	case "tip", "hint", "success", "check", "done":
		return t.Good, g.Check
	case "question", "help", "faq":
		return t.Warn, "?"
	case "warning", "caution", "attention", "important":
		return t.Warn, g.Alert
	case "danger", "error", "bug", "failure", "fail", "missing":
		return t.Bad, g.Cross
	case "todo":
		return t.Accent, g.Todo
	case "quote", "cite":
		return t.Accent, `"`
	}
	return t.Accent, "i"
}
