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
	check(t, err)
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// kept returns the data of all documents, sorted.
func kept(t *testing.T, x *index.Index) string {
	t.Helper()
	var all []string
	if err := x.Documents(t.Context(), func(data []byte) { all = append(all, string(data)) }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// TestDocuments: what is kept comes back in another process, and of what was put
// again or forgotten nothing is left.
func TestDocuments(t *testing.T) {
	dir := t.TempDir()
	x, y := openDocuments(t, dir), openDocuments(t, dir)
	for _, tt := range []struct {
		put  map[vault.Path][]byte
		gone []vault.Path
		want string
	}{
		{map[vault.Path][]byte{"a.md": []byte("A1"), "b.md": []byte("B1")}, nil, "A1 B1"},
		{map[vault.Path][]byte{"a.md": []byte("A2"), "c.md": []byte("C1")}, []vault.Path{"b.md", "never.md"}, "A2 C1"},
	} {
		check(t, x.Put(t.Context(), tt.put, tt.gone))
		if got := kept(t, y); got != tt.want {
			t.Errorf("kept %s, want %s", got, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Documents(ctx, func([]byte) {}); err == nil {
		t.Error("a cancelled reading says nothing")
	}
}

// TestHolding: words are found wherever they stand in a chat, and one that is not in the
// index as it is now may hold any.
func TestHolding(t *testing.T) {
	src := newMemory(map[string]string{
		"a.md": "# Tomatoes\n\nwhere to plant them?\n\n# Answer\n\nsouth of the fence", "b.md": "Café posts\n\nトマトの畑", "c.md": "peas",
	})
	x := synced(t, src)
	changed := map[vault.Path]int64{"new.md": day.UnixNano()}
	for _, n := range src.Notes() {
		changed[n.Path] = n.ModTime.UnixNano()
	}
	changed["c.md"]++
	for text, want := range map[string]string{
		"tomatoes":        "[a.md c.md new.md]",
		"TOMA fence":      "[a.md c.md new.md]", // of two sections, and the beginning of a word
		"omato":           "[c.md new.md]",
		"cafe":            "[b.md c.md new.md]",
		"マト":              "[b.md c.md new.md]",
		`"the fence"`:     "[a.md c.md new.md]",
		`"fence the"`:     "[c.md new.md]",
		"plant posts":     "[c.md new.md]",
		"fence and posts": "[c.md new.md]",
	} {
		found, err := x.Holding(t.Context(), index.ParseWords(text), changed)
		if got := fmt.Sprint(slices.Sorted(maps.Keys(found))); got != want || err != nil {
			t.Errorf("%s may be in %s, want %s; %v", text, got, want, err)
		}
	}
}

// TestDamagedDocuments: a file that is no database is made anew.
func TestDamagedDocuments(t *testing.T) {
	dir := t.TempDir()
	x := openDocuments(t, dir)
	if err := x.Put(t.Context(), map[vault.Path][]byte{"a.md": []byte("A")}, nil); err != nil {
		t.Fatal(err)
	}
	check(t, x.Close())
	files, err := filepath.Glob(filepath.Join(dir, "*.sqlite"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	check(t, os.WriteFile(files[0], []byte(strings.Repeat("no database ", 1000)), 0o600))
	y := openDocuments(t, dir)
	if got := kept(t, y); got != "" {
		t.Errorf("of a damaged file: %s", got)
	}
	if err := y.Put(t.Context(), map[vault.Path][]byte{"a.md": []byte("A")}, nil); err != nil || kept(t, y) != "A" {
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
