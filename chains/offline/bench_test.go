package offline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/prompt"
)

// A context of 2 MB: 200 notes of 10 kB. "warm" is every turn but the first;
// "cold" is the alternative without the cache, and the price of a first turn.
func BenchmarkReply(b *testing.B) {
	r := chains.Request{Documents: manyNotes(200, 10_000), Question: "which harbour has the deepest water at low tide?"}
	size := 0
	for _, d := range r.Documents {
		size += len(d.Content)
	}
	for _, q := range []struct{ name, question string }{
		{"question", r.Question},
		{"summary", "summarize everything"},
	} {
		b.Run("warm/"+q.name, func(b *testing.B) {
			m := New(Options{})
			r := r
			r.Question = q.question
			if _, err := m.reply(b.Context(), r); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.reply(b.Context(), r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("warm+1 new/question", func(b *testing.B) {
		m := New(Options{})
		if _, err := m.reply(b.Context(), r); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			n++
			r := r
			r.Documents = append(r.Documents[:199:199], note(fmt.Sprintf("New %d.md", n), r.Documents[199].Content))
			if _, err := m.reply(b.Context(), r); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("cold/question", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := New(Options{}).reply(b.Context(), r); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// manyNotes makes n notes of about size bytes from a few thousand words.
func manyNotes(n, size int) []prompt.Item {
	rng := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("har bour wa ter ti de mo le se a bri ck sto ne ra il do ck fi sh bo at sa nd pi er li ght")
	vocabulary := make([]string, 6000)
	for i := range vocabulary {
		for range 2 + rng.IntN(3) {
			vocabulary[i] += syllables[rng.IntN(len(syllables))]
		}
	}
	word := func() string { return vocabulary[min(rng.IntN(len(vocabulary)), rng.IntN(len(vocabulary)))] }
	notes := make([]prompt.Item, n)
	for i := range notes {
		var s strings.Builder
		for s.Len() < size {
			fmt.Fprintf(&s, "## %s %s\n\n", word(), word())
			for range 3 {
				for range 12 {
					fmt.Fprintf(&s, "%s ", word())
				}
				s.WriteString("low tide. ")
			}
			fmt.Fprintf(&s, "\n\n- [ ] %s %s\n- %s\n\n", word(), word(), word())
		}
		notes[i] = note(fmt.Sprintf("Harbours/Note %d.md", i), s.String())
	}
	return notes
}

// note is an attached note.
func note(path, content string) prompt.Item {
	return prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: path}, baseName(path), path, content)
}
