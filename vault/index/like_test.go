package index_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ibid/vault/index"
)

// TestLike: what is like a query in its meaning is found where words fail, comes before what
// holds a part of the query, and changes nothing where one section holds all of it.
func TestLike(t *testing.T) {
	src := newMemory(map[string]string{
		"Car.md":    "# Car\n\nintro\n\n## Winter\n\nThe engine wants oil.\n",
		"Garden.md": "# Garden\n\nSlugs eat the lettuce in winter at night.\n",
		"Night.md":  "# Night\n\nSleep early.\n",
	})
	x, asked := synced(t, src), ""
	s := index.Searcher{Source: src, Index: x, Like: func(_ context.Context, text string) map[index.Piece]float64 {
		asked = text
		return map[index.Piece]float64{{Note: "Car.md", Nth: 1}: 1, {Note: "Gone.md"}: 1}
	}}
	hits := search(t, s, index.Query{Text: "automobile"})
	if len(hits) != 1 || hits[0].Path != "Car.md" || hits[0].Heading != "Winter" || hits[0].Shares.Meaning != 1.5 || hits[0].Snippet != "The engine wants oil." || hits[0].Line != 7 {
		t.Errorf("by meaning: %+v", hits)
	}
	words := s
	words.Like = nil
	for of, want := range map[*index.Searcher]string{&words: "Garden.md Car.md", &s: "Car.md Garden.md"} {
		if got := paths(search(t, *of, index.Query{Text: "automobile oil lettuce winter slugs vehicle"})); got != want {
			t.Errorf("some of the words: %q, want %q", got, want)
		}
	}
	for _, text := range []string{"slugs lettuce", "Night", `"eat the lettuce"`} {
		before := search(t, words, index.Query{Text: text})
		after := search(t, s, index.Query{Text: text})
		if len(after) < len(before) || paths(after[:len(before)]) != paths(before) || after[0].Score != before[0].Score {
			t.Errorf("%s: %+v became %+v", text, before, after)
		}
	}
	asked = ""
	search(t, s, index.Query{Text: "automo", Partial: true})
	s.Index = nil
	search(t, s, index.Query{Text: "automobile"})
	if asked != "" {
		t.Errorf("asked for %q while it was typed, or without an index", asked)
	}
	s.Index = x
	found, err := s.Passages(t.Context(), index.Query{Text: "automobile"})
	if err != nil || len(found.List) == 0 || !strings.Contains(found.List[0].Text, "The engine wants oil.") {
		t.Errorf("passages: %+v, %v", found, err)
	}
	car, _ := src.Note("Car.md")
	car.Private = true
	if hits := search(t, s, index.Query{Text: "automobile"}); len(hits) > 0 {
		t.Errorf("a private note: %+v", hits)
	}
}

// TestShares: the shares of a score add up to it.
func TestShares(t *testing.T) {
	src := newMemory(map[string]string{"Oak.md": "# Oak\n\nThe oak is old.\n", "B.md": "# Elm\n\nAn elm beside the oak.\n"})
	s := index.Searcher{Source: src, Index: synced(t, src)}
	for _, h := range search(t, s, index.Query{Text: "oak"}) {
		sh := h.Shares
		if sum := sh.Words + sh.Exact + sh.Section + sh.Time + sh.Name + sh.Meaning; sum < h.Score-0.001 ||
			sum > h.Score+0.001 || (sh.Name > 0) != (h.Path == "Oak.md") {
			t.Errorf("%s: %v is not %+v", h.Path, h.Score, sh)
		}
	}
}

// TestTexts: each piece comes with the title and the headings above it, without properties
// and the addresses of links.
func TestTexts(t *testing.T) {
	src := newMemory(map[string]string{"Oak.md": "tags: secret\n\n# Wood\n\n## Bark\n\nIt is [thick](https://a.example/x).\n"})
	_, texts, err := index.Texts(src, "Oak.md")
	want := []string{"", "", "Oak\nWood\nBark\nIt is  thick ."}
	if d := cmp.Diff(want, texts); d != "" || err != nil {
		t.Errorf("%q, %v", texts, err)
	}
}
