package mdview

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// rawHTML draws the inline tag c in its place: <br> becomes a newline, and other tags become text.
func (r *Renderer) rawHTML(c *ast.RawHTML, p *page) {
	raw := string(c.Segments.Value(p.src))
	shown := r.theme.Styles.Muted.Render(literal(raw))
	switch strings.ToLower(strings.ReplaceAll(raw, " ", "")) {
	case "<br>", "<br/>":
		shown = "\n"
	}
	c.Parent().ReplaceChild(c.Parent(), c, p.text(shown))
}
