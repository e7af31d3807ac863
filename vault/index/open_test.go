package index_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ibid/vault/index"
)

// versioned leaves an index file of another version in dir, 0 for this one, and returns
// its name.
func versioned(t *testing.T, dir string, version int) (file string) {
	t.Helper()
	x := open(t, dir)
	check(t, x.Sync(t.Context(), generateNotes(20)))
	check(t, x.Close())
	files, _ := filepath.Glob(filepath.Join(dir, "*.sqlite"))
	if version == 0 {
		return files[0]
	}
	db, err := sql.Open("sqlite", files[0])
	check(t, err)
	_, err = db.Exec(fmt.Sprintf("PRAGMA user_version = %d", version))
	check(t, errors.Join(err, db.Close()))
	return files[0]
}

// Several openers of an index that is old or damaged make one new one.
func TestOpenersOfAnOldIndex(t *testing.T) {
	src := generateNotes(40)
	for i := range 12 {
		dir := t.TempDir()
		if file := versioned(t, dir, 1); i%2 == 1 {
			write(t, file, bytes.Repeat([]byte("garbage "), 2000))
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				x, err := index.Open(t.Context(), index.Options{Dir: dir, Vault: "/notes"})
				if err != nil {
					t.Error(err)
					return
				}
				if err := x.Sync(t.Context(), src); err != nil {
					t.Error(err)
				}
				if err := x.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if x := open(t, dir); !x.Ready() {
			t.Fatalf("%d: nobody's work is in the file", i)
		}
	}
}

// A file that goes away while it is written is made again by the same Sync.
func TestDeletedDuringSync(t *testing.T) {
	src, dir := generateNotes(700), t.TempDir()
	x := open(t, dir)
	src.onto = func(reads int) {
		if reads != 400 {
			return
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*.sqlite*"))
		for _, file := range files {
			if err := os.Remove(file); err != nil {
				t.Skip(err) // a system that keeps open files
			}
		}
	}
	check(t, x.Sync(t.Context(), src))
	if y := open(t, dir); !y.Ready() || !x.Ready() {
		t.Error("the index is not complete")
	}
}

// An index that a newer version of the program made is left alone; searches read.
func TestNewerIndex(t *testing.T) {
	dir := t.TempDir()
	file := versioned(t, dir, 1_000_000)
	before, err := os.ReadFile(file)
	check(t, err)
	x, err := index.Open(t.Context(), index.Options{Dir: dir, Vault: "/notes"})
	if x != nil || !errors.Is(err, index.ErrNewer) || strings.Contains(err.Error(), "\n") {
		t.Errorf("Open = %v, %v", x, err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the file was written: %v", err)
	}
	src := newMemory(map[string]string{"a.md": "walnut"})
	if got := paths(search(t, index.Searcher{Source: src, Index: x}, index.Query{Text: "walnut"})); got != "a.md" {
		t.Errorf("found %q", got)
	}
}

// TestSyncOfNothingWritesNothing: a sync without changes does not write, so that it waits for
// no other writer.
func TestSyncOfNothingWritesNothing(t *testing.T) {
	src, dir := generateNotes(30), t.TempDir()
	x := open(t, dir)
	check(t, x.Sync(t.Context(), src))
	files, _ := filepath.Glob(filepath.Join(dir, "*.sqlite"))
	db, err := sql.Open("sqlite", files[0])
	check(t, err)
	defer db.Close()
	lock, err := db.Conn(t.Context())
	check(t, err)
	defer lock.Close()
	if _, err := lock.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	y := open(t, dir)
	for _, x := range []*index.Index{x, y} {
		if err := x.Sync(t.Context(), src); err != nil {
			t.Error(err)
		}
	}
	src.put("new.md", "pecan")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := x.Sync(ctx, src); err == nil || time.Since(began) > 8*time.Second { // it would wait for 10
		t.Errorf("Sync of a locked file: %v after %v", err, time.Since(began))
	}
	if _, err := lock.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	check(t, x.Sync(t.Context(), src))
	if got := paths(search(t, index.Searcher{Source: src, Index: y}, index.Query{Text: "pecan"})); got != "new.md" {
		t.Errorf("found %q", got)
	}
}

// Whoever only looks leaves every file as it is, and makes none.
func TestLook(t *testing.T) {
	look := func(dir string) (index.Status, error) {
		x, err := index.Open(t.Context(), index.Options{Dir: dir, Vault: "/notes", Look: true})
		if err != nil {
			return index.Status{}, err
		}
		defer x.Close()
		return x.Status(t.Context(), generateNotes(20))
	}
	none := filepath.Join(t.TempDir(), "none")
	if _, err := look(none); err == nil || index.Exists(index.Options{Dir: none, Vault: "/notes"}) {
		t.Errorf("no index: %v", err)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("the folder was made")
	}
	for name, want := range map[string]error{"sound": nil, "old": index.ErrUnsound, "newer": index.ErrNewer, "garbage": index.ErrUnsound, "empty": index.ErrUnsound} {
		dir := t.TempDir()
		file := versioned(t, dir, map[string]int{"old": 1, "newer": 99}[name])
		switch name {
		case "garbage":
			write(t, file, bytes.Repeat([]byte("garbage "), 2000))
		case "empty":
			write(t, file, nil)
		}
		before, _ := os.ReadFile(file)
		s, err := look(dir)
		if !errors.Is(err, want) || want == nil && (err != nil || s.Notes != 20 || s.Behind != 0 || !s.Ready) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if after, _ := os.ReadFile(file); !bytes.Equal(before, after) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// countdown is a context that ends after a number of questions about its end.
type countdown struct {
	context.Context
	left atomic.Int64
	end  context.CancelFunc
}

func (c *countdown) Done() <-chan struct{} {
	if c.left.Add(-1) == 0 {
		c.end()
	}
	return c.Context.Done()
}

// A Sync that is stopped, wherever it stands, says so and nothing else, and the next
// one goes on.
func TestSyncStopped(t *testing.T) {
	src, x := generateNotes(30), open(t, t.TempDir())
	stopped := 0
	for n := range 60 {
		src.put("new.md", fmt.Sprint("words ", n))
		ctx, cancel := context.WithCancel(t.Context())
		c := &countdown{Context: ctx, end: cancel}
		c.left.Store(int64(n))
		err := x.Sync(c, src)
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("after %d: %v", n, err)
		}
		if err != nil {
			stopped++
		}
	}
	if stopped == 0 {
		t.Error("none was stopped")
	}
	if err := x.Sync(t.Context(), src); err != nil || !x.Ready() {
		t.Errorf("at last: %v", err)
	}
}

// A search looks into one list of words after the first build.
func TestBuildMerges(t *testing.T) {
	x := synced(t, generateNotes(700))
	db, err := sql.Open("sqlite", x.File())
	check(t, err)
	defer db.Close()
	for _, table := range []string{"text_idx", "title_idx"} {
		var lists int
		check(t, db.QueryRowContext(t.Context(), "SELECT count(DISTINCT segid) FROM "+table).Scan(&lists))
		if lists != 1 {
			t.Errorf("%s has %d lists", table, lists)
		}
	}
}
