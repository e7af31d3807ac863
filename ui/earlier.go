package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/history"
	"ibid/ui/browse"
	"ibid/ui/composer"
	"ibid/ui/term"
)

// maxEarlier limits how many prompts of all chats are read.
const maxEarlier = 1000

// recall reads the prompts of all chats for the prompt and for the page that lists them.
type recall struct {
	tasks   *term.Tasks
	store   *history.Store // nil keeps no chat
	earlier composer.PromptHistory
	asked   *browse.AskedPrompts
}

// recallMsg asks for the prompts of all chats.
type recallMsg struct{}

// askedMsg is the result of reading the prompts of all chats.
type askedMsg struct {
	id  int
	all []history.AskedPrompt
	err error
}

// read reads the prompts in the background, unless that already runs or no chat is kept.
func (r *recall) read() tea.Cmd {
	e, store := r.asked, r.store
	if store == nil || e.Reading {
		return nil
	}
	e.ID, e.Reading = e.ID+1, true
	id := e.ID
	return r.tasks.Start(func(ctx context.Context) tea.Msg {
		all, err := store.Asked(ctx, maxEarlier)
		return askedMsg{id, all, err}
	})
}

// forget drops the prompts, because a chat was deleted or restored.
func (r *recall) forget() {
	*r.asked = browse.AskedPrompts{ID: r.asked.ID + 1}
	r.earlier.Forget(nil)
}

// take stores the prompts that were read, unless a chat was deleted meanwhile. It reports whether that
// changed the text in the prompt.
func (r *recall) take(msg askedMsg) (edited bool, err error) {
	e := r.asked
	if msg.id != e.ID {
		return false, nil
	}
	e.Reading = false
	if msg.err != nil {
		return false, msg.err
	}
	e.Known = msg.all
	texts := make([]string, len(msg.all))
	for i := range msg.all {
		texts[len(texts)-1-i] = msg.all[i].Text
	}
	return r.earlier.Set(texts).Kind == composer.Edited, nil
}
