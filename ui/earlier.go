package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/history"
	"ibid/ui/browse"
	"ibid/ui/composer"
	"ibid/ui/term"
)

// mostEarlier is how many prompts of all chats are read.
const mostEarlier = 1000

// recall brings the prompts of all chats to the prompt and to the page that lists them.
type recall struct {
	tasks   *term.Tasks
	store   *history.Store // nil keeps no chat
	earlier composer.PromptHistory
	asked   *browse.AskedPrompts
}

// recallMsg asks for the prompts of all chats.
type recallMsg struct{}

// askedMsg brings the prompts of all chats.
type askedMsg struct {
	id  int
	all []history.AskedPrompt
	err error
}

// read reads them in the background.
func (r *recall) read() tea.Cmd {
	e, store := r.asked, r.store
	if store == nil || e.Reading {
		return nil
	}
	e.ID, e.Reading = e.ID+1, true
	id := e.ID
	return r.tasks.Start(func(ctx context.Context) tea.Msg {
		all, err := store.Asked(ctx, mostEarlier)
		return askedMsg{id, all, err}
	})
}

// forget drops them: a chat was deleted, or is back.
func (r *recall) forget() {
	*r.asked = browse.AskedPrompts{ID: r.asked.ID + 1}
	r.earlier.Forget(nil)
}

// take takes them over, unless a chat was deleted meanwhile, and reports whether that
// changed the prompt.
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
