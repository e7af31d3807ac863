package browse

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/names"
	"ibid/vault/vaulttest"
)

// TestKindsOfNames: a name from the vault is attached as a reference of the same kind; an
// attachment as a picture or as text, or not at all, depending on its file name.
func TestKindsOfNames(t *testing.T) {
	for e, want := range map[names.Entry]prompt.Kind{
		{Kind: names.Note}: prompt.Note, {Kind: names.Tag}: prompt.Tag, {Kind: names.Folder}: prompt.Folder,
		{Kind: names.Attachment, ID: "a.PNG"}: prompt.Picture, {Kind: names.Attachment, ID: "a.base"}: prompt.Note,
		{Kind: names.Attachment, ID: "Makefile"}: prompt.Note, {Kind: names.Attachment, ID: "x/a.PDF"}: "",
		{Kind: names.Attachment, ID: "a.svg"}: "",
	} {
		if got, ok := kindOf(&e); ok != (want != "") || ok && got.Kind != want {
			t.Errorf("%s %q is attached as %q, %v; want %q", e.Kind, e.ID, got.Kind, ok, want)
		}
	}
}

// newTestCatalog returns the catalog of a screen with two saved chats.
func newTestCatalog() *Catalog {
	c := &Catalog{Setup: &chatview.Setup{
		Env: page.NewEnv(theme.Options{}), Current: &chatview.Chat{},
		Host: openChats(nil), Store: &history.Store{},
	}}
	c.SetChats([]history.Summary{{Path: "Chats/a.md", Title: "Apples"}, {Path: "Chats/b.md", Title: "Beets"}})
	return c
}

// openChats is the list of a screen's open chats.
type openChats []*chatview.Chat

func (o openChats) Ask(*chatview.Chat, page.Request) tea.Cmd { return nil }
func (o openChats) All() []*chatview.Chat                    { return o }

// press sends a key to a list and returns the request of the list.
func press(l *page.List, code rune) page.Request {
	text := ""
	if code >= ' ' && code < 0x7f {
		text = string(code)
	}
	got, _ := l.Update(tea.KeyPressMsg{Code: code, Text: text})
	return got
}

// TestChatsFollowQuery: a search begins when the query has stayed the same for a while, and not
// if another one replaces it. There is no store here to search.
func TestChatsFollowQuery(t *testing.T) {
	l := page.NewList(newTestCatalog().Env, &chatList{Catalog: newTestCatalog()}, "")
	l.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	l.Update(page.RefreshMsg{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, ok := press(l, 'b').(page.Do); !ok || !got.Latest || got.Work(ctx) != nil {
		t.Errorf("%#v", got)
	}
}

// TestChatsAskTheDesk: a key that changes a chat sends a command to the desk.
func TestChatsAskTheDesk(t *testing.T) {
	c := newTestCatalog()
	c.Now = func() time.Time { return time.Unix(1e9, 0) }
	store, err := history.NewStore(vaulttest.New(t, "-- a.md --\na\n"), history.Options{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	c.Store, c.Chats.Gone = store, "Chats/c.md"
	c.Chats.All[1].Pinned = true
	c.Chats.Kept = c.Chats.All
	l := &chatList{Catalog: c}
	for key, want := range map[string]page.Request{
		"ctrl+t": page.Run{Line: "/unpin", Chat: "Chats/b.md"},
		"ctrl+k": page.Run{Line: "/archive", Chat: "Chats/b.md"},
		"ctrl+d": page.Run{Line: "/delete", Chat: "Chats/b.md"},
		"ctrl+z": page.Run{Line: "/delete undo", Chat: "Chats/c.md"},
		"enter":  page.Steps{page.Close{}, page.Post{Msg: OpenSaved{Path: "Chats/b.md"}}},
	} {
		for _, a := range l.Actions() {
			if a.Key.Keys()[0] == key {
				if got := a.Does(page.Row{ID: "Chats/b.md"}); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %#v", key, got)
				}
			}
		}
	}
	busy := &chatview.Chat{}
	busy.Desk.Chat.Path, busy.Turn.Cancel = "Chats/a.md", func() {}
	c.Host = openChats{busy}
	if got, ok := l.remove(page.Row{ID: "Chats/a.md"}).(page.Toast); !ok || !got.Bad {
		t.Errorf("a chat that is being answered: %#v", got)
	}
}

// TestPinInMentions: in the list after "@", a key pins and unpins the note under the cursor, or
// the note whose headings are listed.
func TestPinInMentions(t *testing.T) {
	v := vaulttest.New(t, "-- Soil.md --\n# Soil\n## Clay\n")
	c := newTestCatalog()
	c.Notes.All = &Names{Names: names.New(v.Notes(), nil)}
	for _, row := range []struct {
		query string
		pins  []vault.Pin
		want  string
	}{
		{"so", nil, `/pin "Soil.md"`},
		{"Soil#cl", nil, `/pin "Soil.md"`},
		{"so", []vault.Pin{{Path: "Soil.md"}}, `/unpin "Soil.md"`},
	} {
		c.Current.Desk.Pins = row.pins
		l := page.NewList(c.Env, &noteList{Catalog: c}, row.query)
		l.Update(page.RefreshMsg{})
		if got, _ := l.Update(tea.KeyPressMsg{Code: 't', Mod: tea.ModCtrl}); got != (page.Run{Line: row.want}) {
			t.Errorf("%s: %#v, want %s", row.query, got, row.want)
		}
	}
}

// TestRelatedRows: related notes are listed with the reasons; enter attaches one, and o opens
// it.
func TestRelatedRows(t *testing.T) {
	v := vaulttest.New(t, "-- Beds.md --\nRaised.\n")
	c := newTestCatalog()
	c.Edits, c.Notes.All = true, &Names{Names: names.New(v.Notes(), nil)}
	show, _ := c.OpenRelated([]chains.RelatedNote{
		{ID: "Beds.md", Why: []string{"links here", "1 shared tag: #a"}},
		{ID: "Gone.md"},
	}).(page.Show)
	l := show.Page.(*page.List)
	l.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	l.Update(page.RefreshMsg{})
	if view := strings.Join(l.View(80, 24), "\n"); !strings.Contains(view, "links here · 1 shared tag: #a") ||
		strings.Contains(view, "Gone") {
		t.Error(view)
	}
	if got := press(l, 'o'); got != (page.EditFile{Path: "Beds.md", Via: "search"}) {
		t.Errorf("o: %#v", got)
	}
	if got := press(l, tea.KeyEnter); got != (page.Insert{Text: "[[Beds]]", Chip: "note:Beds.md"}) {
		t.Errorf("enter: %#v", got)
	}
	if got, ok := c.OpenRelated(nil).(page.Toast); !ok {
		t.Errorf("nothing: %#v", got)
	}
}

// TestArguments: after a command the list has the possible values of its argument.
func TestArguments(t *testing.T) {
	c := newTestCatalog()
	c.Themes = []string{"dusk", "dawn"}
	c.Commands = []Command{
		{Name: "open", Names: "chat"},
		{Name: "effort", Choices: []string{"low", "high"}},
		{Name: "theme", Names: "theme", Screen: true},
		{Name: "new"},
	}
	for line, want := range map[string]string{
		"open bee": "Beets", "eff ": "low high", "theme d": "dusk dawn",
		"new ": "none", "nothing ": "none",
	} {
		p, ok := c.OpenArguments(line).(*page.List)
		if !ok {
			if want != "none" {
				t.Errorf("%q has no list", line)
			}
			continue
		}
		var got []string
		for _, it := range p.Source.Rows(line).Items {
			got = append(got, it.Label)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", line, got, want)
		}
	}
}

// TestManyArguments: a name that begins with what is typed is in the list, however many others contain that.
func TestManyArguments(t *testing.T) {
	c := newTestCatalog()
	for i := range 2 * maxRows {
		c.Models = append(c.Models, "box/oak-"+strconv.Itoa(i))
	}
	c.Models = append(c.Models, "oak")
	l := &argumentList{notes: noteList{Catalog: c}, cmd: Command{Names: "model"}}
	items := l.Rows("/model oak").Items
	if len(items) != maxRows || items[0].ID != "oak" {
		t.Errorf("%d rows, the first is %s", len(items), items[0].ID)
	}
}

// building is a search index that is ready after two looks at it.
type building struct {
	Finder
	looks int
}

func (b *building) Indexing(context.Context) chatview.Indexing {
	b.looks++
	return chatview.Indexing{Done: 1000 * b.looks, All: 2500, Ready: b.looks > 2}
}

// TestIndexProgress: the list of notes shows how far the index is, and looks again until it is ready.
func TestIndexProgress(t *testing.T) {
	c := newTestCatalog()
	c.Finder, c.Notes.All = &building{}, &Names{Names: names.New(vaulttest.New(t, "-- Soil.md --\n# Soil\n").Notes(), nil)}
	l := page.NewList(c.Env, &noteSearch{noteList: noteList{Catalog: c}}, "")
	l.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	opened, _ := l.Update(page.RefreshMsg{})
	steps := opened.(page.Steps)
	next := steps[len(steps)-1]
	for _, want := range []string{"indexing 1,000 of 2,500", "indexing 2,000 of 2,500", ""} {
		next, _ = l.Update(next.(page.Do).Work(t.Context()))
		drawn := strings.Join(l.View(80, 24), "\n")
		if !strings.Contains(drawn, want) || strings.Contains(drawn, "indexing") != (want != "") {
			t.Errorf("%q is not shown: %s", want, drawn)
		}
	}
	if next != nil {
		t.Errorf("the index is ready, and is still asked about: %#v", next)
	}
}
