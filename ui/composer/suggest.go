package composer

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// Suggestion is a note that the user may add to the turn.
type Suggestion struct {
	Label  string
	Price  string // such as "+420"
	Reason string // such as "linked from Beds"
	Short  string // a shorter reason
}

// maxLabelWidth limits the columns of the label of a suggestion.
const maxLabelWidth = 24

// Suggested returns the number of suggestions on screen.
func (m *Model) Suggested() int { return len(m.suggested()) }

// suggested returns the texts of the suggestions on screen: all of them if they fit, if necessary with
// short reasons, else fewer.
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
				words[i] = fmt.Sprintf(" alt+%d %s %s %s %s ",
					i+1, label, s.Price, m.theme.Glyphs.Dot, theme.OneLine(reason))
				room -= ansi.StringWidth(words[i]) + 1
			}
			if room >= -1 {
				return words
			}
		}
	}
	return nil
}

// SuggestionAt returns the index of the suggestion at a cell of the prompt, and reports whether there
// is one.
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
