package history_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault/vaulttest"
)

// TestBackups: the backups are for nobody else to read, and one is made when a reply is whole.
func TestBackups(t *testing.T) {
	v := vaulttest.New(t, "")
	state := t.TempDir()
	s := store(t, v, history.Options{StateDir: state, Now: time.Now})
	backups := func() (names []string) {
		names, err := filepath.Glob(filepath.Join(state, "chats", "*"))
		check(t, err)
		return names
	}
	c := talk("question", "A")
	c.Messages[1].Status = history.StatusCut
	save(t, s, &c)
	if n := len(backups()); n != 0 {
		t.Errorf("%d backups while a reply streams", n)
	}
	c.Messages[1].Status = ""
	save(t, s, &c)
	names := backups()
	if len(names) != 1 {
		t.Fatalf("%d backups", len(names))
	}
	info, err := os.Stat(names[0])
	if err != nil || info.Mode()&0o077&^fs.ModeType != 0 && os.PathSeparator == '/' {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
}
