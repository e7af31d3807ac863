package ui

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/browse"
	"ibid/ui/cells"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/review"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault/vaulttest"
)

// TestArrange checks the layout at all sizes: areas do not overlap, no size is negative, and
// every row and column is used.
func TestArrange(t *testing.T) {
	for w := 1; w <= 220; w++ {
		for h := 1; h <= 60; h++ {
			want := needs{
				prompt: 2 + rand.IntN(12), rails: rand.IntN(2) == 0, ribbon: rand.IntN(2) == 0,
				find: rand.IntN(2) == 0,
			}
			f := arrange(w, h, want)
			if f.tooSmall {
				if w >= minWidth && h >= minHeight {
					t.Fatalf("%dx%d is large enough", w, h)
				}
				continue
			}
			given := 0
			parts := []cells.Rect{f.header, f.body, f.chats, f.context, f.find, f.ribbon, f.composer, f.status}
			for i, a := range parts {
				if a.X < 0 || a.Y < 0 || a.W < 0 || a.H < 0 || a.X+a.W > w || a.Y+a.H > h {
					t.Fatalf("%dx%d %+v: part %d is %+v", w, h, want, i, a)
				}
				for _, b := range parts[i+1:] {
					if a.W*a.H > 0 && b.W*b.H > 0 && a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
						t.Fatalf("%dx%d %+v: %+v and %+v overlap", w, h, want, a, b)
					}
				}
				given += a.W * a.H
			}
			rules := 0
			if f.context.W > 0 {
				rules = 2 * f.body.H
			}
			if f.chats.W > 0 {
				rules += f.body.H
			}
			if given+rules != w*h {
				t.Fatalf("%dx%d %+v: %d of %d cells are given away", w, h, want, given+rules, w*h)
			}
			if f.body.W < 20 || f.body.H < 1 {
				t.Fatalf("%dx%d %+v: the body is %+v", w, h, want, f.body)
			}
		}
	}
}

// TestTextColumn: a wider screen never makes the text narrower, with rails or without,
// and the text always fits beside them, with a free cell before the context rail.
func TestTextColumn(t *testing.T) {
	for _, rails := range []bool{false, true} {
		last := 0
		for w := minWidth; w <= 260; w++ {
			f := arrange(w, 40, needs{prompt: 3, rails: rails})
			text := min(textColumn(w), f.body.W)
			if f.context.W > 0 && text >= f.body.W {
				t.Errorf("%d columns: the text of %d touches the rule behind %d", w, text, f.body.W)
			}
			if text < last || text < textColumn(w) {
				t.Errorf("%d columns, rails %v: %d of text, %d on the screen before, %d wanted", w, rails, text,
					last, textColumn(w))
			}
			last = text
		}
	}
	for w, want := range map[int]int{80: 80, 84: 84, 119: 84, 150: 84, 151: 85, 166: 100, 260: 100} {
		if got := textColumn(w); got != want {
			t.Errorf("%d columns of text on a screen of %d, want %d", got, w, want)
		}
	}
	if f := arrange(119, 40, needs{prompt: 3, rails: true}); f.context.W == 0 || f.chats.W != 0 {
		t.Errorf("119 columns: %+v", f)
	}
	if f := arrange(150, 40, needs{prompt: 3, rails: true}); f.context.W == 0 || f.chats.W == 0 {
		t.Errorf("150 columns: %+v", f)
	}
}

// TestScanProgress: the screen shows the progress of the scan, and asks for it until the scan
// is done.
func TestScanProgress(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nA.\n")
	m := New(t.Context(), Options{Vault: v, Desk: desk.New(desk.Options{Vault: v})})
	defer m.Close()
	if got := m.Notes.State(); got != "reading the vault" {
		t.Error(got)
	}
	if m.route(progressMsg{4200, 10000}) == nil {
		t.Error("the next look is not asked for")
	}
	if got := m.Notes.State(); got != "indexing 4,200 of 10,000" {
		t.Error(got)
	}
	m.Notes.All = &browse.Names{}
	if m.route(progressMsg{5000, 10000}) != nil || m.Notes.State() != "" {
		t.Error("the scan is done and is still asked about")
	}
}

// TestPagesAnswerWithIntents: a page changes nothing itself, but returns a request for a key.
func TestPagesAnswerWithIntents(t *testing.T) {
	k := newKnown()
	k.Catalog.Store = &history.Store{}
	k.SetChats([]history.Summary{{Path: "Chats/a.md", Title: "Apples"}, {Path: "Chats/b.md", Title: "Beets"}})
	chats := page.NewList(k.Catalog.Env, listOf(k, page.Chats), "")
	for _, tt := range []struct {
		name string
		Page page.Page
		keys []string
		want page.Request
	}{
		{
			"a chat", chats,
			[]string{"down", "enter"},
			page.Steps{page.Close{}, page.Post{Msg: browse.OpenSaved{Path: "Chats/b.md"}}},
		},
		{"another title", chats, []string{"ctrl+r"}, page.Open{ID: page.Rename, Arg: "Chats/b.md"}},
		{"no chat", chats, []string{"x", "enter"}, nil},
		{"close", chats, []string{"esc"}, page.Close{}},
		{
			"a title of nothing", page.NewList(k.Catalog.Env,
				k.OpenList(page.Open{ID: page.Rename, Arg: "Chats/a.md"}).(page.Show).Page.(*page.List).Source, " "),
			[]string{"enter"},
			page.Toast{Text: "a title needs at least one character", Bad: true},
		},
		{"help", k.OpenHelp(keys.InPrompt, false).(page.Show).Page, []string{"j", "q"}, page.Close{}},
	} {
		tt.Page.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		tt.Page.Update(page.RefreshMsg{})
		var got page.Request
		for _, name := range tt.keys {
			got, _ = tt.Page.Update(press(name))
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %#v, want %#v", tt.name, got, tt.want)
		}
	}
}

// press returns the message of a key.
func press(name string) tea.KeyPressMsg {
	k, _ := keys.Press(name)
	return k
}

// TestPromptStays: a message that the user sent while a chat was being opened is in that chat.
func TestPromptStays(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nA.\n")
	m := New(t.Context(), Options{Vault: v, Desk: desk.New(desk.Options{Vault: v})})
	defer m.Close()
	m.Turn.Begin(func() {}, composer.Draft{Text: "and now?"}, "", false)
	m.Chat.Update(chatview.ConversationChanged{Messages: []transcript.Message{{
		ID:   "m0",
		Role: transcript.You, Text: "before",
	}}})
	if last, ok := m.Transcript.Selected(); !ok || last.Text != "and now?" || len(m.Turn.Prompts) != 2 {
		t.Errorf("the last message is %+v, %d prompts", last, len(m.Turn.Prompts))
	}
}

// TestReasonMovesOn: if a turn goes on while the user types a reason, the reason moves to the
// end of the prompt.
func TestReasonMovesOn(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nA.\n")
	for _, typed := range []string{"", "and then"} {
		now := time.Now()
		m := New(t.Context(), Options{Vault: v, Desk: desk.New(desk.Options{Vault: v}), Now: func() time.Time { return now }})
		m.Turn.Begin(func() {}, composer.Draft{Text: "go"}, "", false)
		m.Turn.Ask(chains.Asked{Kind: chains.AccessWeb, Call: prompt.ToolCall{ID: "1", Name: "webSearch"}})
		followAsked(m)
		if _, ok := m.page.(review.AskingPage); !ok {
			t.Fatalf("the page is %v", m.page)
		}
		now = now.Add(page.GuardTime)
		m.page.Update(page.GuardMsg{})
		m.Composer.SetValue(typed)
		for _, key := range []rune{'n', 'a', 'b'} {
			m.page.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
		}
		m.Turn.StopCalls()
		followAsked(m)
		want := typed
		if typed == "" {
			want = "ab"
		}
		if m.page != nil || m.Composer.Value() != want || m.Turn.Rounds.Why.Text != "" || m.toast.Text == "" {
			t.Errorf("after %q the page is %v, the prompt holds %q, said is %q", typed, m.page, m.Composer.Value(), m.toast.Text)
		}
		m.Close()
	}
}

// TestTidy: chats in the background are closed, but none that is busy, has a new reply or an unsent
// draft.
func TestTidy(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nA.\n")
	m := New(t.Context(), Options{Vault: v, Desk: desk.New(desk.Options{Vault: v})})
	defer m.Close()
	add := func() *chatview.Chat {
		c := chatview.New(m.Setup, &desk.Chat{}, chatview.State{})
		m.others = append(m.others, c)
		return c
	}
	running, holds, idle, unread := add(), add(), add(), add()
	running.Turn.Begin(func() {}, composer.Draft{Text: "a"}, "", false)
	holds.Draft.Text = "b"
	unread.Unread = true
	closeIdle(m)
	if running.Closed || holds.Closed || unread.Closed || !idle.Closed || len(m.others) != 3 {
		t.Errorf("closed: running %v, unsent %v, unread %v, idle %v; %d are left", running.Closed, holds.Closed,
			unread.Closed, idle.Closed, len(m.others))
	}
}

// TestNotSaved: if saving failed, the header does not say that the chat is saved.
func TestNotSaved(t *testing.T) {
	th := theme.New(theme.Options{})
	for want, chat := range map[string]chains.Snapshot{
		"saved": {}, "not saved": {Unsaved: true},
		"recovered, not in the file yet": {Recovered: true},
	} {
		chat.Path = "Chats/a.md"
		c := &chatview.Chat{Desk: chatview.State{Chat: chat}}
		k := &screenState{
			Catalog:   &browse.Catalog{Setup: &chatview.Setup{Env: page.Env{Theme: &th}}},
			openChats: &openChats{Chat: c},
		}
		k.Store = &history.Store{}
		s := screen{screenState: k, Pen: page.NewPen(k.Theme, 80)}
		if got := ansi.Strip(s.fileState()); strings.Trim(got, " !✓▲") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
