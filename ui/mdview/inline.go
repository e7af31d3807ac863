package mdview

import (
	"bufio"
	"bytes"
	"html"
	"strings"

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

// linkNode returns the next n bytes as a text node with linkAttr. It is a text node because glamour
// leaves no other kind alone.
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
	if text, ok := plainText(n, p); ok {
		return p.links.addresses(text)
	}
	var block ast.Node = ast.NewParagraph()
	if h, ok := n.(*ast.Heading); ok {
		block = ast.NewHeading(h.Level)
	}
	for c := n.FirstChild(); c != nil; c = n.FirstChild() {
		block.AppendChild(block, c)
	}
	doc := ast.NewDocument()
	doc.AppendChild(doc, block)
	var b bytes.Buffer
	if err := r.leaf.Render(&b, p.src, doc); err != nil {
		// Glamour only fails when a writer does, and a buffer never does; if a later version finds
		// another reason, the text matters more than its form.
		return theme.Sanitize(string(n.Lines().Value(p.src)))
	}
	return p.links.addresses(strings.Trim(theme.StripMarks(b.String()), "\n "))
}

// plainText returns the content of a block that is nothing but text, without the cost of glamour. It
// reports false for other blocks.
func plainText(n ast.Node, p *page) (string, bool) {
	if n.Kind() == ast.KindHeading {
		return "", false
	}
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		value := ""
		if ok {
			value = string(t.Segment.Value(p.src))
		}
		if !ok || strings.Contains(value, `\`) {
			return "", false
		}
		b.WriteString(html.UnescapeString(value))
		if t.HardLineBreak() || t.SoftLineBreak() {
			b.WriteByte('\n')
		}
	}
	return strings.Trim(b.String(), "\n "), true
}

// rewrite changes the inline nodes below n that glamour would show wrongly or unsafely. New text is
// appended to the page, and the node refers to it.
func (r *Renderer) rewrite(n ast.Node, p *page) {
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		switch c := c.(type) {
		case *ast.Text:
			r.rewriteText(c, p)
		case *ast.CodeSpan:
			// glamour decodes character references in code, where they are literal
			var code strings.Builder
			for part := c.FirstChild(); part != nil; part = part.NextSibling() {
				code.Write(part.(*ast.Text).Value(p.src))
			}
			c.RemoveChildren(c)
			c.AppendChild(c, p.text(html.EscapeString(strings.ReplaceAll(code.String(), "\n", " "))))
		case *ast.RawHTML:
			n.ReplaceChild(n, c, p.text(r.tag(string(c.Segments.Value(p.src)))))
		case *span:
			n.ReplaceChild(n, c, p.text(literal(r.span(c))))
		case *highlightNode:
			r.mark(c, p)
		case *ast.AutoLink:
			if url := c.URL(p.src); len(hyperlink(url)) != len(url) {
				n.ReplaceChild(n, c, p.text(literal(linkTo(string(url), r.theme.Styles.Link.Render(string(url))))))
			}
		case *ast.Link:
			c.Destination = hyperlink(c.Destination)
			r.rewrite(c, p)
		case *ast.Image:
			n.ReplaceChild(n, c, p.text(literal(r.linkedImage(c, p))))
		default:
			r.rewrite(c, p)
		}
		c = next
	}
}

// tag draws an inline tag: <br> is a newline, and all others are text.
func (r *Renderer) tag(raw string) string {
	switch strings.ToLower(strings.ReplaceAll(raw, " ", "")) {
	case "<br>", "<br/>":
		return "\n"
	}
	return r.theme.Styles.Muted.Render(literal(raw))
}

// rewriteText styles wikilinks, and escapes text so that glamour leaves it as it is: glamour also
// decodes text that is not a character reference.
func (r *Renderer) rewriteText(t *ast.Text, p *page) {
	if n, ok := t.AttributeString(linkAttr); ok {
		r.splitLink(t, n.(int), p)
		return
	}
	if raw := t.Segment.Value(p.src); bytes.ContainsAny(raw, `&\`) {
		t.Segment = p.append(literal(decodeText(raw)))
	}
}

// decodeText returns text without its character references and backslash escapes, safe for a terminal.
// Foreign text is decoded nowhere else.
func decodeText(raw []byte) string {
	var b bytes.Buffer
	w := bufio.NewWriterSize(&b, len(raw))
	ghtml.DefaultWriter.Write(w, raw) // escapes what it has decoded
	_ = w.Flush()                     // to memory
	return theme.Sanitize(html.UnescapeString(b.String()))
}

// splitLink draws the link in the first n bytes of t and makes the rest a node of its own.
func (r *Renderer) splitLink(t *ast.Text, n int, p *page) {
	rest := ast.NewTextSegment(t.Segment.WithStart(t.Segment.Start + n))
	t.Segment = t.Segment.WithStop(t.Segment.Start + n)
	link := string(t.Segment.Value(p.src))
	if strings.Contains(link, "[[") {
		t.Segment = p.append(literal(r.wikilink(link, p)))
	} else if drawn, ok := r.reference(link, p.links); ok {
		t.Segment = p.append(literal(drawn))
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

// literal escapes s so that glamour's decoding of character references and backslash escapes returns s.
func literal(s string) string {
	return strings.ReplaceAll(html.EscapeString(s), `\`, `\\`)
}

// append adds s to the page and returns its segment.
func (p *page) append(s string) text.Segment {
	start := len(p.src)
	p.src = append(p.src, s...)
	return text.NewSegment(start, len(p.src))
}

// text returns a text node for s.
func (p *page) text(s string) *ast.Text { return ast.NewTextSegment(p.append(s)) }
