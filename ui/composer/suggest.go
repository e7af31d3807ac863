package composer

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// Suggestion is something that may go with the turn, and does not by itself.
type Suggestion struct {
	Label  string
	Price  string // such as "+420"
	Reason string // such as "linked from Beds"
	Short  string // the same where space is short
}

// maxLabelWidth is the columns that the label of a suggestion may take.
const maxLabelWidth = 24

// Suggested is how many suggestions are on screen.
func (m *Model) Suggested() int { return len(m.suggested()) }

// suggested is what the suggestions on screen say: all of them if they fit, with short
// reasons if need be, else fewer.
func (m *Model) suggested() []string {
	if m.blurred {
		return nil
	}
	for n := len(m.shelf.Suggested); n > 0; n-- {
		for _, short := range []bool{false, true} {
			words, room := make([]string, n), m.width-4
			for i, s := range m.shelf.Suggested[:n] {
				reason := s.Reason
				if short {
					reason = s.Short
				}
				label := theme.Cut(theme.OneLine(s.Label), maxLabelWidth, m.theme.Glyphs.Ellipsis)
				words[i] = fmt.Sprintf(" alt+%d %s %s %s %s ", i+1, label, s.Price, m.theme.Glyphs.Dot, theme.OneLine(reason))
				room -= ansi.StringWidth(words[i]) + 1
			}
			if room >= -1 {
				return words
			}
		}
	}
	return nil
}

// SuggestionAt is the suggestion, counted from 0, that is drawn at a cell of the prompt.
func SuggestionAt(m *Model, x, y int) (i int, ok bool) {
	if y != m.Height()-1 {
		return 0, false
	}
	x-- // the corner
	for i, words := range m.suggested() {
		x--
		if w := ansi.StringWidth(words); x >= w {
			x -= w
			continue
		}
		return i, x >= 0
	}
	return 0, false
}

// viewSuggested draws the bottom border with the suggestions on it.
func (m *Model) viewSuggested(b *strings.Builder, border theme.Ink) {
	g, room := m.theme.Glyphs.Border, m.width-2
	left, right := m.corners(g.BottomLeft, g.BottomRight)
	for _, words := range m.suggested() {
		b.WriteString(border.Render(left+g.Bottom) + m.theme.Styles.Muted.Render(words))
		room -= ansi.StringWidth(words) + 1
		left = ""
	}
	b.WriteString(border.Render(left + strings.Repeat(g.Bottom, room) + right))
}
