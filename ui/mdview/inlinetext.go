package mdview

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"ibid/ui/theme"
)

// look is what a span of text in a paragraph or heading adds to the look around it, and a sign before and
// after the span, which stays where attributes may be lost.
type look struct {
	color                             theme.Color // nil or lipgloss.NoColor leaves it as it is
	bold, italic, underline, crossOut bool
	sign                              string
}

// inlineLooks are the looks of markdown within paragraphs and headings.
type inlineLooks struct {
	headings                                   [7]look // by level, from 1
	emph, strong, crossOut, link, linked, code look    // link is an address, linked the text of a link
}

// newInlineLooks returns the looks in a theme. Running text keeps the terminal's own foreground, which its
// owner can read for certain and which needs no escape sequences.
//
// Without colour, and in ASCII, the signs of inline code (`), strikethrough (~~) and, in ASCII, emphasis
// (* and **) stay visible, as attributes may be all that is lost.
func newInlineLooks(t *theme.Theme) *inlineLooks {
	tok, o := t.Tokens, t.Options
	in := &inlineLooks{
		emph:     look{italic: true},
		strong:   look{bold: true},
		crossOut: look{color: tok.Muted, crossOut: true},
		link:     look{color: tok.Link, underline: true},
		linked:   look{color: tok.Link, bold: true},
		code:     look{color: tok.Code.String},
	}
	minor := look{color: tok.Muted, bold: true, italic: o.NoColor}
	second := look{color: tok.Accent, bold: true, underline: o.NoColor && !o.ASCII}
	in.headings = [...]look{1: in.strong, 2: second, 3: in.strong, 4: minor, 5: minor, 6: minor}
	if o.NoColor || o.ASCII {
		in.code.sign, in.crossOut.sign = "`", "~~"
	}
	if o.ASCII {
		in.emph.sign, in.strong.sign = "*", "**"
	}
	return in
}

// with returns the look of a span within a span. What the inner one says wins.
func (l look) with(inner look) look {
	if _, none := inner.color.(lipgloss.NoColor); none || inner.color == nil {
		inner.color = l.color
	}
	inner.sign = cmp.Or(inner.sign, l.sign)
	inner.bold, inner.italic = inner.bold || l.bold, inner.italic || l.italic
	inner.underline, inner.crossOut = inner.underline || l.underline, inner.crossOut || l.crossOut
	return inner
}

// write appends text in this look, without the sign.
func (l look) write(b *strings.Builder, text string) {
	if text == "" {
		return
	}
	style := ansi.Style{}
	if _, none := l.color.(lipgloss.NoColor); !none && l.color != nil {
		style = style.ForegroundColor(l.color)
	}
	if l.underline {
		style = style.Underline(true)
	}
	if l.bold {
		style = style.Bold()
	}
	if l.italic {
		style = style.Italic(true)
	}
	if l.crossOut {
		style = style.Strikethrough(true)
	}
	b.WriteString(style.Styled(text))
}

// inlineText draws the inline nodes of a block, which are rewritten.
type inlineText struct {
	strings.Builder
	looks *inlineLooks
	block look
	src   []byte
}

// children draws the children of n; those that are text or emphasis get over besides their own look.
func (d *inlineText) children(n ast.Node, over look) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		d.node(c, over)
	}
}

func (d *inlineText) node(n ast.Node, over look) {
	switch n := n.(type) {
	case *ast.Text:
		text := string(n.Segment.Value(d.src))
		if n.HardLineBreak() || n.SoftLineBreak() {
			text += "\n"
		}
		d.text(text, look{}, over)
	case *ast.Emphasis:
		style := d.looks.emph
		if n.Level > 1 {
			style = d.looks.strong
		}
		d.children(n, style.with(over))
	case *east.Strikethrough:
		d.text(textBelow(n, d.src), d.looks.crossOut, over)
	case *ast.CodeSpan:
		style := d.block.with(d.looks.code)
		style.write(&d.Builder, style.sign+strings.ReplaceAll(textBelow(n, d.src), "\n", " ")+style.sign)
	case *ast.Link:
		d.link(n)
	case *ast.AutoLink:
		address := string(n.URL(d.src))
		if n.AutoLinkType == ast.AutoLinkEmail {
			d.linked(linkWithID("mailto:"+address), func() { d.text(address, look{}, d.looks.linked) })
		} else {
			d.address(address)
		}
	}
}

// text draws a text in a look of its own and, over that, another.
func (d *inlineText) text(text string, own, over look) {
	signs, style := d.block.with(over), d.block.with(own).with(over)
	signs.write(&d.Builder, style.sign)
	style.write(&d.Builder, text)
	signs.write(&d.Builder, style.sign)
}

// link draws the text of a link and then its address.
func (d *inlineText) link(n *ast.Link) {
	address := string(n.Destination)
	begin := linkWithID(address)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c.(type) {
		case *ast.CodeSpan, *ast.AutoLink: // keep their look
			inner := inlineText{looks: d.looks, block: d.block, src: d.src}
			inner.linked(begin, func() { inner.node(c, look{}) })
			d.text(inner.String(), d.looks.linked, look{})
		default:
			d.linked(begin, func() { d.node(c, d.looks.linked) })
		}
	}
	if begin != "" {
		d.text(" ", look{}, look{})
		d.address(address)
	}
}

// linked draws something within the hyperlink that begin begins, if any.
func (d *inlineText) linked(begin string, draw func()) {
	d.WriteString(begin)
	draw()
	if begin != "" {
		d.WriteString(ansi.ResetHyperlink())
	}
}

// address draws an address that leads somewhere.
func (d *inlineText) address(address string) {
	begin := linkWithID(address)
	if begin == "" {
		return
	}
	shown := address
	if u, err := url.Parse(address); err == nil && !u.IsAbs() {
		u.Path = strings.TrimPrefix(u.Path, "/")
		shown = new(url.URL).ResolveReference(u).String()
	}
	d.text(begin+shown+ansi.ResetHyperlink(), d.looks.link, look{})
}

// linkWithID begins a hyperlink, whose lines belong together by its ID. It returns "" for an address that
// leads nowhere: what no address can be, and a place in the text itself.
func linkWithID(address string) string {
	u, err := url.Parse(address)
	if err != nil || "#"+u.Fragment == address {
		return ""
	}
	id := fnv.New32a()
	_, _ = io.WriteString(id, address) // to memory
	return ansi.SetHyperlink(address, fmt.Sprintf("id=%d", id.Sum32()))
}

// textBelow returns the text in n without looks.
func textBelow(n ast.Node, src []byte) string {
	switch n := n.(type) {
	case *ast.Text:
		text := string(n.Segment.Value(src))
		if n.SoftLineBreak() {
			text += "\n"
		}
		return text
	case *ast.AutoLink:
		return string(n.Label(src))
	}
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(textBelow(c, src))
	}
	return b.String()
}
