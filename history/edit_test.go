package history_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// foreignChat is a chat of Copilot's, with properties of a person.
const foreignChat = "---\nepoch: 1695513480000\nmodelKey: \"gpt-4|openai\"\ntopic: \"Pears\"\n\ntags: # mine\n  - copilot-conversation\n  - fruit\nmood: fine\n---\n\n" +
	"**user**: spaces stay  \n\n\n\nhere\n[Context: Notes: Garden/Pears.md]\n[Timestamp: 2023/09/23 23:58:00]\n\n**ai**: and quotes\n\n**user**: as they are\n[Timestamp: 2023/09/23 23:58:05]\n"

// body is a file from its first message on.
func body(t *testing.T, file string) string {
	t.Helper()
	at := strings.Index(file, "**user**: ")
	if at < 0 {
		t.Fatalf("no message in:\n%s", file)
	}
	return file[at:]
}

// TestPropertiesOnly: pins and tags leave every byte of the messages, and of the
// properties what they are not about.
func TestPropertiesOnly(t *testing.T) {
	v := vaulttest.New(t, "-- Chats/p@20230923_235800.md --\n"+foreignChat)
	s := store(t, v, history.Options{})
	const p = "Chats/p@20230923_235800.md"
	before := onDisk(t, v, p)
	if err := s.Pin(p, false); err != nil || onDisk(t, v, p) != before {
		t.Errorf("unpinning what is not pinned wrote the file: %v", err)
	}
	tags, err := s.Tag(p, "#Garden/2026", "FRUIT")
	if err != nil || !slices.Equal(tags, []string{"copilot-conversation", "fruit", "Garden/2026"}) {
		t.Errorf("tags %v, %v", tags, err)
	}
	if file := onDisk(t, v, p); strings.Contains(file, "ibid:") || body(t, file) != body(t, before) {
		t.Errorf("tagging wrote:\n%s", file)
	}
	check(t, s.Pin(p, true))
	if tags, err = s.Tag(p, "-Fruit"); err != nil || !slices.Equal(tags, []string{"copilot-conversation", "Garden/2026"}) {
		t.Errorf("tags %v, %v", tags, err)
	}
	file := onDisk(t, v, p)
	if body(t, file) != body(t, before) || !strings.Contains(file, "\nmood: fine\n") || !strings.Contains(file, "\n  pinned: true\n") {
		t.Errorf("the file is now\n%s", file)
	}
	c := open(t, s, p)
	if !c.Pinned || len(c.Messages) != 2 || !c.Messages[0].Foreign() {
		t.Errorf("read again: pinned %v, %+v", c.Pinned, c.Messages)
	}
	if err := s.Pin(p, false); err != nil || strings.Contains(onDisk(t, v, p), "pinned") {
		t.Errorf("unpinned, %v:\n%s", err, onDisk(t, v, p))
	}
}

func TestEditTags(t *testing.T) {
	for _, bad := range []string{"", "#", "1984", "two words", "a,b", "a\nb", "x#y"} {
		if tags, err := history.EditTags(nil, "+"+bad); err == nil {
			t.Errorf("%q was taken as a tag: %q", bad, tags)
		}
	}
	mine := []string{"copilot-conversation", "a"}
	for _, gone := range []string{"copilot-conversation", "#Copilot-Conversation", "b"} {
		if tags, err := history.EditTags(mine, "-"+gone); err == nil {
			t.Errorf("%q was taken off: %q", gone, tags)
		}
	}
	if tags, err := history.EditTags(mine, "日本", "+b", "-#A"); err != nil || !slices.Equal(tags, []string{"copilot-conversation", "日本", "b"}) {
		t.Errorf("%q, %v", tags, err)
	}
	if len(mine) != 2 || mine[1] != "a" {
		t.Error("the tags that were given changed")
	}
}

// touch sets when a file was changed last.
func touch(t *testing.T, v *vault.Vault, p vault.Path, at time.Time) {
	t.Helper()
	check(t, os.Chtimes(filepath.Join(v.Dir(), filepath.FromSlash(string(p))), at, at))
}

func TestPinnedFirst(t *testing.T) {
	v, s := fresh(t, history.Options{})
	var paths []vault.Path
	for i, text := range []string{"one", "two", "three"} {
		c := talk(text, "A")
		c.Epoch = noon.Add(time.Duration(i) * time.Hour).UnixMilli()
		save(t, s, &c)
		paths = append(paths, c.Path)
		touch(t, v, c.Path, noon.Add(time.Duration(i)*time.Hour))
	}
	check(t, s.Pin(paths[1], true))
	touch(t, v, paths[1], noon.Add(-time.Hour))
	all, err := s.List(t.Context())
	var got []vault.Path
	for _, sum := range all {
		got = append(got, sum.Path)
	}
	if want := []vault.Path{paths[1], paths[2], paths[0]}; err != nil || !slices.Equal(got, want) || !all[0].Pinned || all[1].Pinned {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// TestPinWhileOpen: what a list changes of a chat that is open stays when the chat
// is saved.
func TestPinWhileOpen(t *testing.T) {
	v, s := fresh(t, history.Options{StateDir: t.TempDir()})
	c := saved(t, s, "Q", "A")
	check(t, s.Pin(c.Path, true))
	if _, err := s.Tag(c.Path, "work"); err != nil {
		t.Fatal(err)
	}
	c.Messages = append(c.Messages, history.Message{Role: history.User, Text: "more", Time: noon})
	save(t, s, &c)
	got := open(t, s, c.Path)
	if !got.Pinned || !slices.Contains(got.Tags, "work") || len(got.Messages) != 3 {
		t.Errorf("pinned %v, tags %v, %d messages", got.Pinned, got.Tags, len(got.Messages))
	}
	other := store(t, v, history.Options{StateDir: t.TempDir()})
	if err := other.Pin(c.Path, false); err != nil {
		t.Error(err)
	}
}

func TestArchive(t *testing.T) {
	other := func(epoch string) string { return strings.Replace(foreignChat, "1695513480000", epoch, 1) }
	v := vaulttest.New(t, "-- Chats/Work/p.md --\n"+foreignChat+"-- Chats/Archive/Work/p.md --\n"+other("1695513481000")+"-- Notes/q.md --\n"+other("1695513482000"))
	s := store(t, v, history.Options{StateDir: t.TempDir()})
	c := open(t, s, "Chats/Work/p.md")
	to, err := s.Archive(c.Path, true)
	if err != nil || to != "Chats/Archive/Work/p 2.md" || !s.Archived(to) || s.Archived("Chats/Work/p.md") {
		t.Fatalf("archived at %q, %v", to, err)
	}
	if again, err := s.Archive(to, true); err != nil || again != to {
		t.Errorf("archived twice: %q, %v", again, err)
	}
	c.Messages = append(c.Messages, history.Message{Role: history.User, Text: "more", Time: noon})
	if _, err := s.Save(&c); err != nil || !strings.Contains(onDisk(t, v, c.Path), "**user**: more") || path.Dir(string(c.Path)) == "Chats/Work" {
		t.Errorf("saved at %q after it was archived: %v", c.Path, err)
	}
	back, err := s.Archive(to, false)
	if err != nil || back != "Chats/Work/p 2.md" {
		t.Errorf("back at %q, %v", back, err)
	}
	if again, err := s.Archive(back, false); err != nil || again != back {
		t.Errorf("taken out twice: %q, %v", again, err)
	}
	if to, err = s.Archive("Notes/q.md", true); err != nil || to != "Chats/Archive/q.md" {
		t.Errorf("from elsewhere: %q, %v", to, err)
	}
	if _, err := s.Archive("Chats/none.md", true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a chat that is not there: %v", err)
	}
	if _, err := s.Archive(".obsidian/app.md", true); err == nil {
		t.Error("a file of another program was moved")
	}
}

// TestArchiveWhileOpenElsewhere: a chat that another process writes stays where it is.
func TestArchiveWhileOpenElsewhere(t *testing.T) {
	v := vaulttest.New(t, "-- Chats/p.md --\n"+foreignChat)
	locks := t.TempDir()
	first, second := store(t, v, history.Options{StateDir: locks}), store(t, v, history.Options{StateDir: locks})
	open(t, first, "Chats/p.md")
	if _, err := second.Archive("Chats/p.md", true); !errors.Is(err, history.ErrReadOnly) {
		t.Error(err)
	}
	if err := second.Pin("Chats/p.md", true); !errors.Is(err, history.ErrReadOnly) {
		t.Error(err)
	}
	if _, err := second.Tag("Chats/p.md", "x"); !errors.Is(err, history.ErrReadOnly) {
		t.Error(err)
	}
	if onDisk(t, v, "Chats/p.md") != foreignChat {
		t.Error("the file changed")
	}
}
