package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Box is a frame with words on its edges. Words that do not fit are clipped, or left out at the right.
type Box struct {
	Border Ink
	Title  string // left on the upper edge
	Aside  string // right on the upper edge
	Foot   string // left on the lower edge
}

// Draw draws the frame around rows of w-4 columns; with the frame they have w.
func (b Box) Draw(t *Theme, w int, rows []string) []string {
	g := &t.Glyphs.Border
	left, right := b.Border.Render(g.Left)+" ", " "+b.Border.Render(g.Right)
	out := make([]string, 0, len(rows)+2)
	out = append(out, b.edge(t, w, [3]string{g.TopLeft, g.Top, g.TopRight}, t.Styles.Title, b.Title, b.Aside))
	for _, r := range rows {
		out = append(out, left+r+right)
	}
	return append(out, b.edge(t, w, [3]string{g.BottomLeft, g.Bottom, g.BottomRight}, t.Styles.Muted, b.Foot, ""))
}

// edge draws a horizontal border from its corners and the cell between them, with at least one such
// cell on each side of the words.
func (b Box) edge(t *Theme, w int, cells [3]string, ink Ink, title, aside string) string {
	room := w - 4
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
	return b.Border.Render(cells[0]+cells[1]) + ink.Render(title) + b.Border.Render(strings.Repeat(cells[1], room)) +
		t.Styles.Muted.Render(aside) + b.Border.Render(cells[1]+cells[2])
}

// BlankBox returns a rectangle of spaces.
func BlankBox(w, h int) string {
	return strings.TrimSuffix(strings.Repeat(strings.Repeat(" ", w)+"\n", h), "\n")
}
