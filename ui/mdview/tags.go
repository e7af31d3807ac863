package mdview

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"

	"ibid/ui/picture"
	"ibid/vault/md"
)

// rawHTML draws the inline tag that c is, in its place, and is what follows: <br> is a
// newline, and plain text in kbd, sub and sup is drawn as what they mean. Other tags are
// text.
func (r *Renderer) rawHTML(c *ast.RawHTML, p *page) (next ast.Node) {
	parent := c.Parent()
	raw := tag(c, p)
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

// tag is an inline tag in lower case, without its blanks.
func tag(h *ast.RawHTML, p *page) string {
	return strings.ToLower(strings.ReplaceAll(string(h.Segments.Value(p.src)), " ", ""))
}

// textUntilTag is the text from behind a tag up to the one that closes it, which is nil if
// there is none in the line or something else than text stands between them.
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
			if tag(c, p) == closing && b.Len() > 0 {
				return b.String(), c
			}
			return "", nil
		default:
			return "", nil
		}
	}
	return "", nil
}

// tagged is text in a tag: keys look like code, what is high or low stands so where
// there are characters for it, else behind ^ or _.
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

// imageRun parts images that follow each other in a line.
type imageRun struct{ behind bool } // only blanks stand between an image and what follows

// next takes in an inline node, and reports whether it is an image right behind another.
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
