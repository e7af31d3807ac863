package page

import (
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// Pen draws rows of a fixed width in a theme.
type Pen struct {
	Theme  *theme.Theme
	Styles *theme.Styles
	Glyphs *theme.Glyphs
	Width  int
}

// NewPen returns a pen for rows of w columns.
func NewPen(t *theme.Theme, w int) Pen { return Pen{t, &t.Styles, &t.Glyphs, w} }

// Bar draws a row with a text at each end. If they do not fit, each is cut to about half of the row, or
// to the columns that the other one leaves.
func (p Pen) Bar(left, right string) string {
	room := max(p.Width-2, 0)
	if right != "" && term.Width(left)+2+term.Width(right) > room {
		left = term.Clip(left, max(room-term.Width(right)-2, room/2), p.Glyphs.Ellipsis)
		right = term.Clip(right, max(room-term.Width(left)-2, 0), p.Glyphs.Ellipsis)
	}
	left = term.Clip(left, room, p.Glyphs.Ellipsis)
	return " " + left + strings.Repeat(" ", max(room-term.Width(left)-term.Width(right), 0)) + right + " "
}

// Rule draws a horizontal rule.
func (p Pen) Rule() string { return p.Styles.Border.Render(strings.Repeat(p.Glyphs.Rule, p.Width)) }

// KeyRow returns the hints that fit in room columns. It keeps room for esc.
func (p Pen) KeyRow(hints []keys.Hint, room int) string {
	const space = "   "
	wide := func(k keys.Hint) int { return term.Width(k.Key) + 1 + term.Width(k.Does) + len(space) }
	room += len(space)
	for _, k := range hints {
		if k.Key == "esc" {
			room -= wide(k)
		}
	}
	var out strings.Builder
	for _, k := range hints {
		gap := ""
		if out.Len() > 0 {
			gap = space
		}
		if k.Key != "esc" {
			if wide(k) > room {
				continue
			}
			room -= wide(k)
		}
		out.WriteString(gap + p.Styles.Accent.Render(k.Key) + " " + p.Styles.Muted.Render(k.Does))
	}
	return out.String()
}

// KeyRows returns all hints, in as many rows as they need.
func (p Pen) KeyRows(hints []keys.Hint) (rows []string) {
	for len(hints) > 0 {
		n, used := 0, 0
		for n < len(hints) {
			used += term.Width(hints[n].Key) + 1 + term.Width(hints[n].Does)
			if n > 0 && used > p.Width-2 {
				break
			}
			used += len("   ")
			n++
		}
		rows = append(rows, p.Bar(p.KeyRow(hints[:n], p.Width-2), ""))
		hints = hints[n:]
	}
	return rows
}

// Foot returns the hints that fit in n rows.
func (p Pen) Foot(hints []keys.Hint, n int) []string {
	if n == 1 {
		return []string{p.Bar(p.KeyRow(hints, p.Width-2), "")}
	}
	rows := p.KeyRows(hints)
	return rows[:min(len(rows), n)]
}

// Message returns the rows of a message, without cutting it.
func (p Pen) Message(s Toast) []string {
	ink, sign, least := p.Styles.Good, "", 10
	if s.Bad {
		ink, sign, least = p.Styles.Bad, p.Glyphs.Cross+" ", 12
	}
	return p.Theme.Hanging(ink, sign, theme.OneLine(s.Text), max(p.Width-2, least))
}

// Edge draws a rule with a text near its right end.
func (p Pen) Edge(text string) string {
	if text == "" {
		return p.Rule()
	}
	text = term.Clip(" "+text+" ", max(p.Width-2, 0), p.Glyphs.Ellipsis)
	return p.Styles.Border.Render(strings.Repeat(p.Glyphs.Rule, max(p.Width-term.Width(text)-2, 0))) +
		p.Styles.Muted.Render(text) + p.Styles.Border.Render(p.Glyphs.Rule+p.Glyphs.Rule)
}

// ScrollLines scrolls lines by a key.
func ScrollLines(lines *viewport.Model, msg tea.KeyPressMsg) {
	switch msg.String() {
	case "home", "g":
		lines.GotoTop()
	case "end", "G":
		lines.GotoBottom()
	default:
		*lines, _ = lines.Update(msg)
	}
}

// Scrolled returns the rows of a page: head, the visible part of lines, and a footer with hints. It
// appends to head.
func (p Pen) Scrolled(head []string, lines *viewport.Model, hints string) []string {
	more := "end"
	if !lines.AtBottom() {
		more = p.Glyphs.Down + " more"
	}
	rows := append(head, strings.Split(lines.View(), "\n")...)
	return append(rows, p.Rule(), p.Bar(hints, p.Styles.Muted.Render(more)))
}

// Hanging wraps a text behind a sign, in indented rows.
func (p Pen) Hanging(ink theme.Ink, sign, text string) (rows []string) {
	for _, row := range p.Theme.Hanging(ink, sign, text, max(p.Width-2, 8)) {
		rows = append(rows, " "+row)
	}
	return rows
}

// LowHeight is the height below which the screen has no header, and pages leave out less important
// rows.
const LowHeight = 20

// TooSmall is the only text of a screen that is too small.
const TooSmall = "ibid needs 40 columns and 10 rows."

// TooSmallRows returns h rows of w columns with TooSmall.
func TooSmallRows(w, h int) []string {
	rows := make([]string, max(h, 1))
	copy(rows[len(rows)/2:], theme.Wrap(TooSmall, max(w, 1)))
	return rows
}
