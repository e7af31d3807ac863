package history_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault/vaulttest"
)

// TestBackups: the backups are for nobody else to read, and go when they are old
// and their chats are gone.
func TestBackups(t *testing.T) {
	v := vaulttest.New(t, "")
	state := t.TempDir()
	s := store(t, v, history.Options{StateDir: state, Now: time.Now})
	backups := func() (names []string) {
		names, err := filepath.Glob(filepath.Join(state, "chats", "*"))
		check(t, err)
		return names
	}
	var kept string
	for i := range 99 {
		c := talk(fmt.Sprint("question ", i), "A")
		c.Messages[0].Time = noon.Add(time.Duration(i) * time.Hour)
		save(t, s, &c)
		if i > 0 {
			vaulttest.Remove(t, v, c.Path)
			continue
		}
		names := backups()
		if len(names) != 1 {
			t.Fatalf("%d backups", len(names))
		}
		kept = names[0]
	}
	info, err := os.Stat(kept)
	if err != nil || info.Mode()&0o077&^fs.ModeType != 0 && os.PathSeparator == '/' {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
	old := time.Now().Add(-91 * 24 * time.Hour)
	for i, name := range backups() {
		if i%2 == 0 || name == kept {
			check(t, os.Chtimes(name, old, old))
		}
	}
	c := talk("the hundredth", "A")
	c.Messages[1].Status = history.StatusCut
	save(t, s, &c)
	if n := len(backups()); n != 99 {
		t.Errorf("%d backups while a reply streams", n)
	}
	c.Messages[1].Status = ""
	save(t, s, &c)
	if n := len(backups()); n > 52 || !slices.Contains(backups(), kept) {
		t.Errorf("%d backups are left, that of the chat that is there: %v", n, slices.Contains(backups(), kept))
	}
}
