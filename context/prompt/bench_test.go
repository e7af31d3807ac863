package prompt

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
)

// bigLibrary returns a conversation with a library of n items of about size bytes.
func bigLibrary(tb testing.TB, n, size int) (Conversation, Turn) {
	tb.Helper()
	line := "The quick brown fox jumps over the lazy dog, and keeps a note of it.\n"
	items := make([]RecalledItem, n)
	for i := range items {
		p := fmt.Sprintf("notes/n%03d.md", i)
		items[i] = RecalledItem{Item: NewItem(Ref{Note, p}, p, p,
			fmt.Sprintf("# Note %d\n", i)+strings.Repeat(line, size/len(line)))}
	}
	c := Reopen(nil, items, nil, ApproximateTokens)
	turn := Turn{
		Text: "What do these say?", Settings: Settings{L1: "instructions"}, Layout: Append,
		Attached: []Item{items[3].Item, items[150%n].Item},
	}
	env, err := c.Prepare(turn)
	check(tb, err)
	return env.Commit("an answer", ""), turn
}

// BenchmarkEnvelope assembles one request over a library of 200 items, 2 MB:
// within an epoch, with a new note, on a promotion, and as a naive engine would
// that renders and hashes everything on every turn.
func BenchmarkEnvelope(b *testing.B) {
	c, turn := bigLibrary(b, 200, 10<<10)
	fresh := NewItem(Ref{Note, "new.md"}, "new", "new.md", strings.Repeat("fresh text\n", 900))
	run := func(name string, c Conversation, t Turn) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := c.Prepare(t)
				check(b, err)
			}
		})
	}
	run("known", c, turn)
	withNew := turn
	withNew.Attached = append(withNew.Attached[:1:1], fresh)
	run("new", c, withNew)
	env, err := c.Prepare(withNew)
	check(b, err)
	promoting := turn
	promoting.Layout = Strict
	run("promote", env.Commit("ok", ""), promoting)
	known := c.Known()
	b.Run("naive", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var s strings.Builder
			for _, it := range known {
				s.WriteString(block(NewItem(it.Ref, it.Title, it.Path, it.Content), false))
				s.WriteString("\n\n")
			}
			_ = segment{}.renewed(s.String(), ApproximateTokens)
		}
	})
}

// BenchmarkThousandTurns works on a conversation of 1,000 turns, about a
// megabyte: bringing it back with its first request, one more turn of it, the
// list of its messages, and a naive turn that writes and hashes the whole
// history again. A warm turn allocates nothing that grows with the history.
func BenchmarkThousandTurns(b *testing.B) {
	answer := strings.Repeat("an answer of some length. ", 40)
	var past []Past
	var c Conversation
	turn := Turn{Text: "a question about the notes", Settings: Settings{L1: "instructions"}, Layout: Append}
	for range 1000 {
		past = append(past, Past{Role: User, Text: turn.Text}, Past{Role: Assistant, Text: answer})
		env, err := c.Prepare(turn)
		check(b, err)
		c = env.Commit(answer, "")
	}
	prepare := func(b *testing.B, c Conversation) Envelope {
		env, err := c.Prepare(turn)
		check(b, err)
		return env
	}
	b.Run("reopen", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			prepare(b, Reopen(past, nil, nil, ApproximateTokens))
		}
	})
	b.Run("warm", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			prepare(b, c)
		}
	})
	b.Run("warm and commit", func(b *testing.B) {
		b.ReportAllocs()
		next := c
		for b.Loop() {
			next = prepare(b, next).Commit(answer, "")
		}
	})
	b.Run("messages", func(b *testing.B) {
		b.ReportAllocs()
		env := prepare(b, c)
		for b.Loop() {
			_ = env.Messages()
		}
	})
	b.Run("naive", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var s strings.Builder
			for _, m := range past {
				s.WriteString(string(m.Role) + "\n" + m.Text + "\n")
			}
			_ = segment{}.renewed(s.String(), ApproximateTokens)
		}
	})
}

// TestWarmTurnSharesHistory: a turn of a long conversation copies neither the history nor the
// library, so it allocates the same after ten times as many turns.
func TestWarmTurnSharesHistory(t *testing.T) {
	allocated := func(turns int) float64 {
		var c Conversation
		turn := Turn{
			Text: "question", Settings: Settings{L1: "instructions"}, Layout: Append,
			Attached: []Item{note("a.md", strings.Repeat("text ", 20000))},
		}
		for range turns {
			env, err := c.Prepare(turn)
			check(t, err)
			c = env.Commit("answer", "")
		}
		// The least of several, since the race detector empties pools at random.
		least := math.Inf(1)
		for range 20 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := c.Prepare(turn)
			check(t, err)
			runtime.ReadMemStats(&after)
			least = min(least, float64(after.TotalAlloc-before.TotalAlloc))
		}
		return least
	}
	if few, many := allocated(50), allocated(500); many > 1.5*few {
		t.Errorf("a turn after 50 turns allocates %.0f bytes, after 500 turns %.0f", few, many)
	}
}
