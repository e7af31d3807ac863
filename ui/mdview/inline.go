package mdview

import (
	"bytes"
	"html"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	ghtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"ibid/ui/theme"
	"ibid/vault/md"
)

// linkAttr holds the length of the wikilink or reference at the beginning of a text node: the parser
// adds text that follows directly to the same node.
const linkAttr = "link"

// linkNode returns the next n bytes as a text node with linkAttr. It is a text node because rewrite
// leaves no other kind of ours.
func linkNode(block text.Reader, at text.Segment, n int) ast.Node {
	block.Advance(n)
	node := ast.NewTextSegment(at.WithStop(at.Start + n))
	node.SetAttributeString(linkAttr, n)
	return node
}

// parseWikilink reads [[target]] or ![[target]].
func parseWikilink(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, seg := block.PeekLine()
	open := 0
	if line[0] == '!' {
		open = 1
	}
	if !bytes.HasPrefix(line[open:], []byte("[[")) {
		return nil
	}
	inner, n := md.Wikilink(string(line[open:]))
	if inner == "" {
		return nil
	}
	return linkNode(block, seg, open+n)
}

// inline returns the inline content of the block n as one string with styles, unwrapped. It takes n's
// children away.
func (r *Renderer) inline(n ast.Node, p *page) string {
	r.rewrite(n, p)
	d := inlineText{looks: r.looks, src: p.src}
	if h, ok := n.(*ast.Heading); ok {
		d.block = d.looks.headings[h.Level]
	}
	d.children(n, look{})
	n.RemoveChildren(n)
	drawn := d.String()
	if strings.Contains(drawn, "\n") { // no look goes on over the end of a line
		drawn = lipgloss.Wrap(drawn, 0, "")
	}
	return p.links.addresses(strings.Trim(theme.StripMarks(drawn), "\n "))
}

// rewrite makes text of the inline nodes below n that [inlineText] does not draw, and all text safe. New
// text is appended to the page, and the node refers to it.
func (r *Renderer) rewrite(n ast.Node, p *page) {
	var images imageRun
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		if images.next(c, p) {
			n.InsertBefore(n, c, p.text("\n"))
		}
		switch c := c.(type) {
		case *ast.Text:
			r.rewriteText(c, p)
		case *ast.CodeSpan: // is text as it stands
		case *ast.RawHTML:
			next = r.rawHTML(c, p)
		case *span:
			n.ReplaceChild(n, c, p.text(r.span(c)))
		case *inlineFootnote:
			n.ReplaceChild(n, c, p.text(r.footnoteMark(c, p)))
		case *highlightNode:
			r.mark(c, p)
		case *ast.AutoLink:
			if url := c.URL(p.src); len(hyperlink(url)) != len(url) {
				n.ReplaceChild(n, c, p.text(linkTo(string(url), r.theme.Styles.Link.Render(string(url)))))
			}
		case *ast.Link:
			c.Destination = hyperlink(c.Destination)
			r.rewrite(c, p)
		case *ast.Image:
			n.ReplaceChild(n, c, p.text(r.linkedImage(c, p)))
		default:
			r.rewrite(c, p)
		}
		c = next
	}
}

// rewriteText styles wikilinks, and decodes text.
func (r *Renderer) rewriteText(t *ast.Text, p *page) {
	if n, ok := t.AttributeString(linkAttr); ok {
		r.splitLink(t, n.(int), p)
		return
	}
	if raw := t.Segment.Value(p.src); bytes.ContainsAny(raw, `&\`) {
		t.Segment = p.append(decodeText(raw))
	}
}

// decodeText returns text without its character references and backslash escapes, safe for a terminal.
// Foreign text is decoded nowhere else.
func decodeText(raw []byte) string {
	return theme.Sanitize(html.UnescapeString(written(ghtml.DefaultWriter.Write, string(raw))))
}

// splitLink draws the link in the first n bytes of t and makes the rest a node of its own.
func (r *Renderer) splitLink(t *ast.Text, n int, p *page) {
	rest := ast.NewTextSegment(t.Segment.WithStart(t.Segment.Start + n))
	t.Segment = t.Segment.WithStop(t.Segment.Start + n)
	link := string(t.Segment.Value(p.src))
	if strings.Contains(link, "[[") {
		t.Segment = p.append(r.wikilink(link, p))
	} else if drawn, ok := r.reference(link, p.links); ok {
		t.Segment = p.append(drawn)
	}
	if rest.Segment.IsEmpty() {
		return
	}
	rest.SetSoftLineBreak(t.SoftLineBreak())
	rest.SetHardLineBreak(t.HardLineBreak())
	t.SetSoftLineBreak(false)
	t.SetHardLineBreak(false)
	t.Parent().InsertAfter(t.Parent(), t, rest)
	r.rewriteText(rest, p)
}

// hyperlink percent-encodes the bytes that an OSC 8 sequence must not contain. Some terminals, and the
// wrapping of package ansi, take any byte 0x9c for the end of the sequence, even inside a character;
// what followed would be text again.
func hyperlink(url []byte) []byte { return util.URLEscape(url, false) }

// append adds s to the page and returns its segment.
func (p *page) append(s string) text.Segment {
	start := len(p.src)
	p.src = append(p.src, s...)
	return text.NewSegment(start, len(p.src))
}

// text returns a text node for s.
func (p *page) text(s string) *ast.Text { return ast.NewTextSegment(p.append(s)) }
