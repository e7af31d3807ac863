package history_test

import (
	"os"
	"path/filepath"
	"testing"

	"ibid/history"
)

// A state folder that cannot be used costs one warning, and not the chat.
func TestNoStateFolder(t *testing.T) {
	inTheWay := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(inTheWay, nil, 0o600))
	v, s := fresh(t, history.Options{StateDir: filepath.Join(inTheWay, "state")})
	c := talk("Q")
	is(t, kinds(save(t, s, &c)), "state", "first save")
	c.Messages[0].Text = "Q?"
	is(t, kinds(save(t, s, &c)), "", "second save")
	if _, err := s.Rename(c.Path, "Title"); err != nil {
		t.Error(err)
	}
	other := store(t, v, history.Options{StateDir: inTheWay})
	got, warnings, err := other.Open("Chats/Title@20250127_120000.md")
	if err != nil || got.ReadOnly || kinds(warnings) != "state" {
		t.Errorf("opened read-only %v, %q, %v", got.ReadOnly, kinds(warnings), err)
	}
}
