package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/review"
)

// followAsked shows what a turn asks as soon as no other page is open, and takes it
// away when the turn does not wait for it any more. It answers what was approved
// before.
func followAsked(m *Model) tea.Cmd {
	m.k.Approve()
	cmd := m.k.KeepReason()
	if a, open := m.page.(review.AskingPage); open && !a.Waits() {
		return tea.Batch(cmd, m.setPage(nil))
	}
	if len(m.k.Turn.Asked()) == 0 || m.page != nil || m.k.Find.Typing || m.k.Keys.Held {
		return cmd
	}
	return m.setPage(review.Ask(m.k.Env, &m.k.Turn))
}
