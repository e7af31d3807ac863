package history_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

func TestTrash(t *testing.T) {
	v := vaulttest.New(t, "-- Chats/p.md --\n"+foreignChat+"-- Chats/Old/q.md --\n**user**: bare\n[Timestamp: 2023/01/02 03:04:05]\n"+
		"-- Notes/r.md --\n"+strings.Replace(foreignChat, "Pears", "Apples", 1)+"-- Notes/plain.md --\n**user**: a note that quotes\n")
	s := store(t, v, history.Options{})
	if all, err := s.Trash().List(t.Context()); err != nil || len(all) != 0 {
		t.Fatalf("without a trash: %v, %v", all, err)
	}
	long := noon.Add(-1000 * time.Hour)
	touch(t, v, "Chats/p.md", long)
	start := time.Now().Add(-time.Second) // the clock of files is coarse
	for _, p := range []vault.Path{"Chats/p.md", "Chats/Old/q.md"} {
		if _, err := s.Delete(p); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []vault.Path{"Notes/plain.md", "Notes/r.md"} {
		if _, err := v.Trash(p); err != nil {
			t.Fatal(err)
		}
	}
	// Other programs' trash has no folders.
	check(t, os.Rename(filepath.Join(v.Dir(), ".trash", "Notes", "r.md"), filepath.Join(v.Dir(), ".trash", "r.md")))
	all, err := s.Trash().List(t.Context())
	check(t, err)
	var from []string
	for _, c := range all {
		from = append(from, string(c.From)+" "+c.Title)
		if c.Deleted.Before(start) && runtime.GOOS != "windows" || c.Deleted.After(time.Now().Add(time.Second)) {
			t.Errorf("%s was deleted %v", c.Path, c.Deleted)
		}
		if c.Path == ".trash/Chats/p.md" && !c.Modified.Equal(long) {
			t.Errorf("changed %v", c.Modified)
		}
	}
	slices.Sort(from)
	if want := []string{"Chats/Old/q.md q", "Chats/p.md Pears", "Chats/r.md Apples"}; !slices.Equal(from, want) {
		t.Errorf("in the trash: %q, want %q", from, want)
	}

	if to, err := s.Trash().Restore(t.Context(), "pears"); err != nil || to != "Chats/p.md" || onDisk(t, v, to) != foreignChat {
		t.Errorf("brought back to %q, %v", to, err)
	}
	if _, err := s.Trash().Restore(t.Context(), "Pears"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("brought back twice: %v", err)
	}
	if to, err := s.Trash().Restore(t.Context(), "r"); err != nil || to != "Chats/r.md" {
		t.Errorf("from the top of the trash: %q, %v", to, err)
	}
	for _, name := range []string{"", ".", "..", "../x", "plain", ".trash"} {
		if to, err := s.Trash().Restore(t.Context(), name); err == nil {
			t.Errorf("%q was brought back to %q", name, to)
		}
	}
}

// TestRestoreBeside: what took the place of a deleted chat stays, and two chats of
// one name are told apart by their paths.
func TestRestoreBeside(t *testing.T) {
	v := vaulttest.New(t, "-- Chats/p.md --\n"+foreignChat)
	s := store(t, v, history.Options{})
	for range 2 {
		if _, err := s.Delete("Chats/p.md"); err != nil {
			t.Fatal(err)
		}
		check(t, os.WriteFile(filepath.Join(v.Dir(), "Chats", "p.md"), []byte(foreignChat), 0o600))
	}
	if _, err := s.Trash().Restore(t.Context(), "Pears"); err == nil || !strings.Contains(err.Error(), "Chats/p.md, Chats/p 1.md") && !strings.Contains(err.Error(), "Chats/p 1.md, Chats/p.md") {
		t.Errorf("two of one name: %v", err)
	}
	if to, err := s.Trash().Restore(t.Context(), "Chats/p.md"); err != nil || to != "Chats/p 2.md" {
		t.Errorf("brought back to %q, %v", to, err)
	}
	if to, err := s.Trash().Restore(t.Context(), ".trash/Chats/p 1.md"); err != nil || to != "Chats/p 1.md" {
		t.Errorf("brought back to %q, %v", to, err)
	}
	if onDisk(t, v, "Chats/p.md") != foreignChat {
		t.Error("what stood there was overwritten")
	}
}

func TestSpent(t *testing.T) {
	v := vaulttest.New(t, "-- Chats/foreign.md --\n"+foreignChat)
	s := store(t, v, history.Options{})
	c := talk("Q", "A")
	c.Title = "Beds"
	c.Spend(time.Date(2025, 1, 31, 12, 0, 0, 0, time.UTC), history.Total{Model: "a", Turns: 1, Usage: history.Usage{Prompt: 100, Cached: 60, Completion: 7, Cost: 0.5}})
	c.Spend(time.Date(2025, 1, 31, 13, 0, 0, 0, time.UTC), history.Total{Model: "a", Turns: 1, Usage: history.Usage{Prompt: 200, Cached: -1, Completion: 3, Cost: -1}})
	c.Spend(time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC), history.Total{Model: "b", Turns: 1, Usage: history.Usage{Prompt: 50}})
	save(t, s, &c)
	copied := onDisk(t, v, c.Path)
	check(t, os.WriteFile(filepath.Join(v.Dir(), "Chats", "copy.md"), []byte(copied), 0o600))
	if _, err := s.Archive(c.Path, true); err != nil {
		t.Fatal(err)
	}
	first := "Chats/Archive/" + c.Path.Base()
	check(t, os.WriteFile(filepath.Join(v.Dir(), first+" (1).md"), []byte(copied), 0o600))
	all, err := s.Spent(t.Context(), "")
	if err == nil && len(all) == 2 && all[0].Path != vault.Path(first+".md") {
		t.Errorf("it was spent in %s", all[0].Path)
	}
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	if one := all[0]; one.Month != "2025-03" || one.Model != "b" || one.Turns != 1 || one.Usage.Prompt != 50 || one.Epoch != c.Epoch || one.Title != "Beds" {
		t.Errorf("%+v", one)
	}
	if one := all[1]; one.Month != "2025-01" || one.Turns != 2 || one.Usage.Prompt != 300 || one.Usage.Cached != 60 || one.Usage.Completion != 10 || one.Usage.Cost != 0.5 {
		t.Errorf("%+v", one)
	}
	if all, err = s.Spent(t.Context(), "2025-02"); err != nil || len(all) != 1 || all[0].Model != "b" {
		t.Errorf("since February: %+v, %v", all, err)
	}
}
