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
	if m.Height() > m.textRows()+1 {
		b.WriteByte('\n')
		m.viewSuggested(&b, border)
	}
	return b.String()
}

// viewShelf draws the top border with the chips and the numbers on it.
func (m *Model) viewShelf(b *strings.Builder, border theme.Ink) {
	t, g := m.theme, m.theme.Glyphs.Border
	left, right := m.corners(g.TopLeft, g.TopRight)
	b.WriteString(border.Render(left + g.Top))
	room := m.width - 4
	for _, l := range m.fittingLabels() {
		if l.focus {
			b.WriteString(t.Styles.ChipFocus.Render("[" + l.text + "]"))
		} else {
			b.WriteString(" " + l.style.Render(l.text) + " ")
		}
		room -= l.w
	}
	// one cell of border stays on each side of the words at the right
	words := m.rightSentence(room - 3)
	if words != "" {
		words = " " + words + " "
	}
	b.WriteString(border.Render(strings.Repeat(g.Top, room-ansi.StringWidth(words))))
	b.WriteString(t.Styles.Muted.Render(words) + border.Render(g.Top+right))
}

// corners returns the ends of a border: rounded ones in a box, else more of the border.
func (m *Model) corners(left, right string) (string, string) {
	if m.boxed {
		return left, right
	}
	return m.theme.Glyphs.Border.Top, m.theme.Glyphs.Border.Top
}

// viewRow draws one row of text, between borders in a box.
func (m *Model) viewRow(b *strings.Builder, border theme.Ink, i int) {
	t, right := m.theme, ""
	if m.boxed {
		b.WriteString(border.Render(t.Glyphs.Border.Left) + " ")
		right = t.Glyphs.Border.Right
	}
	prompt := " "
	switch {
	case i == 0 && m.blurred && t.Options.NoColor: // without colours, the sign only stands where typing goes
	case i == 0 && m.vim.commands():
		prompt = "N"
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
	b.WriteString(border.Render(right))
}

// viewCells draws the cells that fit in width and returns their columns. Plain text has the terminal's
// own foreground, so that no sequence separates the parts of what a terminal joins.
func (m *Model) viewCells(b *strings.Builder, cells []cell, width int) int {
	used := 0
	for _, c := range cells {
		w := c.width(width)
		if used+w > width {
			break // white space that hangs over the edge
		}
		used += w
		s := c.screenText()
		if int(c.w) > width {
			s = theme.Cut(s, width, m.theme.Glyphs.Ellipsis)
			s += strings.Repeat(" ", width-ansi.StringWidth(s))
		}
		switch {
		case c.kind == mention: // brackets or quotes mark it without colour
			s = m.theme.Styles.Accent.Render(s)
		case c.kind == paste:
			s = m.theme.Styles.Chip.Render(s)
		}
		b.WriteString(s)
	}
	return used
}
