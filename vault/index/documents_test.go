package index_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/index"
)

func openDocuments(t testing.TB, dir string) *index.Index {
	t.Helper()
	x, err := index.Open(t.Context(), index.Options{Dir: dir, Vault: "v"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// kept is the data of all documents, sorted.
func kept(t *testing.T, x *index.Index) string {
	t.Helper()
	var all []string
	if err := x.Documents(t.Context(), func(data []byte) { all = append(all, string(data)) }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func holding(t *testing.T, x *index.Index, text string) string {
	t.Helper()
	found, err := x.Holding(t.Context(), index.ParseWords(text))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(slices.Sorted(maps.Keys(found)))
}

// TestDocuments: what is kept comes back in another process, and of what was put
// again or forgotten nothing is left.
func TestDocuments(t *testing.T) {
	dir := t.TempDir()
	x := openDocuments(t, dir)
	docs := []index.Document{
		{Path: "a.md", Data: []byte("A1"), Title: "Tomatoes", Sections: []string{"where to plant them?", "south of the fence"}},
		{Path: "b.md", Data: []byte("B1"), Sections: []string{"Café posts", "トマトの畑"}},
		{Path: "c.md", Data: []byte("C1")},
	}
	if err := x.Put(t.Context(), docs, nil); err != nil {
		t.Fatal(err)
	}
	y := openDocuments(t, dir)
	if got := kept(t, y); got != "A1 B1 C1" {
		t.Errorf("kept %s", got)
	}
	for text, want := range map[string]string{
		"tomatoes":        "[a.md c.md]", // c is pending
		"TOMA fence":      "[a.md c.md]", // title and section, and the beginning of a word
		"omato":           "[c.md]",
		"cafe":            "[b.md c.md]",
		"マト":              "[b.md c.md]",
		`"the fence"`:     "[a.md c.md]",
		`"fence the"`:     "[c.md]",
		"plant posts":     "[c.md]",
		"fence and posts": "[c.md]",
	} {
		if got := holding(t, y, text); got != want {
			t.Errorf("%s may be in %s, want %s", text, got, want)
		}
	}
	if pending, err := y.Pending(t.Context()); err != nil || !slices.Equal(pending, []vault.Path{"c.md"}) {
		t.Errorf("pending: %v, %v", pending, err)
	}
	if err := y.Put(t.Context(), []index.Document{{Path: "a.md", Data: []byte("A2")}, {Path: "c.md", Data: []byte("C2"), Sections: []string{}}}, []vault.Path{"b.md", "never.md"}); err != nil {
		t.Fatal(err)
	}
	if got := kept(t, x); got != "A2 C2" {
		t.Errorf("kept %s", got)
	}
	if got := holding(t, x, "tomatoes"); got != "[a.md]" { // pending, its words are forgotten
		t.Errorf("afterwards %s", got)
	}
	if err := x.Put(t.Context(), []index.Document{{Path: "a.md", Data: []byte("A3"), Sections: []string{"peas"}}}, nil); err != nil {
		t.Fatal(err)
	}
	if got := holding(t, x, "tomatoes") + holding(t, x, "pea"); got != "[][a.md]" {
		t.Errorf("words of old text: %s", got)
	}
}

// TestManyDocuments go in several batches.
func TestManyDocuments(t *testing.T) {
	x := openDocuments(t, t.TempDir())
	docs := make([]index.Document, 700)
	for i := range docs {
		docs[i] = index.Document{Path: vault.Path(fmt.Sprint(i)), Data: []byte("d"), Sections: []string{strings.Repeat("word ", 1000)}}
	}
	if err := x.Put(t.Context(), docs, nil); err != nil {
		t.Fatal(err)
	}
	if found, err := x.Holding(t.Context(), index.ParseWords("wor")); err != nil || len(found) != len(docs) {
		t.Errorf("%d of %d, %v", len(found), len(docs), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Documents(ctx, func([]byte) {}); err == nil {
		t.Error("a cancelled reading says nothing")
	}
}

// TestDamagedDocuments: a file that is no database is made anew.
func TestDamagedDocuments(t *testing.T) {
	dir := t.TempDir()
	x := openDocuments(t, dir)
	if err := x.Put(t.Context(), []index.Document{{Path: "a.md", Data: []byte("A")}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.sqlite"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	y := openDocuments(t, dir)
	if got := kept(t, y); got != "" {
		t.Errorf("of a damaged file: %s", got)
	}
	if err := y.Put(t.Context(), []index.Document{{Path: "a.md", Data: []byte("A")}}, nil); err != nil || kept(t, y) != "A" {
		t.Errorf("after that: %v", err)
	}
}

func TestMatch(t *testing.T) {
	sections := []string{"Where do the Tomatoes go?", "South side.\n- away from the fence, where the *ground* is warm"}
	for text, want := range map[string]string{
		"TOMATOES":           "0 Where do the Tomatoes go? true",
		"fence":              "1 away from the fence, where the *ground* is warm true",
		"fence warm":         "1 away from the fence, where the *ground* is warm true",
		"vegetable tomatoes": "0 Where do the Tomatoes go? true",
		"veg bed":            "-1  true",
		"tomatoes fence":     "0 Where do the Tomatoes go? true",
		"fence posts":        "-1  false",
		"omatoes":            "-1  false",
		`"south side"`:       "1 South side. true",
	} {
		section, snippet, ok := index.ParseWords(text).Match("Vegetable bed", sections)
		if got := fmt.Sprintln(section, snippet, ok); got != want+"\n" {
			t.Errorf("%s: %s", text, got)
		}
	}
	if !index.ParseWords(" ?! ").None() {
		t.Error("signs are words")
	}
}
