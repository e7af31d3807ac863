package term

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"ibid/ui/theme"
)

// NewLine returns an input line.
func NewLine(prompt string) textinput.Model {
	line := textinput.New()
	line.Prompt = prompt
	line.SetVirtualCursor(false)
	line.KeyMap.Paste.SetEnabled(false) // the terminal pastes
	return line
}

// StyleLine gives an input line the colours of a theme.
func StyleLine(line *textinput.Model, t *theme.Theme) {
	s := textinput.StyleState{
		Prompt:      lipgloss.NewStyle().Foreground(t.Tokens.Accent),
		Placeholder: lipgloss.NewStyle().Foreground(t.Tokens.Muted),
	}
	line.SetStyles(textinput.Styles{Focused: s, Blurred: s})
}

// CursorIn returns the cursor of an input line that stands in row y of a page, after the margin of one
// column; nil if the line has no cursor.
func CursorIn(line *textinput.Model, y int) *tea.Cursor {
	c := line.Cursor()
	if c != nil {
		c.X, c.Y = c.X+1, y
	}
	return c
}
