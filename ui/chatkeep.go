package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/chatview"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/vault"
)

// keeping are the actions that pin chats and put them into the archive.
func (c *chatList) keeping() []page.Action {
	kept := func(r page.Row) history.Summary {
		for _, s := range c.k.chats.all {
			if string(s.Path) == r.ID {
				return s
			}
		}
		return history.Summary{Path: vault.Path(r.ID)}
	}
	show := "archived too"
	if c.archived {
		show = "without archive"
	}
	return []page.Action{
		page.On("ctrl+t", "pin", func(r page.Row) page.Request {
			return atChat(r.ID, pinChat{c.k.opt.Store, vault.Path(r.ID), !kept(r).Pinned})
		}),
		page.On("ctrl+k", "archive", func(r page.Row) page.Request {
			if open := c.k.at(r.ID); open != nil && open.Turn.Running() {
				return busy
			}
			return atChat(r.ID, archiveChat{c.k.opt.Store, vault.Path(r.ID), !c.k.opt.Store.Archived(vault.Path(r.ID))})
		}),
		{Key: keys.Bind("ctrl+g", show), Free: true, Does: func(page.Row) page.Request {
			c.archived = !c.archived
			return page.Steps{page.Post{Msg: listAgain{}}, page.Post{Msg: searchMsg{c.query}}}
		}},
	}
}

// listed is the saved chats that are to be shown, and hit what a search found of
// them: those in the archive only if they are wanted.
func (c *chatList) listed() []history.Summary {
	if c.archived {
		return c.k.chats.all
	}
	return c.k.chats.kept
}

// fitting are those that a filter lets through.
func (c *chatList) fitting(f *history.Filter) []*history.Summary {
	all := c.listed()
	fit := make([]*history.Summary, 0, len(all))
	for i := range all {
		if s := &all[i]; page.Matches(s.Title, f.Text) && f.Passes(s) {
			fit = append(fit, s)
		}
	}
	return fit
}

// hit leaves out chats that were moved since the search.
func (c *chatList) hit() []history.Hit {
	if len(c.hits) == 0 {
		return nil
	}
	there := make(map[vault.Path]bool, len(c.k.chats.all))
	for i := range c.k.chats.all {
		there[c.k.chats.all[i].Path] = true
	}
	hits := slices.DeleteFunc(slices.Clone(c.hits), func(h history.Hit) bool { return !there[h.Path] })
	return withoutArchived(c, hits, func(h history.Hit) vault.Path { return h.Path })
}

func withoutArchived[T any](c *chatList, all []T, path func(T) vault.Path) []T {
	if c.archived || c.k.opt.Store == nil {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(one T) bool { return c.k.opt.Store.Archived(path(one)) })
}

// mark says on a row that a chat is pinned or in the archive, and its tags.
func (c *chatList) mark(it *picker.Item, s *history.Summary) {
	for _, tag := range s.Tags {
		it.Detail += " #" + tag
	}
	if s.Pinned {
		it.Group = "Pinned"
	}
	if c.k.opt.Store != nil && c.k.opt.Store.Archived(s.Path) {
		it.Detail = c.k.Theme.Glyphs.Dotted(it.Detail, "archived")
	}
}

// pinChat pins a chat, or takes the pin off: of the current one through its
// session, which goes on writing it.
type pinChat struct {
	store *history.Store
	path  vault.Path
	on    bool
}

func (j pinChat) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	var err error
	if d.Session().Snapshot().Path == string(j.path) {
		err = d.Session().Edit(func(c *history.Chat) error {
			c.Pinned = j.on
			return nil
		})
	} else {
		err = j.store.Pin(j.path, j.on)
	}
	return listAgain{}, err
}

// archiveChat moves a chat into the archive, off the desk too, or out of it.
type archiveChat struct {
	store *history.Store
	path  vault.Path
	on    bool
}

func (j archiveChat) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	open := d.Session().Snapshot().Path == string(j.path)
	to, err := j.store.Archive(j.path, j.on)
	if err != nil {
		return nil, err
	}
	text := "out of the archive: " + string(to)
	if j.on {
		text = "in the archive: " + string(to)
	}
	switch {
	case !open:
		return listAgain{text}, nil
	case j.on:
		err = replace(ctx, d)
	default:
		err = d.Open(ctx, string(to))
	}
	if err != nil {
		return nil, err
	}
	return archivedMsg{readChat(d, chatMsg{say: text}, true), j.on}, nil
}

// archivedMsg says that an open chat was moved into the archive, where it is not open any
// more, or out of it.
type archivedMsg struct {
	chatMsg
	gone bool
}

// movedBehind follows a chat in the background that was moved. If it is gone, what the
// user wrote in its prompt stays, in a chat that has not begun.
func movedBehind(m *Model, c *chatview.Chat, gone bool) tea.Cmd {
	if !gone {
		return nil
	}
	c.Transcript.Reset(nil)
	c.Turn.Reset(nil)
	c.Estimate.Reset()
	c.Unread, c.Failed = false, false
	m.drawing.rails.version++
	return closeIdle(m)
}
