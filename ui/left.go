package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
)

// mostLeft is how many chats that have not begun are brought back at most.
const mostLeft = 8

// leftDraft is what another process left of a chat that has not begun.
type leftDraft struct {
	slot int64
	what unsent
}

// takeLeft takes the drafts that other processes left and that hold a message; others
// stay for whoever begins a chat.
func (f *draftFiles) takeLeft() (left []leftDraft) {
	var others []int64
	for len(left) < mostLeft {
		n, data, err := f.drafts.Take()
		if len(data) == 0 && err == nil {
			others = append(others, n)
			break
		}
		what, err := parseUnsent(data, err)
		if err != nil || isBlank(what.Draft.Text) && len(what.Queue) == 0 {
			others = append(others, n)
			continue
		}
		left = append(left, leftDraft{n, what})
	}
	for _, n := range others {
		_ = f.release(n) // it is this process's until its end
	}
	return left
}

// setLeft puts chats in the background that have not begun, and in which
// another process left something unsent.
func setLeft(m *Model, left []leftDraft) tea.Cmd {
	now := &m.k.desk
	var cmds []tea.Cmd
	for _, l := range left {
		c := newConversation(&m.k.opt, nil, deskState{chat: chains.Snapshot{Model: now.chat.Model}, active: cmp.Or(l.what.Active, now.active)})
		c.setTheme(&m.k.theme)
		c.draft, c.queue, c.cleared = l.what.Draft, l.what.Queue, l.what.Cleared
		c.kept = keptAs{ready: true, slot: l.slot, epoch: l.slot, queue: len(c.queue), clear: c.cleared}
		if len(l.what.Attached) > 0 {
			c.late = append(c.late, atDesk{attachRefs{refs: l.what.Attached}})
		}
		m.k.others = append(m.k.others, c)
		cmds = append(cmds, m.keeper.mark(m, c, &l.what))
	}
	return tea.Batch(cmds...)
}
