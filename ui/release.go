package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/chatview"
)

// releaseIdle closes the chats in the background that hold only something unsent, each
// once until it is on the screen again.
func releaseIdle(m *Model) tea.Cmd {
	var cmds []tea.Cmd
	for _, c := range m.k.others {
		if c.DraftFile.Freed || !c.Idle() {
			continue
		}
		files := m.keeper.files
		c.DraftFile.Freed = true
		what, n, epoch, before := m.keeper.take(m, c)
		c.DraftFile.Wrote = what
		cmds = append(cmds, m.workIn(c, closeChat{func() error { return files.write(n, epoch, before, what) }}))
	}
	return tea.Batch(cmds...)
}

// closeChat closes the chat that is current, so that other processes may write it. What
// is unsent is written before another process may read it; nil writes nothing.
type closeChat struct{ keep func() error }

// closedMsg says that a chat was closed.
type closedMsg struct{}

func (j closeChat) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	if j.keep != nil {
		if err := j.keep(); err != nil {
			return nil, err
		}
	}
	err := d.Chat.Close()
	if errors.Is(err, chains.ErrBusy) {
		return nil, err
	}
	return closedMsg{}, err
}

// leftBy takes over that the chat of a conversation was closed.
func leftBy(m *Model, c *chatview.Chat) []tea.Cmd {
	var cmds []tea.Cmd
	if m.k.opt.Service.Left != nil && c.Desk.Chat.Turns > 0 {
		cmds = append(cmds, m.tasks.After(leftTime, leftMsg{c.Desk.Chat.CacheKey}))
	}
	if c.Closed {
		return cmds
	}
	c.Handle, c.DraftFile.Chat = nil, nil
	if c == m.k.Chat { // it came onto the screen meanwhile
		cmds = append(cmds, m.work(reopen{}))
	}
	return cmds
}

// leftTime is how long what providers keep of a chat outlives its closing: to keep it
// for longer costs more than to have it read again.
const leftTime = 15 * time.Minute

// leftMsg says that a chat was closed some time ago.
type leftMsg struct{ cacheKey string }

// carryOut has providers delete what they keep of a chat, unless it is open again.
func (msg leftMsg) carryOut(m *Model) tea.Cmd {
	for _, c := range m.k.all() {
		if c.Desk.Chat.CacheKey == msg.cacheKey && !c.Released() {
			return nil
		}
	}
	drop := m.k.opt.Service.Left
	return m.tasks.Start(func(ctx context.Context) tea.Msg {
		drop(ctx, msg.cacheKey)
		return nil
	})
}

// reopen shows a chat that was released as it is now.
type reopen struct{}

func (reopen) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	msg := chatview.Reading{Again: true}
	locked := d.Session().Snapshot().ReadOnly
	if locked {
		msg.Say = "another window has this chat open: what you wrote stays in the prompt"
	}
	return chatview.ReadChat(d, msg, locked), nil
}
