package history_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestHalfWritten: a file that another program is writing is looked at twice.
func TestHalfWritten(t *testing.T) {
	v, s := fresh(t, history.Options{})
	c := saved(t, s, "first question", "first answer")
	whole := onDisk(t, v, c.Path) + "\n\n**user**: from elsewhere\n[Timestamp: 2025/01/27 13:00:00]"
	name := filepath.Join(v.Dir(), c.Path.Native())
	finish := func(half string) {
		vaulttest.Write(t, v, c.Path, half)
		time.AfterFunc(30*time.Millisecond, func() {
			if err := os.WriteFile(name, []byte(whole), 0o644); err != nil {
				t.Error(err)
			}
		})
	}
	finish(whole[:strings.Index(whole, "**ai**")])
	c.Messages = append(c.Messages, talk("", "", "mine").Messages[2])
	if got := kinds(save(t, s, &c)); got != "merged" ||
		strings.Join(texts(c), ", ") != "first question, first answer, from elsewhere, mine" {
		t.Errorf("%s: %q", got, texts(c))
	}
	finish("")
	if again, _, err := s.Open(c.Path); err != nil || len(again.Messages) != 3 {
		t.Errorf("opened with %d messages, %v", len(again.Messages), err)
	}

	finish(whole) // gone for a moment
	check(t, os.Remove(name))
	c = open(t, s, func() vault.Path { time.Sleep(60 * time.Millisecond); return c.Path }())
	c.Messages = append(c.Messages, talk("late").Messages...)
	finish(whole)
	check(t, os.Remove(name))
	if got := kinds(save(t, s, &c)); got != "" || c.Path.Dir() != "Chats" {
		t.Errorf("gone for a moment: %q", got)
	}
}
