package desk

import (
	"context"
	"slices"

	"ibid/chains"
)

// Place gives somebody who works at the desk a chat that is theirs meanwhile. Commands
// that open another chat go on there. A place that nobody shares the desk with has the
// desk to itself.
type Place struct {
	*Chat
	*Desk
	shared bool  // others work at the desk too
	holds  *Chat // that others wait for
}

// Enter is a place at an open chat, once nobody else works there; nil if it is not open.
// With passing it waits for nobody, and does nothing in this chat but go on to another.
func (d *Desk) Enter(c *Chat, passing bool) *Place {
	p := &Place{Chat: c, Desk: d, shared: true}
	if !passing && c != nil {
		p.move(c)
	}
	if !slices.Contains(d.Chats(), c) {
		p.Leave()
		return nil
	}
	return p
}

// Reopen is a place at a chat that was closed, or had not begun. One without a file begins
// anew, and so does one whose file cannot be opened, as lost says.
func (d *Desk) Reopen(ctx context.Context, was chains.Snapshot, active string) (p *Place, lost error) {
	p = &Place{Desk: d, shared: true}
	if was.Path != "" {
		if lost = p.reopen(ctx, was); lost == nil {
			return p, nil
		}
	}
	p.Begin(ctx)
	if active != p.active {
		_ = p.SetActive(active) // nothing is saved of it yet
	}
	return p, lost
}

// Leave gives the chat to who waits for it.
func (p *Place) Leave() {
	if p.holds != nil {
		p.holds.work.Unlock()
		p.holds = nil
	}
}

// move goes on to another chat. A place holds one at a time, so that no two wait for each
// other.
func (p *Place) move(c *Chat) {
	if p.shared && c != p.holds {
		if p.Leave(); c != nil {
			c.work.Lock()
		}
		p.holds = c
	}
	p.Chat = c
}
