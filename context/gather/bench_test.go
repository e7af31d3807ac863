package gather_test

import (
	"fmt"
	"strings"
	"testing"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// large returns a vault of ten thousand notes in a hundred folders.
func large(b *testing.B) (*gather.Gatherer, *vault.Vault) {
	b.Helper()
	var archive strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&archive, "-- area %d/note about thing %d.md --\ntext %d\n", i%100, i, i)
	}
	v := vaulttest.New(b, archive.String())
	return gather.New(v, gather.Options{}), v
}

// BenchmarkMentions looks up a text with two hundred names that are of nothing
// and two hundred that are of something. "near misses" is what a list of near
// misses for each name that is tried would cost. Most of the time goes to one
// look at the disk.
func BenchmarkMentions(b *testing.B) {
	g, v := large(b)
	const line = "@somebody wrote to @note about thing 77 and to @area 5/note about thing 105 at noon, said @another one\n"
	text := strings.Repeat(line, 100)
	if refs, _ := g.Mentions(b.Context(), text); len(refs) != 2 {
		b.Fatalf("%v", refs)
	}
	b.Run("400 names", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			g.Mentions(b.Context(), text)
		}
	})
	b.Run("near misses", func(b *testing.B) {
		b.ReportAllocs()
		words := strings.Fields(line)
		for b.Loop() {
			for range 100 {
				for i := range words {
					v.Find("somebody "+strings.Join(words[:i], " "), vault.ToChoose)
				}
			}
		}
	})
}

// BenchmarkCurrent looks again at two hundred notes.
func BenchmarkCurrent(b *testing.B) {
	g, _ := large(b)
	var refs []prompt.Ref
	for i := range 200 {
		refs = append(refs, note(fmt.Sprintf("area %d/note about thing %d.md", i%100, i)))
	}
	lookAgain(b, g, refs)
}

// lookAgain measures looking again at what references gave.
func lookAgain(b *testing.B, g *gather.Gatherer, refs []prompt.Ref) {
	b.Helper()
	known, missing, err := g.Gather(b.Context(), refs)
	if err != nil || len(missing) > 0 {
		b.Fatal(missing, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, _, err := g.Current(b.Context(), known)
		check(b, err)
	}
}
