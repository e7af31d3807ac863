package index_test

import (
	"context"
	"fmt"
	"os"

	"ibid/vault/index"
)

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
