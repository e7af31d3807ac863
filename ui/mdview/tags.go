package mdview

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"

	"ibid/ui/picture"
	"ibid/vault/md"
)

// rawHTML draws the inline tag c in its place, and returns the node after it. <br> becomes a newline,
// and plain text in kbd, sub and sup gets its meaning. Other tags become text.
func (r *Renderer) rawHTML(c *ast.RawHTML, p *page) (next ast.Node) {
	parent := c.Parent()
	raw := inlineTag(c, p)
	switch raw {
	case "<br>", "<br/>":
		next = c.NextSibling()
		parent.ReplaceChild(parent, c, p.text("\n"))
		return next
	case "<kbd>", "<sub>", "<sup>":
		if inside, end := textUntilTag(c, "</"+raw[1:], p); end != nil {
			next = end.NextSibling()
			for c.NextSibling() != next {
				parent.RemoveChild(parent, c.NextSibling())
			}
			parent.ReplaceChild(parent, c, r.tagged(raw, inside, p))
			return next
		}
	}
	next = c.NextSibling()
	parent.ReplaceChild(parent, c, p.text(r.theme.Styles.Muted.Render(literal(string(c.Segments.Value(p.src))))))
	return next
}

// inlineTag returns an inline tag in lower case, without blanks.
func inlineTag(h *ast.RawHTML, p *page) string {
	return strings.ToLower(strings.ReplaceAll(string(h.Segments.Value(p.src)), " ", ""))
}

// textUntilTag returns the text after a tag up to its closing tag. end is nil if there is none in the
// line, or something other than text comes before it.
func textUntilTag(from *ast.RawHTML, closing string, p *page) (inside string, end ast.Node) {
	var b strings.Builder
	for c := from.NextSibling(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			if _, link := c.AttributeString(linkAttr); link || c.SoftLineBreak() || c.HardLineBreak() {
				return "", nil
			}
			b.WriteString(decodeText(c.Segment.Value(p.src)))
		case *ast.RawHTML:
			if inlineTag(c, p) == closing && b.Len() > 0 {
				return b.String(), c
			}
			return "", nil
		default:
			return "", nil
		}
	}
	return "", nil
}

// tagged draws the text of a tag. Keys look like code; sub and sup become subscript and superscript
// characters, or follow _ or ^ if there are none.
func (r *Renderer) tagged(raw, inside string, p *page) ast.Node {
	if raw == "<kbd>" {
		code := ast.NewCodeSpan()
		code.AppendChild(code, p.text(html.EscapeString(inside)))
		return code
	}
	sign := byte('^')
	if raw == "<sub>" {
		sign = '_'
	}
	if r.theme.Options.ASCII {
		return p.text(literal(string(sign) + factor(inside)))
	}
	return p.text(literal(shiftSigns(sign, inside)))
}

// imageRun separates images that follow each other in a line.
type imageRun struct{ behind bool } // only blanks follow an image so far

// next reads an inline node, and reports whether it is an image directly after another.
func (run *imageRun) next(c ast.Node, p *page) (parted bool) {
	image, behind := false, false
	switch c := c.(type) {
	case *ast.Image:
		image, behind = true, true
	case *ast.Text:
		value := string(c.Segment.Value(p.src))
		if n, ok := c.AttributeString(linkAttr); ok && strings.HasPrefix(value, "![[") {
			inner, _ := md.Wikilink(value[1:])
			target, _ := md.Target(inner)
			image, value = picture.IsImage(target), value[n.(int):]
		}
		behind = (image || run.behind) && strings.TrimSpace(value) == "" && !c.SoftLineBreak() && !c.HardLineBreak()
	}
	parted = image && run.behind
	run.behind = behind
	return parted
}
