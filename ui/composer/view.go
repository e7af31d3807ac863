package composer

import (
	"strings"

	"ibid/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// View draws the composer: Height rows of exactly the set width.
func (m *Model) View() string {
	t := m.theme
	border := t.Styles.Border
	if !m.blurred {
		border = t.Styles.BorderFocus
	}
	var b strings.Builder
	m.viewShelf(&b, border)
	for i := range m.textRows() {
		b.WriteByte('\n')
		m.viewRow(&b, border, m.top+i)
	}
	b.WriteByte('\n')
	m.viewSuggested(&b, border)
	return b.String()
}

// viewShelf draws the top border with the chips and the numbers on it.
func (m *Model) viewShelf(b *strings.Builder, border theme.Ink) {
	t, g := m.theme, m.theme.Glyphs.Border
	b.WriteString(border.Render(g.TopLeft + g.Top))
	room := m.width - 4
	for _, l := range m.labels(room) {
		if l.focus {
			b.WriteString(t.Styles.ChipFocus.Render("[" + l.text + "]"))
		} else {
			b.WriteString(" " + l.style.Render(l.text) + " ")
		}
		room -= l.w
	}
	// One cell of border stays on each side of what stands at the right.
	right := m.right(room - 3)
	if right != "" {
		right = " " + right + " "
	}
	b.WriteString(border.Render(strings.Repeat(g.Top, room-ansi.StringWidth(right))))
	b.WriteString(t.Styles.Muted.Render(right) + border.Render(g.Top+g.TopRight))
}

// viewRow draws one row of text between its borders.
func (m *Model) viewRow(b *strings.Builder, border theme.Ink, i int) {
	t, g := m.theme, m.theme.Glyphs.Border
	b.WriteString(border.Render(g.Left))
	b.WriteByte(' ')
	prompt := " "
	switch {
	case i == 0:
		prompt = ">"
	case i == m.top: // rows above are off screen
		prompt = t.Glyphs.Up
	case i == m.top+m.textRows()-1 && i < len(m.rows)-1:
		prompt = t.Glyphs.Down
	}
	b.WriteString(t.Styles.Accent.Render(prompt))
	b.WriteByte(' ')
	width := m.textWidth()
	used := 0
	if m.buf.empty() {
		s := theme.Cut("Ask your vault"+t.Glyphs.Ellipsis, width, t.Glyphs.Ellipsis)
		b.WriteString(t.Styles.Muted.Render(s))
		used = ansi.StringWidth(s)
	} else {
		r := m.rows[i]
		used = m.viewCells(b, m.buf.lines[r.line][r.from:r.to], width)
	}
	b.WriteString(strings.Repeat(" ", width-used+1))
	b.WriteString(border.Render(g.Right))
}

// viewCells draws the cells that fit in width and returns the columns taken.
// Plain text is in the terminal's own foreground, so that nothing stands between
// the parts of what a terminal joins.
func (m *Model) viewCells(b *strings.Builder, cells []cell, width int) int {
	used := 0
	for _, c := range cells {
		w := min(c.w, width)
		if used+w > width {
			break // white space that hangs over the edge
		}
		used += w
		s := c.drawn()
		if c.w > width {
			s = theme.Cut(s, width, m.theme.Glyphs.Ellipsis)
			s += strings.Repeat(" ", width-ansi.StringWidth(s))
		}
		switch c.kind {
		case mention: // brackets or quotes say the same without colour
			s = m.theme.Styles.Accent.Render(s)
		case paste:
			s = m.theme.Styles.Chip.Render(s)
		}
		b.WriteString(s)
	}
	return used
}
