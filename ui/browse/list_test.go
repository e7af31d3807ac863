package browse

import (
	"context"
	"reflect"
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

// What the vault has names for is attached as the kind of the same name; an
// attachment as a picture, as text, or not at all, by its name.
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

// newTestCatalog is what a screen knows of two saved chats.
func newTestCatalog() *Catalog {
	c := &Catalog{Setup: &chatview.Setup{
		Env: page.NewEnv(theme.Options{}), Current: &chatview.Chat{},
		Host: openChats(nil),
	}}
	c.SetChats([]history.Summary{{Path: "Chats/a.md", Title: "Apples"}, {Path: "Chats/b.md", Title: "Beets"}})
	return c
}

// openChats are those of a screen.
type openChats []*chatview.Chat

func (o openChats) Ask(*chatview.Chat, page.Request) tea.Cmd { return nil }
func (o openChats) All() []*chatview.Chat                    { return o }

// press presses a key in a list.
func press(l *page.List, code rune) page.Request {
	text := ""
	if code >= ' ' && code < 0x7f {
		text = string(code)
	}
	got, _ := l.Update(tea.KeyPressMsg{Code: code, Text: text})
	return got
}

// TestLateHits: what a search for another query found is not taken.
func TestLateHits(t *testing.T) {
	l := &chatList{Catalog: newTestCatalog(), query: "now"}
	if _, taken := l.Receive(hitsMsg{query: "before", hits: make([]history.Hit, 1)}); taken || l.hits != nil {
		t.Error("a late search was taken")
	}
}

// TestChatsFollowQuery: what is typed is searched for once it stays the same: the search, which
// there is nothing for here, does not begin if another one takes its place.
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

// TestChatsAskTheDesk: what keys do with a chat is a command for it.
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

// TestPinInMentions: a key of the list behind an @ pins the note under the cursor, or the
// one whose headings are listed, and unpins it.
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

// TestRelatedRows: related notes stand with the reasons; enter attaches one, o opens it.
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

// TestArguments: behind a command stands what its argument can be.
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
