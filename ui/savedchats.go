package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/history"
	"ibid/ui/browse"
	"ibid/ui/page"
	"ibid/vault"
)

// chatsMsg is the list of saved chats.
type chatsMsg struct {
	all []history.Summary
	err error
	at  vault.Path // row to go to in the list, "" for none
}

// listChats reads the list of chats again, in the background. to is the row to go to in the list, "" to
// leave the cursor.
func (k *screenState) listChats(to vault.Path) tea.Cmd {
	store := k.Store
	if store == nil {
		return nil
	}
	return k.Tasks.Start(func(ctx context.Context) tea.Msg {
		all, err := store.List(ctx)
		return chatsMsg{all: all, err: err, at: to}
	})
}

// openSaved opens a saved chat, or shows it if it is open.
func (k *screenState) openSaved(chat browse.OpenSaved) tea.Cmd {
	switch open := k.ChatAt(chat.Path); {
	case open == k.Chat && chat.Words == "":
		return k.Ask(page.Act("end"))
	case open != nil && (open.Turn.Running() || chat.Words == ""):
		return k.Post(showChat{open})
	}
	return k.Work(openChat(chat))
}
