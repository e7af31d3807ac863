package index_test

import (
	"context"
	"fmt"
	"os"

	"ibid/vault"
	"ibid/vault/index"
)

// What a picker shows while a person types.
func ExampleFinder() {
	notes := []*vault.Note{
		vault.ParseNote("Piano/Lesson 4.md", "#lesson"),
		vault.ParseNote("Piano/Week 12.md", "---\naliases: [Lesson plan]\n---\n[[Lesson 4]]"),
		vault.ParseNote("Inbox/Guitar lesson ideas.md", ""),
	}
	names := index.NewNames(notes, []vault.Path{"Files/les-paul.png"})
	links := index.NewLinks(notes, func(target string, _ vault.Path) vault.FoundNote {
		return vault.FoundNote{State: vault.OK, Path: vault.Path("Piano/" + target + ".md")}
	})
	f := index.NewFinder(names, index.Context{Near: links.Near("Piano/Lesson 4.md")})
	for _, query := range []string{"l", "le", "les", "less 4"} {
		fmt.Printf("%s: ", query)
		for _, m := range f.Find(query, 3) {
			fmt.Printf("%s (%s); ", m.Title, m.Text)
		}
		fmt.Println(f.Total())
	}
	// Output:
	// l: Lesson 4 (Lesson 4); Week 12 (Lesson plan); les-paul.png (les-paul.png); 6
	// le: Lesson 4 (Lesson 4); Week 12 (Lesson plan); les-paul.png (les-paul.png); 6
	// les: Lesson 4 (Lesson 4); Week 12 (Lesson plan); les-paul.png (les-paul.png); 6
	// less 4: Lesson 4 (Lesson 4); 1
}

// A search answers before the index is ready, and in the same way after.
func ExampleSearcher() {
	ctx := context.Background()
	notes := newMemory(map[string]string{
		"Scales.md": "# Contrary motion\n\nBoth thumbs start on C.\n\n# Fingering\n\nKeep the wrist low and count aloud.\n",
		"Wrist.md":  "Rest it when it hurts.\n",
	})
	dir, err := os.MkdirTemp("", "index")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	x, err := index.Open(ctx, index.Options{Dir: dir, Vault: "/home/ada/notes"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Close()
	s := index.Searcher{Source: notes, Index: x}
	for range 2 {
		hits, err := s.Search(ctx, index.Query{Text: "low wrist"})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("ready:", x.Ready())
		for _, h := range hits {
			fmt.Printf("%s:%d %q %s\n", h.Path, h.Line, h.Heading, h.Snippet)
		}
		if err := x.Sync(ctx, notes); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// ready: false
	// Scales.md:7 "Fingering" Keep the wrist low and count aloud.
	// Wrist.md:1 "" Rest it when it hurts.
	// ready: true
	// Scales.md:7 "Fingering" Keep the wrist low and count aloud.
	// Wrist.md:1 "" Rest it when it hurts.
}
