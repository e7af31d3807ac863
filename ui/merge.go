package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/page"
)

// planMerge finds out what merging a copy into the chat would do.
type planMerge struct{}

// mergeMsg offers it.
type mergeMsg struct{ does string }

func (planMerge) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	m, err := d.Merging()
	return mergeMsg{m.String()}, err
}

func (msg mergeMsg) carryOut(m *Model) tea.Cmd {
	return m.setPage(page.Confirm(m.k.Env, "Merge the copy?", msg.does, "merge", page.Run{Line: "/merge yes"}).Guarding())
}
