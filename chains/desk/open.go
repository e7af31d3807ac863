package desk

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"ibid/history"
	"ibid/vault"
)

// Open opens a saved chat, named by its path or its title, and makes it current.
// A chat that is open already stays as it is, unless its file was changed. It is read
// and decoded aside: see [Enter].
func (d *Desk) Open(ctx context.Context, name string) error {
	store := d.opts.Store
	if store == nil {
		return errors.New("chats are not kept in this session (--no-save)")
	}
	for _, c := range d.chats {
		if !c.Running() {
			d.sayUnsaved(c.session.Close()) // before it is read again
		}
	}
	var path vault.Path
	var err error
	aside(d, func() { path, err = store.Find(ctx, name) })
	if err != nil {
		return err
	}
	if c := openAt(d, path); c != nil {
		d.Chat = c
		return nil
	}
	chat, warnings, err := openWhenFree(ctx, d, path)
	if err != nil {
		return err
	}
	for _, c := range d.chats {
		if now := c.session.Snapshot(); now.Epoch != chat.Epoch && now.Path != string(chat.Path) {
			continue
		}
		if c.Running() { // a turn runs, which saves and merges
			d.Chat = c
			return nil
		}
		open, err := c.session.Chat()
		switch {
		case err != nil:
			return err
		case open.Epoch != chat.Epoch:
			continue
		}
		if changed, err := store.Changed(&open); err == nil && !changed && !open.ReadOnly && open.Path == chat.Path {
			d.Chat = c
			return nil
		}
		return d.load(ctx, c, chat, warnings)
	}
	return d.load(ctx, d.newChat(), chat, warnings)
}

// reopen is Open for a chat that was open before: if its file is not at path any more, it
// is the one with the epoch of the chat.
func reopen(ctx context.Context, d *Desk, path string, epoch int64) error {
	err := d.Open(ctx, path)
	if !errors.Is(err, fs.ErrNotExist) || epoch == 0 {
		return err
	}
	var all []history.Summary
	var failed error
	aside(d, func() { all, failed = d.opts.Store.List(ctx) })
	i := slices.IndexFunc(all, func(s history.Summary) bool { return s.Epoch == epoch && s.Copy == "" })
	if failed != nil || i < 0 {
		return err
	}
	return d.Open(ctx, string(all[i].Path))
}

// openAt is the chat with the file at path, if it is open and as it is on disk, or a
// turn runs in it; else nil.
func openAt(d *Desk, path vault.Path) *Chat {
	i := slices.IndexFunc(d.chats, func(c *Chat) bool { return c.session.Snapshot().Path == string(path) })
	if i < 0 {
		return nil
	}
	c := d.chats[i]
	if c.Running() { // it saves and merges
		return c
	}
	chat, err := c.session.Chat()
	if err != nil || chat.ReadOnly {
		return nil
	}
	changed := true
	aside(d, func() { changed, err = d.opts.Store.Changed(&chat) })
	if err != nil || changed || !slices.Contains(d.chats, c) {
		return nil
	}
	return c
}

// openWhenFree opens the chat at path, as soon as no other process has it open if that
// does not take too long.
func openWhenFree(ctx context.Context, d *Desk, path vault.Path) (chat history.Chat, warnings []history.Warning, err error) {
	const moment = time.Second
	store := d.opts.Store
	aside(d, func() { chat, warnings, err = store.Open(path) })
	waits := func() bool { return err == nil && chat.ReadOnly && !chat.Newer() }
	for _, most := range []time.Duration{min(moment, d.opts.Wait.Most), d.opts.Wait.Most - moment} {
		limited, cancel := context.WithTimeout(ctx, most)
		for waits() {
			var late error
			aside(d, func() {
				if late = store.Await(limited, chat.Epoch); late == nil {
					chat, warnings, err = store.Open(chat.Path) // who came first has it
				}
			})
			if late != nil {
				break
			}
		}
		cancel()
		if waits() && most == moment && d.opts.Wait.Say != nil {
			d.opts.Wait.Say(string(chat.Path))
		}
	}
	return chat, warnings, err
}

// load makes a session of a saved chat for c, and c current. A chat that cannot
// be read is given up, unless it was open before. One that was opened meanwhile stays
// as it is.
func (d *Desk) load(ctx context.Context, c *Chat, chat history.Chat, warnings []history.Warning) error {
	first := c.session == nil
	err := ctx.Err()
	if err == nil {
		err = c.load(ctx, chat, warnings)
	}
	if i := slices.IndexFunc(d.chats, func(o *Chat) bool { return chat.Epoch != 0 && o.session.Snapshot().Epoch == chat.Epoch }); first && i >= 0 {
		d.Chat = d.chats[i]
		return nil
	}
	if err != nil {
		if first {
			d.release(&chat)
		}
		return err
	}
	if was := d.Chat; was != nil && was != c && was.empty() {
		handOver(was, c)
		leave(was)
	}
	attachAgain(c)
	d.show(c)
	return nil
}
