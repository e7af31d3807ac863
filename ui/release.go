package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
)

// chatClosed releases c after the desk has closed its chat, and has the data at providers deleted later.
func (k *screenState) chatClosed(c *chatview.Chat) []tea.Cmd {
	var cmds []tea.Cmd
	if k.opt.Service.Left != nil && c.Desk.Chat.Turns > 0 {
		cmds = append(cmds, k.Tasks.After(releaseDelay, releaseMsg{c.Desk.Chat.CacheKey}))
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

// releaseDelay is the time for which the data of a chat at providers outlives its closing. Keeping it longer costs
// more than having it read again.
const releaseDelay = 15 * time.Minute

// releaseMsg reports that a chat was closed releaseDelay ago.
type releaseMsg struct{ cacheKey string }

// carryOut has providers delete the data of a chat, unless it is open again.
func (msg releaseMsg) carryOut(k *screenState) tea.Cmd {
	for _, c := range k.All() {
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
