package desk

import "slices"

// floor is who works with a desk that several goroutines share.
type floor struct {
	free chan struct{} // holds a token while nobody works with the desk
	now  *stay         // whose work it is, nil where one goroutine has the desk to itself
}

// stay is one piece of work at a shared desk.
type stay struct{ aside func() }

// Enter takes a desk that several goroutines share, as soon as nobody works with it,
// and makes a chat current; open reports whether that chat is open: if not, none is
// current until [Desk.Begin]. Until leave, the desk and its chats belong to the caller.
// What a chat reads or asks for elsewhere is done aside: others may have the desk
// meanwhile, and the chat counts as running. The first time, aside is called, from the
// same goroutine; nil is nothing to call. Who shares a desk enters it for a chat once at
// a time.
func Enter(d *Desk, c *Chat, aside func()) (open bool, leave func()) {
	<-d.floor.free
	d.floor.now = &stay{aside}
	if open = d.Switch(c); !open {
		d.Chat = nil // the one that is made in its place takes no other one's
	}
	return open, func() {
		if d.Chat == nil {
			takeLast(d)
		}
		d.floor.now = nil
		d.floor.free <- struct{}{}
	}
}

// Aside does what takes long for the chat and needs no more of the desk than what may
// be used from any goroutine. Afterwards the same chat is current as before.
func (c *Chat) Aside(long func()) {
	if c.desk.floor.now != nil {
		c.turns.Add(1)
		defer c.turns.Add(-1)
	}
	aside(c.desk, long)
}

// aside is Chat.Aside for no chat: the one that is current may be closed meanwhile, and
// another one is current then.
func aside(d *Desk, long func()) {
	at, current := d.floor.now, d.Chat
	if at == nil {
		long()
		return
	}
	d.floor.now = nil
	d.floor.free <- struct{}{}
	defer func() {
		<-d.floor.free
		d.floor.now = at
		if d.Chat = current; current != nil && !slices.Contains(d.chats, current) {
			takeLast(d)
		}
	}()
	if at.aside != nil {
		at.aside()
		at.aside = nil
	}
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
