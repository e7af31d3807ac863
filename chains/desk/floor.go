package desk

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
		if d.Chat == nil && len(d.chats) > 0 {
			d.Chat = d.chats[len(d.chats)-1]
		} else if d.Chat == nil {
			d.blank()
		}
		d.floor.now = nil
		d.floor.free <- struct{}{}
	}
}

// Aside does what takes long for the chat and needs no more of the desk than what may
// be used from any goroutine. Afterwards the same chat is current as before.
func (c *Chat) Aside(long func()) {
	d := c.desk
	at, current := d.floor.now, d.Chat
	if at == nil {
		long()
		return
	}
	c.turns.Add(1)
	d.floor.now = nil
	d.floor.free <- struct{}{}
	defer func() {
		<-d.floor.free
		d.floor.now = at
		d.Chat = current
		c.turns.Add(-1)
	}()
	if at.aside != nil {
		at.aside()
		at.aside = nil
	}
	long()
}
