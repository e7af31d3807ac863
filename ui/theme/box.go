package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Box is a frame with words on its upper edge. Words that do not fit are clipped, or left out at the right.
type Box struct {
	Border Ink
	Title  string // left on the upper edge
	Aside  string // right on the upper edge
}

// Draw draws the frame around rows of w-4 columns; with the frame they have w.
func (b Box) Draw(t *Theme, w int, rows []string) []string {
	g := &t.Glyphs.Border
	left, right := b.Border.Render(g.Left)+" ", " "+b.Border.Render(g.Right)
	out := append(make([]string, 0, len(rows)+2), b.top(t, w))
	for _, r := range rows {
		out = append(out, left+r+right)
	}
	return append(out, b.Border.Render(g.BottomLeft+strings.Repeat(g.Bottom, max(w-2, 0))+g.BottomRight))
}

// top draws the upper edge, with at least one cell of the border on each side of the words.
func (b Box) top(t *Theme, w int) string {
	g, room, title, aside := &t.Glyphs.Border, w-4, b.Title, b.Aside
	if title != "" && room > 4 {
		title = " " + Cut(OneLine(title), room-2, t.Glyphs.Ellipsis) + " "
		room -= ansi.StringWidth(title)
	} else {
		title = ""
	}
	if aside != "" {
		if aside = " " + OneLine(aside) + " "; ansi.StringWidth(aside) > room-1 {
			aside = ""
		}
		room -= ansi.StringWidth(aside)
	}
	return b.Border.Render(g.TopLeft+g.Top) + t.Styles.Title.Render(title) +
		b.Border.Render(strings.Repeat(g.Top, room)) + t.Styles.Muted.Render(aside) + b.Border.Render(g.Top+g.TopRight)
}

// BlankBox returns a rectangle of spaces.
func BlankBox(w, h int) string {
	return strings.TrimSuffix(strings.Repeat(strings.Repeat(" ", w)+"\n", h), "\n")
}
