package vault_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// settle sets a file's time far enough in the past that the time shows later changes.
func settle(t *testing.T, v *vault.Vault, p vault.Path) {
	t.Helper()
	old := time.Now().Add(-time.Hour).Truncate(time.Second).Add(123 * time.Millisecond)
	check(t, os.Chtimes(filepath.Join(v.Dir(), p.Native()), old, old))
}

func TestRead(t *testing.T) {
	v := vaulttest.New(t, "-- sub/a.md --\n-- board.canvas --\n{}\n")
	raw := "\uFEFF---\r\ntitle: A\r\n---\r\ncaf\xe9 \xff\xfe end\rlast"
	vaulttest.Write(t, v, "sub/a.md", raw)
	got, err := v.Read("sub/a.md")
	check(t, err)
	want := vault.Text{Content: "---\ntitle: A\n---\ncaf\uFFFD \uFFFD end\nlast", Size: int64(len(raw))}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(vault.Text{}, "Note", "ModTime")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got.Note.Title != "A" || got.Note.BodyLine != 4 || got.ModTime.IsZero() || got.Note.Warning == "" {
		t.Errorf("note = %+v", got.Note)
	}
	if c, err := v.Read("board.canvas"); err != nil || c.Content != "{}\n" || c.Note.Title != "board.canvas" {
		t.Errorf("canvas = %+v, %v", c, err)
	}
}

func TestReadErrors(t *testing.T) {
	dir := vaulttest.Dir(t, "-- a.md --\n-- d/x.md --\n-- .hidden/x.md --\n-- big.md --\n"+strings.Repeat("x", 300)+
		"\n-- secret.md --\n---\nprivate: true\n---\n")
	v := vaulttest.Open(t, dir, vault.Options{MaxNote: 200})
	vaulttest.Write(t, v, "bin.md", "a\x00")
	for p, want := range map[vault.Path]error{
		"nope.md": fs.ErrNotExist, "d": fs.ErrInvalid, "": fs.ErrInvalid, ".hidden/x.md": vault.ErrIgnored,
		"big.md": vault.ErrTooLarge, "secret.md": vault.ErrPrivate, "bin.md": vault.ErrBinary, "a.md/b": nil,
	} {
		_, err := v.Read(p)
		if err == nil || want != nil && !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "read "+string(p)+": ") {
			t.Errorf("Read(%q) = %v, want %v", p, err, want)
		}
	}
	if _, err := v.Read("big.md"); !strings.Contains(err.Error(), "1 KB") {
		t.Errorf("no sizes in %v", err)
	}
	if data, err := v.ReadOwn("secret.md"); err != nil || len(data) == 0 {
		t.Errorf("ReadOwn = %q, %v", data, err)
	}
}

// A note that becomes private is refused at once, before any rescan.
func TestPrivateIsSeenAtRead(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nhello\n-- b.md --\n[[a]]\n")
	_, err := v.Read("a.md")
	check(t, err)
	vaulttest.Write(t, v, "a.md", "---\nprivate: true\n---\nhello\n")
	if _, err := v.Read("a.md"); !errors.Is(err, vault.ErrPrivate) {
		t.Errorf("Read = %v", err)
	}
	if _, err := v.ReadFile("a.md", 1000); !errors.Is(err, vault.ErrPrivate) {
		t.Errorf("ReadFile = %v", err)
	}
}

// S3-19, S0-10: a second read of an unchanged file costs no disk read.
func TestReadsFromMemory(t *testing.T) {
	reads := map[vault.Path]int{}
	dir := vaulttest.Dir(t, "-- a.md --\none\n-- b.md --\n"+strings.Repeat("b", 600)+"\n-- c.md --\n"+
		strings.Repeat("c", 600)+"\n")
	v := vaulttest.Open(t, dir, vault.Options{CacheBytes: 1000, OnRead: func(p vault.Path) { reads[p]++ }})
	for _, p := range []vault.Path{"a.md", "b.md", "c.md"} {
		settle(t, v, p)
	}
	read := func(p vault.Path, want int) string {
		t.Helper()
		text, err := v.Read(p)
		check(t, err)
		is(t, reads[p], want, p)
		return text.Content
	}
	read("a.md", 1)
	read("a.md", 1)
	vaulttest.Write(t, v, "a.md", "two\n")
	is(t, read("a.md", 2), "two\n", "stale")
	settle(t, v, "a.md")
	read("a.md", 3)
	read("a.md", 3)
	read("b.md", 1)
	read("c.md", 1) // pushes b.md out
	read("c.md", 1)
	read("b.md", 2)
}

// A write within the tick of the clock that stamped the last one is seen.
func TestReadSeesQuickWrites(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n0\n")
	for i := range 50 {
		want := string(rune('a' + i%26))
		vaulttest.Write(t, v, "a.md", want)
		if text, err := v.Read("a.md"); err != nil || text.Content != want {
			t.Fatalf("read %q, %v; want %q", text.Content, err, want)
		}
	}
}

func TestReadFile(t *testing.T) {
	v := vaulttest.New(t,
		"-- p.png --\n12345\n-- .obsidian/app.json --\n{\"userIgnoreFilters\":[\"x/\"]}\n-- x/p.png --\n")
	if data, err := v.ReadFile("p.png", 6); err != nil || !bytes.Equal(data, []byte("12345\n")) {
		t.Errorf("ReadFile = %q, %v", data, err)
	}
	if _, err := v.ReadFile("p.png", 5); !errors.Is(err, vault.ErrTooLarge) {
		t.Errorf("over the limit: %v", err)
	}
	for p, want := range map[vault.Path]error{
		".obsidian/app.json": vault.ErrIgnored, "x/p.png": vault.ErrIgnored, "nope.png": fs.ErrNotExist,
	} {
		if _, err := v.ReadFile(p, 1000); !errors.Is(err, want) {
			t.Errorf("ReadFile(%s) = %v", p, err)
		}
	}
	if info, err := v.Stat("p.png"); err != nil || info.Size() != 6 {
		t.Errorf("Stat = %v, %v", info, err)
	}
	if _, err := v.Stat("nope"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Stat = %v", err)
	}
}

func TestSection(t *testing.T) {
	v := vaulttest.New(t, `
-- n.md --
---
a: 1
---
# Tea
intro

## Green: hot & cold
sencha ^leaf

### Brew
80 degrees

## Black
### Brew
95 degrees

# Cup
- one ^item
  - inside

end
## Pot ^pot
china
`)
	text, err := v.Read("n.md")
	check(t, err)
	for _, row := range vaulttest.Rows(t, "section.txt", 2) {
		got := ""
		if start, end, ok := text.Section(row[0]); ok {
			got = fmt.Sprintf("%d..%d", start, end)
		}
		is(t, got, row[1], "Section", row[0])
	}
	for _, tt := range []struct {
		from, to int
		want     string
	}{
		{4, 5, "# Tea\nintro"},
		{21, 21, "end"},
		{19, 99, "  - inside\n\nend\n## Pot ^pot\nchina\n"},
		{0, 1, "---"},
		{25, 26, ""},
		{5, 4, ""},
		{-3, -1, ""},
	} {
		is(t, text.Lines(tt.from, tt.to), tt.want, tt.from, tt.to)
	}
}

// TestReadSameSizeAndTime: an edit that keeps the size of a file and puts its
// time back is seen where the system keeps a time of its own.
func TestReadSameSizeAndTime(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the system has no such time")
	}
	v := vaulttest.New(t, "-- a.md --\nmonday\n")
	name := filepath.Join(v.Dir(), "a.md")
	old := time.Now().Add(-time.Hour)
	for _, content := range []string{"monday\n", "friday\n", "sunday\n"} {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		check(t, err)
		_, err = f.WriteString(content)
		check(t, errors.Join(err, f.Close(), os.Chtimes(name, old, old)))
		if text, err := v.Read("a.md"); err != nil || text.Content != content {
			t.Errorf("read %q, %v, want %q", text.Content, err, content)
		}
	}
}

// A BulkReader does not parse what it knows, and reads like Read what has changed.
func TestBulkReader(t *testing.T) {
	dir := vaulttest.Dir(t, "-- a.md --\n# One\n#tag\n-- p.md --\n---\nprivate: true\n---\nx\n")
	old := time.Now().Add(-time.Hour)
	check(t, os.Chtimes(filepath.Join(dir, "a.md"), old, old))
	v := vaulttest.Open(t, dir, vault.Options{})
	r := v.BulkReader()
	defer r.Close()
	known, _ := v.Note("a.md")
	got, err := r.Read("a.md")
	if err != nil || got.Note != known || got.Content != "# One\n#tag\n" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := r.Read("p.md"); !errors.Is(err, vault.ErrPrivate) {
		t.Errorf("a private note: %v", err)
	}
	if _, err := r.Read("none.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no note: %v", err)
	}
	vaulttest.Write(t, v, "a.md", "---\nprivate: true\n---\nsecret\n")
	if _, err := r.Read("a.md"); !errors.Is(err, vault.ErrPrivate) {
		t.Errorf("a note that became private: %v", err)
	}
	vaulttest.Write(t, v, "a.md", "# Two\n")
	if got, err := r.Read("a.md"); err != nil || got.Note.Headings[0].Text != "Two" {
		t.Errorf("a note that was changed: %+v, %v", got, err)
	}
	hidden := filepath.Join(dir, ".hidden.md") // of the size and time that the note had
	check(t, errors.Join(os.Remove(filepath.Join(dir, "a.md")), os.WriteFile(hidden, []byte("# Xyz\n#tag\n"), 0o644),
		os.Chtimes(hidden, old, old), os.Symlink(".hidden.md", filepath.Join(dir, "a.md"))))
	if got, err := r.Read("a.md"); !errors.Is(err, vault.ErrIgnored) {
		t.Errorf("a link to a dot file: %+v, %v", got, err)
	}
}
