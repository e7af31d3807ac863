package history_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault/vaulttest"
)

// TestDrafts keeps what stands in prompts: one a chat, of new chats one a process, for
// nobody else to read, and deletes it with its chat.
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
	c := talk("a question", "an answer")
	save(t, one, &c)
	read(one, 0, "")
	keep(one, c.Epoch, "old")
	keep(one, c.Epoch, "of the chat")
	keep(one, 0, "of the first window")
	keep(two, 0, "of the second window")
	read(one, c.Epoch, "of the chat")
	read(one, 0, "of the first window")
	read(two, 0, "of the second window")
	files, _ := filepath.Glob(filepath.Join(state, "drafts", "*"))
	if len(files) != 3 {
		t.Errorf("files %q, want three", files)
	}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}

	// A window that ended leaves its draft to the next one that has none.
	if err := two.Close(); err != nil {
		t.Fatal(err)
	}
	keep(one, 0, "")
	read(one, 0, "of the second window")
	keep(one, 0, "")
	read(one, 0, "")

	if _, err := one.Delete(c.Path); err != nil {
		t.Fatal(err)
	}
	read(one, c.Epoch, "")

	keep(one, 7, "long ago")
	now = time.Now().AddDate(0, 4, 0)
	keep(one, 8, "now")
	read(one, 7, "")

	none := store(t, v, history.Options{})
	keep(none, 0, "not kept")
	read(none, 0, "")
}
