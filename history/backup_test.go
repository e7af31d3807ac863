package history_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault/vaulttest"
)

// rewrite is what Copilot makes of a file when it continues the chat.
func rewrite(title, more string) outside {
	return func(f string) string {
		_, body, _ := strings.Cut(f, "**user**")
		return "---\nepoch: 1737979200000\nmodelKey: \"gpt|openai\"\ntopic: \"" + title + "\"\nlastAccessedAt: 1738000000000\ntags:\n  - copilot-conversation\n---\n\n**user**" + body + more
	}
}

const continued = "\n\n**user**: and from Copilot?\n[Timestamp: 2025/01/28 09:00:00]\n\n**ai**: A transcript:\n**user**: quoted\n[Timestamp: 2025/01/28 09:00:05]"

// TestRestored: a chat that Copilot has continued gets back what it left out, as
// far as it fits, and that is said once.
func TestRestored(t *testing.T) {
	v := vaulttest.New(t, "")
	state := t.TempDir()
	s := store(t, v, history.Options{StateDir: state})
	c := talk("first question", "first answer", "second question", "second answer")
	c.Model, c.Layout, c.Tags = "local", "strict", []string{"garden"}
	ref := prompt.Ref{Kind: prompt.Note, ID: "Plans/Shed.md"}
	c.Muted = []prompt.Ref{ref}
	c.Messages[0].Context.Notes = []string{ref.ID}
	c.Messages[0].Meta.Items = []history.Item{{Ref: ref, Revision: "0123456789abcdef"}}
	c.Messages[1].Status = history.StatusCancelled
	c.Messages = append(c.Messages, history.Message{Role: history.NoteToSelf, Text: "I counted the planks."})
	save(t, s, &c)
	vaulttest.Write(t, v, c.Path, strings.Replace(onDisk(t, v, c.Path), "ibid:\n", "rating: 5 # of mine\nibid:\n", 1))
	c = open(t, s, c.Path)
	c.Messages[0].Context.Notes = append(c.Messages[0].Context.Notes, "Other.md")
	save(t, s, &c)
	whole := onDisk(t, v, c.Path)
	check(t, s.Release(&c))
	vaulttest.Write(t, v, c.Path, rewrite("By Copilot", continued)(strings.Replace(whole, "second answer", "second answer, edited", 1)))

	read, warnings, err := s.Read(t.Context(), string(c.Path))
	if err != nil || len(warnings) != 0 || len(read.Muted) != 1 {
		t.Errorf("read as %+v, %v, %v", read, warnings, err)
	}
	if strings.Contains(onDisk(t, v, c.Path), "rating") {
		t.Error("reading has written the file")
	}
	again, warnings, err := s.Open(c.Path)
	if err != nil || kinds(warnings) != "restored" {
		t.Fatalf("%v, %v", warnings, err)
	}
	for range 2 {
		if again.Title != "By Copilot" || again.Layout != "strict" || again.Model != "local" || !slices.Contains(again.Tags, "garden") || len(again.Muted) != 1 ||
			again.Messages[0].Meta.Items[0].Revision != "0123456789abcdef" || again.Messages[1].Status != history.StatusCancelled {
			t.Errorf("restored as %+v", again)
		}
		if got := texts(again); !slices.Equal(got[3:], []string{"second answer, edited", "and from Copilot?", "A transcript:\n**user**: quoted"}) || len(again.NotesToSelf()) != 0 {
			t.Errorf("it says %q, %q", got, again.NotesToSelf())
		}
		file := onDisk(t, v, c.Path)
		for _, want := range []string{"rating: 5 # of mine\n", "lastAccessedAt: 1738000000000\n", "  - \"[[Other]]\"\n", "topic: \"By Copilot\"\n", "<!-- ibid {", continued} {
			if !strings.Contains(file, want) {
				t.Errorf("no %q in\n%s", want, file)
			}
		}
		if again, warnings, err = s.Open(c.Path); err != nil || len(warnings) != 0 {
			t.Errorf("opened once more: %v, %v", warnings, err)
		}
	}

	// Another conversation with the same number gets nothing of it.
	check(t, s.Release(&again))
	other := rewrite("Other", "")("**user**: unlike\n[Timestamp: 2025/01/27 12:00:00]")
	vaulttest.Write(t, v, c.Path, other)
	if _, warnings, err := s.Open(c.Path); err != nil || len(warnings) != 0 || onDisk(t, v, c.Path) != other {
		t.Errorf("another chat: %v, %v\n%s", warnings, err, onDisk(t, v, c.Path))
	}
}

// TestBackups: the backups are for nobody else to read, and go when they are old
// and their chats are gone.
func TestBackups(t *testing.T) {
	v := vaulttest.New(t, "")
	state := t.TempDir()
	s := store(t, v, history.Options{StateDir: state, Now: time.Now})
	backups := func() (names []string) {
		names, err := filepath.Glob(filepath.Join(state, "chats", "*"))
		check(t, err)
		return names
	}
	var kept string
	for i := range 99 {
		c := talk(fmt.Sprint("question ", i), "A")
		c.Messages[0].Time = noon.Add(time.Duration(i) * time.Hour)
		save(t, s, &c)
		if i > 0 {
			vaulttest.Remove(t, v, c.Path)
			continue
		}
		names := backups()
		if len(names) != 1 {
			t.Fatalf("%d backups", len(names))
		}
		kept = names[0]
	}
	info, err := os.Stat(kept)
	if err != nil || info.Mode()&0o077&^fs.ModeType != 0 && os.PathSeparator == '/' {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
	old := time.Now().Add(-91 * 24 * time.Hour)
	for i, name := range backups() {
		if i%2 == 0 || name == kept {
			check(t, os.Chtimes(name, old, old))
		}
	}
	c := talk("the hundredth", "A")
	c.Messages[1].Status = history.StatusCut
	save(t, s, &c)
	if n := len(backups()); n != 99 {
		t.Errorf("%d backups while a reply streams", n)
	}
	c.Messages[1].Status = ""
	save(t, s, &c)
	if n := len(backups()); n > 52 || !slices.Contains(backups(), kept) {
		t.Errorf("%d backups are left, that of the chat that is there: %v", n, slices.Contains(backups(), kept))
	}
}
