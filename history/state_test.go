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
	if got := kinds(save(t, s, &c)); got != "state" {
		t.Errorf("first save: %q", got)
	}
	c.Messages[0].Text = "Q?"
	if got := kinds(save(t, s, &c)); got != "" {
		t.Errorf("second save: %q", got)
	}
	if _, err := s.Rename(c.Path, "Title"); err != nil {
		t.Error(err)
	}
	other := store(t, v, history.Options{StateDir: inTheWay})
	got, warnings, err := other.Open("Chats/Title@20250127_120000.md")
	if err != nil || got.ReadOnly || kinds(warnings) != "state" {
		t.Errorf("opened read-only %v, %q, %v", got.ReadOnly, kinds(warnings), err)
	}
}
