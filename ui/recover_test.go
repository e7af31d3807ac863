package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSavedLater: the header says that a chat is not saved until it was saved in the
// background.
func TestSavedLater(t *testing.T) {
	playAt(t, 120, 30, replies(slow("one "+strings.Repeat("word ", 200)+"eight")),
		func(r *stage) {
			r.Ask("first", "one")
			chats, away := filepath.Join(r.dir, "Chats"), filepath.Join(r.TempDir(), "Chats")
			move(r.T, chats, away)
			check(r, os.WriteFile(chats, nil, 0o600))
			r.Pass(20 * time.Second)
			r.Want("eight", "not saved")
			check(r, os.Remove(chats))
			move(r.T, away, chats)
			r.Pass(20 * time.Second)
			r.Want("saved ✓")
			if text := r.chatText(""); !strings.Contains(text, "eight") {
				r.Error(text)
			}
		})
}

func move(t *testing.T, from, to string) {
	t.Helper()
	check(t, os.Rename(from, to))
}
