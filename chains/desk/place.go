package desk

import (
	"context"
	"slices"

	"ibid/chains"
)

// Place is a caller's place at the desk: it has one chat to itself. Commands that open another chat move the place
// there. A place that is not shared has the whole desk to itself.
type Place struct {
	*Chat
	*Desk
	shared bool  // other places exist at the desk
	locked *Chat // chat whose work lock it holds
}

// Enter returns a place at an open chat as soon as no other place works there, nil if the chat is not open. With
// passing it does not wait, and must do nothing in this chat except move to another.
func (d *Desk) Enter(c *Chat, passing bool) *Place {
	p := &Place{Chat: c, Desk: d, shared: true}
	if !passing && c != nil {
		p.moveTo(c)
	}
	if !slices.Contains(d.Chats(), c) {
		p.Leave()
		return nil
	}
	return p
}

// Reopen returns a place at a chat that was closed or not begun. A chat without a file begins anew, and so does one
// whose file cannot be opened, for which lost is the reason.
func (d *Desk) Reopen(ctx context.Context, was chains.Snapshot, active string) (p *Place, lost error) {
	p = &Place{Desk: d, shared: true}
	if was.Path != "" {
		if lost = p.reopen(ctx, was); lost == nil {
			return p, nil
		}
	}
	p.Begin(ctx)
	if active != p.active {
		_ = p.SetActive(active) // the new chat has no file to save it in
	}
	return p, lost
}

// Leave releases the chat for other places.
func (p *Place) Leave() {
	if p.locked != nil {
		p.locked.work.Unlock()
		p.locked = nil
	}
}

// moveTo moves the place to another chat. It releases the previous one first, so that two places cannot wait for each
// other.
func (p *Place) moveTo(c *Chat) {
	if p.shared && c != p.locked {
		if p.Leave(); c != nil {
			c.work.Lock()
		}
		p.locked = c
	}
	p.Chat = c
}
