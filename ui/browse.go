package ui

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/picker"
	"ibid/ui/theme"
	"ibid/vault"
)

// searchTime is how long a query must stay the same before the texts of all
// chats are searched.
const searchTime = 150 * time.Millisecond

// chats is the saved chats, as the last listing found them.
type chats struct {
	all    []history.Summary
	listed bool
	query  int // of the newest search
	hits   []history.Hit
	rename vault.Path // the chat that gets another title
	trash  []trashed  // what can be undone, the last one at the end
}

// trashed is a chat that was deleted here.
type trashed struct{ in, was vault.Path }

// chatsMsg lists the saved chats.
type chatsMsg struct {
	all []history.Summary
	err error
}

// searchMsg asks for a search of the texts, if the query is still the same.
type searchMsg struct {
	id    int
	query string
}

// foundMsg is what a search of the texts found.
type foundMsg struct {
	id   int
	hits []history.Hit
	err  error
}

// trashedMsg says that a chat is in the trash, or out of it again.
type trashedMsg struct {
	trashed
	back bool
}

// listChats reads the list anew, beside everything else.
func (m *Model) listChats() tea.Cmd {
	store := m.opt.Store
	if store == nil {
		return nil
	}
	return m.crew.begin(func(ctx context.Context) tea.Msg {
		all, err := store.List(ctx)
		return chatsMsg{all: all, err: err}
	})
}

// chatsListed takes the list in.
func (m *Model) chatsListed(msg chatsMsg) tea.Cmd {
	if msg.err != nil {
		return m.complain(msg.err.Error())
	}
	m.chats.all, m.chats.listed = msg.all, true
	if m.sheet.kind == chatsSheet {
		m.showChats(true)
	}
	return nil
}

// openChats opens the list of saved chats.
func (m *Model) openChats(query string) tea.Cmd {
	if m.opt.Store == nil {
		return m.complain("chats are not kept in this session (--no-save)")
	}
	list := m.open(chatsSheet, picker.Options{
		Title: "Chats", Filter: true, Page: true, Placeholder: "title or words in it", Choose: "open",
		Empty: "no saved chats", Keys: m.chatKeys(),
	})
	list.SetQuery(query)
	m.chats.hits = nil
	m.showChats(false)
	return tea.Batch(m.listChats(), m.searchChats(query))
}

func (m *Model) chatKeys() []key.Binding {
	keys := []key.Binding{bind("ctrl+n", "new"), bind("ctrl+r", "rename"), bind("ctrl+d", "delete"), bind("ctrl+y", "copy path")}
	if len(m.chats.trash) > 0 {
		keys = append(keys, bind("u", "undo delete"))
	}
	return append(keys, m.editorKeys()...)
}

// showChats fills the open list: titles first, then what the search of the texts
// found. keep leaves the cursor where it is.
func (m *Model) showChats(keep bool) {
	list := m.sheet.list
	at, _ := list.Selected()
	words := strings.Fields(strings.ToLower(list.Query()))
	var items []picker.Item
	seen := map[vault.Path]bool{}
	now := m.opt.now()
	for _, s := range m.chats.all {
		if title := strings.ToLower(s.Title); !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(title, w) }) {
			seen[s.Path] = true
			items = append(items, m.chatItem(s, now))
		}
	}
	for _, h := range m.chats.hits {
		if !seen[h.Path] {
			it := m.chatItem(h.Summary, now)
			it.Snippet, it.Group = h.Snippet, "In their text"
			items = append(items, it)
		}
	}
	list.SetCount(len(m.chats.all), "title + full text")
	list.SetKeys(m.chatKeys()...)
	list.SetItems(items)
	if keep && at.ID != "" {
		list.Select(at.ID)
	}
}

// chatItem is one row of the list.
func (m *Model) chatItem(s history.Summary, now time.Time) picker.Item {
	g := m.theme.Glyphs
	it := picker.Item{
		ID: string(s.Path), Label: s.Title, Group: day(s.Modified, now), Meta: clock(s.Modified, now),
		Detail: theme.Plural(len(s.Notes), "note") + " " + g.Dot + " " + theme.Plural(s.Turns, "turn"),
	}
	switch {
	case string(s.Path) == m.desk.state.chat.Path:
		it.Glyph, it.State = g.Partial, "open"
	case len(s.Problems) > 0:
		it.Glyph, it.State, it.Snippet = g.Alert, theme.Plural(len(s.Problems), "problem"), s.Problems[0]
	}
	return it
}

// day is the group of a time: today, yesterday, this week, this year's months, years.
func day(t, now time.Time) string {
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

// clock is a time as short as it can be read beside its group.
func clock(t, now time.Time) string {
	t = t.In(now.Location())
	switch day(t, now) {
	case "Today", "Yesterday":
		return t.Format("15:04")
	case "Last week":
		return t.Format("Mon")
	}
	return t.Format("2 Jan")
}

// searchChats looks through the texts in a moment.
func (m *Model) searchChats(query string) tea.Cmd {
	m.chats.query++
	if isBlank(query) {
		m.chats.hits = nil
		return nil
	}
	return m.crew.after(searchTime, searchMsg{m.chats.query, query})
}

func (m *Model) searched(msg searchMsg) tea.Cmd {
	if msg.id != m.chats.query {
		return nil
	}
	store := m.opt.Store
	return m.crew.begin(func(ctx context.Context) tea.Msg {
		hits, err := store.Search(ctx, msg.query)
		return foundMsg{msg.id, hits, err}
	})
}

func (m *Model) found(msg foundMsg) tea.Cmd {
	if msg.id != m.chats.query || m.sheet.kind != chatsSheet {
		return nil
	}
	if msg.err != nil {
		return m.complain(msg.err.Error())
	}
	m.chats.hits = msg.hits
	m.showChats(true)
	return nil
}

func (m *Model) chatsAction(a picker.Action) tea.Cmd {
	switch a.Kind {
	case picker.Closed:
		m.closeSheet()
	case picker.Queried:
		m.chats.hits = nil
		m.showChats(false)
		return m.searchChats(a.Query)
	case picker.Chosen:
		return m.openChat(a.ID)
	case picker.Pressed:
		return m.chatsPressed(a.Key, vault.Path(a.ID))
	}
	return nil
}

func (m *Model) chatsPressed(key string, p vault.Path) tea.Cmd {
	switch {
	case key == "ctrl+n":
		m.closeSheet()
		return m.newChat()
	case key == "u":
		return m.undelete()
	case p == "":
		return nil
	case key == "ctrl+r":
		m.openRename(p)
	case key == "ctrl+d":
		return m.deleteChat(p)
	case key == "ctrl+y":
		return tea.Batch(tea.SetClipboard(string(p)), m.say("copied: "+string(p)))
	case key == "o" || key == "ctrl+o":
		return m.openInEditor(p)
	}
	return nil
}

// openChat puts a saved chat on the desk.
func (m *Model) openChat(path string) tea.Cmd {
	if m.turn.running() {
		return m.complain("a reply is still being written: esc stops it")
	}
	m.closeSheet()
	return m.errand(func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		if err := d.Open(ctx, path); err != nil {
			return nil, err
		}
		return loaded(d, "", "", true)
	})
}

// newChat begins a chat; what is attached stays.
func (m *Model) newChat() tea.Cmd {
	if m.turn.running() {
		return m.complain("a reply is still being written: esc stops it")
	}
	return m.errand(command("/new"))
}

// openRename asks for another title, in a line that holds the present one.
func (m *Model) openRename(p vault.Path) {
	title := p.Base()
	for _, s := range m.chats.all {
		if s.Path == p {
			title = s.Title
		}
	}
	m.chats.rename = p
	list := m.open(renameSheet, picker.Options{Title: "Rename", Filter: true, Page: true, Choose: "rename", Note: "the file gets the name that goes with the title"})
	list.SetItems([]picker.Item{{ID: string(p), Label: title, Detail: path.Dir(string(p)) + "/"}})
	list.SetQuery(title)
}

func (m *Model) renameAction(a picker.Action) tea.Cmd {
	title := strings.TrimSpace(m.sheet.list.Query())
	switch a.Kind {
	case picker.Closed:
		return m.openChats("")
	case picker.Chosen:
		if title == "" {
			return m.complain("a title needs at least one character")
		}
		cmd := m.errand(renameChat(m.opt.Store, m.chats.rename, title))
		return tea.Batch(cmd, m.openChats(""))
	}
	return nil
}

// renameChat is the errand that names a chat: the one on the desk through its
// session, which goes on writing it.
func renameChat(store *history.Store, p vault.Path, title string) errand {
	return func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		if d.Session().Snapshot().Path == string(p) {
			if err := d.Rename(title); err != nil {
				return nil, err
			}
		} else if _, err := store.Rename(p, title); err != nil {
			return nil, err
		}
		all, err := store.List(ctx)
		return chatsMsg{all: all, err: err}, nil
	}
}

// deleteChat moves a chat to the trash.
func (m *Model) deleteChat(p vault.Path) tea.Cmd {
	store := m.opt.Store
	if string(p) == m.desk.state.chat.Path && m.turn.running() {
		return m.complain("a reply is still being written into this chat: esc stops it")
	}
	return m.errand(func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		in, err := store.Delete(p)
		if err != nil {
			return nil, err
		}
		if d.Session().Snapshot().Path == string(p) {
			if _, err := d.Command(ctx, "/new"); err != nil {
				return nil, err
			}
		}
		return trashedMsg{trashed: trashed{in, p}}, nil
	})
}

// undelete brings the chat back that was deleted last.
func (m *Model) undelete() tea.Cmd {
	n := len(m.chats.trash)
	if n == 0 {
		return m.say("nothing was deleted here")
	}
	store, t := m.opt.Store, m.chats.trash[n-1]
	return m.errand(func(context.Context, *desk.Desk) (tea.Msg, error) {
		if err := store.Undelete(t.in, t.was); err != nil {
			return nil, err
		}
		return trashedMsg{trashed: t, back: true}, nil
	})
}

func (m *Model) chatTrashed(msg trashedMsg) tea.Cmd {
	cmds := []tea.Cmd{m.listChats()}
	if msg.back {
		m.chats.trash = m.chats.trash[:max(len(m.chats.trash)-1, 0)]
		return tea.Batch(append(cmds, m.say("brought back: "+string(msg.was)))...)
	}
	m.chats.trash = append(m.chats.trash, msg.trashed)
	if m.desk.state.chat.Path == "" && m.transcript.Len() > 0 {
		cmds = append(cmds, m.errand(load("", "", true)))
	}
	return tea.Batch(append(cmds, m.say(fmt.Sprintf("in the trash: %s %s u brings it back", msg.was, m.theme.Glyphs.Dot)))...)
}
