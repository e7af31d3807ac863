package undo_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ibid/vault"
	"ibid/vault/edit"
	"ibid/vault/ownfile"
	"ibid/vault/undo"
	"ibid/vault/vaulttest"
)

const garden = `
-- Garden.md --
# Garden

- beans
- peas
-- Diary.md --
---
private: true
---
Nobody reads this.
-- Chats/Today.md --
**user**: hello
-- .ibid/pins.json --
{}
`

// shelf is a vault and its journal.
type shelf struct {
	*testing.T
	vault   *vault.Vault
	state   string
	now     time.Time
	journal *undo.Journal
}

func open(t *testing.T) *shelf {
	s := &shelf{T: t, vault: vaulttest.New(t, garden), state: t.TempDir(), now: time.Now()}
	s.again()
	return s
}

// again opens the journal as another process does.
func (s *shelf) again() {
	s.journal = undo.New(s.vault, undo.Options{
		StateDir: s.state, Days: 30, Chats: "Chats", Now: func() time.Time { return s.now },
	})
}

func (s *shelf) text(p vault.Path) string {
	s.Helper()
	data, err := s.vault.ReadOwn(p)
	check(s, err)
	return string(data)
}

func (s *shelf) write(p vault.Path, after string) undo.Entry {
	s.Helper()
	data, err := s.vault.ReadOwn(p)
	w := undo.Write{Path: p, New: errors.Is(err, fs.ErrNotExist), Before: string(data), After: after}
	w.Chat, w.Turn, w.Tool = "Chats/Today.md", 2, "editFile"
	e, err := s.journal.Write(w)
	check(s, err)
	return e
}

func TestWriteAndUndo(t *testing.T) {
	s := open(t)
	first := s.text("Garden.md")
	a := s.write("Garden.md", first+"- leeks\n")
	b := s.write("New/Plum.md", "# Plum\n")
	s.again()
	all, err := s.journal.List()
	if err != nil || len(all) != 2 || all[0].ID != b.ID || !all[0].New || all[1].Before != first || all[1].Turn != 2 ||
		!all[1].CanUndo() {
		t.Fatalf("%+v, %v", all, err)
	}
	back, err := s.journal.Undo(a.ID)
	if err != nil || s.text("Garden.md") != first {
		t.Fatalf("%v: %q", err, s.text("Garden.md"))
	}
	if _, err := s.journal.Undo(a.ID); !errors.Is(err, undo.ErrNothing) {
		t.Errorf("taken back twice: %v", err)
	}
	if _, err := s.journal.Undo(back.ID); err != nil || s.text("Garden.md") != first+"- leeks\n" {
		t.Errorf("the undo taken back: %v, %q", err, s.text("Garden.md"))
	}
	if _, err := s.journal.Undo(a.ID); err != nil || s.text("Garden.md") != first {
		t.Errorf("and once more: %v, %q", err, s.text("Garden.md"))
	}
	gone, err := s.journal.Undo(b.ID)
	check(t, err)
	if got := s.text(".trash/New/Plum.md"); got != "# Plum\n" {
		t.Errorf("in the trash: %q", got)
	}
	if _, err := s.journal.Undo(gone.ID); err != nil || s.text("New/Plum.md") != "# Plum\n" {
		t.Errorf("back from the trash: %v", err)
	}
}

func TestChangedMeanwhile(t *testing.T) {
	s := open(t)
	first := s.text("Garden.md")
	if _, err := s.journal.Write(undo.Write{
		Path: "Garden.md", Before: "else", After: "x",
	}); !errors.Is(err, vault.ErrChanged) {
		t.Errorf("written over another text: %v", err)
	}
	if _, err := s.journal.Write(undo.Write{Path: "Garden.md", New: true, After: "x"}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made where there is a note: %v", err)
	}
	e := s.write("Garden.md", strings.Replace(first, "beans", "leeks", 1))
	vaulttest.Write(t, s.vault, "Garden.md", s.text("Garden.md")+"- plums\n- figs\n- pears\n- sloes\n")
	_, err := s.journal.Undo(e.ID)
	var changed *undo.ChangedError
	if !errors.As(err, &changed) {
		t.Fatal(err)
	}
	plan, conflicts := changed.Undo()
	c := plan.Change
	if len(conflicts) > 0 || c.After != first+"- plums\n- figs\n- pears\n- sloes\n" || c.Before != changed.Now {
		t.Errorf("%v, %q", conflicts, c.After)
	}
	back, err := s.journal.Write(undo.Write{Path: "Garden.md", Before: c.Before, After: c.After, Undoes: e.ID})
	if err != nil || s.text("Garden.md") != c.After {
		t.Fatal(err)
	}
	if all, _ := s.journal.List(); all[1].Undone != back.ID {
		t.Errorf("%+v", all)
	}
}

func TestNotKept(t *testing.T) {
	v, state := vaulttest.New(t, garden), t.TempDir()
	j := undo.New(v, undo.Options{StateDir: state})
	_, err := j.Write(undo.Write{Path: "A.md", New: true, After: "a"})
	check(t, err)
	if entries, err := os.ReadDir(state); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
	if _, err := j.Undo(1); !errors.Is(err, undo.ErrNothing) {
		t.Error(err)
	}
}

// TestKept: stored writes are readable only by the user, and deleted after some days.
func TestKept(t *testing.T) {
	s := open(t)
	s.write("Garden.md", "other\n")
	err := filepath.WalkDir(s.state, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; err == nil && name != s.state &&
			runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s: %v", name, info.Mode())
		}
		return err
	})
	if err != nil || s.journal.Size() == 0 {
		t.Error(err)
	}
	s.now = s.now.AddDate(0, 0, 29)
	s.again()
	if all, err := s.journal.List(); err != nil || len(all) != 1 {
		t.Errorf("after 29 days: %v, %v", all, err)
	}
	s.now = s.now.AddDate(0, 0, 2)
	s.again()
	if all, err := s.journal.List(); err != nil || len(all) != 0 {
		t.Errorf("after 31 days: %v, %v", all, err)
	}
}

// TestBounded: the stored writes have a limit. The oldest are deleted first, but not those of
// the current turn or unfinished ones.
func TestBounded(t *testing.T) {
	s := open(t)
	const most = 300_000
	s.journal = undo.New(s.vault, undo.Options{StateDir: s.state, Days: 30, MaxBytes: most})
	dir, err := filepath.Glob(filepath.Join(s.state, "writes", "*"))
	if err != nil || len(dir) > 0 {
		t.Fatal(dir, err)
	}
	noise := func() string {
		data := make([]byte, 50_000)
		_, _ = rand.Read(data)
		return string(data)
	}
	before := ""
	write := func(turn int) int {
		t.Helper()
		w := undo.Write{
			Path: "Noise.md", New: before == "", Before: before, After: noise(),
			Author: undo.Author{Chat: "Chats/A.md", Turn: turn, Tool: fmt.Sprint("tool", s.now.UnixNano())},
		}
		e, err := s.journal.Write(w)
		check(t, err)
		before = w.After
		return e.ID
	}
	write(1)
	dir, _ = filepath.Glob(filepath.Join(s.state, "writes", "*"))
	pending := filepath.Join(dir[0], "00000001.pending")
	check(t, os.Rename(filepath.Join(dir[0], "00000001.json"), pending))
	for turn := range 5 {
		write(2 + turn)
	}
	if n := s.journal.Size(); n > most {
		t.Errorf("%d bytes are kept", n)
	}
	var turn []int
	for range 8 {
		turn = append(turn, write(9))
	}
	if _, err := os.Stat(pending); err != nil {
		t.Errorf("the write that did not end: %v", err)
	}
	for _, id := range slices.Backward(turn) {
		if _, err := s.journal.Undo(id); err != nil {
			t.Errorf("change %d of the turn: %v", id, err)
		}
	}
	all, err := s.journal.List()
	if err != nil || all[len(all)-1].ID != 1 || !all[len(all)-1].Unsure {
		t.Errorf("%d are kept, %v", len(all), err)
	}
}

// TestPlain: what an earlier version has kept, not compressed, is read.
func TestPlain(t *testing.T) {
	s := open(t)
	first := s.text("Garden.md")
	e := s.write("Garden.md", strings.Repeat("leeks\n", 1000))
	files, _ := filepath.Glob(filepath.Join(s.state, "writes", "*", "*.json"))
	data, err := os.ReadFile(files[0])
	if err != nil || len(data) > 2000 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	if data, err = ownfile.Unpack(data); err == nil {
		err = os.WriteFile(files[0], data, 0o600)
	}
	if err != nil || data[0] != '{' {
		t.Fatal(err)
	}
	s.again()
	if _, err := s.journal.Undo(e.ID); err != nil || s.text("Garden.md") != first {
		t.Errorf("%v: %q", err, s.text("Garden.md"))
	}
}

// Where what a note holds cannot be kept, nothing is written, and the error tells nobody
// where the state folder is.
func TestNowhereToKeep(t *testing.T) {
	s := open(t)
	blocked := filepath.Join(s.state, "writes")
	check(t, os.WriteFile(blocked, nil, 0o600))
	w := undo.Write{Path: "Garden.md", Before: s.text("Garden.md"), After: "x"}
	if _, err := s.journal.Write(w); err == nil ||
		!strings.HasPrefix(err.Error(), "keep what Garden.md holds in the state folder: ") ||
		strings.Contains(err.Error(), s.state) {
		t.Errorf("%v", err)
	}
	if s.text("Garden.md") != w.Before {
		t.Error("it was written")
	}
}

func TestCheck(t *testing.T) {
	s := open(t)
	out := t.TempDir()
	for link, to := range map[string]string{
		"out": out, "Link.md": "Diary.md", "Way.md": "Garden.md", "Talk.md": "Chats/Today.md",
		"Hidden.md": ".ibid/pins.json",
	} {
		if err := os.Symlink(to, filepath.Join(s.vault.Dir(), link)); err != nil {
			t.Skip(err)
		}
	}
	for _, row := range vaulttest.Rows(t, "check.txt", 2) {
		for who, model := range map[string]bool{"person": false, "model": true} {
			if err := s.journal.Check(vault.Path(row[0]), model); (err == nil) != strings.Contains(row[1], who) {
				t.Errorf("%q, by a %s: %v", row[0], who, err)
			}
		}
	}
}

func TestWarnings(t *testing.T) {
	s := open(t)
	before := "---\ntitle: Plum\n---\n[[Gone]]\n"
	for after, want := range map[string]string{
		before + "[[Garden]] [[Gone]]\n":                               "",
		before + "[[Garden]] [[Nowhere]] ![[Lost]] [x](https://a.b)\n": "links: 2 of 3 lead nowhere: [[Nowhere]], [[Lost]]",
		"---\ntitle: [Plum\n---\n":                                     "the properties are not valid YAML",
		"---\nprivate: true\n---\n":                                    "the note becomes private",
	} {
		got := strings.Join(s.journal.Warnings("Plum.md", before, after), "; ")
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", after, got, want)
		}
	}
}

// TestApplyAndUndo: any write, with all or some of its hunks, is undone byte for byte.
func TestApplyAndUndo(t *testing.T) {
	s := open(t)
	line := rapid.SampledFrom([]string{
		"- beans\n", "- peas\r\n", "\n", "“x” – y  \n", "\xff\xfe\n", "\t日本\n", "---\n", "title: x\n",
	})
	text := func(t *rapid.T, name string) string {
		return rapid.SampledFrom([]string{"", "\uFEFF"}).Draw(t, "mark") +
			strings.Join(rapid.SliceOfN(line, 1, 30).Draw(t, name), "") + rapid.SampledFrom([]string{"", "open"}).Draw(t, "end")
	}
	rapid.Check(t, func(t *rapid.T) {
		before := text(t, "before")
		check(t, s.vault.WriteFile("Random.md", []byte(before), vault.WriteOptions{}))
		c := edit.Compare(before, text(t, "after"))
		chosen := []int{}
		for i := range c.Hunks {
			if rapid.Bool().Draw(t, "chosen") {
				chosen = append(chosen, i)
			}
		}
		e, err := s.journal.Write(undo.Write{Path: "Random.md", Before: before, After: c.Select(chosen)})
		check(t, err)
		if s.text("Random.md") != c.Select(chosen) {
			t.Fatal("something else was written")
		}
		if _, err := s.journal.Undo(e.ID); err != nil || s.text("Random.md") != before {
			t.Fatalf("%v, %q, was %q", err, s.text("Random.md"), before)
		}
	})
}

// check ends a test that cannot go on.
func check(t interface {
	Helper()
	Fatal(args ...any)
}, err error,
) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// writeMany writes files at once; files without a text before are made.
func (s *shelf) writeMany(after map[vault.Path]string) (undo.Entry, []error) {
	var all []undo.Write
	for _, p := range slices.Sorted(maps.Keys(after)) {
		data, err := s.vault.ReadOwn(p)
		w := undo.Write{Path: p, New: errors.Is(err, fs.ErrNotExist), Before: string(data), After: after[p]}
		w.Chat, w.Turn = "Chats/Today.md", 2
		all = append(all, w)
	}
	return s.journal.WriteAll(all)
}

// TestWriteMany: several files are one entry, for this process and the next, and one undo takes all back.
func TestWriteMany(t *testing.T) {
	s := open(t)
	first := s.text("Garden.md")
	e, errs := s.writeMany(map[vault.Path]string{"Garden.md": "x\n", "New/Fig.md": "fig\n", "Plum.md": ""})
	check(t, errors.Join(errs...))
	s.again()
	all, err := s.journal.List()
	if err != nil || len(all) != 1 || all[0].ID != e.ID || len(all[0].Paths()) != 3 || !all[0].CanUndo() || all[0].Turn != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	for range 2 {
		back, err := s.journal.Undo(e.ID)
		if err != nil || s.text("Garden.md") != first || s.text(".trash/New/Fig.md") != "fig\n" || len(back.Paths()) != 3 {
			t.Fatalf("%+v, %v", back, err)
		}
		if _, err := s.journal.Undo(e.ID); !errors.Is(err, undo.ErrNothing) {
			t.Errorf("taken back twice: %v", err)
		}
		if _, err := s.journal.Undo(back.ID); err != nil || s.text("Garden.md") != "x\n" || s.text("New/Fig.md") != "fig\n" {
			t.Errorf("made again: %v", err)
		}
	}
}

// TestWriteManyPartly: what cannot be written is left out, and what was changed since stays until it can be undone.
func TestWriteManyPartly(t *testing.T) {
	s := open(t)
	first := s.text("Garden.md")
	e, errs := s.journal.WriteAll([]undo.Write{
		{Path: "Garden.md", Before: first, After: "x\n"},
		{Path: "Diary.md", Before: "else", After: "y"},
		{Path: ".ibid/pins.json", Before: "{}\n", After: "[]"},
		{Path: "A.md", New: true, After: "a\n"},
		{Path: "B.md", New: true, After: "b\n"},
	})
	if errs[0] != nil || !errors.Is(errs[1], vault.ErrChanged) || !errors.Is(errs[2], undo.ErrForbidden) ||
		errs[3] != nil || errs[4] != nil || len(e.Paths()) != 3 {
		t.Fatalf("%v, %v", e.Paths(), errs)
	}
	vaulttest.Write(t, s.vault, "A.md", "a, changed\n")
	vaulttest.Write(t, s.vault, "B.md", "b, changed\n")
	back, err := s.journal.Undo(e.ID)
	var changed *undo.ChangedError
	if !errors.As(err, &changed) || changed.Entry.Path != "A.md" || changed.Now != "a, changed\n" ||
		!slices.Equal(changed.Others, []vault.Path{"B.md"}) || len(back.Paths()) != 1 || s.text("Garden.md") != first {
		t.Fatalf("%v, %v", back.Paths(), err)
	}
	s.again()
	if all, err := s.journal.List(); err != nil || !all[len(all)-1].CanUndo() {
		t.Errorf("two files are not undone, %v", err)
	}
	vaulttest.Write(t, s.vault, "A.md", "a\n")
	vaulttest.Write(t, s.vault, "B.md", "b\n")
	if back, err := s.journal.Undo(e.ID); err != nil || len(back.Paths()) != 2 {
		t.Fatalf("%v, %v", back.Paths(), err)
	}
	if all, err := s.journal.List(); err != nil || all[len(all)-1].CanUndo() {
		t.Errorf("all files are undone, %v", err)
	}
}

// TestWriteNothingAtOnce: if no file can be written, there is no entry.
func TestWriteNothingAtOnce(t *testing.T) {
	s := open(t)
	if e, errs := s.journal.WriteAll([]undo.Write{
		{Path: "Garden.md", Before: "else"}, {Path: "Diary.md", New: true},
	}); e.ID != 0 || errs[0] == nil || errs[1] == nil {
		t.Errorf("%+v, %v", e, errs)
	}
	if all, err := s.journal.List(); err != nil || len(all) > 0 {
		t.Errorf("%v, %v", all, err)
	}
}

// TestApplyAll: plans of one file follow each other, one that fits no more is left out, and all others are one entry.
func TestApplyAll(t *testing.T) {
	s := open(t)
	plan := func(p vault.Path, old, now string) undo.Plan {
		made, err := s.journal.Plan(p, undo.Author{}, func(before string, _ bool) (string, error) {
			if old == "" {
				return now, nil
			}
			return edit.Replace(before, old, now, false)
		})
		check(t, err)
		return made
	}
	plans := []undo.Plan{
		plan("Garden.md", "beans", "broad beans"), plan("Fig.md", "", "fig\n"), plan("Garden.md", "- peas\n", "- peas\n- leeks\n"),
		plan("Garden.md", "beans", "dwarf beans"), plan("Fig.md", "", "another\n"),
	}
	vaulttest.Write(t, s.vault, "Garden.md", "# Garden, mine\n\n- beans\n- peas\n")
	done, errs := s.journal.ApplyAll(plans)
	var conflict *undo.ConflictError
	if errs[0] != nil || errs[1] != nil || errs[2] != nil || !errors.As(errs[3], &conflict) || !errors.Is(errs[4], fs.ErrExist) {
		t.Fatal(errs)
	}
	if got := s.text("Garden.md"); got != "# Garden, mine\n\n- broad beans\n- peas\n- leeks\n" {
		t.Errorf("%q", got)
	}
	if !done[0].Rebased || done[1].Rebased || done[0].ID != done[2].ID || done[1].ID == 0 {
		t.Errorf("%+v", done)
	}
	if _, err := s.journal.Undo(done[0].ID); err != nil || s.text("Garden.md") != "# Garden, mine\n\n- beans\n- peas\n" {
		t.Errorf("%v, %q", err, s.text("Garden.md"))
	}
}

// TestPlanKeepsEncoding: a note in UTF-16 is changed as text, in its encoding, and taken back to the byte.
func TestPlanKeepsEncoding(t *testing.T) {
	v := vaulttest.New(t, garden)
	j := undo.New(v, undo.Options{StateDir: t.TempDir(), Days: 30})
	add := func(before string, _ bool) (string, error) { return before + "é\n", nil }
	for _, c := range []struct{ before, after string }{
		{"\xff\xfea\x00\n\x00", "\xff\xfea\x00\n\x00\xe9\x00\n\x00"},
		{"\xfe\xff\x00a\x00\n", "\xfe\xff\x00a\x00\n\x00\xe9\x00\n"},
		{"a\x00b\x00c\x00\n\x00", "a\x00b\x00c\x00\n\x00\xe9\x00\n\x00"},
	} {
		vaulttest.Write(t, v, "Wide.md", c.before)
		plan, err := j.Plan("Wide.md", undo.Author{}, add)
		check(t, err)
		vaulttest.Write(t, v, "Wide.md", c.before) // with another time
		done, err := j.Apply(plan, nil)
		check(t, err)
		data, err := v.ReadOwn("Wide.md")
		check(t, err)
		if string(data) != c.after {
			t.Errorf("%q becomes %q, want %q", c.before, data, c.after)
		}
		if change := done.Change(); !strings.HasSuffix(change.After, "é\n") {
			t.Errorf("the change is %q", change.After)
		}
		_, err = j.Undo(done.ID)
		check(t, err)
		if data, _ := v.ReadOwn("Wide.md"); string(data) != c.before {
			t.Errorf("taken back it is %q, want %q", data, c.before)
		}
	}
	wide := vault.UTF16LE
	const lines = "1\n2\n3\n4\n5\n6\n7\n8\n"
	vaulttest.Write(t, v, "Wide.md", string(wide.Encode("\ufeffa\n"+lines)))
	letter, err := j.Plan("Wide.md", undo.Author{}, func(before string, _ bool) (string, error) {
		return strings.Replace(before, "a", "á", 1), nil
	})
	check(t, err)
	more, err := j.Plan("Wide.md", undo.Author{}, add)
	check(t, err)
	_, errs := j.ApplyAll([]undo.Plan{letter, more})
	check(t, errors.Join(errs...))
	if data, _ := v.ReadOwn("Wide.md"); string(data) != string(wide.Encode("\ufeffá\n"+lines+"é\n")) {
		t.Errorf("at once it is %q", data)
	}
	vaulttest.Write(t, v, "Torn.md", "\xff\xfea\x00b")
	if _, err := j.Plan("Torn.md", undo.Author{}, add); !errors.Is(err, vault.ErrBinary) {
		t.Errorf("half a character: %v", err)
	}
}
