package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/page"
)

// mostEarlier is how many prompts of all chats are read.
const mostEarlier = 1000

// askedMsg brings the prompts of all chats.
type askedMsg struct {
	id  int
	all []history.Asked
	err error
}

// readEarlier reads the prompts of all chats in the background.
type readEarlier struct{}

func (readEarlier) carryOut(m *Model) tea.Cmd {
	e, store := &m.k.Asked, m.k.Store
	if store == nil || e.Reading {
		return nil
	}
	e.ID, e.Reading = e.ID+1, true
	id := e.ID
	return m.tasks.Start(func(ctx context.Context) tea.Msg {
		all, err := store.Asked(ctx, mostEarlier)
		return askedMsg{id, all, err}
	})
}

// carryOut takes them over, unless a chat was deleted meanwhile.
func (msg askedMsg) carryOut(m *Model) tea.Cmd {
	e := &m.k.Asked
	if msg.id != e.ID {
		return nil
	}
	e.Reading = false
	if msg.err != nil {
		return m.complain(msg.err.Error())
	}
	e.Known = msg.all
	texts := make([]string, len(msg.all))
	for i := range msg.all {
		texts[len(texts)-1-i] = msg.all[i].Text
	}
	var edited tea.Cmd
	if a := m.composer.Earlier().Set(texts); a.Kind == composer.Edited {
		edited = m.k.FollowEdit()
	}
	return tea.Batch(edited, m.toPage(page.RefreshMsg{}))
}
