package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
)

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
		cmds = append(cmds, m.k.Do(reopen))
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
