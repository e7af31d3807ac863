package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
	"ibid/ui/page"
)

// Ask implements the host of chats: it carries out a request of c. A toast of a chat that is not on the
// screen begins with the title of the chat.
func (m *Model) Ask(c *chatview.Chat, r page.Request) tea.Cmd {
	if t, ok := r.(page.Toast); ok && t.Text != "" {
		t.Text = backgroundPrefix(&m.screenState, c) + t.Text
		r = t
	}
	return m.carryOut(r)
}

// jobDone takes over the result of a job and starts the next job of its chat.
func (m *Model) jobDone(msg chatview.JobDone) tea.Cmd {
	if msg.Began == nil {
		return msg.End()
	}
	c, cmds := showOpened(m, &msg)
	cmds = append(cmds, msg.End())
	m.spent = max(m.spent, msg.Spent)
	// a chat was deleted or restored: the earlier prompts have to be read again
	if gone := string(msg.Deleted); m.Chats.Gone != gone {
		m.Chats.Gone = gone
		m.forgetEarlier()
	}
	if c.Handle == msg.At && c == msg.Of && !c.Closed {
		cmds = append(cmds, c.TakeState(msg.State))
	}
	switch {
	case msg.Fault() != nil:
		m.tellFault(msg.Fault())
	case msg.Err != nil && !errors.Is(msg.Err, context.Canceled):
		cmds = append(cmds, m.Ask(c, page.Complain(msg.Err.Error())))
	case msg.Err == nil && msg.Reply != nil:
		cmds = append(cmds, m.attempt(answerPart, func() tea.Cmd { return deliver(m, c, msg.Reply) }))
	}
	if msg.Lost != nil {
		cmds = append(cmds, m.Ask(c, page.Complain("a new chat, since this one cannot be opened: "+msg.Lost.Error())))
	}
	cmds = append(cmds, m.drafts.ReleaseIdle())
	c.RefreshShelf()
	return tea.Batch(append(cmds, m.followRelated())...)
}

func (q askMsg) carryOut(k *screenState) tea.Cmd {
	return k.Ask(page.Show{Page: page.Confirm(k.Env, q.Title, q.About, q.Does, page.Run{Line: q.Line}).Guarding()})
}

func (msg keptMsg) carryOut(k *screenState) tea.Cmd {
	k.Composer.Earlier().Forget(msg.Deleted)
	return tea.Batch(k.listChats(msg.Saved), k.Say(msg.Text))
}
