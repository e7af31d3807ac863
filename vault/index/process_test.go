package index_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/names"
	"ibid/vault/vaulttest"
)

// The environment variable that makes the test binary a second process: it
// brings the index in that folder up to date with generated notes.
const helperDir = "INDEX_TEST_DIR"

const helperNotes = 1000

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperDir); dir != "" {
		if err := syncGenerated(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func syncGenerated(dir string) error {
	ctx := context.Background()
	x, err := index.Open(ctx, index.Options{Dir: dir, Vault: "/notes"})
	if err != nil {
		return err
	}
	src := generateNotes(helperNotes)
	src.onto = func(reads int) {
		if reads%100 == 0 {
			fmt.Println(reads)
		}
	}
	if err := x.Sync(ctx, src); err != nil {
		return err
	}
	return x.Close()
}

// helper starts a second process and gives what it prints.
func helper(t *testing.T, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperDir+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

// A process that is killed in the middle of a Sync leaves what it finished.
func TestKilledProcess(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	src := generateNotes(helperNotes)
	for _, at := range []string{"400", "800"} {
		dir := t.TempDir()
		cmd, out := helper(t, dir)
		for out.Scan() && out.Text() != at {
		}
		check(t, cmd.Process.Kill())
		_ = cmd.Wait() // killed
		x := open(t, dir)
		if x.Ready() {
			t.Errorf("at %s: ready", at)
		}
		src.reads = 0
		check(t, x.Sync(t.Context(), src))
		if src.reads == 0 || src.reads >= helperNotes {
			t.Errorf("at %s: %d notes of %d read again", at, src.reads, helperNotes)
		}
		n := src.Notes()[11]
		got := search(t, index.Searcher{Source: src, Index: x}, index.Query{Text: n.Headings[1].Text})
		if len(got) == 0 || got[0].Path != n.Path || got[0].Heading != n.Headings[1].Text {
			t.Errorf("at %s: %+v", at, got)
		}
	}
}

// Two processes write one index; both finish, and nothing is in it twice.
func TestTwoProcesses(t *testing.T) {
	src := generateNotes(helperNotes)
	dir := t.TempDir()
	cmd, out := helper(t, dir)
	x := open(t, dir)
	if err := x.Sync(t.Context(), src); err != nil {
		t.Error(err)
	}
	for out.Scan() {
	}
	check(t, cmd.Wait())
	n := src.Notes()[5]
	hits := search(t, index.Searcher{Source: src, Index: x}, index.Query{Text: n.Title[strings.LastIndex(n.Title, " ")+1:], Notes: []vault.Path{n.Path}})
	if len(hits) != 1 {
		t.Errorf("a note is found %d times", len(hits))
	}
}

// Searches go on while the index is written.
func TestSearchDuringSync(t *testing.T) {
	src := generateNotes(600)
	src.put("needle.md", "needleword")
	x := open(t, t.TempDir())
	s := index.Searcher{Source: src, Index: x}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		defer cancel()
		for range 3 {
			if err := x.Sync(context.WithoutCancel(ctx), src); err != nil {
				t.Error(err)
			}
			for _, n := range src.Notes()[:50] {
				src.put(string(n.Path), "changed")
			}
		}
	})
	for range 2 {
		wg.Go(func() {
			for ctx.Err() == nil {
				hits, err := s.Search(context.WithoutCancel(ctx), index.Query{Text: "needleword"})
				if err != nil || paths(hits) != "needle.md" {
					t.Errorf("%+v %v", hits, err)
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	wg.Wait()
}

// With a vault on disk: an edit, a rename, a note that becomes private and
// one that is excluded reach the answers.
func TestVaultChanges(t *testing.T) {
	v := vaulttest.New(t, `
-- Garden/Beds.md --
---
aliases: [Raised beds]
tags: [soil]
---
Compost in spring.
-- Diary.md --
Walnuts in the garden.
-- Archive/Old.md --
Compost of ten years.
`)
	x := synced(t, v)
	expect := func(query, want string) {
		t.Helper()
		for _, s := range []index.Searcher{{Source: v, Index: x}, {Source: v}} {
			if got := paths(search(t, s, index.Query{Text: query})); got != want {
				t.Errorf("%q (index %v): %q, want %q", query, s.Index != nil, got, want)
			}
		}
	}
	refresh := func() {
		t.Helper()
		changes, err := v.Revalidate(t.Context())
		check(t, err)
		check(t, x.Apply(t.Context(), changes, v))
	}
	expect("compost ten", "Archive/Old.md Garden/Beds.md")
	expect("raised beds", "Garden/Beds.md")
	expect("soil", "Garden/Beds.md")

	vaulttest.Write(t, v, "Diary.md", "Hazelnuts in the garden.\n")
	refresh()
	expect("hazelnuts", "Diary.md")
	expect("walnuts", "")

	check(t, os.Rename(filepath.Join(v.Dir(), "Diary.md"), filepath.Join(v.Dir(), "Garden", "Nuts.md")))
	refresh()
	expect("hazelnuts", "Garden/Nuts.md")

	vaulttest.Write(t, v, "Garden/Nuts.md", "---\nprivate: true\n---\nHazelnuts in the garden.\n")
	refresh()
	expect("hazelnuts", "")

	vaulttest.Write(t, v, ".obsidian/app.json", `{"userIgnoreFilters": ["Archive/"]}`)
	refresh()
	expect("compost", "Garden/Beds.md")

	if _, ok := names.New(v.Notes(), v.Files()).Entry("Garden/Nuts.md"); ok {
		t.Error("the picker offers a private note")
	}
	near := vault.NewLinks(v.Notes(), v.Resolve).Near("Garden/Beds.md")
	if len(near) != 1 {
		t.Errorf("near %v", near)
	}
}
