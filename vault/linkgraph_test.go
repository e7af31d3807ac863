package vault_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ibid/vault"
)

// How near notes are is what going through their links one by one gives, whichever
// way they lead.
func TestNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 9).Draw(t, "notes")
		name := rapid.IntRange(0, 10) // some lead nowhere
		linked := map[[2]vault.Path]bool{}
		var notes []*vault.Note
		for i := range size {
			p := vault.Path(fmt.Sprintf("%d.md", (i*7+3)%10)) // in no order
			var text strings.Builder
			for _, to := range rapid.SliceOfN(name, 0, 4).Draw(t, "links") {
				fmt.Fprintf(&text, "[[%d]] ", to)
				linked[[2]vault.Path{p, vault.Path(fmt.Sprintf("%d.md", to))}] = true
			}
			notes = append(notes, vault.ParseNote(p, text.String()))
		}
		links := vault.NewLinks(notes, func(target string, _ vault.Path) vault.FoundNote {
			return vault.FoundNote{State: vault.OK, Path: vault.Path(target + ".md")}
		})
		for _, from := range notes {
			want := map[vault.Path]int{from.Path: 0}
			for d := range 2 {
				for _, a := range notes {
					for _, b := range notes {
						at, ok := want[a.Path]
						if _, known := want[b.Path]; ok && at == d && !known && (linked[[2]vault.Path{a.Path, b.Path}] || linked[[2]vault.Path{b.Path, a.Path}]) {
							want[b.Path] = d + 1
						}
					}
				}
			}
			if diff := cmp.Diff(want, links.Near(from.Path)); diff != "" {
				t.Fatalf("from %s (-want +got)\n%s", from.Path, diff)
			}
		}
	})
}

// BenchmarkLinks gathers 200,000 links between 50,000 notes, and asks what is near a note.
func BenchmarkLinks(b *testing.B) {
	notes := make([]*vault.Note, 50_000)
	for i := range notes {
		var text strings.Builder
		for k := range 4 {
			fmt.Fprintf(&text, "[[%d]] ", (i*7+k*k*131+1)%len(notes))
		}
		notes[i] = vault.ParseNote(vault.Path(fmt.Sprintf("%d.md", i)), text.String())
	}
	resolve := func(target string, _ vault.Path) vault.FoundNote {
		return vault.FoundNote{State: vault.OK, Path: vault.Path(target + ".md")}
	}
	links := vault.NewLinks(notes, resolve)
	b.Run("gather", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			vault.NewLinks(notes, resolve)
		}
	})
	b.Run("near", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			links.Near(notes[9].Path)
		}
	})
}
