package tool_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ibid/chains"
	"ibid/chains/tool"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

// Of private notes a person is told that there is something, and a model nothing.
func TestAllHitsPrivate(t *testing.T) {
	run := box(t, newVault(t), state.State{})
	for args, note := range map[string]string{
		`{"query":"where is the treasure?"}`:             "nothing that may be sent",
		`{"query":"treasure","folder":"Garden"}`:         "no note matches",
		`{"query":"helicopter"}`:                         "no note matches",
		`{"query":"[[Secret]]"}`:                         "nothing that may be sent",
		`{"query":"the treasure","timeRange":"in 1999"}`: "no note matches",
	} {
		out := run("localSearch", args)
		if text := out.Result("localSearch").Text(nil); !strings.HasPrefix(out.Note, note) ||
			strings.Contains(text, "Secret") || strings.Contains(text, "oak") || len(out.Documents)+len(out.Sources) > 0 {
			t.Errorf("%s: %q, %s", args, out.Note, text)
		}
	}
}

// A word is found wherever it stands in a private note.
func TestLongPrivateNote(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "word%d ", i)
	}
	run := box(t, vaulttest.New(t, "-- Diary.md --\n---\nprivate: true\n---\n"+text.String()+"the treasure\n"), state.State{})
	if out := run("localSearch", `{"query":"where is the treasure?"}`); !strings.HasPrefix(out.Note, "nothing that may be sent") {
		t.Error(out.Note)
	}
}

// The same text in 400 notes is one passage, and another one has room.
func TestManyOfTheSame(t *testing.T) {
	var archive strings.Builder
	for i := range 400 {
		fmt.Fprintf(&archive, "-- copy %d.md --\nThe pump stands in the cellar.\n", i)
	}
	archive.WriteString("-- other.md --\nThe pump was sold in May.\n")
	out := box(t, vaulttest.New(t, archive.String()), state.State{})("localSearch", `{"query":"the pump"}`)
	is(t, len(out.Documents), 2, out.Note)
}

// Of a note of 5 MB the part with the words is sent, where notes of that size are
// read; else there is nothing of it but its name.
func TestLargeHit(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("Straw and more straw.\n\n", 230_000)
	text = text[:len(text)/2] + "\n\nThe needle is blue.\n\n" + text[len(text)/2:]
	check(t, os.WriteFile(filepath.Join(dir, "Haystack.md"), []byte(text), 0o600))
	v := vaulttest.Open(t, dir, vault.Options{MaxNote: 16 << 20})
	check(t, v.Scan(t.Context()))
	out := box(t, v, state.State{})("localSearch", `{"query":"which colour has the needle"}`)
	if len(out.Documents) == 0 || !strings.Contains(out.Documents[0].Content, "The needle is blue.") ||
		len(out.Documents[0].Content) > 2000 {
		t.Errorf("%d passages: %s", len(out.Documents), out.Note)
	}
	v = vaulttest.Open(t, dir, vault.Options{})
	check(t, v.Scan(t.Context()))
	if out := box(t, v, state.State{})("localSearch", `{"query":"the haystack"}`); len(out.Documents) != 0 ||
		!strings.Contains(out.Text, "Haystack (Haystack.md)") {
		t.Errorf("%d passages: %s", len(out.Documents), out.Text)
	}
}

// While notes come, go and become private, a search gives what is there and says
// nothing of what may not be sent, with an index and without.
func TestVaultChanges(t *testing.T) {
	v := vaulttest.New(t, notes)
	x, err := index.Open(t.Context(), index.Options{Dir: t.TempDir(), Vault: v.Dir()})
	check(t, err)
	defer func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}()
	check(t, x.Sync(t.Context(), v))
	path := func(name string) string { return filepath.Join(v.Dir(), filepath.FromSlash(name)) }
	var changing sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	defer changing.Wait()
	defer stop()
	changing.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			switch i % 3 {
			case 0:
				_ = os.Remove(path("Daily/2025-07-01.md"))
			case 1:
				_ = os.WriteFile(path("Daily/2025-07-01.md"),
					[]byte("---\nprivate: true\n---\nThe gutter is full of gold.\n"), 0o600)
			case 2:
				_ = os.WriteFile(path("Daily/2025-07-01.md"), []byte("The gutter leaks again.\n"), 0o600)
			}
			if i%5 == 0 {
				_, _ = v.Revalidate(ctx)
			}
		}
	})
	for i := range 200 {
		s := index.Searcher{Source: v}
		if i%2 == 0 {
			s.Index = x
		}
		tools := tool.New(tool.Options{Vault: v, Searcher: func(context.Context) index.Searcher { return s }})
		local := tools[slices.IndexFunc(tools, func(t chains.Tool) bool { return t.Spec().Name == chains.SearchTool })]
		out := value(chains.RunTool(t.Context(), local, `{"query":"gutter","limit":3}`))(t)
		if text := out.Result("localSearch").Text(nil); !strings.Contains(text, "Rain runs along the gutter.") ||
			strings.Contains(text, "gold") {
			t.Fatalf("search %d: %s", i, text)
		}
		if without := strings.Contains(out.Note, ", read without the index"); without != (s.Index == nil) {
			t.Fatalf("search %d: %q", i, out.Note)
		}
	}
}
