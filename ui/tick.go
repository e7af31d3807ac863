package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
)

// tickTurn advances the spinner of a turn, which its chat shows while it is on the screen.
func tickTurn(m *Model, msg chatview.TickMsg) tea.Cmd {
	t := &msg.Of.Turn
	if msg.Of != m.Chat || t.Live.Advanced > 0 {
		m.drawing.version--
	}
	return t.Tick(m.Tasks, msg, m.Theme)
}
