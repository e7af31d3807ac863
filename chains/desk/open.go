package desk

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"ibid/chains"
	"ibid/history"
	"ibid/vault"
)

// Open opens a saved chat, named by its path or its title, and makes it the current one. A chat that is open
// already stays as it is, unless its file was changed.
func (p *Place) Open(ctx context.Context, name string) error {
	if p.opts.Store == nil {
		return errors.New("chats are not kept in this session (--no-save)")
	}
	was := p.Chat
	err := p.open(ctx, name, was)
	if err != nil {
		p.moveTo(was)
	}
	return err
}

func (p *Place) open(ctx context.Context, name string, was *Chat) error {
	store, fresh := p.opts.Store, p.newChat()
	path, err := store.Find(ctx, name)
	if err != nil {
		return err
	}
	if c := p.findOpen(func(now chains.Snapshot) bool { return now.Path == string(path) }); c != nil &&
		p.keepOpen(c, path) {
		return nil
	}
	chat, warnings, err := openWhenFree(ctx, p.Desk, path)
	if err != nil {
		return err
	}
	c := p.openWithEpoch(chat.Epoch)
	switch {
	case c == nil:
		c = fresh
	case p.keepOpen(c, chat.Path):
		return nil
	}
	return p.load(ctx, was, c, chat, warnings)
}

// reopen is Open for a chat that was open before. If its file was moved, it finds it by the epoch of the chat.
func (p *Place) reopen(ctx context.Context, was chains.Snapshot) error {
	err := p.Open(ctx, was.Path)
	if !errors.Is(err, fs.ErrNotExist) || was.Epoch == 0 {
		return err
	}
	all, failed := p.opts.Store.List(ctx)
	i := slices.IndexFunc(all, func(s history.Summary) bool { return s.Epoch == was.Epoch && s.Copy == "" })
	if failed != nil || i < 0 {
		return err
	}
	return p.Open(ctx, string(all[i].Path))
}

// findOpen returns the first open chat for which holds returns true, nil if there is none.
func (d *Desk) findOpen(holds func(chains.Snapshot) bool) *Chat {
	all := d.Chats()
	if i := slices.IndexFunc(all, func(c *Chat) bool { return holds(c.Session().Snapshot()) }); i >= 0 {
		return all[i]
	}
	return nil
}

// openWithEpoch returns the open chat with this epoch; nil for 0.
func (d *Desk) openWithEpoch(epoch int64) *Chat {
	return d.findOpen(func(now chains.Snapshot) bool { return epoch != 0 && now.Epoch == epoch })
}

// keepOpen moves to an open chat and reports whether it can stay as it is: a turn runs, which saves and merges, or its
// file is still at path and unchanged.
func (p *Place) keepOpen(c *Chat, path vault.Path) bool {
	if p.moveTo(c); c.Running() {
		return true
	}
	p.sayUnsaved(c.session.Close()) // saves it before it is read again
	chat, err := c.session.Chat()
	if err != nil || chat.ReadOnly || chat.Path != path {
		return false
	}
	changed, err := p.opts.Store.Changed(&chat)
	return err == nil && !changed
}

// openWhenFree opens the chat at path as soon as no other process has it open, or read-only when the wait is over.
func openWhenFree(ctx context.Context, d *Desk, path vault.Path) (chat history.Chat, warnings []history.Warning,
	err error,
) {
	store := d.opts.Store
	chat, warnings, err = store.Open(path)
	waits := func() bool { return err == nil && chat.ReadOnly && !chat.Newer() }
	if waits() && d.opts.Wait.Say != nil {
		d.opts.Wait.Say(string(chat.Path))
	}
	limited, cancel := context.WithTimeout(ctx, d.opts.Wait.Most)
	defer cancel()
	for waits() && store.Await(limited, chat.Epoch) == nil {
		chat, warnings, err = store.Open(chat.Path) // yet another process may have locked it first
	}
	return chat, warnings, err
}

// load opens a saved chat in c and makes it the current one. The lock of a chat that cannot be read is released,
// unless it was open before.
func (p *Place) load(ctx context.Context, was, c *Chat, chat history.Chat, warnings []history.Warning) error {
	err := ctx.Err()
	if err == nil {
		err = c.load(ctx, chat, warnings)
	}
	switch {
	case err == nil:
		p.showChat(was, c)
	case p.openWithEpoch(chat.Epoch) == nil:
		p.release(&chat)
	}
	return err
}
