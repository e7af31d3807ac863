package history_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

var noon = time.Date(2025, 1, 27, 12, 0, 0, 0, time.UTC)

// store opens the chats of v as one process would; dir holds the locks.
func store(t testing.TB, v *vault.Vault, opts history.Options) *history.Store {
	t.Helper()
	if opts.Zone == nil {
		opts.Zone = time.UTC
	}
	if opts.Now == nil {
		opts.Now = func() time.Time { return noon }
	}
	s, err := history.NewStore(v, opts)
	check(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// fresh is an empty vault and the chats in it.
func fresh(t testing.TB, opts history.Options) (*vault.Vault, *history.Store) {
	t.Helper()
	v := vaulttest.New(t, "")
	return v, store(t, v, opts)
}

// saved is a chat that was begun and saved.
func saved(t testing.TB, s *history.Store, texts ...string) history.Chat {
	t.Helper()
	c := talk(texts...)
	save(t, s, &c)
	return c
}

func talk(texts ...string) history.Chat {
	c := history.Chat{Model: "m"}
	for i, text := range texts {
		m := history.Message{Role: history.User, Text: text, Time: noon.Add(time.Duration(i) * time.Second)}
		if i%2 == 1 {
			m.Role = history.Assistant
		}
		c.Messages = append(c.Messages, m)
	}
	return c
}

func save(t testing.TB, s *history.Store, c *history.Chat) []history.Warning {
	t.Helper()
	w, err := s.Save(c)
	check(t, err)
	return w
}

func open(t testing.TB, s *history.Store, p vault.Path) history.Chat {
	t.Helper()
	c, _, err := s.Open(p)
	check(t, err)
	return c
}

func texts(c history.Chat) []string {
	var out []string
	for _, m := range c.Display() {
		out = append(out, m.Text)
	}
	return out
}

func onDisk(t testing.TB, v *vault.Vault, p vault.Path) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(v.Dir(), filepath.FromSlash(string(p))))
	check(t, err)
	return string(data)
}

func kinds(warnings []history.Warning) string {
	var k []string
	for _, w := range warnings {
		k = append(k, w.Kind)
	}
	return strings.Join(k, " ")
}

func TestFolder(t *testing.T) {
	for _, tc := range []struct {
		name, archive string
		option        vault.Path
		want          vault.Path
	}{
		{"nothing there", "-- a.md --\n", "", "Chats"},
		{"Copilot before 3.0.3", "-- copilot-conversations/x.md --\n", "", "copilot-conversations"},
		{"Copilot since", "-- copilot/copilot-conversations/x.md --\n-- copilot-conversations/y.md --\n", "", "copilot/copilot-conversations"},
		{"named by the person", "-- copilot-conversations/x.md --\n", "Log/Chats/", "Log/Chats"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := store(t, vaulttest.New(t, tc.archive), history.Options{Folder: tc.option})
			if got := s.Folder(); got != tc.want {
				t.Errorf("chats go to %q, want %q", got, tc.want)
			}
		})
	}
	_, err := history.NewStore(vaulttest.New(t, ""), history.Options{Folder: "../elsewhere"})
	if !errors.Is(err, vault.ErrOutside) {
		t.Errorf("a folder outside the vault: %v", err)
	}
}

// A link is no way for chats into the settings of another program.
func TestFolderThatLeadsToDotFiles(t *testing.T) {
	v := vaulttest.New(t, "-- .obsidian/snippets/a.css --\n-- Real/x.md --\n")
	for name, target := range map[string]string{"CC": ".obsidian/snippets", "ok": "Real"} {
		if err := os.Symlink(filepath.FromSlash(target), filepath.Join(v.Dir(), name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	if _, err := history.NewStore(v, history.Options{Folder: "CC"}); !errors.Is(err, vault.ErrIgnored) || !strings.Contains(err.Error(), ".obsidian/snippets") {
		t.Errorf("NewStore = %v", err)
	}
	s := store(t, v, history.Options{Folder: "ok"})
	c := talk("Where does this go?", "Into the folder.")
	if _, err := s.Save(&c); err != nil || c.Path.Dir() != "ok" {
		t.Errorf("Save to %s = %v", c.Path, err)
	}
	if found, err := s.List(context.Background()); err != nil || len(found) != 1 {
		t.Errorf("List = %v, %v", found, err)
	}
	if entries, err := os.ReadDir(filepath.Join(v.Dir(), ".obsidian", "snippets")); err != nil || len(entries) != 1 {
		t.Errorf("in the snippets: %v, %v", entries, err)
	}
}

func TestSaveAndReopen(t *testing.T) {
	v := vaulttest.New(t, "-- Plans/Shed.md --\nplanks\n")
	s := store(t, v, history.Options{})
	c := talk("What do I need for the shed?", "Planks.")
	c.Messages[0].Context.Notes = []string{"Plans/Shed.md"}
	c.Messages = append(c.Messages, history.Message{Role: history.NoteToSelf, Text: "I listed the planks."})
	save(t, s, &c)
	if want := vault.Path("Chats/What_do_I_need_for_the_shed@20250127_120000.md"); c.Path != want {
		t.Errorf("saved as %q, want %q", c.Path, want)
	}
	file := onDisk(t, v, c.Path)
	for _, want := range []string{"epoch: 1737979200000\n", "[Context: Notes: Plans/Shed.md]\n", "notes:\n  - \"[[Plans/Shed]]\"\n"} {
		if !strings.Contains(file, want) {
			t.Errorf("no %q in\n%s", want, file)
		}
	}
	check(t, s.Release(&c))
	again := open(t, s, c.Path)
	if d := cmp.Diff(c.Messages, again.Messages, cmpopts.IgnoreUnexported(history.Message{})); d != "" {
		t.Error(d)
	}
	if got := again.NotesToSelf(); !slices.Equal(got, []string{"I listed the planks."}) {
		t.Errorf("notes to self %q", got)
	}
}

// TestLinks: Obsidian sees which notes a chat used, and where a renamed note
// went when it has rewritten the link.
func TestLinks(t *testing.T) {
	v := vaulttest.New(t, "-- Plans/Shed.md --\nplanks\n-- Log/Shed.md --\ntools\n-- Map.png --\n")
	s := store(t, v, history.Options{})
	c := talk("Q", "A", "R")
	c.Messages[0].Context = history.Context{Notes: []string{"Plans/Shed.md", "odd#name.md"}, Images: []string{"Map.png"}}
	c.Messages[2].Context = history.Context{Notes: []string{"Plans/Shed.md"}, Selections: []string{"Log/Shed.md#L1-L2"}}
	save(t, s, &c)
	if _, err := v.Revalidate(context.Background()); err != nil {
		t.Fatal(err)
	}
	n, ok := v.Note(c.Path)
	if !ok {
		t.Fatal("the chat is no note of the vault")
	}
	var linked []string
	for l := range n.Links() {
		linked = append(linked, string(v.Resolve(l.Target, c.Path).Path))
	}
	if want := []string{"Plans/Shed.md", "Map.png", "Log/Shed.md"}; !slices.Equal(linked, want) {
		t.Errorf("links to %q, want %q", linked, want)
	}

	vaulttest.Write(t, v, c.Path, strings.Replace(onDisk(t, v, c.Path), "[[Plans/Shed]]", "[[Plans/Cabin]]", 1))
	vaulttest.Write(t, v, "Plans/Cabin.md", "other words")
	check(t, os.Remove(filepath.Join(v.Dir(), "Plans", "Shed.md")))
	if _, err := v.Revalidate(context.Background()); err != nil {
		t.Fatal(err)
	}
	again := open(t, s, c.Path)
	again, found := history.Resolve(&again, v, history.Revisions(v))
	if found[0].Path != "Plans/Cabin.md" || found[0].State != vault.Moved {
		t.Errorf("the link that Obsidian rewrote was not followed: %+v", found[0])
	}
	if got := again.Messages[2].Context.Notes[0]; got != "Plans/Cabin.md" {
		t.Errorf("the context names %q", got)
	}
}

func TestCollisions(t *testing.T) {
	v := vaulttest.New(t, "-- Chats/Hello@20250127_120000.md --\nsomebody's note\n")
	s := store(t, v, history.Options{})
	a, b := talk("Hello"), talk("Hello")
	save(t, s, &a)
	save(t, s, &b)
	if a.Path != "Chats/Hello@20250127_120000 2.md" || b.Path != "Chats/Hello@20250127_120001.md" {
		t.Errorf("saved as %q and %q", a.Path, b.Path)
	}
	if got := onDisk(t, v, "Chats/Hello@20250127_120000.md"); got != "somebody's note\n" {
		t.Errorf("the note that was there is now %q", got)
	}
}

func TestLongNames(t *testing.T) {
	_, s := fresh(t, history.Options{})
	c := saved(t, s, strings.Repeat("日本", 40))
	if n := len(c.Path.Name()); n > 100 || !strings.HasSuffix(string(c.Path), ".md") {
		t.Errorf("%q has %d bytes", c.Path.Name(), n)
	}
	if strings.ContainsRune(string(c.Path), '\uFFFD') {
		t.Errorf("%q is cut inside a character", c.Path)
	}
}

func TestUnchangedIsNotWritten(t *testing.T) {
	v, s := fresh(t, history.Options{})
	c := saved(t, s, "Hello", "Hi")
	name := filepath.Join(v.Dir(), filepath.FromSlash(string(c.Path)))
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	check(t, os.Chtimes(name, old, old))
	save(t, s, &c)
	info, err := os.Stat(name)
	check(t, err)
	if !info.ModTime().Equal(old) {
		t.Error("a chat that did not change was written")
	}
}

func TestSecondProcess(t *testing.T) {
	v := vaulttest.New(t, "")
	locks := t.TempDir()
	first, second := store(t, v, history.Options{StateDir: locks}), store(t, v, history.Options{StateDir: locks})
	c := saved(t, first, "mine")

	read, warnings, err := second.Open(c.Path)
	if err != nil || !read.ReadOnly || kinds(warnings) != "locked" {
		t.Fatalf("second window: read-only %v, %+v, %v", read.ReadOnly, warnings, err)
	}
	read.Messages[0].Text = "theirs"
	if _, err := second.Save(&read); !errors.Is(err, history.ErrReadOnly) {
		t.Errorf("it could save: %v", err)
	}
	if _, err := second.Rename(c.Path, "theirs"); !errors.Is(err, history.ErrReadOnly) {
		t.Errorf("it could rename: %v", err)
	}
	if _, err := second.Delete(c.Path); !errors.Is(err, history.ErrReadOnly) {
		t.Errorf("it could delete: %v", err)
	}
	b := history.Branch(&read, 1, noon.Add(time.Hour))
	save(t, second, &b)

	check(t, first.Release(&c))
	left, err := os.ReadDir(filepath.Join(locks, "locks"))
	check(t, err)
	if len(left) != 1 { // the branch
		t.Errorf("%d lock files are left", len(left))
	}
	if again := open(t, second, c.Path); again.ReadOnly {
		t.Error("still read-only after the first window closed it")
	}
	if _, err := first.Save(&c); err != nil {
		t.Errorf("saving without a change: %v", err)
	}
	c.Messages[0].Text = "late"
	if _, err := first.Save(&c); !errors.Is(err, history.ErrReadOnly) {
		t.Errorf("it saved a chat that it had given back: %v", err)
	}
}

// TestCrash: what a crash can leave is a temporary file and a reply that was not
// finished.
func TestCrash(t *testing.T) {
	v, s := fresh(t, history.Options{})
	c := talk("Q", "half an ans")
	c.Messages[1].Status = history.StatusCut
	save(t, s, &c)
	vaulttest.Write(t, v, "Chats/.ibid-XYZ.tmp", "---\nepoch: 1\n---\n\n**user**: half a fi")
	vaulttest.Write(t, v, "Chats/.ibid-XYZ.md", "**user**: x")

	after := store(t, v, history.Options{})
	all, err := after.List(context.Background())
	check(t, err)
	if len(all) != 1 || !slices.Equal(all[0].Problems, []string{"the last reply cut off"}) {
		t.Errorf("listed %+v", all)
	}
	if got := open(t, after, c.Path); got.Messages[1].Status != history.StatusCut || got.Messages[1].Text != "half an ans" {
		t.Errorf("reopened as %+v", got.Messages[1])
	}
}

func TestRenameDeleteUndelete(t *testing.T) {
	v := vaulttest.New(t, "-- Chats/old@20230923_235800.md --\n---\nepoch: 1695513480000\nmodelKey: gpt-4\nmood: fine\n---\n\n**user**: spaces stay  \n\n\n\nhere\n[Timestamp: 2023/09/23 23:58:00]\n")
	s := store(t, v, history.Options{})
	before := onDisk(t, v, "Chats/old@20230923_235800.md")
	to, err := s.Rename("Chats/old@20230923_235800.md", " A new: title\n")
	check(t, err)
	if to != "Chats/A_new__title@20230923_235800.md" {
		t.Errorf("renamed to %q", to)
	}
	file := onDisk(t, v, to)
	if !strings.Contains(file, "topic: \"A new: title\"\n") || !strings.Contains(file, "\nmood: fine\n") || strings.Contains(file, "ibid:") {
		t.Errorf("properties:\n%s", file)
	}
	_, oldBody, _ := strings.Cut(before, "\n---\n")
	if _, body, _ := strings.Cut(file, "\n---\n"); body != oldBody {
		t.Errorf("the messages changed: %q, were %q", body, oldBody)
	}
	if _, err := s.Rename(to, " \n"); err == nil {
		t.Error("an empty title was taken")
	}
	trashed, err := s.Delete(to)
	check(t, err)
	if _, _, err := s.Open(to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening a deleted chat: %v", err)
	}
	check(t, s.Undelete(trashed, to))
	if got := onDisk(t, v, to); got != file {
		t.Error("undelete brought back something else")
	}
}

func TestRenameWhileOpen(t *testing.T) {
	_, s := fresh(t, history.Options{StateDir: t.TempDir()})
	c := saved(t, s, "Q", "A")
	to, err := s.Rename(c.Path, "Better")
	check(t, err)
	c.Messages[1].Text = "A and B"
	save(t, s, &c)
	if c.Path != to || c.Title != "Better" {
		t.Errorf("the open chat is %q at %q", c.Title, c.Path)
	}
	if got := open(t, s, to); got.Title != "Better" || got.Messages[1].Text != "A and B" {
		t.Errorf("on disk: %+v", got)
	}
}

func TestList(t *testing.T) {
	v := vaulttest.New(t, `
-- a.md --
-- Chats/README.md --
nothing here is a conversation
-- Chats/one@20240101_000000.md --
---
epoch: 1704067200000
topic: First
model: m
ibid: 1
---

**user**: Q
[Context: Notes: a.md, gone.md | Pins: a.md]
[Timestamp: 2024/01/01 00:00:00]

**ai**: A
[Timestamp: 2024/01/01 00:00:01]
-- Chats/deep/two@20240101_000000.md --
**user**: waiting
-- Chats/broken.md --
---
epoch: 5
topic: "a" b
---

**ai**: x
-- Chats/.hidden/three.md --
**user**: x
`)
	at := time.Now().Add(-time.Hour)
	for i, p := range []string{"Chats/broken.md", "Chats/deep/two@20240101_000000.md", "Chats/one@20240101_000000.md"} {
		mtime := at.Add(time.Duration(i) * time.Minute)
		check(t, os.Chtimes(filepath.Join(v.Dir(), filepath.FromSlash(p)), mtime, mtime))
	}
	s := store(t, v, history.Options{})
	for range 2 { // cold, then from memory
		all, err := s.List(context.Background())
		check(t, err)
		for i := range all {
			all[i].Modified = time.Time{}
		}
		want := []history.Summary{
			{Path: "Chats/one@20240101_000000.md", Epoch: 1704067200000, Title: "First", Turns: 1, Notes: []string{"a.md", "gone.md"}, Model: "m", Chain: "chat", Problems: []string{"moved or missing: gone.md"}},
			{Path: "Chats/deep/two@20240101_000000.md", Title: "two", Turns: 1, Chain: "chat", Problems: []string{"no reply to the last message"}},
			{Path: "Chats/broken.md", Epoch: 5, Title: `"a" b`, Chain: "chat", Problems: []string{"the properties are damaged"}},
		}
		if d := cmp.Diff(want, all); d != "" {
			t.Fatal(d)
		}
	}
	vaulttest.Write(t, v, "Chats/one@20240101_000000.md", "**user**: now this\n\n**user**: and that")
	all, err := s.List(context.Background())
	if err != nil || all[0].Turns != 2 {
		t.Errorf("an edited chat is listed as %+v, %v", all[0], err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.List(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled list: %v", err)
	}
	empty := store(t, v, history.Options{Folder: "Nowhere"})
	if all, err := empty.List(context.Background()); err != nil || len(all) != 0 {
		t.Errorf("a folder that is not there: %v, %v", all, err)
	}
}

// openNamed opens the chat that a person named.
func openNamed(s *history.Store, name string) (history.Chat, []history.Warning, error) {
	p, err := s.Find(context.Background(), name)
	if err != nil {
		return history.Chat{}, nil, err
	}
	return s.Open(p)
}

func TestOpenNamed(t *testing.T) {
	v := vaulttest.New(t, `
-- Chats/plan@20240101_000000.md --
---
topic: The plan
---

**user**: a
-- Chats/twin@20240101_000000.md --
---
topic: Twins
---

**user**: b
-- Chats/twin@20240102_000000.md --
---
topic: twins
---

**user**: c
-- notes.md --
no chat
`)
	s := store(t, v, history.Options{})
	for name, want := range map[string]string{
		"Chats/plan@20240101_000000.md": "a", "Chats/plan@20240101_000000": "a", "plan@20240101_000000": "a", "the PLAN": "a",
		filepath.Join(v.Dir(), "Chats", "plan@20240101_000000.md"): "a",
	} {
		c, _, err := openNamed(s, name)
		if err != nil || c.Messages[0].Text != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := openNamed(s, "nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	if _, _, err := openNamed(s, "twins"); err == nil || !strings.Contains(err.Error(), "twin@20240102_000000.md") {
		t.Errorf("twins: %v", err)
	}
	if _, _, err := openNamed(s, "notes.md"); !errors.Is(err, history.ErrNotChat) {
		t.Errorf("notes.md: %v", err)
	}
}

// oldFile is a chat as ibid wrote it when its properties stood at the top.
const oldFile = `---
epoch: 1737979200000
modelKey: "m|openai"
topic: "Old"

tags:
  - copilot-conversation
ibid: 1
model: "m"
layout: strict
title: "Old"
notes:
  - "[[a]]"
rating: 5
---

<!-- ibid {"v":1,"title":"Old","muted":[["note","x.md"]],"turns":[
{"h":"9405243c9ede","t":1737979200,"items":[["note","a.md","0123456789abcdef"]],"layers":{"L5":"11"},"usage":{"prompt":7,"cached":-1,"cache_write":-1,"completion":2,"reasoning":-1,"cost":0.5}},
{"h":"78b9930ae912","t":1737979201,"s":"cut","notes":["remember"]}
]} -->

**user**: Q
[Context: Notes: a.md]
[Timestamp: 2025/01/27 12:00:00]

**ai**: A
[Timestamp: 2025/01/27 12:00:01]`

// TestTitleEdited: in an old file, a person may have edited either property that
// holds the title.
func TestTitleEdited(t *testing.T) {
	for name, tc := range map[string]struct {
		edit outside
		want string
	}{
		"topic":       {replace("topic: \"Old\"", "topic: New"), "New"},
		"title":       {replace("title: \"Old\"", "title: New"), "New"},
		"topic taken": {replace("topic: \"Old\"\n", ""), "Old"},
		"both taken":  {func(f string) string { return replace("title: \"Old\"\n", "")(replace("topic: \"Old\"\n", "")(f)) }, "Q"},
		"both differ": {func(f string) string {
			return replace("title: \"Old\"", "title: A")(replace("topic: \"Old\"", "topic: B")(f))
		}, "B"},
		"neither edited": {func(f string) string { return f }, "Old"},
	} {
		v, s := fresh(t, history.Options{})
		path := vault.Path("Chats/Q.md")
		vaulttest.Write(t, v, path, tc.edit(oldFile))
		d := open(t, s, path)
		if got := d.Name(); got != tc.want {
			t.Errorf("%s: opened as %q, want %q", name, got, tc.want)
		}
		all, err := s.List(t.Context())
		check(t, err)
		i := slices.IndexFunc(all, func(sum history.Summary) bool { return sum.Path == path })
		if all[i].Title != tc.want {
			t.Errorf("%s: listed as %q, want %q", name, all[i].Title, tc.want)
		}
	}
}

// TestOldFile: what an old file holds is read, and at the next change its own
// properties move under one key; the rest stays.
func TestOldFile(t *testing.T) {
	v := vaulttest.New(t, "-- Chats/Q.md --\n"+oldFile+"\n")
	s := store(t, v, history.Options{})
	c := open(t, s, "Chats/Q.md")
	if c.Title != "Old" || c.Model != "m" || c.Layout != "strict" || len(c.Muted) != 1 || c.Messages[0].Foreign() ||
		c.Messages[0].Meta.Items[0].Revision != "0123456789abcdef" || c.Messages[1].Status != history.StatusCut ||
		!slices.Equal(c.NotesToSelf(), []string{"remember"}) {
		t.Fatalf("read as %+v", c)
	}
	if len(c.Totals) != 1 || c.Totals[0].Month != "2025-01" || c.Totals[0].Usage.Cost != 0.5 || c.Totals[0].Usage.Cached != 0 {
		t.Errorf("totals %+v", c.Totals)
	}
	c.Messages[1].Status = ""
	save(t, s, &c)
	file := onDisk(t, v, c.Path)
	want := `---
epoch: 1737979200000
modelKey: "m|openai"
topic: "Old"

tags:
  - copilot-conversation
ibid:
  v: 1
  model: "m"
  layout: strict
notes:
  - "[[a]]"
rating: 5
---
`
	if !strings.HasPrefix(file, want) {
		t.Errorf("the properties are now\n%s", file)
	}
	again := open(t, s, c.Path)
	if d := cmp.Diff(c.Messages, again.Messages, cmpopts.IgnoreUnexported(history.Message{})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(c.Totals, again.Totals); d != "" {
		t.Error(d)
	}
}

// TestAddedLinks: what a person adds to the notes of a chat stays, what the chat
// uses comes and goes.
func TestAddedLinks(t *testing.T) {
	v, s := fresh(t, history.Options{})
	c := talk("Q", "A")
	c.Messages[0].Context.Notes = []string{"a.md"}
	save(t, s, &c)
	vaulttest.Write(t, v, c.Path, strings.Replace(onDisk(t, v, c.Path), "[[a]]\"\n", "[[a]]\"\n  - \"[[Mine]]\"\n", 1))
	d := open(t, s, c.Path)
	d.Messages[0].Context.Notes = []string{"b.md"}
	save(t, s, &d)
	if file := onDisk(t, v, c.Path); !strings.Contains(file, "notes:\n  - \"[[b]]\"\n  - \"[[Mine]]\"\n---") {
		t.Errorf("the file is now\n%s", file)
	}
}

func TestCopiedFile(t *testing.T) {
	v, s := fresh(t, history.Options{})
	c := saved(t, s, "Q", "A")
	vaulttest.Write(t, v, "Chats/copy.md", onDisk(t, v, c.Path))
	d := open(t, s, "Chats/copy.md")
	if d.Epoch == c.Epoch {
		t.Error("a copy has the identity of the original")
	}
	d.Messages[1].Text = "B"
	save(t, s, &d)
	if got := texts(open(t, s, c.Path)); got[1] != "A" {
		t.Errorf("the original now says %q", got)
	}
}

func TestChanged(t *testing.T) {
	v, s := fresh(t, history.Options{})
	c := saved(t, s, "Q", "A")
	if changed, err := s.Changed(&c); changed || err != nil {
		t.Errorf("our own write counts as a change: %v", err)
	}
	vaulttest.Write(t, v, c.Path, onDisk(t, v, c.Path)+"\n\nremark")
	if changed, err := s.Changed(&c); !changed || err != nil {
		t.Errorf("an outside edit is not seen: %v", err)
	}
}

// TestTogether saves, lists and reads at the same time.
func TestTogether(t *testing.T) {
	_, s := fresh(t, history.Options{StateDir: t.TempDir()})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			c := talk(fmt.Sprint("question ", i), "")
			for range 10 {
				c.Messages[1].Text += "word "
				if _, err := s.Save(&c); err != nil {
					t.Error(err)
				}
				if _, err := s.List(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := s.Document(c.Path, false); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	all, err := s.List(t.Context())
	if err != nil || len(all) != 4 {
		t.Errorf("%d chats, %v", len(all), err)
	}
}

// check ends a test that cannot go on.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
