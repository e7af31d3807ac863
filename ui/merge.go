package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/theme"
)

// planMerge finds out what merging a copy into the chat would do.
type planMerge struct{}

// mergeMsg offers it.
type mergeMsg struct{ does string }

func (planMerge) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	m, err := d.Merging()
	return mergeMsg{m.String()}, err
}

func (m *Model) offerMerge(msg mergeMsg) tea.Cmd {
	return m.setPage(unasked(&question{k: &m.k, title: "Merge the copy?", rows: [][2]string{{theme.OneLine(msg.does), ""}}, answers: []answer{
		{Hint{"enter", "merge"}, atDesk{command{line: "/merge yes"}}}, {Hint{"esc", "back"}, nil},
	}}))
}
