package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
)

// leftBy takes over that the chat of a conversation was closed.
func (k *screenState) leftBy(c *chatview.Chat) []tea.Cmd {
	var cmds []tea.Cmd
	if k.opt.Service.Left != nil && c.Desk.Chat.Turns > 0 {
		cmds = append(cmds, k.Tasks.After(leftTime, leftMsg{c.Desk.Chat.CacheKey}))
	}
	if c.Closed {
		return cmds
	}
	c.Handle, c.DraftFile.Chat = nil, nil
	if c == k.Chat { // it came onto the screen meanwhile
		cmds = append(cmds, k.Do(reopen))
	}
	return cmds
}

// leftTime is how long what providers keep of a chat outlives its closing: to keep it
// for longer costs more than to have it read again.
const leftTime = 15 * time.Minute

// leftMsg says that a chat was closed some time ago.
type leftMsg struct{ cacheKey string }

// carryOut has providers delete what they keep of a chat, unless it is open again.
func (msg leftMsg) carryOut(k *screenState) tea.Cmd {
	for _, c := range k.all() {
		if c.Desk.Chat.CacheKey == msg.cacheKey && !c.Released() {
			return nil
		}
	}
	drop := k.opt.Service.Left
	return k.Tasks.Start(func(ctx context.Context) tea.Msg {
		drop(ctx, msg.cacheKey)
		return nil
	})
}
