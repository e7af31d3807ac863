package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestSavedLater: the header says that a chat is not saved until it was saved in the
// background.
func TestSavedLater(t *testing.T) {
	play(t, 120, 30, []chaintest.Reply{slow("one " + strings.Repeat("word ", 200) + "eight")},
		func(t *testing.T, r *uitest.Robot, g *rig) {
			ask(r, "first", "one")
			chats, away := filepath.Join(g.dir, "Chats"), filepath.Join(t.TempDir(), "Chats")
			move(t, chats, away)
			if err := os.WriteFile(chats, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			r.Pass(20 * time.Second)
			want(t, r, "eight", "not saved")
			if err := os.Remove(chats); err != nil {
				t.Fatal(err)
			}
			move(t, away, chats)
			r.Pass(20 * time.Second)
			want(t, r, "saved ✓")
			if text := g.chatFile(t); !strings.Contains(text, "eight") {
				t.Error(text)
			}
		})
}

func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
