package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/review"
	"ibid/ui/term"
)

// followAsked answers the questions that earlier approvals cover. It shows the oldest open question of
// the turn when no other page is open, and closes that page when the turn no longer waits for it.
func followAsked(m *Model) tea.Cmd {
	m.Approve()
	cmd := m.KeepReason()
	if a, open := m.page.(review.AskingPage); open && !a.Waits() {
		return tea.Batch(cmd, m.setPage(nil))
	}
	if len(m.Turn.Asked()) == 0 || m.page != nil || m.Find.Typing || m.Keys.Held {
		return cmd
	}
	fault := term.Guard(string(pagePart), func() { m.askedPage = review.Ask(m.Env, &m.Turn) })
	if fault != nil {
		m.refuseBroken()
		m.tellFault(fault)
		return cmd
	}
	return m.setPage(m.askedPage)
}
