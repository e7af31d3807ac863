package browse

import (
	"slices"

	"ibid/history"
	"ibid/history/chatlist"
	"ibid/ui/chatview"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/vault"
)

// keepActions returns the actions that pin chats and move them into the archive.
func (c *chatList) keepActions() []page.Action {
	show := "archived too"
	if c.archived {
		show = "without archive"
	}
	return []page.Action{
		page.On("ctrl+t", "pin", func(r page.Row) page.Request {
			if slices.ContainsFunc(c.Chats.All, func(s history.Summary) bool {
				return string(s.Path) == r.ID && s.Pinned
			}) {
				return page.Run{Line: "/unpin", Chat: r.ID}
			}
			return page.Run{Line: "/pin", Chat: r.ID}
		}),
		page.On("ctrl+k", "archive", func(r page.Row) page.Request {
			if open := c.ChatAt(r.ID); open != nil && open.Turn.Running() {
				return chatview.Busy
			}
			if c.Store.Archived(vault.Path(r.ID)) {
				return page.Run{Line: "/archive off", Chat: r.ID}
			}
			return page.Run{Line: "/archive", Chat: r.ID}
		}),
		{Key: keys.Bind("ctrl+g", show), Free: true, Does: func(page.Row) page.Request {
			c.archived = !c.archived
			return page.Steps{post(ListChats{}), c.search(c.query)}
		}},
	}
}

// listedChats returns the saved chats to show: those in the archive only if the user asked for them.
func (c *chatList) listedChats() []history.Summary {
	if c.archived {
		return c.Chats.All
	}
	return c.Chats.Kept
}

// matchingChats returns the chats that match a filter.
func (c *chatList) matchingChats(f *chatlist.Filter) []*history.Summary {
	all := c.listedChats()
	fit := make([]*history.Summary, 0, len(all))
	for i := range all {
		if s := &all[i]; page.Matches(s.Title, f.Text) && f.Passes(s) {
			fit = append(fit, s)
		}
	}
	return fit
}

// currentHits returns the hits of the search in the texts, without chats that are not listed any more.
func (c *chatList) currentHits() []history.Hit {
	if len(c.hits) == 0 {
		return nil
	}
	listed := map[vault.Path]bool{}
	for _, s := range c.listedChats() {
		listed[s.Path] = true
	}
	return slices.DeleteFunc(slices.Clone(c.hits), func(h history.Hit) bool { return !listed[h.Path] })
}

// addMarks shows on a row that a chat is pinned or archived, and its tags.
func (c *chatList) addMarks(it *picker.Item, s *history.Summary) {
	for _, tag := range s.Tags {
		it.Detail += " #" + tag
	}
	if s.Pinned {
		it.Group = "Pinned"
	}
	if c.Store.Archived(s.Path) {
		it.Detail = c.Theme.Glyphs.Dotted(it.Detail, "archived")
	}
}
