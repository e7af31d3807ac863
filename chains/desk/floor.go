package desk

import (
	"context"
	"slices"
)

// floor is whose work it is at a desk that several goroutines share.
type floor struct {
	free chan struct{} // holds a token while nobody works with the desk
	held bool          // by somebody who has entered; else one goroutine has the desk to itself
}

func (f *floor) take() {
	<-f.free
	f.held = true
}

func (f *floor) give() {
	f.held = false
	f.free <- struct{}{}
}

// Place is a chat in which work is to be done.
type Place struct {
	Chat   *Chat  // nil for one that has not begun
	Path   string // of its file, "" if it has none
	Epoch  int64
	Active string // how the active note is treated, should it begin anew
	Closed bool   // nothing is to be done there any more, unless it is open
}

// Enter takes a desk that several goroutines share, in the order in which they ask, and
// makes a chat current. One that is not open is opened again; one without a file begins
// anew, and so does one whose file cannot be opened, as lost says. Until leave, the desk
// and its chats belong to the caller. What a chat reads or asks for elsewhere is done
// aside: others may have the desk meanwhile, and the chat counts as running. Who shares a
// desk enters it for a chat once at a time. leave is nil where nothing is to be done.
func Enter(ctx context.Context, d *Desk, at Place) (leave func(), lost error) {
	d.floor.take()
	leave = func() {
		if d.Chat == nil {
			takeLast(d)
		}
		d.floor.give()
	}
	if d.Switch(at.Chat) {
		return leave, nil
	}
	if at.Closed {
		d.floor.give()
		return nil, nil
	}
	d.Chat = nil // the one that is made in its place takes no other one's
	if at.Path != "" {
		if lost = reopen(ctx, d, at.Path, at.Epoch); lost == nil {
			return leave, nil
		}
	}
	d.Begin(ctx)
	if at.Active != d.active {
		_ = d.SetActive(at.Active) // nothing is saved of it yet
	}
	return leave, lost
}

// Aside does what takes long for the chat and needs no more of the desk than what may
// be used from any goroutine. Afterwards the same chat is current as before.
func (c *Chat) Aside(long func()) {
	if c.desk.floor.held {
		c.turns.Add(1)
		defer c.turns.Add(-1)
	}
	aside(c.desk, long)
}

// aside is Chat.Aside for no chat: the one that is current may be closed meanwhile, and
// another one is current then.
func aside(d *Desk, long func()) {
	if !d.floor.held {
		long()
		return
	}
	current := d.Chat
	d.floor.give()
	defer func() {
		d.floor.take()
		if d.Chat = current; current != nil && !slices.Contains(d.chats, current) {
			takeLast(d)
		}
	}()
	long()
}

// takeLast makes the chat current that was opened last, or one in which nothing was said.
func takeLast(d *Desk) {
	if n := len(d.chats); n > 0 {
		d.Chat = d.chats[n-1]
		return
	}
	d.Chat = nil
	d.blank()
}
