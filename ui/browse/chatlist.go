package browse

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"ibid/history"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/state"

	"ibid/history/chatlist"
)

// searchTime is the time that a query must stay the same before the texts of chats are searched.
const searchTime = 150 * time.Millisecond

// hitsMsg is the result of a search of the texts.
type hitsMsg struct {
	query string
	hits  []history.Hit
	err   error
}

// chatList lists the saved chats: those whose titles match, followed by those found by their text.
type chatList struct {
	*Catalog
	query string // typed query
	asked string // query that hits belong to
	hits  []history.Hit

	archived bool                // chats in the archive are shown, too
	folded   map[vault.Path]bool // chats whose branches are hidden
	at       string              // row to begin at
	branched bool                // some of the listed chats are branches
	removed  time.Time           // when a chat was deleted last
}

func (c *chatList) Options() picker.Options {
	return picker.Options{
		Title: "Chats", Placeholder: "words, note: tag: model: chain: since: until:",
		Empty: "no saved chats yet: what you say from now on is one",
	}
}

func (c *chatList) Actions() []page.Action {
	acts := []page.Action{
		page.On("enter", "open", func(r page.Row) page.Request {
			return page.CloseThen(post(c.openMsg(r)))
		}),
		page.Always("ctrl+n", "new", page.CloseThen(page.Act("new"))),
		page.On("ctrl+r", "rename", func(r page.Row) page.Request { return page.Open{ID: page.Rename, Arg: r.ID} }),
		page.On("ctrl+d", "delete", c.remove),
		page.On("ctrl+y", "copy path", func(r page.Row) page.Request { return page.Copy{Text: r.ID, What: r.ID} }),
	}
	if c.branched {
		acts = append(acts, page.On("tab", "branches", c.fold))
	}
	acts = append(acts, c.keepActions()...)
	if gone := c.Chats.Gone; gone != "" {
		acts = append(acts, page.Always("ctrl+z", "undo delete", page.Run{Line: "/delete undo", Chat: gone}))
	}
	if c.Edits {
		acts = append(acts, page.On("ctrl+o", "open in $EDITOR", func(r page.Row) page.Request {
			return page.EditFile{Path: r.ID, Via: string(state.History)}
		}))
	}
	return acts
}

func (c *chatList) remove(r page.Row) page.Request {
	if open := c.ChatAt(r.ID); open != nil && open.Turn.Running() {
		return page.Complain("a reply is still being written into this chat: esc there stops it")
	}
	now := c.Now()
	if now.Sub(c.removed) < deleteTime {
		return page.Complain("one chat went to the trash; wait a moment before the next, ctrl+z brings it back")
	}
	c.removed = now
	return page.Run{Line: "/delete", Chat: r.ID}
}

// deleteTime is the time after a deletion in which the key does nothing: a second press is not meant
// for the chat that has come under the cursor meanwhile.
const deleteTime = time.Second

// openMsg returns the message that opens a chat; a chat found by its text opens at the match.
func (c *chatList) openMsg(r page.Row) OpenSaved {
	open := OpenSaved{Path: r.ID}
	h := page.Find(c.hits, func(h *history.Hit) bool { return string(h.Path) == r.ID })
	if f, _ := c.filter(r.Query); h != nil && c.asked == r.Query && !page.Matches(h.Title, f.Text) {
		open.Message, open.Words = h.Message, f.Text
	}
	return open
}

// filter parses a query. The error names the part that cannot be read.
func (c *chatList) filter(query string) (chatlist.Filter, error) {
	f, err := chatlist.ParseFilter(query, c.Now())
	f.Archived = c.archived
	return f, err
}

// Receive follows the query, and takes the result of a search. A new query ends the search of the old
// one.
func (c *chatList) Receive(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case page.QueryMsg:
		return c.search(msg.Query), false
	case hitsMsg:
		if msg.err != nil {
			return page.Complain(msg.err.Error()), false
		}
		c.hits, c.asked = msg.hits, msg.query
		return nil, true
	case GoTo:
		c.at = string(msg.Chat)
		return nil, true
	}
	return nil, false
}

func (c *chatList) Rows(query string) page.Listing {
	c.query = query
	aside := "title + full text"
	f, err := c.filter(query)
	if err != nil {
		aside = "a date is 2026-01-31 or today"
	}
	fit := c.matchingChats(&f)
	items := c.tree(fit)
	var found []history.Hit
	if c.asked == query {
		found = c.currentHits()
	}
	for _, h := range found {
		if !slices.ContainsFunc(fit, func(s *history.Summary) bool { return s.Path == h.Path }) {
			it := c.item(&h.Summary)
			it.Snippet, it.Group = h.Snippet, "In their text"
			items = append(items, it)
		}
	}
	at := c.at
	c.at = ""
	empty := ""
	switch {
	case term.IsBlank(query):
	case c.asked != query && !term.IsBlank(f.Text):
		empty = "searching"
	default:
		empty = "no chat holds that" + page.BackspaceShows
	}
	return page.Listing{
		Rows: picker.Rows{Items: items, Total: len(c.listedChats()), Aside: aside, Empty: empty}, At: at,
	}
}

// tree returns the rows of chats. Branches stand below their origin, unless that is folded.
func (c *chatList) tree(fit []*history.Summary) []picker.Item {
	tree, depth := chatlist.Tree(fit)
	c.branched = false
	items := make([]picker.Item, 0, len(tree))
	under, hidden := -1, 0 // depth of the current folded chat, and number of its hidden branches
	for i, s := range tree {
		c.branched = c.branched || depth[i] > 0
		if under >= 0 && depth[i] > under {
			hidden++
			items[len(items)-1].Why = "1 branch"
			if hidden > 1 {
				items[len(items)-1].Why = strconv.Itoa(hidden) + " branches"
			}
			continue
		}
		under = -1
		it := c.item(s)
		if depth[i] > 0 { // it stands below its origin
			it.Group = items[len(items)-1].Group
			it.Label = strings.Repeat("  ", depth[i]-1) + c.Theme.Glyphs.On + " " + it.Label
		}
		if c.folded[s.Path] {
			under, hidden = depth[i], 0
		}
		items = append(items, it)
	}
	return items
}

// fold hides or shows the branches of a chat; of a branch, those of its origin.
func (c *chatList) fold(r page.Row) page.Request {
	tree, depth := chatlist.Tree(c.matchingChats(&chatlist.Filter{}))
	i := slices.IndexFunc(tree, func(s *history.Summary) bool { return string(s.Path) == r.ID })
	for i > 0 && depth[i] > 0 {
		i--
	}
	if i < 0 {
		return nil
	}
	if c.folded == nil {
		c.folded = map[vault.Path]bool{}
	}
	c.folded[tree[i].Path] = !c.folded[tree[i].Path]
	return post(GoTo{tree[i].Path})
}

// GoTo moves the cursor of the list to a chat.
type GoTo struct{ Chat vault.Path }

// item returns the row of a chat.
func (c *chatList) item(s *history.Summary) picker.Item {
	g, now := &c.Theme.Glyphs, c.Now()
	group := Day(s.Modified, now)
	it := picker.Item{
		ID: string(s.Path), Label: s.Title, Group: group, Meta: clockInGroup(group, s.Modified.In(now.Location())),
		Detail: g.Dotted(theme.Plural(len(s.Notes), "note"), theme.Plural(s.Turns, "turn")),
	}
	if s.Origin != (history.Origin{}) { // its title may be the one of its origin
		it.Detail = g.Dotted("branch at message "+strconv.Itoa(s.Origin.Message), it.Detail)
	}
	switch open := c.ChatAt(string(s.Path)); {
	case open != nil && open.Shown():
		it.Glyph, it.State = g.Partial, "open"
	case open != nil:
		it.Glyph, it.State = open.State(g)
	case s.Copy != "":
		it.Glyph, it.State, it.Snippet = g.Alert, "copy",
			"a sync program left it of "+string(s.Copy)+"; /merge in that chat puts them together"
	case s.Unsaved:
		it.Glyph, it.State, it.Snippet = g.Alert, "recovered",
			"its last reply was cut off; it is kept, and goes into the file with the next turn"
	case len(s.Problems) > 0:
		it.Glyph, it.State, it.Snippet = g.Alert, theme.Plural(len(s.Problems), "problem"), s.Problems[0]
	}
	c.addMarks(&it, s)
	return it
}

// Day returns the group of a time: today, yesterday, last week, the month of this year, or the year.
func Day(t, now time.Time) string {
	t = t.In(now.Location())
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch {
	case !t.Before(midnight):
		return "Today"
	case !t.Before(midnight.AddDate(0, 0, -1)):
		return "Yesterday"
	case !t.Before(midnight.AddDate(0, 0, -7)):
		return "Last week"
	case t.Year() == now.Year():
		return t.Format("January")
	}
	return t.Format("2006")
}

// clockInGroup returns a time, as short as it can be beside its group.
func clockInGroup(group string, t time.Time) string {
	switch group {
	case "Today", "Yesterday":
		return t.Format("15:04")
	case "Last week":
		return t.Format("Mon")
	}
	return t.Format("2 Jan")
}

// maxHits limits the chats of a search in their texts; nobody reads more.
const maxHits = 100

// search searches the texts of all chats once the query stays the same, in place of the search before.
func (c *chatList) search(query string) page.Request {
	f, _ := c.filter(query)
	if term.IsBlank(f.Text) {
		return page.Do{Latest: true}
	}
	d := c.Finder
	return page.Do{Work: term.Work(func(ctx context.Context) tea.Msg {
		hits, err := d.SearchChats(ctx, f, maxHits)
		return hitsMsg{query, hits, err}
	}).After(searchTime), Latest: true}
}

// renameLine asks for another title, in a line that holds the current one.
type renameLine struct {
	path  vault.Path
	title string
}

func newRename(c *Catalog, p vault.Path) renameLine {
	if s := page.Find(c.Chats.All, func(s *history.Summary) bool { return s.Path == p }); s != nil {
		return renameLine{p, s.Title}
	}
	return renameLine{p, p.Base()}
}

func (n renameLine) Options() picker.Options {
	return picker.Options{Title: "Rename", Note: "the file gets the name that goes with the title"}
}

func (n renameLine) Rows(string) page.Listing {
	return page.Listing{Rows: picker.Rows{Items: []picker.Item{{
		ID: string(n.path), Label: n.title,
		Detail: path.Dir(string(n.path)) + "/",
	}}}}
}

func (n renameLine) Actions() []page.Action {
	back := page.Open{ID: page.Chats}
	return []page.Action{
		page.On("enter", "rename", func(r page.Row) page.Request {
			title := strings.TrimSpace(r.Query)
			if title == "" {
				return page.Complain("a title needs at least one character")
			}
			return page.Steps{page.Run{Line: "/rename " + title, Chat: string(n.path)}, back}
		}),
		page.Always("esc", "back", back),
	}
}
