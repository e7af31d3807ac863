package picker

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"ibid/ui/keys"
	"ibid/ui/theme"
)

func look(ascii bool) theme.Theme {
	return theme.New(theme.Options{Dark: true, NoColor: true, ASCII: ascii})
}

var notes = []Item{
	{
		ID: "l4", Label: "Lesson 4", Match: []int{0, 1, 2}, Detail: "Piano Lessons/", Glyph: "●", State: "in library",
		Meta: "0 new", Why: "linked ·1",
	},
	{
		ID: "l5", Label: "Lesson 5", Match: []int{0, 1, 2}, Detail: "Piano Lessons/", Glyph: "+", State: "new",
		Meta: "+1.1k", Why: "linked ·1",
	},
	{
		ID: "l3", Label: "Lesson 3", Match: []int{0, 1, 2}, Detail: "Piano Lessons/", Glyph: "◍", State: "stale 2 h",
		Meta: "+84 diff", Why: "backlink",
	},
	{ID: "cjk", Label: "第三课 lesson 练习计划和笔记", Match: []int{4, 5, 6}, Detail: "钢琴/", Glyph: "+", State: "new", Meta: "+310"},
	{ID: "fam", Label: "👩‍👩‍👧‍👦 les", Match: []int{1, 8, 9, 10}, Detail: "Inbox/", Glyph: "+", State: "new", Meta: "+12"},
	{ID: "png", Label: "les-paul.png", Detail: "Attachments/", Glyph: "▣", State: "image", Meta: "vision"},
	{ID: "tag", Label: "#lesson", Detail: "tag · 9 notes", Glyph: "+", State: "new", Meta: "+11.8k !"},
	{ID: "priv", Label: "Lessons I kept to myself", Detail: "Diary/", Disabled: "private: never sent"},
	{ID: "ign", Label: "lessons.draft", Detail: ".cache/", Glyph: "+", State: "new", Meta: "+9", Why: "ignored"},
	{ID: "bad", Label: "evil\x1b[2J\x1b]0;x\x07name\nsecond", Detail: "In\tbox/", Meta: "+1", Match: []int{0}},
}

var chats = []Item{
	{
		ID: "1", Group: "Pinned", Label: "Piano practice plan", Detail: "3 notes · 18 turns · 13.7k tok", Meta: "now",
		Glyph: "◐", Snippet: "…keep the wrist low and count aloud; Sunday is a rest day…",
	},
	{
		ID: "2", Group: "Today", Label: "Scales vs arpeggios", Detail: "1 note · 4 turns · 2.0k tok", Meta: "11:40",
		Snippet: "…start with contrary motion, then thirds…",
	},
	{
		ID: "3", Group: "Last week", Label: "Recital programme", Detail: "5 notes · 31 turns · 40.1k tok", Meta: "Fri",
		Snippet: "…Op. 28 No. 4 sits badly after the Bach…",
	},
	{
		ID: "4", Group: "Last week", Label: "Fingering questions", Detail: "2 notes · 9 turns · 6.3k tok", Meta: "Thu",
		Snippet: "! 1 attached note moved: Lesson 2 → Archive/Lesson 2 (will follow)",
	},
	{
		ID: "5", Group: "2025", Label: "Which keyboard to buy", Detail: "0 notes · 12 turns · 8.8k tok", Meta: "14 Mar",
		Snippet: "recovered after crash · last reply incomplete",
	},
}

func bind(k, does string) key.Binding { return key.NewBinding(key.WithKeys(k), key.WithHelp(k, does)) }

var choose = []key.Binding{bind("enter", "choose"), bind("esc", "close")}

func notePopup(o Options) *Model {
	o.Title, o.Popup = `notes matching "les"`, true
	o.Note = "hidden and git-ignored notes: shown last, dimmed · .obsidian/ never shown"
	m := New(o)
	m.SetRows(Rows{
		Items: notes, Total: 412, Aside: "1 ms",
		Keys: []key.Binding{bind("enter", "attach"), bind("tab", "line/heading #"), bind("esc", "close")},
	})
	return m
}

func chatPage(o Options) *Model {
	o.Title, o.Placeholder = "Chats", "filter by title and text"
	keys := []key.Binding{
		bind("enter", "open"), bind("esc", "close"), bind("ctrl+n", "new"), bind("ctrl+r", "rename"),
		bind("ctrl+d", "delete"), bind("u", "undo"), bind("ctrl+o", "open file"), bind("ctrl+y", "copy path"),
	}
	m := New(o)
	m.SetRows(Rows{Items: chats, Total: 143, Aside: "title + full text", Keys: keys})
	return m
}

func screens(o Options) map[string]*Model {
	models := New(Options{Theme: o.Theme, Title: "model", Placeholder: "type to filter"})
	models.SetRows(Rows{Items: []Item{
		{ID: "a", Label: "large-1", Meta: "128k"},
		{ID: "b", Label: "small-1", Meta: "32k", Disabled: "no key"},
	}, Keys: choose})
	none := New(Options{
		Theme: o.Theme, Title: `notes matching "zzz"`, Popup: true,
		Empty: "no note is called zzz · esc keeps the text as it is",
	})
	none.SetRows(Rows{Total: 412, Keys: choose[1:]})
	preview := notePopup(o)
	preview.SetPreview(Preview{Title: "Lesson 4", Meta: "2,940 tok · 1 h ago", Lines: []Line{
		{Text: "# Lesson 4"},
		{},
		{Text: "## Scales   1,020 tok"},
		{Text: "Hands together, 60 bpm, then 72. 日本語の長い行がここで切られますように願います。", Marked: []int{6, 7, 33, 34, 35}},
		{Text: "\x1b[31mred", Marked: []int{0}},
	}})
	deep := notePopup(o)
	lines := make([]Line, 60)
	for i := range lines {
		lines[i].Text = fmt.Sprint("line ", i+1)
	}
	deep.SetPreview(Preview{Title: "Lesson 4", Lines: lines, At: 41})
	hits := New(Options{Theme: o.Theme, Title: "Notes"})
	hits.SetQuery("scaels -(")
	hits.SetRows(Rows{Items: []Item{
		{ID: "a", Label: "Scales", Match: []int{0}, Group: "Names"},
		{
			ID: "b", Label: "Lesson 4", Detail: "Piano/", Snippet: "…then scales in thirds", Marked: []int{6, 7, 8, 9, 10, 11},
			Group: "In their text",
		},
	}, Notice: "did you mean scales?", Keys: choose})
	wrong := New(Options{Theme: o.Theme, Title: "Notes"})
	wrong.SetRows(Rows{Notice: "/(/ is no regular expression", Alert: true, Keys: choose[1:]})
	low := notePopup(o)
	low.moveTo(7)
	typed := chatPage(o)
	typed.SetQuery("piano 练习")
	typed.moveTo(3)
	return map[string]*Model{
		"notes": notePopup(o), "low": low, "preview": preview, "none": none, "models": models,
		"chats": chatPage(o), "typed": typed, "deep": deep, "hits": hits, "wrong": wrong,
	}
}

// shot returns the view as plain text, and the place of the cursor.
func shot(m *Model) string {
	at := ""
	if c := m.Cursor(); c != nil {
		at = fmt.Sprintf("cursor %d,%d\n", c.X, c.Y)
	}
	return ansi.Strip(m.View()) + "\n" + at
}

func TestGolden(t *testing.T) {
	for name := range screens(Options{}) {
		for _, size := range [][2]int{{40, 10}, {80, 14}, {120, 16}, {200, 20}} {
			t.Run(fmt.Sprintf("%s/%d", name, size[0]), func(t *testing.T) {
				m := screens(Options{Theme: look(false)})[name]
				m.SetSize(size[0], size[1])
				golden.RequireEqual(t, shot(m))
			})
		}
	}
	t.Run("ascii", func(t *testing.T) {
		m := notePopup(Options{Theme: look(true)})
		m.SetSize(80, 14)
		golden.RequireEqual(t, shot(m))
	})
}

// TestColour: colour adds nothing to the text and takes nothing away.
func TestColour(t *testing.T) {
	bare, coloured := screens(Options{Theme: look(false)}), screens(Options{Theme: theme.New(theme.Options{Dark: true})})
	for name := range bare {
		if shot(bare[name]) != shot(coloured[name]) {
			t.Errorf("%s:\n%s\nin colour:\n%s", name, shot(bare[name]), shot(coloured[name]))
		}
		if !strings.Contains(coloured[name].View(), "\x1b[") {
			t.Errorf("%s: no colour at all", name)
		}
	}
}

// The row under the cursor has a sign in front, and what the query matched in it is
// marked, whatever the terminal shows of colours.
func TestMarkedRow(t *testing.T) {
	for name, o := range map[string]theme.Options{
		"24 bits": {Dark: true}, "16": {Profile: theme.ANSI16}, "none": {NoColor: true},
		"ASCII": {NoColor: true, ASCII: true},
	} {
		m := New(Options{Theme: theme.New(o), Title: "notes", Fixed: true})
		m.SetRows(Rows{Items: []Item{
			{ID: "a", Label: "basil", Match: []int{0, 1}},
			{ID: "b", Label: "basin", Match: []int{0, 1}},
		}, Total: 2})
		m.SetSize(60, 10)
		st := theme.New(o).Styles
		for text, want := range map[string]bool{
			st.Selected.Render(theme.New(o).Glyphs.Cursor + " "):     true,
			st.Match.Chosen.Render("ba") + st.Selected.Render("sil"): true,
			st.Match.Text.Render("ba") + "sin":                       true,
			st.Match.Chosen.Render("ba") + st.Selected.Render("sin"): false,
		} {
			if strings.Contains(m.View(), text) != want {
				t.Errorf("%s: %q is there: %v, in\n%q", name, text, !want, m.View())
			}
		}
	}
}

func press(name string) tea.KeyPressMsg {
	k, _ := keys.Press(name)
	return k
}

func TestKeys(t *testing.T) {
	tests := []struct {
		name string
		make func(Options) *Model
		keys string
		want Action
	}{
		{"enter chooses", notePopup, "enter", Action{Kind: Pressed, ID: "l4", Key: "enter"}},
		{"down", notePopup, "down enter", Action{Kind: Pressed, ID: "l5", Key: "enter"}},
		{"ctrl+n and ctrl+p", notePopup, "ctrl+n ctrl+n ctrl+p enter", Action{Kind: Pressed, ID: "l5", Key: "enter"}},
		{"up stops at the first", notePopup, "up enter", Action{Kind: Pressed, ID: "l4", Key: "enter"}},
		{"end", notePopup, "end enter", Action{Kind: Pressed, ID: "bad", Key: "enter"}},
		{"home", notePopup, "end home enter", Action{Kind: Pressed, ID: "l4", Key: "enter"}},
		{"a page down and up", notePopup, "pgdown pgup enter", Action{Kind: Pressed, ID: "l4", Key: "enter"}},
		{
			"disabled rows say why", notePopup, "end up up enter",
			Action{Kind: Pressed, ID: "priv", Key: "enter", Disabled: "private: never sent"},
		},
		{"tab refines", notePopup, "tab", Action{Kind: Pressed, ID: "l4", Key: "tab"}},
		{"esc closes", notePopup, "esc", Action{Kind: Pressed, ID: "l4", Key: "esc"}},
		{"text is the parent's", notePopup, "x", Action{}},
		{"backspace is the parent's", notePopup, "backspace", Action{}},

		{"text filters", chatPage, "p", Action{Kind: Queried, Query: "p"}},
		{"more text", chatPage, "p i backspace", Action{Kind: Queried, Query: "p"}},
		{"tab without refining", chatPage, "tab", Action{}},
		{"own key", chatPage, "down ctrl+d", Action{Kind: Pressed, ID: "2", Key: "ctrl+d"}},
		{"own keys win over the list's", chatPage, "ctrl+n", Action{Kind: Pressed, ID: "1", Key: "ctrl+n"}},
		{"a letter of its own", chatPage, "u", Action{Kind: Pressed, ID: "1", Key: "u"}},
		{"is text behind text", chatPage, "p u", Action{Kind: Queried, Query: "pu"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := tt.make(Options{Theme: look(false)})
			var got Action
			for k := range strings.FieldsSeq(tt.keys) {
				got = m.Update(press(k))
			}
			if got != tt.want {
				t.Errorf("%s: got %+v, want %+v", tt.keys, got, tt.want)
			}
		})
	}
	m := New(Options{})
	if a := m.Update(press("enter")); a != (Action{}) {
		t.Errorf("enter on an empty list: %+v", a)
	}
	if a := m.Update(tea.PasteMsg{Content: "two\nlines"}); a.Query != "two lines" {
		t.Errorf("paste: %+v", a)
	}
}

func TestSelect(t *testing.T) {
	m := chatPage(Options{})
	m.SetSize(80, 10)
	m.Select("5")
	m.Select("nope")
	if it, ok := m.Selected(); !ok || it.ID != "5" || !strings.Contains(ansi.Strip(m.View()), "Which keyboard") {
		t.Errorf("selected %+v\n%s", it, m.View())
	}
	if got := notePopup(Options{}).Wanted(80, 40); got != len(notes)+3 {
		t.Errorf("wanted %d", got)
	}
	if got := notePopup(Options{}).Wanted(80, 8); got != 8 {
		t.Errorf("wanted %d of at most 8", got)
	}
}

var words = []string{
	"", "a", "Lesson", "日本語ノート", "👩‍👩‍👧‍👦", "e\u0301", "\u0301", "\u0301\ufe0f", "[\ufe0f", "🇩🇪",
	"\x1b[31m", "\x07", "a\nb", "ก็", "\u202e", "1\ufe0f\u20e3", "ﷺ",
}

// TestExact draws lists of anything at any size: View fills exactly its
// rectangle, the chosen row is in it, and nothing of a foreign escape sequence
// gets through.
func TestExact(t *testing.T) {
	text := rapid.Map(rapid.SliceOfN(rapid.SampledFrom(words), 0, 4), func(s []string) string {
		return strings.Join(s, " ")
	})
	rapid.Check(t, func(t *rapid.T) {
		o := Options{
			Theme: theme.New(theme.Options{NoColor: true, ASCII: rapid.Bool().Draw(t, "ascii")}),
			Popup: rapid.Bool().Draw(t, "popup"), Fixed: rapid.Bool().Draw(t, "fixed"),
			Title: text.Draw(t, "title"), Note: text.Draw(t, "note"), Empty: text.Draw(t, "empty"),
		}
		items := make([]Item, rapid.IntRange(0, 30).Draw(t, "items"))
		for i := range items {
			items[i] = Item{
				ID: fmt.Sprint(i), Label: fmt.Sprintf("row%d ", i) + text.Draw(t, "label"), Detail: text.Draw(t, "detail"),
				Glyph: rapid.SampledFrom([]string{"", "●"}).Draw(t, "glyph"), State: text.Draw(t, "state"),
				Meta: text.Draw(t, "meta"), Why: text.Draw(t, "why"), Disabled: text.Draw(t, "disabled"),
				Snippet: text.Draw(t, "snippet"), Group: fmt.Sprint(i / 3), Match: []int{0, 2, 7}, Marked: []int{0, 3, 4},
			}
		}
		m := New(o)
		m.SetRows(Rows{
			Items: items, Total: rapid.IntRange(0, 2000).Draw(t, "total"), Aside: text.Draw(t, "aside"),
			Notice: text.Draw(t, "notice"), Alert: rapid.Bool().Draw(t, "alert"),
		})
		if rapid.Bool().Draw(t, "preview") {
			m.SetPreview(Preview{
				Title: text.Draw(t, "pt"), Meta: text.Draw(t, "pm"),
				Lines: []Line{{text.Draw(t, "pl"), []int{1, 2, 9}}, {Text: "x"}, {Text: text.Draw(t, "pl")}},
				At:    rapid.IntRange(0, 3).Draw(t, "at"),
			})
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			m.SetSize(rapid.SampledFrom([]int{0, 1, 8, 12, 13, 40, 80, 100, 120, 160, 200}).Draw(t, "w"),
				rapid.IntRange(0, 24).Draw(t, "h"))
			m.Update(press(rapid.SampledFrom([]string{"up", "down", "pgdown", "pgup", "end", "home", "x", "日"}).Draw(t, "key")))
			checkExact(t, m)
		}
	})
}

func checkExact(t *rapid.T, m *Model) {
	view := m.View()
	if m.h == 0 {
		if view != "" {
			t.Fatalf("no rows, but %q", view)
		}
		return
	}
	rows := strings.Split(view, "\n")
	if len(rows) != m.h {
		t.Fatalf("%d rows, want %d", len(rows), m.h)
	}
	for i, r := range rows {
		if w := ansi.StringWidth(r); w != m.w {
			t.Fatalf("row %d of %dx%d is %d columns: %q", i, m.w, m.h, w, r)
		}
	}
	stripped := ansi.Strip(view)
	if strings.ContainsFunc(stripped, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x202e }) {
		t.Fatalf("control characters on screen: %q", stripped)
	}
	if it, ok := m.Selected(); ok && m.w >= 40 && m.layout().rows > 0 &&
		!strings.Contains(stripped, m.theme.Glyphs.Cursor+" row"+it.ID) {
		t.Fatalf("row %s is not on screen:\n%s", it.ID, stripped)
	}
	if c := m.Cursor(); c != nil && (c.X < 0 || c.Y < 0 || c.X >= m.w || c.Y >= m.h) {
		t.Fatalf("cursor %v outside %dx%d", c.Position, m.w, m.h)
	}
}

// TestASCII: with ASCII glyphs, everything that is our own is ASCII.
func TestASCII(t *testing.T) {
	for _, popup := range []bool{false, true} {
		m := New(Options{Theme: look(true), Title: "notes", Popup: popup})
		m.SetRows(Rows{Items: []Item{{
			ID: "a", Label: strings.Repeat("long ", 40), Group: "g", Snippet: "s",
			Disabled: "why",
		}}, Total: 9, Aside: "aside"})
		for _, w := range []int{40, 80, 200} {
			m.SetSize(w, 12)
			if s := ansi.Strip(m.View()); strings.ContainsFunc(s, func(r rune) bool { return r > 0x7e }) {
				t.Errorf("%d columns:\n%s", w, s)
			}
		}
	}
}
