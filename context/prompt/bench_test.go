package prompt

import (
	"fmt"
	"strings"
	"testing"
)

// bigLibrary is a conversation whose library holds n items of about size bytes.
func bigLibrary(tb testing.TB, n, size int) (Conversation, Turn) {
	tb.Helper()
	line := "The quick brown fox jumps over the lazy dog, and keeps a note of it.\n"
	items := make([]Recalled, n)
	for i := range items {
		p := fmt.Sprintf("notes/n%03d.md", i)
		items[i] = Recalled{Item: NewItem(Ref{Note, p}, p, p, fmt.Sprintf("# Note %d\n", i)+strings.Repeat(line, size/len(line)))}
	}
	c := Reopen(nil, items, nil, quarter)
	turn := Turn{Text: "What do these say?", Settings: Settings{L1: "instructions"}, Layout: Append, Attached: []Item{items[3].Item, items[150%n].Item}}
	env, err := c.Prepare(turn)
	if err != nil {
		tb.Fatal(err)
	}
	return env.Commit("an answer"), turn
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
				if _, err := c.Prepare(t); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("known", c, turn)
	withNew := turn
	withNew.Attached = append(withNew.Attached[:1:1], fresh)
	run("new", c, withNew)
	env, err := c.Prepare(withNew)
	if err != nil {
		b.Fatal(err)
	}
	promoting := turn
	promoting.Layout = Auto
	run("promote", env.Commit("ok"), promoting)
	known := c.Known()
	b.Run("naive", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var s strings.Builder
			for _, it := range known {
				s.WriteString(block(NewItem(it.Ref, it.Title, it.Path, it.Content), false))
				s.WriteString("\n\n")
			}
			_ = newSegment(s.String(), quarter)
		}
	})
}

// BenchmarkReopen brings a conversation of 1,000 turns back.
func BenchmarkReopen(b *testing.B) {
	past := make([]Past, 0, 2000)
	for i := range 1000 {
		past = append(past, Past{User, fmt.Sprintf("question %d about the notes", i)}, Past{Assistant, strings.Repeat("an answer of some length. ", 40)})
	}
	b.ReportAllocs()
	for b.Loop() {
		c := Reopen(past, nil, nil, quarter)
		if _, err := c.Prepare(Turn{Text: "go on", Settings: Settings{L1: "instructions"}}); err != nil {
			b.Fatal(err)
		}
	}
}
