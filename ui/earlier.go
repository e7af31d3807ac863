package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/history"
	"ibid/ui/browse"
	"ibid/ui/composer"
)

// maxEarlier limits how many prompts of all chats are read.
const maxEarlier = 1000

// recallMsg asks for the prompts of all chats.
type recallMsg struct{}

func (recallMsg) carryOut(k *screenState) tea.Cmd { return k.readEarlier() }

// readEarlier reads the prompts of all chats, for the prompt and for the page that lists them. It does so in the
// background, unless that already runs or no chat is kept.
func (k *screenState) readEarlier() tea.Cmd {
	e, store := &k.Asked, k.Store
	if store == nil || e.Reading {
		return nil
	}
	e.ID, e.Reading = e.ID+1, true
	id := e.ID
	return k.Tasks.Start(func(ctx context.Context) tea.Msg {
		all, err := store.Asked(ctx, maxEarlier)
		return askedMsg{id, all, err}
	})
}

// forgetEarlier drops the prompts, because a chat was deleted or restored.
func (k *screenState) forgetEarlier() {
	k.Asked = browse.AskedPrompts{ID: k.Asked.ID + 1}
	k.Composer.Earlier().Forget(nil)
}

// askedMsg is the result of reading the prompts of all chats.
type askedMsg struct {
	id  int
	all []history.AskedPrompt
	err error
}

// carryOut stores the prompts that were read, unless a chat was deleted meanwhile.
func (msg askedMsg) carryOut(k *screenState) tea.Cmd {
	if msg.id != k.Asked.ID {
		return nil
	}
	k.Asked.Reading = false
	if msg.err != nil {
		return k.Complain(msg.err.Error())
	}
	k.Asked.Known = msg.all
	texts := make([]string, len(msg.all))
	for i := range msg.all {
		texts[len(texts)-1-i] = msg.all[i].Text
	}
	if k.Composer.Earlier().Set(texts).Kind == composer.Edited {
		return tea.Batch(k.FollowEdit(), k.Refresh())
	}
	return k.Refresh()
}
