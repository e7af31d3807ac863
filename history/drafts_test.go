package history_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault/vaulttest"
)

// TestDrafts: drafts are stored, one per chat, readable only by the user, and deleted with
// their chat.
func TestDrafts(t *testing.T) {
	v, state := vaulttest.New(t, ""), t.TempDir()
	now := noon
	opts := history.Options{StateDir: state, Now: func() time.Time { return now }}
	one, two := store(t, v, opts), store(t, v, opts)
	read := func(s *history.Store, epoch int64, want string) {
		t.Helper()
		if data, err := s.Drafts().Read(epoch); string(data) != want || err != nil {
			t.Errorf("the draft of %d is %q (%v), want %q", epoch, data, err, want)
		}
	}
	keep := func(s *history.Store, epoch int64, text string) {
		t.Helper()
		if err := s.Drafts().Keep(epoch, []byte(text)); err != nil {
			t.Error(err)
		}
	}
	c := saved(t, one, "a question", "an answer")
	take := func(s *history.Store, want string) int64 {
		t.Helper()
		n, data, err := s.Drafts().Take()
		if n >= 0 || string(data) != want || err != nil {
			t.Errorf("%d is %q (%v), want %q", n, data, err, want)
		}
		return n
	}
	keep(one, c.Epoch, "old")
	keep(one, c.Epoch, "of the chat")
	first, other, second := take(one, ""), take(one, ""), take(two, "")
	keep(one, first, "of the first window")
	keep(one, other, "its other one")
	keep(two, second, "of the second window")
	keep(two, other, "not its own")
	read(one, c.Epoch, "of the chat")
	read(one, first, "of the first window")
	read(one, other, "its other one")
	read(two, second, "of the second window")
	files, _ := filepath.Glob(filepath.Join(state, "drafts", "*"))
	if len(files) != 4 {
		t.Errorf("files %q, want four", files)
	}
	for i, name := range files {
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
		at := time.Now().Add(time.Duration(-i) * time.Hour) // the names are in the order of the numbers
		if err := os.Chtimes(name, at, at); err != nil {
			t.Error(err)
		}
	}

	// A window that ended leaves its drafts to the next one that asks, the newest first.
	check(t, one.Close())
	one = store(t, v, opts)
	keep(one, first, "not taken")
	first = take(one, "of the first window")
	take(one, "its other one")
	third := take(one, "")
	keep(one, first, "")
	if err := errors.Join(one.Drafts().Release(first), one.Drafts().Release(third)); err != nil {
		t.Error(err)
	}
	is(t, take(two, ""), first)

	_, err := one.Delete(c.Path)
	check(t, err)
	read(one, c.Epoch, "")

	keep(one, 7, "long ago")
	cut := files[0] + ".tmp" // of a process that was killed
	check(t, os.WriteFile(cut, []byte("lon"), 0o600))
	now = time.Now().AddDate(0, 4, 0)
	keep(one, 8, "now")
	read(one, 7, "")
	if _, err := os.Stat(cut); err == nil {
		t.Error("what was half written stays")
	}

	none := store(t, v, history.Options{})
	if n, _, err := none.Drafts().Take(); n != 0 || err != nil {
		t.Error(n, err)
	}
	keep(none, 7, "not kept")
	read(none, 7, "")
}
