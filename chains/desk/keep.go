package desk

import (
	"context"
	"fmt"
	"strings"

	"ibid/chains"
	"ibid/history"
	"ibid/vault"
)

// title requests a title in the background, or sets the given one.
func title(ctx context.Context, c *Place, arg string) (Result, error) {
	if arg != "" {
		return rename(ctx, c, arg)
	}
	n, err := c.session.Naming(false)
	return Result{Text: "asking for a title", Naming: n}, err
}

// pinChat pins or unpins the chat.
func pinChat(c *Chat, on bool) (Result, error) {
	err := c.session.Edit(func(chat *history.Chat) error {
		chat.Pinned = on
		return nil
	})
	return pinResult(vault.Path(c.session.Snapshot().Path), on), err
}

// pinSaved pins or unpins a saved chat.
func pinSaved(on bool) func(*Desk, vault.Path, string) (Result, error) {
	return func(d *Desk, p vault.Path, _ string) (Result, error) {
		return pinResult(p, on), d.opts.Store.Pin(p, on)
	}
}

func pinResult(p vault.Path, on bool) Result {
	if on {
		return Result{Text: "the chat is pinned: it stands first in the list of chats", Saved: p}
	}
	return Result{Text: "the chat is no longer pinned", Saved: p}
}

// archive moves the chat into the archive, which closes it, or out of it.
func archive(ctx context.Context, c *Place, arg string) (Result, error) {
	if arg == "" {
		return putAway(ctx, c, archiveSaved)
	}
	p, err := c.savedPath()
	if err != nil {
		return Result{}, err
	}
	r, err := archiveSaved(c.Desk, p, arg)
	if err == nil {
		r.Opened, err = true, c.Open(ctx, string(r.Saved))
	}
	return r, err
}

// archiveSaved moves a saved chat into the archive, or out of it.
func archiveSaved(d *Desk, p vault.Path, arg string) (Result, error) {
	if arg != "" && arg != "off" {
		return Result{}, fmt.Errorf("/archive takes nothing, or off; not %q: /open it first", arg)
	}
	to, err := d.opts.Store.Archive(p, arg == "")
	text := "in the archive: "
	if arg != "" {
		text = "out of the archive: "
	}
	return Result{Text: text + string(to), Saved: to}, err
}

// putAway closes the chat, moves its file, and begins another chat in its place.
func putAway(ctx context.Context, c *Place, move func(*Desk, vault.Path, string) (Result, error)) (Result, error) {
	p, err := c.savedPath()
	was := c.Chat
	switch {
	case err != nil:
		return Result{}, err
	case was.Running():
		return Result{}, chains.ErrBusy
	}
	c.sayUnsaved(c.session.Close()) // saves it while its file is still there
	r, err := move(c.Desk, p, "")
	if err != nil {
		return Result{}, err
	}
	r.Opened, r.Gone = true, true
	c.Begin(ctx)
	return r, was.Close()
}

// tag changes the tags of the chat, or lists them.
func tag(_ context.Context, c *Place, arg string) (Result, error) {
	chat, err := c.session.Chat()
	tags := chat.Tags
	if arg != "" {
		err = c.session.Edit(func(chat *history.Chat) (err error) {
			tags, err = history.EditTags(chat.Tags, strings.Fields(arg)...)
			if err == nil {
				chat.Tags = tags
			}
			return err
		})
	}
	if len(tags) == 0 {
		return Result{Text: "the chat has no tags"}, err
	}
	return Result{Text: "#" + strings.Join(tags, " #")}, err
}
