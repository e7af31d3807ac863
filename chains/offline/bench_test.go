package offline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/prompt"
)

// BenchmarkReply answers from a context of 2 MB: 200 notes of 10 kB.
func BenchmarkReply(b *testing.B) {
	r := chains.Request{Documents: manyNotes(200, 10_000)}
	for name, question := range map[string]string{
		"question": "which harbour has the deepest water at low tide?",
		"summary":  "summarize everything",
	} {
		b.Run(name, func(b *testing.B) {
			r := r
			r.Question = question
			b.SetBytes(200 * 10_000)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := New(Options{}).reply(b.Context(), r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// manyNotes makes n notes of about size bytes from a few thousand words.
func manyNotes(n, size int) []prompt.Item {
	rng := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields(
		"har bour wa ter ti de mo le se a bri ck sto ne ra il do ck fi sh bo at sa nd pi er li ght")
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

// note returns an attached note.
func note(path, content string) prompt.Item {
	return prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: path}, baseName(path), path, content)
}
