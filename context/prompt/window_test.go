package prompt

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ibid/vault/vaulttest"
)

// slot is the cache of one local slot: the last request with its reply. It matches tokens of
// four bytes.
type slot struct {
	text     string
	uncached int // tokens that it had to read so far
}

func (s *slot) send(messages []Message, reply string) {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString("<|" + string(m.Role) + "|>" + m.Content + "<|end|>")
	}
	text := b.String()
	same := 0
	for same < min(len(text), len(s.text)) && text[same] == s.text[same] {
		same++
	}
	s.text = text + "<|assistant|>" + reply + "<|end|>"
	s.uncached += (len(text)+3)/4 - same/4
}

// person is a series of random turns in a small window, on a server with one slot.
type person struct {
	*rand.Rand
	slot
	window, reserve int
	layout          Layout
	c               Conversation
	turns, text     int // text counts tokens, those of replies included
	summaries       int
}

const smallL1 = 480 // tokens of instructions

func newPerson(window int) *person {
	return &person{Rand: rand.New(rand.NewPCG(1, uint64(window))), window: window, reserve: window * 3 / 10, layout: Auto}
}

func (p *person) words(tokens int) string {
	var b strings.Builder
	for b.Len() < 4*tokens {
		fmt.Fprintf(&b, "w%05d ", p.IntN(100000))
	}
	return b.String()[:4*tokens-1] + "."
}

// note returns a random note-to-self: a long one, and sometimes a much too long one.
func (p *person) note() string {
	switch p.IntN(40) {
	case 0:
		return p.words(p.window / 8)
	case 1, 2, 3:
		return p.words(250)
	}
	return p.words(30 + p.IntN(60))
}

func (p *person) turn() error {
	p.turns++
	t := Turn{
		Text: fmt.Sprintf("%d: %s", p.turns, p.words(60+p.IntN(150))), Layout: p.layout,
		Settings: Settings{L1: instructions[:4*smallL1]}, Budget: Budget{Window: p.window, Reserve: p.reserve},
	}
	if p.turns%60 == 5 {
		t.Attached = []Item{note(fmt.Sprintf("n%d.md", p.turns), p.words(60))}
	}
	env, err := p.c.Prepare(t)
	if err != nil {
		return err
	}
	if n := env.Predicted.Prompt; n > p.window-p.reserve {
		return fmt.Errorf("turn %d: %d tokens where %d fit", p.turns, n, p.window-p.reserve)
	}
	reply := p.words(500) + "\n\n[NOTE TO SELF: " + p.note() + "]"
	p.send(env.Messages(), reply)
	p.text += (len(t.Text) + len(reply)) / 4
	p.c = env.Commit(reply, "")
	if messages, tokens := env.Summarize(reply); messages != nil {
		text := p.words(tokens)
		p.send(messages, text)
		p.c = p.c.Summarized(text)
		p.summaries++
	}
	return nil
}

// windows are small windows, each with the highest mean of tokens that a turn may read anew.
var windows = []struct{ window, most int }{{2048, 1300}, {4096, 1300}, {8192, 1600}, {16384, 1600}, {32768, 2600}}

const personTurns = 200

// TestSmallWindows: long chats in small windows never fail because of their length, and their
// costs have limits.
func TestSmallWindows(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for _, w := range windows {
		for _, layout := range []Layout{Auto, Append} {
			p := newPerson(w.window)
			p.layout = layout
			for range personTurns {
				if err := p.turn(); err != nil {
					t.Errorf("window %d, %s: %v", w.window, layout, err)
					break
				}
			}
			if got := p.uncached / p.turns; got > w.most {
				t.Errorf("window %d, %s: %d tokens a turn are read anew, at most %d", w.window, layout, got, w.most)
			}
		}
	}
}

// BenchmarkSmallWindows prints the costs of chats in small windows:
//
//	go test -run xxx -bench SmallWindows -benchtime 1x ./context/prompt
func BenchmarkSmallWindows(b *testing.B) {
	var table strings.Builder
	table.WriteString("| window | turns | new text per turn | read anew per turn | summaries |\n|--:|--:|--:|--:|--:|\n")
	for _, w := range windows {
		var p *person
		b.Run(fmt.Sprint(w.window), func(b *testing.B) {
			for b.Loop() {
				p = newPerson(w.window)
				for range personTurns {
					check(b, p.turn())
				}
			}
			b.ReportMetric(float64(p.uncached)/float64(p.turns), "uncached/turn")
		})
		if p != nil {
			fmt.Fprintf(&table, "| %d | %d | %d | %d | %d |\n", w.window, p.turns, p.text/p.turns,
				p.uncached/p.turns, p.summaries)
		}
	}
	fmt.Printf("\nOne local slot; tokens are bytes/4, summaries included.\n\n%s\n", table.String())
}

// TestNeverTooLong checks invariant 12 and the rest of 8: a chat without attachments goes on
// for any window, questions, replies and notes; only a question that alone is too long is
// refused. The newest notes-to-self are in every request once, and no older one twice.
func TestNeverTooLong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.OneOf(rapid.IntRange(2048, 9000), rapid.IntRange(2048, 40000)).Draw(t, "window")
		budget := Budget{
			Window: window, Reserve: window * rapid.IntRange(0, 50).Draw(t, "reserve") / 100,
			Factor: rapid.SampledFrom([]float64{0, 0.7, 1.4}).Draw(t, "factor"),
		}
		layout := rapid.SampledFrom([]Layout{Auto, Append, Strict}).Draw(t, "layout")
		size := rapid.SampledFrom([]int{10, 100, 500, window / 8, window / 2, 2 * window})
		words := func(label, mark string) string {
			return mark + strings.Repeat("ü word", size.Draw(t, label)*2/3) + "end"
		}
		var c Conversation
		var notes []string
		for n := range rapid.IntRange(1, 40).Draw(t, "turns") {
			turn := Turn{
				Text: words("question", fmt.Sprintf("Q%03d ", n)), Layout: layout,
				Settings: Settings{L1: instructions[:4*smallL1]}, Budget: budget,
			}
			env, err := c.Prepare(turn)
			limit := budget.levels().limit
			if alone := ApproximateTokens(turn.Settings.L1) + ApproximateTokens(turn.Text) +
				budget.counted(window/10) + 60; err != nil {
				var long *TooLongError
				if !errors.As(err, &long) || alone <= limit {
					t.Fatalf("turn %d: %v, although the question fits alone: %d of %d tokens", n, err, alone, limit)
				}
				continue
			}
			checkSmall(t, env, notes, limit)
			reply := words("reply", fmt.Sprintf("A%03d ", n))
			if rapid.Bool().Draw(t, "noted") {
				notes = append(notes, fmt.Sprintf("N%03d", n))
				reply += "\n\n[NOTE TO SELF: " + words("note", notes[len(notes)-1]+" ") + "]"
			}
			c = env.Commit(reply, "")
			if messages, _ := env.Summarize(reply); messages != nil && rapid.Bool().Draw(t, "summary") {
				c = c.Summarized(rapid.SampledFrom([]string{
					"", "short", strings.Repeat("long ", 200),
					strings.Repeat("endless ", window),
				}).Draw(t, "text"))
			}
		}
	})
}

// checkSmall checks a request of a chat in a small window.
func checkSmall(t *rapid.T, env Envelope, notes []string, limit int) {
	bytes, all := 0, ""
	for _, m := range env.Messages() {
		bytes += len(m.Content)
		all += m.Content + "\n"
	}
	if bytes/4 > limit || env.Predicted.Counted > limit {
		t.Fatalf("%d tokens, predicted %d, where %d fit", bytes/4, env.Predicted.Counted, limit)
	}
	if !strings.HasSuffix(all, env.question+"\n") {
		t.Fatal("the question is not whole")
	}
	for i, n := range notes {
		got := strings.Count(all, n+" ")
		if newest := i >= len(notes)-newestNotes; got > 1 || newest && got == 0 {
			t.Fatalf("note %d of %d occurs %d times", i+1, len(notes), got)
		}
	}
	for _, m := range env.Messages()[1:] {
		whole := strings.HasSuffix(m.Content, "end") || strings.HasSuffix(m.Content, "]")
		if cut := strings.Contains(m.Content, cutMark); (strings.HasPrefix(m.Content, "Q") ||
			strings.HasPrefix(m.Content, "A")) && !whole && !cut {
			t.Fatalf("cut without a word: %.60s", m.Content)
		}
	}
	if len(env.Shortened) > 0 && !env.Epoch.New {
		t.Fatal("shortened within an epoch")
	}
	folded := slices.ContainsFunc(env.Shortened, func(s ShortenedPart) bool { return strings.HasPrefix(s.What, "turn") })
	if now := env.next.fold; now.turns > 0 && folded && !strings.Contains(all, "left out here") {
		t.Fatal("turns are left out, and the request does not say so")
	}
}

// TestManyAttached attaches 300 notes: they are sent if they fit, refused with a list of the
// largest ones if they do not, and later shortened to outlines to make room.
func TestManyAttached(t *testing.T) {
	var items []Item
	for i := range 300 {
		it := note(fmt.Sprintf("n%03d.md", i), strings.Repeat("text ", 50+i/3))
		it.Outline = "# Heading"
		items = append(items, it)
	}
	turn := Turn{Text: "Read them.", Attached: items, Budget: Budget{Window: 16000}}
	_, err := Conversation{}.Prepare(turn)
	var long *TooLongError
	if !errors.As(err, &long) || len(long.Largest) != 300 || long.Largest[0].Ref.ID != "n297.md" ||
		!strings.Contains(err.Error(), "largest: n297.md") {
		t.Fatalf("%v", err)
	}
	turn.Budget.Window = 64000
	c, env := say(t, Conversation{}, turn, "I have.")
	if len(env.Shortened) > 0 {
		t.Fatalf("shortened: %v", env.Shortened)
	}
	turn.Budget.Window, turn.Attached = 32000, items[:10]
	_, env = say(t, c, turn, "Yes.")
	full := 0
	for _, l := range env.Library {
		if l.State != "stub" {
			full++
		}
	}
	if n := len(env.Shortened); n == 0 || full < 10 || full+n != 300 || env.Predicted.Prompt > 22400*2/3 {
		t.Errorf("%d are whole, %d shortened, %d tokens", full, n, env.Predicted.Prompt)
	}
}

// TestUnfold: a model with a larger or an unknown window reads the turns again that were folded
// for a small one.
func TestUnfold(t *testing.T) {
	for _, window := range []int{0, 128000} {
		p := newPerson(4096)
		for range 20 {
			check(t, p.turn())
		}
		turn := Turn{Text: "And now?", Settings: Settings{L1: "L1", Model: "large"}, Budget: Budget{Window: window}}
		c, env := say(t, p.c, turn, "Yes.")
		if n := len(env.Messages()); n != 42 || strings.Contains(env.Dump(), "left out here") ||
			strings.Count(env.Text("notes"), "\n") != 20 {
			t.Errorf("window %d: %d messages\n%.600s", window, n, env.Dump())
		}
		if _, env = say(t, c, turn, "Yes."); env.Epoch.New {
			t.Errorf("window %d: another epoch", window)
		}
	}
}
