package history_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// crashed streams text into the reply to the last question of a chat, and ends as a
// process does that is killed.
func crashed(t *testing.T, v *vault.Vault, state string, c *history.Chat, text string) {
	t.Helper()
	s := store(t, v, history.Options{StateDir: state})
	if c.Path == "" {
		save(t, s, c)
	} else {
		*c = open(t, s, c.Path)
	}
	j := s.Journal(c, c.LastTurn())
	j.Write(text)
	check(t, j.Close(c, false))
	check(t, s.Close())
}

// later opens the store as another process, some minutes later.
func later(t *testing.T, v *vault.Vault, state string) *history.Store {
	return store(t, v, history.Options{StateDir: state, Now: func() time.Time { return time.Now().Add(5 * time.Minute) }})
}

func unsaved(t *testing.T, s *history.Store) []history.UnsavedChat {
	t.Helper()
	all, err := s.Unsaved()
	check(t, err)
	return all
}

func lyingAbout(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A journal that a process is still writing, one of another vault and one that has
// just been written are left alone; what is in its chat goes after a minute, like
// temporary files.
func TestSweep(t *testing.T) {
	v, state := vaulttest.New(t, ""), t.TempDir()
	c := talk("Q", "All of it.")
	crashed(t, v, state, &c, "All")
	other := talk("Elsewhere", "Whole.")
	crashed(t, vaulttest.New(t, ""), state, &other, "Not here")

	streaming := talk("Now", "Whole.")
	s := store(t, v, history.Options{StateDir: state})
	save(t, s, &streaming)
	j := s.Journal(&streaming, 0)
	defer j.Close(&streaming, true) //nolint:errcheck // the test is over
	j.Write("coming")
	for len(lyingAbout(t, filepath.Join(state, "unsaved"))) < 3 {
		time.Sleep(10 * time.Millisecond)
	}
	minute := time.Now().Add(-2 * time.Minute)
	for name, age := range map[string]bool{
		"Chats/.ibid-OLD.tmp": true, "Chats/a/.ibid-OLD.tmp": true, "Chats/.ibid-NEW.tmp": false, ".ibid-OLD.tmp": true,
		"Chats/.mine.tmp": true,
	} {
		vaulttest.Write(t, v, vault.Path(name), "half a fi")
		if file := filepath.Join(v.Dir(), name); age {
			check(t, os.Chtimes(file, minute, minute))
		}
	}
	young := store(t, v, history.Options{StateDir: state, Now: time.Now})
	if all := unsaved(t, young); len(all) != 0 || len(lyingAbout(t, filepath.Join(state, "unsaved"))) != 3 {
		t.Errorf("offered %+v", all)
	}
	want := []string{".ibid-NEW.tmp", ".mine.tmp", "Now@20250127_120001.md", "Q@20250127_120000.md", "a"}
	is(t, lyingAbout(t, filepath.Join(v.Dir(), "Chats")), want)
	if all := unsaved(t, later(t, v, state)); len(all) != 0 || len(lyingAbout(t, filepath.Join(state, "unsaved"))) != 2 {
		t.Errorf("offered %+v, %q left", all, lyingAbout(t, filepath.Join(state, "unsaved")))
	}
}
