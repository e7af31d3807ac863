package vault_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

func revalidate(t testing.TB, v *vault.Vault) []vault.Change {
	t.Helper()
	changes, err := v.Revalidate(context.Background())
	check(t, err)
	return changes
}

func update(t testing.TB, v *vault.Vault, paths ...vault.Path) []vault.Change {
	t.Helper()
	changes, err := v.Update(context.Background(), paths)
	check(t, err)
	return changes
}

func TestOpenErrors(t *testing.T) {
	dir := vaulttest.Dir(t, "-- a.md --\n")
	if _, err := vault.Open(filepath.Join(dir, "nope"), vault.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing folder: %v", err)
	}
	if _, err := vault.Open(filepath.Join(dir, "a.md"), vault.Options{}); err == nil ||
		!strings.Contains(err.Error(), "this is a file") {
		t.Errorf("a file: %v", err)
	}
	if _, err := vault.Open(dir, vault.Options{Ignore: []string{"/(/"}}); err == nil ||
		!strings.Contains(err.Error(), "/(/") {
		t.Errorf("a bad pattern: %v", err)
	}
	unreadable(t, dir)
	if _, err := vault.Open(dir, vault.Options{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a closed folder: %v", err)
	}
}

// unreadable removes all permissions of name until the test ends; it skips the test on systems
// where that has no effect.
func unreadable(t *testing.T, name string) {
	t.Helper()
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	info, err := os.Stat(name)
	check(t, err)
	check(t, os.Chmod(name, 0))
	t.Cleanup(func() { _ = os.Chmod(name, info.Mode()) })
}

func TestScan(t *testing.T) {
	dir := vaulttest.Dir(t, `
-- b/Two.md --
---
title: Number two
---
[[One]] #x
-- One.MD --
-- pics/p.png --
-- .hidden.md --
-- .obsidian/notes.md --
-- b/.git/x.md --
-- empty/.keep --
`)
	v, err := vault.Open(dir, vault.Options{})
	check(t, err)
	defer v.Close()
	if v.Scanned() || len(v.Notes()) != 0 || v.Find("One", vault.ToRead).State != vault.Missing {
		t.Error("the vault is known before it was scanned")
	}
	check(t, v.Scan(t.Context()))
	if done, total := v.Progress(); !v.Scanned() || done != 3 || total != 3 {
		t.Errorf("scanned %v, %d of %d", v.Scanned(), done, total)
	}
	is(t, paths(v.Notes()), "One.MD b/Two.md")
	is(t, v.Files(), []vault.Path{"pics/p.png"})
	is(t, v.Folders(), []vault.Path{"b", "empty", "pics"})
	n, ok := v.Note("b/Two.md")
	if !ok || n.Title != "Number two" || n.Size == 0 || n.ModTime.IsZero() {
		t.Errorf("note = %+v", n)
	}
	if _, ok := v.Note("nope.md"); ok {
		t.Error("a note that does not exist")
	}
}

// Nothing in a file drops its note.
func TestOddNotes(t *testing.T) {
	dir := vaulttest.Dir(t, "-- big.md --\n"+strings.Repeat("#tag ", 100)+"\n-- empty.md --\n")
	for name, data := range map[string]string{
		"binary.md": "a\x00b", "utf32.md": "\xff\xfe\x00\x00a\x00\x00\x00",
		"utf16.md": "\xff\xfe#\x00 \x00T\x00\xe9\x00\r\x00\n\x00", "utf16be.md": "\xfe\xff\x00#\x00t\xd8\x3c\xdf\x75",
		"torn16.md": "\xfe\xff\x00#\x00t\xd8", "latin.md": "caf\xe9 #tea", "bom.md": "\uFEFF---\ntitle: B\n---",
		"crlf.md": "---\r\ntitle: C\r\n---\r\n# h\r\n",
	} {
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644))
	}
	v := vaulttest.Open(t, dir, vault.Options{MaxNote: 200})
	is(t, paths(v.Notes()), "big.md binary.md bom.md crlf.md empty.md latin.md torn16.md utf16.md utf16be.md utf32.md")
	for p, want := range map[vault.Path]string{
		"big.md": "too large", "binary.md": "not a text", "utf32.md": "not a text", "utf16.md": "in UTF-16",
		"torn16.md": "in UTF-16", "utf16be.md": "in UTF-16", "latin.md": "UTF-8", "bom.md": "", "crlf.md": "",
		"empty.md": "",
	} {
		n, _ := v.Note(p)
		if (want == "") != (n.Warning == "") || !strings.Contains(n.Warning, want) {
			t.Errorf("%s: warning %q, want %q", p, n.Warning, want)
		}
	}
	latin, _ := v.Note("latin.md")
	bom, _ := v.Note("bom.md")
	crlf, _ := v.Note("crlf.md")
	wide, _ := v.Note("utf16.md")
	if text, err := v.Read("utf16be.md"); err != nil || text.Content != "#t🍵" || text.Note.Tags[0] != "t🍵" {
		t.Errorf("UTF-16 reads %+v, %v", text, err)
	}
	if len(wide.Headings) != 1 || wide.Headings[0].Text != "Té" {
		t.Errorf("UTF-16: %+v", wide)
	}
	if len(latin.Tags) != 1 || bom.Title != "B" || crlf.Title != "C" || crlf.Headings[0].Line != 4 {
		t.Errorf("%+v\n%+v\n%+v", latin, bom, crlf)
	}
}

func TestUnreadableNoteAndFolder(t *testing.T) {
	dir := vaulttest.Dir(t, "-- a.md --\n#x\n-- sub/b.md --\n#y\n")
	v := vaulttest.Open(t, dir, vault.Options{})
	unreadable(t, filepath.Join(dir, "a.md"))
	unreadable(t, filepath.Join(dir, "sub"))
	wantChanges(t, revalidate(t, v), "")
	is(t, paths(v.Notes()), "a.md sub/b.md")
	if w := v.Warnings(); len(w) != 1 || !strings.Contains(w[0], "sub") {
		t.Errorf("warnings = %q", w)
	}
	fresh := vaulttest.Open(t, dir, vault.Options{})
	if n, ok := fresh.Note("a.md"); !ok || !strings.Contains(n.Warning, "cannot be read") {
		t.Errorf("a fresh scan lists %+v", n)
	}
	if _, err := v.Read("a.md"); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "a.md") {
		t.Errorf("Read: %v", err)
	}
}

func TestScanEndsWithItsContext(t *testing.T) {
	v, err := vault.Open(vaulttest.Dir(t, archive("a.md", "b/c.md")), vault.Options{})
	check(t, err)
	defer v.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := v.Scan(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Scan = %v", err)
	}
	if v.Scanned() || len(v.Notes()) != 0 {
		t.Error("a scan that was cut off left something behind")
	}
}

func TestRevalidate(t *testing.T) {
	start := "-- a.md --\nalpha\n-- b.md --\nbeta\n-- d/c.md --\ngamma\n-- d/p.png --\npicture\n-- e.md --\n"
	for _, row := range vaulttest.Rows(t, "revalidate.txt", 3) {
		t.Run(row[0], func(t *testing.T) {
			v := vaulttest.New(t, start)
			before := v.Version()
			do(t, v, row[1])
			want := row[2]
			if runtime.GOOS == "windows" { // no number of a file proves a move
				want = regexp.MustCompile(`renamed (\S+\.png) from (\S+)`).ReplaceAllString(want, "created $1; removed $2")
			}
			wantChanges(t, revalidate(t, v), want)
			if want != "" && v.Version() == before {
				t.Error("the version did not grow")
			}
			sameAsFresh(t, v)
			wantChanges(t, revalidate(t, v), "")
		})
	}
}

// do plays what happens to files: write, remove, rename and touch, with "; " between them.
func do(t *testing.T, v *vault.Vault, steps string) {
	t.Helper()
	for step := range strings.SplitSeq(steps, "; ") {
		verb, rest, _ := strings.Cut(step, " ")
		name, more, _ := strings.Cut(rest, " ")
		switch p := vault.Path(name); verb {
		case "write":
			vaulttest.Write(t, v, p, more)
		case "remove":
			vaulttest.Remove(t, v, p)
		case "rename":
			vaulttest.Rename(t, v, p, vault.Path(more))
		case "touch":
			now := time.Now().Add(time.Minute)
			check(t, os.Chtimes(filepath.Join(v.Dir(), name), now, now))
		}
	}
}

// describeChanges returns changes in words.
func describeChanges(changes []vault.Change) string {
	all := make([]string, len(changes))
	for i, c := range changes {
		all[i] = strings.TrimSuffix(fmt.Sprintf("%s %s from %s", c.Op, c.Path, c.From), " from ")
	}
	return strings.Join(all, "; ")
}

// wantChanges compares changes with their description.
func wantChanges(t *testing.T, got []vault.Change, want string) {
	t.Helper()
	is(t, describeChanges(got), want)
}

// sameAsFresh compares what v knows with a vault that was just opened.
func sameAsFresh(t *testing.T, v *vault.Vault) {
	t.Helper()
	fresh := vaulttest.Open(t, v.Dir(), vault.Options{})
	is(t, v.Notes(), fresh.Notes(), "notes beside those of a fresh scan")
	is(t, v.Files(), fresh.Files(), "files beside those of a fresh scan")
	is(t, v.Folders(), fresh.Folders(), "folders beside those of a fresh scan")
	for _, n := range fresh.Notes() {
		for _, tag := range n.Tags {
			is(t, paths(v.WithTag(tag)), paths(fresh.WithTag(tag)), "notes with", tag)
		}
	}
}

func TestUpdate(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nalpha\n-- d/c.md --\ngamma\n-- d/e/f.md --\nphi\n")
	vaulttest.Write(t, v, "a.md", "other words")
	vaulttest.Write(t, v, "new/n.md", "x")
	vaulttest.Write(t, v, "unseen.md", "x")
	got := update(t, v, "a.md", "new/n.md", "a.md", ".obsidian/x", "../out", "nothing.md")
	wantChanges(t, got, "modified a.md; created new/n.md")
	if got := update(t, v, "unseen.md"); len(got) != 1 {
		t.Errorf("unseen.md: %v", got)
	}
	sameAsFresh(t, v)
	vaulttest.Rename(t, v, "d", "moved")
	got = update(t, v, "d", "moved")
	wantChanges(t, got, "renamed moved/c.md from d/c.md; renamed moved/e/f.md from d/e/f.md")
	sameAsFresh(t, v)
	vaulttest.Remove(t, v, "moved/e")
	wantChanges(t, update(t, v, "moved/e"), "removed moved/e/f.md")
	sameAsFresh(t, v)
	vaulttest.Write(t, v, ".obsidian/app.json", `{"userIgnoreFilters":["moved"]}`)
	revalidate(t, v)
	vaulttest.Write(t, v, ".obsidian/app.json", `{}`)
	wantChanges(t, update(t, v, ".obsidian/app.json"), "created moved/c.md")
}

// Files that editors and sync programs leave for a moment are not there for a scan,
// nor for an update that names them.
func TestScratchFiles(t *testing.T) {
	v := vaulttest.New(t, archive("Tea.md", "Tea.md~", ".Tea.md.swp", "a/4913", "a/~$Cup.docx",
		"a/~syncthing~Tea.md.tmp", "a.tmp/Pot.md", "Cup.pdf.part"))
	if got := paths(v.Notes()); got != "Tea.md a.tmp/Pot.md" || len(v.Files()) != 0 {
		t.Errorf("notes %s, files %v", got, v.Files())
	}
	wantChanges(t, update(t, v, "Tea.md~", "a", "Cup.pdf.part"), "")
}

func TestIgnoreRules(t *testing.T) {
	dir := vaulttest.Dir(t, `
-- .obsidian/app.json --
{"userIgnoreFilters": ["Archive", "tmp/", "/^daily\\/2023/", "/(?<=x)y/"]}
-- Archive/a.md --
-- Archived.md --
-- notes/Archive.md --
-- tmp/b.md --
-- tmpfile.md --
-- daily/2023-01.md --
-- daily/2024-01.md --
-- work/secret.draft.md --
-- xy.md --
-- zy.md --
-- journal.md --
#Journal/today
-- journals.md --
#journals
`)
	v := vaulttest.Open(t, dir, vault.Options{Ignore: []string{`/\.draft\.md$/`, "#journal"}})
	is(t, paths(v.Notes()), "daily/2024-01.md journal.md journals.md notes/Archive.md tmpfile.md zy.md")
	is(t, v.Warnings(), nil)
	for p, want := range map[vault.Path]error{
		"Archive/a.md": vault.ErrIgnored, "work/secret.draft.md": vault.ErrIgnored, "journal.md": vault.ErrPrivate,
		"journals.md": nil,
	} {
		if _, err := v.Read(p); !errors.Is(err, want) {
			t.Errorf("Read(%s) = %v, want %v", p, err, want)
		}
		if _, err := v.ReadOwn(p); err != nil {
			t.Errorf("ReadOwn(%s) = %v", p, err)
		}
	}
}

// Obsidian rewrites app.json in place: while it is empty or cut off, what was
// excluded stays so.
func TestTornSettings(t *testing.T) {
	v := vaulttest.New(t, "-- .obsidian/app.json --\n{\"userIgnoreFilters\": [\"Old/\"]}\n-- Old/a.md --\n-- b.md --\n")
	for _, torn := range []string{"", `{"userIgn`} {
		vaulttest.Write(t, v, ".obsidian/app.json", torn)
		wantChanges(t, revalidate(t, v), "")
	}
	vaulttest.Write(t, v, ".obsidian/app.json", `{"userIgnoreFilters": null}`)
	if changes := revalidate(t, v); len(changes) != 1 {
		t.Errorf("no filters: %v", changes)
	}
}

func TestRenamedConfigFolder(t *testing.T) {
	v := vaulttest.New(t,
		"-- .settings/app.json --\n{\"userIgnoreFilters\": [\"Old/\"]}\n-- Old/a.md --\n-- .git/app.json --\n-- b.md --\n")
	is(t, paths(v.Notes()), "b.md")
}

func TestDiscover(t *testing.T) {
	dir := vaulttest.Dir(t, `
-- v/.obsidian/app.json --
-- v/a/b/n.md --
-- v/a/nested/.settings/app.json --
-- v/a/nested/.settings/workspace.json --
-- v/a/nested/x/n.md --
-- v/a/other/.tool/app.json --
-- v/a/other/n.md --
`)
	for start, want := range map[string]string{"v/a/b": "v", "v": "v", "v/a/nested/x": "v/a/nested", "v/a/other": "v"} {
		got, ok := vault.Discover(filepath.Join(dir, filepath.FromSlash(start)))
		if !ok || got != filepath.Join(dir, filepath.FromSlash(want)) {
			t.Errorf("Discover(%s) = %s, %v", start, got, ok)
		}
	}
	if got, ok := vault.Discover(dir); ok && strings.HasPrefix(got, dir) {
		t.Errorf("Discover outside = %s", got)
	}
}

func TestObsidianVaults(t *testing.T) {
	dir := vaulttest.Dir(t, archive("one/a.md", "two/a.md", "three/a.md"))
	p := func(name string) string { return filepath.Join(dir, name) }
	file := p("obsidian.json")
	if got, err := vault.ObsidianVaults(file); got != nil || err != nil {
		t.Errorf("without a file: %q, %v", got, err)
	}
	good := fmt.Sprintf(
		`{"vaults":{"a":{"path":%q,"ts":5},"b":{"path":%q,"ts":1,"open":true},"c":{"path":%q,"ts":9},"d":{"path":%q,"ts":99},"e":{"path":"two"},"f":{"path":%q},"g":{"path":%q},"h":{}}}`,
		p("one"), p("two"), p("three"), p("gone"), p("two/"), p("one/a.md"))
	for name, tt := range map[string]struct {
		text string
		want []string
		bad  bool
	}{
		"a list":        {good, []string{p("two"), p("three"), p("one"), p("two")}, false},
		"a byte order":  {`{"vaults":{"a":{"path":"` + "\xff\xfe" + `"}}}`, nil, false},
		"no vaults":     {`{"cli":true}`, nil, false},
		"torn":          {`{"vaults":{"a":{"path":"`, nil, true},
		"another shape": {`{"vaults":["a"]}`, nil, true},
		"empty":         {"", nil, true},
		"large":         {strings.Repeat(" ", 10<<20), nil, true},
	} {
		check(t, os.WriteFile(file, []byte(tt.text), 0o644))
		got, err := vault.ObsidianVaults(file)
		if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != tt.bad {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	if _, err := vault.ObsidianVaults(p("one")); err == nil {
		t.Error("a folder is a list of vaults")
	}
}

func TestHasNotes(t *testing.T) {
	dir := vaulttest.Dir(t, archive("near/a.md", "far/deep/a.md", "too/far/down/a.md", "none/a.txt", ".hidden/a.md"))
	for name, want := range map[string]bool{
		"near": true, "far": true, "too": false, "none": false, "gone": false, ".": true, ".hidden": true,
	} {
		is(t, vault.HasNotes(filepath.Join(dir, name)), want, name)
	}
}

// Readers see one whole state or the next while the vault is looked at again.
func TestReadersDuringRevalidate(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "-- d%d/n%d.md --\n---\ntags: [t%d]\n---\n[[n%d]]\n", i%5, i, i%7, (i+1)%60)
	}
	v := vaulttest.New(t, b.String())
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				for _, n := range v.Notes() {
					if _, ok := v.Note(n.Path); !ok && n.Path != "d0/n0.md" && n.Path != "x/n0.md" {
						t.Errorf("%s is listed and not there", n.Path)
					}
				}
				v.Resolve(fmt.Sprintf("n%d", i%60), "d0/n5.md")
				v.Find(fmt.Sprintf("n%d", i%70), vault.ToRead)
				v.WithTag("t1")
				_, _ = v.Read("d1/n1.md")
				v.Progress()
			}
		})
	}
	for i := range 10 {
		vaulttest.Write(t, v, "d1/n1.md", strings.Repeat("x [[n2]] ", i+1))
		from, to := vault.Path("d0/n0.md"), vault.Path("x/n0.md")
		if i%2 == 1 {
			from, to = to, from
		}
		vaulttest.Rename(t, v, from, to)
		revalidate(t, v)
		update(t, v, "d1/n1.md")
	}
	close(stop)
	wg.Wait()
	sameAsFresh(t, v)
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t rapid.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}

// check ends the test if there is an error.
func check(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
