package inspector

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ibid/ui/keys"
	"ibid/ui/theme"
)

func look(ascii bool) theme.Theme {
	return theme.New(theme.Options{Dark: true, NoColor: true, ASCII: ascii})
}

func sample() Report {
	return Report{
		Past: []int{16, 17, 18}, Window: 128_000, Prompt: 13_688, Cached: 12_410, Boundary: "L4",
		Layers: []Layer{
			{ID: "L1", Name: "instructions", Tokens: 1180, Cached: 1180, Hash: "9f31aa", Note: "same 18 turns"},
			{ID: "L2", Name: "notes", Tokens: 9870, Cached: 9870, Hash: "c04a11", Note: "3 notes"},
			{ID: "L4", Name: "conversation", Tokens: 1360, Cached: 1360, Hash: "77e0ff", Note: "18 turns, none trimmed"},
			{ID: "L3", Name: "this turn", Tokens: 1240, Hash: "1b9cde"},
			{ID: "L5", Name: "question", Tokens: 38},
		},
		Library: []Item{
			{
				ID: "spec", Title: "project-spec", Detail: "Piano Lessons/", Since: 1, Times: 18, Tokens: 6010, State: Cached,
				Evict: 9900, Refresh: 9900,
			},
			{
				ID: "l4", Title: "Lesson 4", Detail: "Piano Lessons/", Since: 2, Times: 16, Tokens: 2940,
				State: Cached, Active: true,
			},
			{
				ID: "l3", Title: "Lesson 3", Detail: "Piano Lessons/", Since: 5, Times: 2, Tokens: 920, State: Changed,
				Note: "2 h ago (+84)", Evict: 2300, Refresh: 2300,
			},
			{ID: "cjk", Title: "第三课练习计划和笔记", Detail: "钢琴/", Since: 6, Times: 1, Tokens: 310, State: Muted},
			{ID: "evil", Title: "evil\x1b[2Jname", Since: 7, Times: 1, Tokens: 10, State: Deleted, Note: "moved"},
			{ID: "old", Title: "Old plan", Since: 7, Times: 1, Tokens: 40, State: Stub},
			{ID: "api", Title: "api-docs", Detail: "Work/", Tokens: 1156, State: Fresh},
		},
		Parts: []Part{
			{ID: "p1", Kind: "refs", Text: "project-spec, Lesson 4", Note: "named only, text is above"},
			{ID: "p2", Kind: "full", Text: "api-docs", Tokens: 1156, Note: "joins the library later"},
			{ID: "p3", Kind: "diff", Text: "Lesson 3", Tokens: 84, Note: "keeps the cached copy valid"},
		},
		NotSent: []NotSent{{ID: "Lesson 2", Why: "moved to Archive/Lesson 2"}, {ID: "Diary", Why: "private: true"}},
		Arranged: []string{
			"notes arranged in turn 12, when the provider's cache had expired",
			"  before that: notes arranged in turn 1, with the first message",
		},
		Last: LastTurn{
			Turn: 18, Sent: 13_010, Cached: 12_300, Predicted: 12_388, New: 710,
			Completion: 412, Cost: "$0.0031",
		},
		Saved: "≈ 141k tokens · ≈ $0.35", Spent: "$0.041", Warm: "4:10 left (est.)",
	}
}

var note = Preview{
	ID: "l3", Title: "Lesson 3",
	Text: "<note_context>\n<title>Lesson 3</title>\n<content>\n# Lesson 3\n\tThumb under, slow…\n第三课：慢慢地弹，手腕放低，过拇指的时候尤其要注意不要抬高，然后再加速。\x1b[31mred\x1b[0m\u202e e\u0301\n" +
		strings.Repeat("A long line of prose that has to be cut into rows. ", 12) + "\n</content>\n</note_context>",
	Meta: []string{"bytes 3,702   sha256 1b9c…e2", "first sent turn 5"},
}

func states() map[string]func(*Model) {
	with := func(f func(*Model)) func(*Model) {
		return func(m *Model) {
			m.SetReport(sample())
			for m.Selected() != "l3" {
				m.Update(press("down"))
			}
			m.SetPreview(note)
			f(m)
		}
	}
	return map[string]func(*Model){
		"item":    with(func(*Model) {}),
		"layer":   with(func(m *Model) { m.Update(press("[")) }),
		"end":     with(func(m *Model) { m.Update(press("end")) }),
		"bytes":   with(func(m *Model) { m.Update(press("enter")) }),
		"scroll":  with(func(m *Model) { m.Update(press("enter")); m.Update(press("down")); m.Update(press("down")) }),
		"confirm": with(func(m *Model) { m.Confirm("Forget Lesson 3? 2.3k tokens are read again, once, ≈ $0.011.") }),
		"filter":  with(func(m *Model) { m.Update(press("/")); m.Update(press("l")); m.Update(press("e")) }),
		"past": with(func(m *Model) {
			r := sample()
			r.Turn, r.Last.Cached = 17, 0
			m.SetReport(r)
		}),
		"cold": with(func(m *Model) {
			r := sample()
			r.Cached, r.Boundary, r.Prompt = 0, "", 120_000
			for i := range r.Layers {
				r.Layers[i].Cached = 0
			}
			m.SetReport(r)
		}),
		"empty": func(m *Model) {
			m.SetReport(Report{Window: 8000, Layers: []Layer{
				{ID: "L1", Name: "instructions", Tokens: 300},
				{ID: "L2"},
				{ID: "L4"},
				{ID: "L3"},
				{ID: "L5"},
			}})
		},
		"none": func(*Model) {},
	}
}

func TestGolden(t *testing.T) {
	for name, set := range states() {
		for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}, {200, 50}} {
			t.Run(fmt.Sprintf("%s/%d", name, size[0]), func(t *testing.T) {
				m := New(look(false))
				m.SetSize(size[0], size[1])
				set(m)
				golden.RequireEqual(t, shot(m))
			})
		}
	}
	t.Run("ascii", func(t *testing.T) {
		m := New(look(true))
		m.SetSize(120, 40)
		states()["item"](m)
		golden.RequireEqual(t, shot(m))
	})
}

// shot returns the view as plain text.
func shot(m *Model) string { return ansi.Strip(m.View()) + "\n" }

// TestColour: colour adds nothing to the text and takes nothing away.
func TestColour(t *testing.T) {
	for name, set := range states() {
		bare, coloured := New(look(false)), New(theme.New(theme.Options{Dark: true}))
		for _, m := range []*Model{bare, coloured} {
			m.SetSize(120, 40)
			set(m)
		}
		if shot(bare) != shot(coloured) {
			t.Errorf("%s:\n%s\nin colour:\n%s", name, shot(bare), shot(coloured))
		}
		if !strings.Contains(coloured.View(), "\x1b[") {
			t.Errorf("%s: no colour at all", name)
		}
	}
}

func TestSmallForms(t *testing.T) {
	r, bare := sample(), sample()
	bare.Library = nil
	half := sample()
	half.Boundary, half.Layers[1].Cached, half.Layers[2].Cached, half.Cached, half.Prompt = "L2", 5000, 0, 6180, 110_000
	var b strings.Builder
	for _, ascii := range []bool{false, true} {
		p := NewPainter(look(ascii))
		for _, w := range []int{24, 40, 80, 100, 120, 160, 200} {
			for _, r := range []*Report{&r, &half, &bare} {
				b.WriteString(p.Ribbon(r, w) + "|\n")
			}
		}
	}
	t.Run("ribbon", func(t *testing.T) { golden.RequireEqual(t, ansi.Strip(b.String())) })
	for _, w := range []int{24, 33} {
		t.Run(fmt.Sprintf("rail/%d", w), func(t *testing.T) {
			p := NewPainter(look(false))
			extra := []Section{{Title: "CHAT FILE", Lines: []string{
				"Chats/2026-11-20 Piano practice.md",
				"18 turns · 2 branches",
			}}}
			golden.RequireEqual(t, rail(p, &r, extra, w, 30)+rail(p, &half, nil, w, 14)+rail(p, &Report{}, nil, w, 12))
		})
	}
}

// rail returns the rail as text.
func rail(p *Painter, r *Report, extra []Section, w, h int) string {
	return ansi.Strip(strings.Join(texts(p.Rail(r, RailView{Extra: extra, W: w, H: h})), "\n") + "\n")
}

// texts returns the rows of a rail.
func texts(r Rail) (rows []string) {
	for _, row := range r.Rows {
		rows = append(rows, row.Text)
	}
	return rows
}

// TestASCII: with ASCII glyphs, everything that is our own is ASCII.
func TestASCII(t *testing.T) {
	r := Report{
		Window: 1000, Prompt: 900, Cached: 10, Boundary: "L1",
		Layers: []Layer{
			{ID: "L1", Name: "instructions", Tokens: 10, Cached: 10},
			{ID: "L2", Name: "notes", Tokens: 5},
			{ID: "L3", Name: "this turn", Tokens: 2},
		},
		Library: []Item{
			{ID: "a", Title: "A", State: Fresh},
			{ID: "b", Title: "B", State: Changed, Active: true},
			{ID: "c", Title: "C", State: Muted},
			{ID: "d", Title: "D", State: Deleted},
			{ID: "e", Title: "E", State: Stub},
		},
		Parts: []Part{{Kind: "full", Text: "A", Tokens: 2}}, Last: LastTurn{Turn: 3, Sent: 5, Cached: 1, Predicted: 4},
	}
	m := New(look(true))
	m.SetReport(r)
	m.SetPreview(Preview{ID: "L1", Title: "x", Text: strings.Repeat("long line ", 200), Meta: []string{"m"}})
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}} {
		m.SetSize(size[0], size[1])
		for _, s := range []string{m.View(), m.Ribbon(&r, size[0]), rail(m.Painter, &r, nil, 33, 30)} {
			if i := strings.IndexFunc(ansi.Strip(s), func(r rune) bool { return r > 0x7e }); i >= 0 {
				t.Errorf("%v: not ASCII at %q", size, ansi.Strip(s)[i:min(i+20, len(ansi.Strip(s)))])
			}
		}
	}
}

// TestParts joins what stands side by side, and leaves out what weighs nothing.
func TestParts(t *testing.T) {
	r := Report{Boundary: "notes", Layers: []Layer{
		{ID: "list", Name: "list of tools", Tokens: 3, Cached: 3},
		{ID: "L1", Name: "instructions", Tokens: 10, Cached: 10},
		{ID: "L2", Name: "notes"},
		{ID: "notes", Name: "notes to self", Tokens: 5, Cached: 5},
		{ID: "L4", Name: "conversation", Tokens: 7},
		{ID: "L3", Name: "this turn"},
		{ID: "L5", Name: "question", Tokens: 1},
	}}
	parts, boundary := r.parts()
	var got []string
	for _, l := range parts {
		got = append(got, fmt.Sprint(l.Name, " ", l.Tokens))
	}
	if s := strings.Join(got, ", "); s != "instructions 13, notes 5, conversation 7, question 1" || boundary != 1 {
		t.Errorf("%s, boundary %d", s, boundary)
	}
}

// TestNotSentWhy: of a long name and why it is not sent the name is cut.
func TestNotSentWhy(t *testing.T) {
	r := sample()
	path := "Spaces/" + strings.Repeat("long ", 20) + "name.md"
	r.NotSent = []NotSent{{ID: path, Why: "is not in the vault (any more)"}, {ID: "Diary", Why: "private: true"}}
	m := New(look(false))
	m.SetSize(80, 40)
	m.SetReport(r)
	view := shot(m)
	for _, want := range []string{
		"not sent  Spaces/long", "…  is not in the vault (any more)",
		"not sent  Diary  private: true",
	} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not in\n%s", want, view)
		}
	}
}

// TestPercent: nearly all is not all.
func TestPercent(t *testing.T) {
	for _, tt := range []struct {
		part, whole int
		want        string
	}{
		{0, 0, "0%"},
		{5, 0, "0%"},
		{12_410, 13_688, "91%"},
		{9999, 10_000, "99%"},
		{7, 7, "100%"},
		{9, 7, "100%"},
		{-1, 7, "0%"},
	} {
		if got := percent(tt.part, tt.whole); got != tt.want {
			t.Errorf("%d of %d: %s, want %s", tt.part, tt.whole, got, tt.want)
		}
	}
}

func press(name string) tea.KeyPressMsg {
	k, _ := keys.Press(name)
	return k
}

func TestKeys(t *testing.T) {
	tests := []struct {
		name, keys string
		turn       int
		want       []Action // those that are not Moved
		at         string
	}{
		{"mute", "down down m", 0, []Action{{Kind: Mute, ID: "spec"}}, "spec"},
		{"evict", "down down e", 0, []Action{{Kind: Evict, ID: "spec"}}, "spec"},
		{"refresh", "down down down down r", 0, []Action{{Kind: Refresh, ID: "l3"}}, "l3"},
		{"attach", "down down down down a", 0, []Action{{Kind: Attach, ID: "l3"}}, "l3"},
		{"a layer cannot be muted", "m e r a", 0, nil, "L1"},
		{"the past cannot be changed", "down down m e r a", 17, nil, "spec"},
		{"copy", "y", 0, []Action{{Kind: Copy}}, "L1"},
		{"layers", "] ] ] ]", 0, nil, "L5"},
		{"layers back", "] ] ] [", 0, nil, "L4"},
		{"back in time", "left", 0, []Action{{Kind: Travel, Turn: 18}}, "L1"},
		{"further back", "left", 17, []Action{{Kind: Travel, Turn: 16}}, "L1"},
		{"no further", "left", 16, nil, "L1"},
		{"forth", "right", 17, []Action{{Kind: Travel, Turn: 18}}, "L1"},
		{"to the next request", "right", 18, []Action{{Kind: Travel}}, "L1"},
		{"not beyond it", "right", 0, nil, "L1"},
		{"esc leaves the bytes, then the page", "enter esc esc", 0, []Action{{Kind: Closed}}, "L1"},
		{"esc clears the filter first", "/ s p e enter esc esc", 0, []Action{{Kind: Closed}}, "L1"},
		{"filter", "/ a p i enter ] down", 0, nil, "api"},
		{"filter is edited", "/ x backspace a p i enter ] down", 0, nil, "api"},
		{"unknown keys are the parent's", "z", 0, []Action{{}}, "L1"},
		{"f2 closes", "f2", 0, []Action{{Kind: Closed}}, "L1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := New(look(false))
			r := sample()
			r.Turn = tt.turn
			m.SetReport(r)
			var got []Action
			for k := range strings.FieldsSeq(tt.keys) {
				if a := m.Update(press(k)); a.Kind != Moved {
					got = append(got, a)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || m.Selected() != tt.at {
				t.Errorf("%s: at %q, want %q; actions %s", tt.keys, m.Selected(), tt.at, diff)
			}
		})
	}
}

// TestKeysListed: Keys are all keys of the page, and no others.
func TestKeysListed(t *testing.T) {
	listed := map[string]bool{}
	for line := range strings.Lines(Keys) {
		names, _, _ := strings.Cut(line, ": ")
		for k := range strings.FieldsSeq(names) {
			listed[k] = true
		}
	}
	all := strings.Fields("up down left right home end pgup pgdown enter esc tab space backspace f1 f2 f3")
	for r := '!'; r <= '~'; r++ {
		all = append(all, string(r))
	}
	for _, k := range all {
		m := New(look(false))
		m.SetReport(sample())
		m.Update(press("down"))
		m.Update(press("down"))
		if acts := m.Update(press(k)).Kind != Ignored; acts != listed[k] {
			t.Errorf("%s: acts %v, listed %v", k, acts, listed[k])
		}
	}
}

func TestConfirm(t *testing.T) {
	m := New(look(false))
	m.SetReport(sample())
	for key, want := range map[string]ActionKind{"y": Confirmed, "n": Moved, "esc": Moved} {
		m.Confirm("Really?")
		if a := m.Update(press("down")); a.Kind != Moved || m.Selected() != "L1" {
			t.Errorf("a key that answers nothing did %v", a)
		}
		if !strings.Contains(m.View(), "Really?") {
			t.Error("the question is not on screen")
		}
		if a := m.Update(press(key)); a.Kind != want {
			t.Errorf("%s: %v", key, a)
		}
		if a := m.Update(press("y")); a.Kind != Copy {
			t.Errorf("the question is still open: %v", a)
		}
	}
}

// TestChosenRowStays: a report that arrives while somebody reads must not move
// the cursor.
func TestChosenRowStays(t *testing.T) {
	m := New(look(false))
	states()["item"](m)
	r := sample()
	r.Library = append([]Item{{ID: "first", Title: "First"}}, r.Library...)
	m.SetReport(r)
	if m.Selected() != "l3" {
		t.Errorf("cursor went to %q", m.Selected())
	}
}

var words = []string{
	"", "a", "Lesson", "日本語ノート", "👩‍👩‍👧‍👦", "e\u0301", "\u0301", "\u0301\ufe0f", "[\ufe0f", "🇩🇪",
	"\x1b[31m", "\x07", "a\nb", "ก็", "\u202e", "1\ufe0f\u20e3", "ﷺ", "\xff", "\t", strings.Repeat("x", 300),
}

var foreign = rapid.Map(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6), func(s []string) string {
	return strings.Join(s, "")
})

func anyReport(t *rapid.T) Report {
	r := sample()
	count := rapid.IntRange(0, 200_000)
	r.Window, r.Prompt, r.Cached = count.Draw(t, "window"), count.Draw(t, "prompt"), count.Draw(t, "cached")
	r.Boundary = rapid.SampledFrom([]string{"", "L1", "L2", "L4", "L5"}).Draw(t, "boundary")
	for i := range r.Layers {
		n := rapid.SampledFrom([]int{0, 1, 40, 5000, 100_000}).Draw(t, "tokens")
		r.Layers[i].Tokens, r.Layers[i].Cached = n, rapid.IntRange(0, n).Draw(t, "hit")
		r.Layers[i].Note = foreign.Draw(t, "layer note")
	}
	r.Library = make([]Item, rapid.IntRange(0, 30).Draw(t, "items"))
	for i := range r.Library {
		r.Library[i] = Item{
			ID: fmt.Sprint(i), Title: foreign.Draw(t, "title"), Detail: foreign.Draw(t, "detail"), Note: foreign.Draw(t, "note"),
			Tokens: count.Draw(t, "n"), State: rapid.SampledFrom([]State{
				Cached, Fresh, Changed, Muted, Deleted,
				Stub,
			}).Draw(t, "state"),
			Active: i == 3, Since: i,
		}
	}
	r.NotSent[0].Why, r.Saved, r.Spent, r.Last.Cost = foreign.Draw(t, "why"), foreign.Draw(t, "saved"),
		foreign.Draw(t, "spent"), foreign.Draw(t, "cost")
	return r
}

// TestExact draws any report at any size: everything fills exactly its
// rectangle, and no control character reaches the screen.
func TestExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := New(look(rapid.Bool().Draw(t, "ascii")))
		r := anyReport(t)
		m.SetReport(r)
		for range rapid.IntRange(1, 10).Draw(t, "steps") {
			w, h := rapid.IntRange(0, 210).Draw(t, "w"), rapid.IntRange(0, 55).Draw(t, "h")
			m.SetSize(w, h)
			m.Update(press(rapid.SampledFrom([]string{
				"up", "down", "end", "home", "pgdown", "enter", "esc", "]", "/", "é",
				"J", "K",
			}).Draw(t, "key")))
			if rapid.Bool().Draw(t, "preview") {
				m.SetPreview(Preview{
					ID: m.Selected(), Title: foreign.Draw(t, "pt"),
					Text: strings.Repeat(foreign.Draw(t, "text"), 5), Meta: []string{foreign.Draw(t, "meta")},
				})
			}
			exact(t, m.View(), w, h)
			exact(t, m.Ribbon(&r, w), w, 1)
			side := m.Rail(&r, RailView{
				Extra: []Section{{Title: "X", Lines: []string{foreign.Draw(t, "extra")}}},
				At:    "l3", From: rapid.IntRange(-1, 9).Draw(t, "from"), Free: rapid.Bool().Draw(t, "free"), W: w, H: h,
			})
			exact(t, strings.Join(texts(side), "\n"), w, h)
			if side.From < 0 || side.Shown < 0 || side.From+side.Shown > len(r.Library) {
				t.Fatalf("%d items from %d of %d", side.Shown, side.From, len(r.Library))
			}
			if c := m.Cursor(); c != nil && (c.X >= w || c.Y >= h) {
				t.Fatalf("cursor %v outside %dx%d", c.Position, w, h)
			}
		}
	})
}

// TestNarrowBoundary: where the cache ends is said on screens that are narrower than the
// words.
func TestNarrowBoundary(t *testing.T) {
	m := New(look(false))
	r := sample()
	r.Boundary = "L4"
	for i := range r.Layers {
		r.Layers[i].Tokens, r.Layers[i].Cached = 5000, 1000
	}
	m.SetReport(r)
	for w := range 120 {
		m.SetSize(w, 60)
		m.View()
	}
}

func exact(t *rapid.T, view string, w, h int) {
	t.Helper()
	if h == 0 || w == 0 {
		return
	}
	rows := strings.Split(view, "\n")
	if len(rows) != h {
		t.Fatalf("%d rows, want %d", len(rows), h)
	}
	for i, r := range rows {
		if got := ansi.StringWidth(r); got != w {
			t.Fatalf("row %d of %dx%d is %d columns: %q", i, w, h, got, r)
		}
	}
	if s := ansi.Strip(view); strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x202e }) {
		t.Fatalf("control characters on screen: %q", s)
	}
}

// TestPagerShowsAll: the rows of the exact bytes, put together, are the text with what terminals would follow or
// hide made visible.
func TestPagerShowsAll(t *testing.T) {
	for text, want := range map[string]string{
		"one two  three": "one two  three", "a\n\nb": "ab", "red \x1b[31mtext\x1b[0m\r\n": "red ␛[31mtext␛[0m␍",
		"bell\a \x1b]0;title\a end": "bell␇ ␛]0;title␇ end", "日本語 text": "日本語 text", "\ttab": "    tab",
	} {
		for w := range 12 {
			p := newPager(text, w)
			for _, row := range p.rows {
				if ansi.StringWidth(row) > max(w, 2) {
					t.Errorf("%q is wider than %d", row, w)
				}
			}
			if got := strings.Join(p.rows, ""); got != want {
				t.Errorf("%q in %d columns is %q", text, w, got)
			}
		}
	}
}

// TestNotReported: a number without a report is never shown.
func TestNotReported(t *testing.T) {
	for _, l := range []LastTurn{
		{Turn: 3, Sent: NotReported, Cached: NotReported, New: NotReported, Completion: NotReported, Predicted: 7},
		{Turn: 3, Sent: 500, Cached: NotReported, New: NotReported, Completion: 12, Predicted: 7},
		{},
	} {
		r := sample()
		r.Last = l
		m := New(look(false))
		m.SetReport(r)
		for _, w := range []int{80, 120} {
			m.SetSize(w, 40)
			text := ansi.Strip(m.View()) + rail(m.Painter, &r, nil, 33, 40)
			if strings.Contains(text, "-1") || strings.Contains(text, "as predicted") || strings.Contains(text, "new -") {
				t.Errorf("%+v:\n%s", l, text)
			}
		}
	}
}
