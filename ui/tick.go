package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
	"ibid/ui/page"
)

// tickTurn advances the spinner of a turn where it is visible: in its chat, in the rail of chats, or in
// their list.
func tickTurn(m *Model, msg chatview.TickMsg) tea.Cmd {
	t, seen := &msg.Of.Turn, !msg.Of.Turn.Live.Advanced
	t.Live.Steps++
	if msg.Of != m.Chat {
		seen = len(m.Theme.Glyphs.Spinner) > 1 && (m.stage.frame.chats.W > 0 || hasSpinner(m.page))
	}
	if !seen {
		m.drawing.version--
	} else if msg.Of != m.Chat {
		m.toPage(page.Spin{})
	}
	return t.Tick(m.Tasks, msg, m.Theme)
}
