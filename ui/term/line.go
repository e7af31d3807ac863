package term

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"ibid/ui/theme"
)

// NewLine is a line to type into.
func NewLine(prompt string) textinput.Model {
	line := textinput.New()
	line.Prompt = prompt
	line.SetVirtualCursor(false)
	line.KeyMap.Paste.SetEnabled(false) // the terminal pastes
	return line
}

// StyleLine gives a line to type into the look of the screen.
func StyleLine(line *textinput.Model, t *theme.Theme) {
	s := textinput.StyleState{
		Prompt:      lipgloss.NewStyle().Foreground(t.Tokens.Accent),
		Placeholder: lipgloss.NewStyle().Foreground(t.Tokens.Muted),
	}
	line.SetStyles(textinput.Styles{Focused: s, Blurred: s})
}

// CursorIn is where the cursor of a line stands that begins in row y of a page, behind
// its margin.
func CursorIn(line *textinput.Model, y int) *tea.Cursor {
	c := line.Cursor()
	if c != nil {
		c.X, c.Y = c.X+1, y
	}
	return c
}
