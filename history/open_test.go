package history_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"ibid/history"
	"ibid/vault/vaulttest"
)

// TestReadersTakeNoLock: who only looks at a chat is in nobody's way, and nobody
// in theirs.
func TestReadersTakeNoLock(t *testing.T) {
	v := vaulttest.New(t, "")
	state := t.TempDir()
	first, reader := store(t, v, history.Options{StateDir: state}), store(t, v, history.Options{StateDir: state})
	c := saved(t, first, "mine", "yours")

	read, warnings, err := reader.Read(t.Context(), c.Path.Base())
	if err != nil || len(warnings) != 0 || len(read.Messages) != 2 {
		t.Fatalf("beside an open chat: %d messages, %v, %v", len(read.Messages), warnings, err)
	}
	if _, err := reader.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, first.Release(&c))
	if _, _, err := reader.Read(t.Context(), string(c.Path)); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Join(state, "locks"))
	if err != nil || len(left) != 0 {
		t.Errorf("lock files after reading: %v, %v", left, err)
	}
	if again := open(t, first, c.Path); again.ReadOnly {
		t.Error("a reader keeps others from writing")
	}
	read.Messages[0].Text = "changed"
	if _, err := reader.Save(&read); !errors.Is(err, history.ErrReadOnly) {
		t.Errorf("saved without a lock: %v", err)
	}
	if _, _, err := reader.Read(t.Context(), "nothing"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a chat that is not there: %v", err)
	}
}
