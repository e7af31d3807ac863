package history_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault/vaulttest"
)

// TestAsked lists what was asked in all chats, newest first and each text once, however
// old the chats of a question are.
func TestAsked(t *testing.T) {
	v := vaulttest.New(t, "-- Chats/foreign.md --\n---\nepoch: 1727129880000\nmodelKey: m\n---\n\n**user**: one\n\n**ai**: yes\n\n**user**: undated\n")
	s := store(t, v, history.Options{})
	old := saved(t, s, "one", "1", "two\nlines", "2", "[Context: Notes: no]", "3", "three")
	old.Messages[0].Context = history.Context{}
	early := noon.Add(-time.Hour)
	check(t, os.Chtimes(filepath.Join(v.Dir(), "Chats", "foreign.md"), early, early))
	texts := func(n int) (texts []string) {
		t.Helper()
		all, err := s.Asked(t.Context(), n)
		check(t, err)
		for _, a := range all {
			texts = append(texts, a.Text)
			if a.Title == "" || a.Time.IsZero() {
				t.Errorf("%+v says neither when nor where", a)
			}
		}
		return texts
	}
	if got, want := texts(10), []string{"three", "[Context: Notes: no]", "two\nlines", "one", "undated"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := texts(2); !slices.Equal(got, []string{"three", "[Context: Notes: no]"}) {
		t.Errorf("the last two are %q", got)
	}
	if _, err := s.Delete(old.Path); err != nil {
		t.Fatal(err)
	}
	if got, want := texts(10), []string{"undated", "one"}; !slices.Equal(got, want) {
		t.Errorf("after deleting a chat %q, want %q", got, want)
	}
}
