package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ibid/ui/picture"
	"ibid/ui/theme"
)

func stopped() time.Time { return time.Unix(0, 0) }

func newPlain(w, h int) *Transcript {
	t := New(Options{Theme: theme.New(theme.Options{NoColor: true}), Now: stopped})
	t.SetSize(w, h)
	return t
}

var noon = time.Date(2026, 3, 14, 14, 2, 0, 0, time.UTC)

// conversation returns messages of every kind.
func conversation() []Message {
	return []Message{
		{ID: "u1", Role: You, At: noon, Text: "Plan the herb garden from @Soil notes, and keep what [[Balcony]] says.\nTwo lines.", Chips: []Chip{
			{State: ChipLibrary, Label: "Balcony"},
			{State: ChipAdded, Label: "Soil notes", Detail: "+1.2k"},
			{State: ChipActive, Label: "Herbs"},
			{State: ChipDrifted, Label: "Watering", Detail: "+84"},
			{State: ChipImage, Label: "Photos"},
			{State: ChipMissing, Label: "Seeds", Detail: "moved"},
		}},
		{
			ID: "a1", Role: Assistant, At: noon, Detail: "small-model", Reasoning: "Basil wants sun.\nMint wants none of it.",
			Thought: 4 * time.Second, Tokens: 212,
			Text: "Put **basil** where [[Balcony]] has sun:\n\n| Pot | Herb |\n|---|---|\n| 1 | basil 羅勒 |\n| 2 | mint |\n\n1. water at dawn\n2. never at noon\n\n```go\nfor pot := range pots {\n\twater(pot)\n}\n```",
		},
		{
			ID: "t1", Role: Tool, Text: "# Herbs\nbasil",
			Call: Call{Words: "read_note Herbs#Mint", Note: "1 note: Herbs.md", Took: 100 * time.Millisecond, State: ToolDone},
		},
		{ID: "t2", Role: Tool, Call: Call{Words: "edit_note Garden.md", Note: "+6 −2", State: ToolWaiting}},
		{ID: "t3", Role: Tool, Call: Call{Words: "search", State: ToolFailed}},
		{ID: "u2", Role: You, Text: "And tomatoes? 番茄也要。"},
		{ID: "a2", Role: Assistant, Text: "They need a bigger", Status: Cancelled},
		{Role: Notice, Text: "reloaded from disk"},
		{ID: "a3", Role: Assistant, Text: "On and on", Status: CutOff, Fix: "/continue goes on from here"},
		{ID: "e1", Role: Error, Text: "the provider refused the key (401)", Fix: "check the key with /provider"},
	}
}

// pictures returns the images of the conversation.
func pictures(target string) *picture.Picture {
	if target == "gone.png" {
		return &picture.Picture{Fault: "no such file"}
	}
	return &picture.Picture{Width: 640, Height: 480}
}

// readable spells escape sequences out, so that a golden file can be reviewed.
var readable = strings.NewReplacer("\x1b", `\e`, "\a", `\a`)

func TestGolden(t *testing.T) {
	looks := map[string]theme.Options{
		"dark":    {Dark: true},
		"light":   {},
		"nocolor": {NoColor: true},
		"ascii":   {NoColor: true, ASCII: true},
		"ansi16":  {Dark: true, Profile: theme.ANSI16},
	}
	for name, o := range looks {
		for _, w := range []int{24, 40, 80, 120} {
			if w != 80 && name != "nocolor" && name != "ascii" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", name, w), func(t *testing.T) {
				tr := New(Options{Theme: theme.New(o), Now: stopped, Picture: pictures})
				tr.SetSize(w, 70)
				tr.Reset(conversation())
				tr.show(tr.byID["a1"])
				tr.Toggle()
				tr.ScrollBy(-100)
				golden.RequireEqual(t, readable.Replace(tr.View()))
			})
		}
	}
}

func screen(t *Transcript) []string { return strings.Split(ansi.Strip(t.View()), "\n") }

func wantOn(t *testing.T, tr *Transcript, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(ansi.Strip(tr.View()), w) {
			t.Errorf("%q is not on screen:\n%s", w, ansi.Strip(tr.View()))
		}
	}
}

func wantOff(t *testing.T, tr *Transcript, not string) {
	t.Helper()
	if strings.Contains(ansi.Strip(tr.View()), not) {
		t.Errorf("%q is on screen:\n%s", not, ansi.Strip(tr.View()))
	}
}

// numbered returns n exchanges with different prompts and replies.
func numbered(n int) []Message {
	var ms []Message
	for i := range n {
		ms = append(ms,
			Message{ID: fmt.Sprintf("u%d", i), Role: You, Text: fmt.Sprintf("prompt-%d", i)},
			Message{ID: fmt.Sprintf("a%d", i), Role: Assistant, Text: fmt.Sprintf("reply-%d\n\nwith a second paragraph", i)})
	}
	return ms
}

func TestStreamingFollowsOnlyAtTheBottom(t *testing.T) {
	tr := newPlain(60, 10)
	tr.Reset(numbered(5))
	tr.Append(Message{ID: "s", Role: Assistant, Status: Streaming})
	s, ok := tr.Stream("s")
	if !ok {
		t.Fatal("no stream for a streaming message")
	}
	s.AppendText("first\n\n")
	wantOn(t, tr, "first")

	tr.ScrollBy(-3)
	before := screen(tr)
	s.AppendText("second\n\nthird\n\n")
	s.AppendText("fourth")
	after := screen(tr)
	for i := range before[:len(before)-1] {
		is(t, before[i], after[i], "line", i)
	}
	wantOn(t, tr, "↓ 6 new lines · End")

	s.Finish(Complete)
	wantOn(t, tr, "↓ 6 new lines · End")
	tr.Bottom()
	wantOn(t, tr, "fourth")
	wantOff(t, tr, "new lines")
	if m, _ := tr.Message("s"); m.Text != "first\n\nsecond\n\nthird\n\nfourth" || m.Status != Complete {
		t.Errorf("message after the stream: %+v", m)
	}
	if _, ok := tr.Stream("s"); ok {
		t.Error("a finished message can be streamed to")
	}
	s.AppendText("late")
	if m, _ := tr.Message("s"); strings.Contains(m.Text, "late") {
		t.Error("text was added after Finish")
	}
}

func TestReachingTheBottomFollowsAgain(t *testing.T) {
	tr := newPlain(60, 10)
	tr.Reset(numbered(9))
	tr.View()
	tr.PageUp()
	if tr.follow {
		t.Fatal("follows after scrolling up")
	}
	tr.ScrollBy(4)
	if tr.follow {
		t.Fatal("follows before the bottom")
	}
	tr.PageDown()
	if !tr.follow {
		t.Fatal("does not follow at the bottom")
	}
	tr.Append(Message{Role: Notice, Text: "newest"})
	wantOn(t, tr, "newest")
	tr.Top()
	wantOn(t, tr, "prompt-0")
	is(t, tr.NewLines(), 0)
}

func TestPromptsAndSelection(t *testing.T) {
	tr := newPlain(60, 12)
	tr.Reset(numbered(20))
	if m, _ := tr.Selected(); m.ID != "a19" {
		t.Errorf("at the end %q is selected, want the last message", m.ID)
	}
	for _, want := range []string{"u19", "u18", "u17"} {
		tr.PrevPrompt()
		if m, _ := tr.Selected(); m.ID != want {
			t.Errorf("PrevPrompt selects %q, want %q", m.ID, want)
		}
	}
	is(t, screen(tr)[0], "▸ you", "the selected prompt, with a mark")
	tr.NextPrompt()
	if m, _ := tr.Selected(); m.ID != "u18" {
		t.Errorf("NextPrompt selects %q, want u18", m.ID)
	}
	tr.ScrollBy(-1)
	if m, _ := tr.Selected(); m.ID != "a17" && m.ID != "u18" {
		t.Errorf("after scrolling, %q is selected", m.ID)
	}
	tr.Top()
	tr.PrevPrompt()
	wantOn(t, tr, "prompt-0")
	for range 30 {
		tr.NextPrompt()
	}
	if !tr.follow {
		t.Error("past the last prompt is not the end")
	}
	if _, ok := newPlain(20, 5).Selected(); ok {
		t.Error("something is selected in an empty transcript")
	}
}

func TestFoldedReasoning(t *testing.T) {
	tr := newPlain(60, 20)
	tr.Append(Message{ID: "a", Role: Assistant, Status: Streaming})
	s, _ := tr.Stream("a")
	s.AppendReasoning("weigh one thing")
	wantOn(t, tr, "▸ thinking")
	wantOff(t, tr, "weigh")
	s.AppendReasoning("\nagainst another")
	s.Thought(4*time.Second, 212)
	s.AppendText("Done.")
	s.Finish(Complete)
	wantOn(t, tr, "▸ thought for 4 s · 212 tokens", "Done.")
	if !tr.Toggle() {
		t.Fatal("nothing to unfold")
	}
	wantOn(t, tr, "▾ thought", "│ weigh one thing", "│ against another")
	tr.Toggle()
	wantOff(t, tr, "against")
	tr.ToggleAll()
	wantOn(t, tr, "against")
}

// In a turn that fits the screen, no scrolling brings a tool's line to the top.
func TestToggleFindsTheToolOfTheTurn(t *testing.T) {
	tr := newPlain(60, 20)
	tr.Reset([]Message{
		{ID: "a", Role: You, Text: "where is it?"},
		{ID: "b", Role: Tool, Call: Call{Words: "search", State: ToolDone}, Text: "in the shed"},
		{ID: "c", Role: Assistant, Text: "There."},
		{ID: "d", Role: You, Text: "thanks"},
		{ID: "e", Role: Assistant, Text: "Welcome."},
	})
	tr.PrevPrompt()
	tr.PrevPrompt()
	wantOff(t, tr, "in the shed")
	if !tr.Toggle() {
		t.Fatal("nothing to unfold")
	}
	wantOn(t, tr, "in the shed")
	tr.Toggle()
	wantOff(t, tr, "in the shed")
	tr.NextPrompt()
	if tr.Toggle() {
		t.Error("unfolded something of another turn")
	}
}

func TestMarksSayWhatToDo(t *testing.T) {
	tr := newPlain(60, 40)
	tr.Reset(conversation())
	wantOn(t, tr, "! stopped here", "! cut off at the model's length limit", "/continue goes on from here",
		"✗ the provider refused the key (401)", "check the key with /provider", "· reloaded from disk")
}

func TestFind(t *testing.T) {
	tr := newPlain(60, 8)
	ms := numbered(30)
	ms[3].Reasoning = "hidden Arpeggio here"
	ms[21].Text = "an arpeggio\n\nand **ARPEGGIO** again"
	tr.Reset(ms)
	if n := tr.Find("arp"); n != 3 {
		t.Fatalf("Find = %d, want 3", n)
	}
	if n := tr.Find("arpeggio"); n != 3 {
		t.Fatalf("Find = %d, want 3, whatever the case", n)
	}
	if at, of := tr.Matches(); at != 3 || of != 3 {
		t.Errorf("Matches = %d of %d, want the last one", at, of)
	}
	wantOn(t, tr, "ARPEGGIO")
	tr.FindPrev()
	wantOn(t, tr, "an arpeggio")
	tr.FindPrev()
	wantOn(t, tr, "hidden Arpeggio here") // it was folded
	tr.FindPrev()
	if at, _ := tr.Matches(); at != 3 {
		t.Errorf("before the first match comes %d, want the last", at)
	}
	tr.FindNext()
	wantOn(t, tr, "hidden Arpeggio here")
	plain, current, other := "羅勒 \x1b[1mArpeggio\x1b[m.", tr.find.underline("x arpeggio", tr.theme.Styles.Match.Focus),
		tr.find.underline("x arpeggio", tr.theme.Styles.Match.Text)
	if marked := tr.find.underline(plain, tr.theme.Styles.Match.Text); ansi.Strip(marked) != ansi.Strip(plain) || marked == plain {
		t.Errorf("marking a match made %q of %q", marked, plain)
	}
	if current == other || ansi.Strip(current) != "x arpeggio" || !strings.HasPrefix(current, "x ") {
		t.Errorf("the current match %q looks like any other %q", current, other)
	}
	is(t, tr.Find("Arpeggio"), 1, "with upper case in the query")
	if tr.Find("nowhere") != 0 || tr.Find("") != 0 {
		t.Error("matches for what is not there")
	}
}

func TestUpdateAndTruncate(t *testing.T) {
	tr := newPlain(60, 20)
	tr.Reset(conversation())
	if !tr.Update(Message{ID: "t2", Role: Tool, Call: Call{Words: "edit_note", State: ToolDone, Note: "applied"}}) {
		t.Fatal("t2 is gone")
	}
	wantOn(t, tr, "applied")
	if !tr.Truncate("u2") || tr.Len() != 5 {
		t.Fatalf("%d messages after truncating, want 5", tr.Len())
	}
	wantOff(t, tr, "tomatoes")
	if tr.Update(Message{ID: "u2"}) || tr.Truncate("") || tr.byID["u2"] != nil {
		t.Error("a removed message is still there")
	}
}

func TestSameStringUntilSomethingChanges(t *testing.T) {
	tr := newPlain(60, 20)
	tr.Reset(numbered(50))
	tr.View()
	is(t, testing.AllocsPerRun(10, func() { tr.View() }), 0)
}

// Escape sequences arrive in every field a stranger can fill.
func TestForeignTextIsHarmless(t *testing.T) {
	const evil = "a\x1b[2J\x1b]52;c;eA==\x07\u202eb\x9bc\r\x00\nd\x1b[31me"
	tr := newPlain(50, 60)
	tr.Reset([]Message{
		{Role: You, Text: evil, Detail: evil, Chips: []Chip{{State: ChipAdded, Label: evil, Detail: evil}}},
		{
			Role: Assistant, Text: evil + "\n\n```" + evil + "\n" + evil + "\n```\n\n# " + evil, Reasoning: evil,
			Status: Failed, Fix: evil,
		},
		{Role: Tool, Text: evil, Call: Call{Words: evil, Note: evil}},
		{Role: Notice, Text: evil},
		{Role: Error, Text: evil, Fix: evil},
	})
	tr.ToggleAll()
	tr.Append(Message{ID: "s", Role: Assistant, Status: Streaming})
	s, _ := tr.Stream("s")
	for i := range len(evil) {
		s.AppendText(evil[i : i+1])
		s.AppendReasoning(evil[i : i+1])
		tr.View()
	}
	tr.Find("d")
	for _, l := range strings.Split(tr.View(), "\n") {
		for i, part := range strings.Split(l, "\x1b") {
			if i > 0 {
				params, rest, ok := strings.Cut(part, "m")
				if !ok || strings.Trim(params, "[0123456789;") != "" {
					t.Fatalf("sequence %q in %q", part, l)
				}
				part = rest
			}
			is(t, theme.Sanitize(part), part, "without control characters in", l)
		}
	}
}

// action is a random thing that happens to a transcript.
func act(t *rapid.T, tr *Transcript, n int) {
	id := fmt.Sprint("m", n)
	texts := rapid.SampledFrom([]string{
		"", "short", "one\n\ntwo\n\nthree", "音楽 " + strings.Repeat("long words ", 30),
		"```go\nx\n```\n", "- a\n- b",
	})
	switch rapid.IntRange(0, 13).Draw(t, "action") {
	case 0:
		tr.Append(Message{ID: id, Role: Role(rapid.IntRange(0, 4).Draw(t, "role")), Text: texts.Draw(t, "text"), Fix: "fix"})
	case 1:
		tr.Append(Message{ID: id, Role: Assistant, Status: Streaming, Reasoning: texts.Draw(t, "reasoning")})
	case 2, 3:
		for _, it := range tr.items {
			if s, ok := tr.Stream(it.ID); ok {
				s.AppendText(texts.Draw(t, "piece"))
				if rapid.IntRange(0, 5).Draw(t, "end") == 0 {
					s.Finish(Cancelled)
				}
				break
			}
		}
	case 4:
		tr.ScrollBy(rapid.IntRange(-30, 30).Draw(t, "by"))
	case 5:
		tr.PageUp()
	case 6:
		tr.PageDown()
	case 7:
		tr.Top()
	case 8:
		tr.Bottom()
	case 9:
		tr.PrevPrompt()
	case 10:
		tr.NextPrompt()
	case 11:
		tr.SetSize(rapid.IntRange(1, 130).Draw(t, "w"), rapid.IntRange(1, 30).Draw(t, "h"))
	case 12:
		tr.Toggle()
	case 13:
		tr.Find(rapid.SampledFrom([]string{"", "w", "long", "three"}).Draw(t, "query"))
	}
}

// Whatever happens, the view has its size, shows a part of the whole without
// holes, and the end when it follows.
func TestScrollingInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := newPlain(40, 10)
		for i := range rapid.IntRange(1, 40).Draw(t, "actions") {
			act(t, tr, i)
			lines := strings.Split(tr.View(), "\n")
			if len(lines) != tr.height {
				t.Fatalf("%d lines, want %d", len(lines), tr.height)
			}
			for _, l := range lines {
				if w := ansi.StringWidth(l); w > tr.width {
					t.Fatalf("%d cells in %q, want at most %d", w, l, tr.width)
				}
			}
			if again := tr.View(); again != strings.Join(lines, "\n") {
				t.Fatal("the view changed by itself")
			}
			total, above := 0, 0
			for i := range tr.items {
				if i < tr.pos.item {
					above += tr.itemHeight(i)
				}
				total += tr.itemHeight(i)
			}
			above += tr.pos.line
			if above < 0 || total > 0 && above >= max(total, 1) {
				t.Fatalf("at line %d of %d", above, total)
			}
			if tr.follow && above != max(0, total-tr.height) {
				t.Fatalf("following at line %d of %d with %d visible", above, total, tr.height)
			}
			if !tr.follow && above+tr.height >= total {
				t.Fatalf("at the end, line %d of %d, but not following", above, total)
			}
		}
	})
}

func TestScrollingThereAndBackShowsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := newPlain(40, 7)
		tr.Reset(numbered(12))
		tr.ScrollBy(-rapid.IntRange(5, 20).Draw(t, "start"))
		before := tr.View()
		n := rapid.IntRange(1, 4).Draw(t, "n")
		tr.ScrollBy(-n)
		tr.ScrollBy(n)
		if tr.View() != before && !tr.follow {
			t.Fatalf("%s\nwant\n%s", tr.View(), before)
		}
	})
}

// Nothing that is far from the screen is laid out.
func TestOnlyWhatIsSeenIsLaidOut(t *testing.T) {
	tr := newPlain(80, 24)
	tr.Reset(numbered(1000))
	tr.View()
	tr.SetSize(60, 24)
	tr.View()
	tr.PageUp()
	tr.View()
	if tr.laid > 30 {
		t.Errorf("%d of %d messages were laid out to show two screens", tr.laid, tr.Len())
	}
	for range 1000 {
		tr.PageUp()
		tr.View()
	}
	held := 0
	for _, it := range tr.items {
		if it.lines() {
			held++
		}
	}
	if held > maxLaid+40 || held != tr.laid {
		t.Errorf("%d messages hold lines after scrolling through (%d by count), want at most %d", held, tr.laid, maxLaid)
	}
}

func TestWaitEndsWhenEverythingIsShown(t *testing.T) {
	now := time.Unix(0, 0)
	tick := 5 * time.Millisecond
	tr := New(Options{Now: func() time.Time { now = now.Add(tick); return now }})
	tr.SetSize(60, 10)
	tr.Append(Message{ID: "s", Role: Assistant, Status: Streaming})
	s, _ := tr.Stream("s")
	s.AppendText("one")
	tr.View()
	tick = 0
	s.AppendText(" two")
	wantOff(t, tr, "two")
	if !tr.dirty {
		t.Error("the text that is not shown is not drawn later")
	}
	now = now.Add(time.Second)
	wantOn(t, tr, "one two")
	if tr.dirty {
		t.Error("there is nothing to wait for")
	}
}

// TestDraggingTheWindowStays changes the size many times, as somebody does who
// drags a corner, and comes back: the same text is on top.
func TestDraggingTheWindowStays(t *testing.T) {
	var ms []Message
	for i := range 6 {
		var b strings.Builder
		for j := range 60 {
			fmt.Fprintf(&b, "%d-%d %s\n\n", i, j, strings.Repeat("word ", j%17))
		}
		ms = append(ms, Message{ID: fmt.Sprint("u", i), Role: You, Text: "ask"},
			Message{ID: fmt.Sprint("a", i), Role: Assistant, Text: b.String()})
	}
	tr := newPlain(84, 34)
	tr.Reset(ms)
	tr.ScrollBy(-200)
	before := screen(tr)[:2]
	for k := range 100 {
		tr.SetSize(40+k*37%130, 10+k*11%45)
		tr.View()
	}
	tr.SetSize(84, 34)
	is(t, screen(tr)[:2], before)
}

// TestReload: who has scrolled up stays there when the conversation is read again, who
// follows goes on following.
func TestReload(t *testing.T) {
	var ms []Message
	for i := range 20 {
		ms = append(ms, Message{ID: fmt.Sprint("q", i), Role: You, Text: fmt.Sprint("question ", i)},
			Message{ID: fmt.Sprint("a", i), Role: Assistant, Text: fmt.Sprint("answer ", i)})
	}
	tr := New(Options{})
	tr.SetSize(40, 8)
	tr.Reset(slices.Insert(slices.Clone(ms), 4, Message{Role: Notice, Text: "by the way"}))
	tr.View()
	tr.ScrollBy(-60)
	before := tr.View()
	Reload(tr, append(ms, Message{ID: "q20", Role: You, Text: "one more"}))
	if after := tr.View(); strings.Split(after, "\n")[0] != strings.Split(before, "\n")[0] {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	tr.Bottom()
	Reload(tr, ms)
	if after := tr.View(); !strings.Contains(after, "answer 19") || !FollowsEnd(tr) {
		t.Errorf("it does not follow:\n%s", after)
	}
	Reload(tr, nil)
	tr.View()
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
