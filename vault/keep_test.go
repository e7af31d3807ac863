package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// keeping is a vault in a folder whose notes are old enough to be kept, and a folder
// of caches.
type keeping struct{ dir, cache string }

func newKeeping(t testing.TB, files ...string) keeping {
	t.Helper()
	k := keeping{t.TempDir(), filepath.Join(t.TempDir(), "cache")}
	for i := 0; i < len(files); i += 2 {
		k.write(t, files[i], files[i+1], time.Hour)
	}
	return k
}

func (k keeping) write(t testing.TB, name, text string, age time.Duration) {
	t.Helper()
	name = filepath.Join(k.dir, filepath.FromSlash(name))
	at := time.Now().Add(-age)
	for _, err := range []error{
		os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644), os.Chtimes(name, at, at),
	} {
		check(t, err)
	}
}

// scan opens the vault, compares what it knows with what a vault without a cache
// knows, and says which notes came from the cache.
func (k keeping) scan(t testing.TB, opts Options) (kept []string) {
	t.Helper()
	var known [2][]*Note
	for i, cache := range []string{k.cache, ""} {
		opts.Cache = cache
		v, err := Open(k.dir, opts)
		check(t, err)
		before := loadKept(keptFile(cache, v.dir))
		check(t, v.Scan(t.Context()))
		known[i] = v.Notes()
		if cache != "" {
			for p, e := range v.disk.entries {
				if _, ok := before.match(e); ok && e.note != nil && e.size <= v.opts.MaxNote {
					kept = append(kept, string(p))
				}
			}
		}
		check(t, v.Close())
	}
	is(t, known[0], known[1], "kept notes")
	slices.Sort(kept)
	return kept
}

func (k keeping) file(t testing.TB) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(k.cache, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	return files[0]
}

func TestKeep(t *testing.T) {
	k := newKeeping(t, "Tea.md",
		"---\ntitle: Tea\naliases: [Chai]\nrank: 3\nup: \"[[Cup]]\"\n---\n# Green\n#hot [[Cup|c]] ![[a.png]]\n\nx ^b\n",
		"a/Cup.md", "broken\xff", "Bin.md", "a\x00b",
		"Mine.md", "---\nprivate: true\n---\nsecret", "big.md", strings.Repeat("x", 300), "pic.png", "x")
	opts := Options{MaxNote: 200}
	want := func(names ...string) {
		t.Helper()
		is(t, k.scan(t, opts), names)
	}
	want()
	want("Bin.md", "Tea.md", "a/Cup.md")
	if data, err := os.ReadFile(k.file(t)); err != nil || bytes.Contains(data, []byte("Mine")) {
		t.Errorf("a private note is kept: %v", err)
	}
	if info, err := os.Stat(k.file(t)); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	k.write(t, "a/Cup.md", "#changed", 30*time.Minute)
	k.write(t, "New.md", "new", -time.Hour) // so young that it may change unseen
	want("Bin.md", "Tea.md")
	want("Bin.md", "Tea.md", "a/Cup.md")
	// A rule that makes a kept note private holds, and one that excludes a folder.
	opts.Ignore = []string{"#hot", "a/"}
	want("Bin.md", "Tea.md")
	opts = Options{MaxNote: 4}
	want("Bin.md")
	opts = Options{MaxNote: 200}
	// The vault was moved away and another took its place.
	check(t, os.Remove(filepath.Join(k.dir, "Tea.md")))
	want("Bin.md", "a/Cup.md")
}

// A file of kept notes that is damaged, of another version or a folder is made
// anew; one that cannot be written costs nothing else.
func TestKeepDamaged(t *testing.T) {
	k := newKeeping(t, "a.md", "#one [[b]]", "b.md", "#two")
	k.scan(t, Options{})
	sound, err := os.ReadFile(k.file(t))
	check(t, err)
	for at := range sound {
		for _, damage := range []func([]byte) []byte{
			func(b []byte) []byte { return b[:at] },
			func(b []byte) []byte { b[at] ^= 0x41; return b },
			func(b []byte) []byte { return slices.Insert(b, at, 0) },
		} {
			data := damage(slices.Clone(sound))
			check(t, os.WriteFile(k.file(t), data, 0o600))
			if n := len(loadKept(k.file(t))); n != 0 && !bytes.HasPrefix(data, sound) {
				t.Fatalf("%d notes of a damaged file, at byte %d", n, at)
			}
		}
	}
	check(t, os.WriteFile(k.file(t), sound[:len(sound)-1], 0o600))
	is(t, k.scan(t, Options{}), nil)
	if got := k.scan(t, Options{}); len(got) != 2 {
		t.Errorf("it was not made anew: %v", got)
	}
	name := k.file(t)
	for _, err := range []error{os.Remove(name), os.MkdirAll(filepath.Join(name, "x"), 0o755)} {
		check(t, err)
	}
	is(t, k.scan(t, Options{}), nil)
	k.file(t) // nothing was left behind
	k.cache = filepath.Join(k.dir, "a.md", "cache")
	k.scan(t, Options{})
}

// The file is written again once a twentieth of the notes is not as it has them.
func TestKeepFew(t *testing.T) {
	k := newKeeping(t)
	for i := range 41 {
		k.write(t, fmt.Sprintf("%d.md", i), "x", time.Hour)
	}
	k.scan(t, Options{})
	for i, want := range []int{40, 39, 38, 41} {
		if i < 3 {
			k.write(t, fmt.Sprintf("%d.md", i), "changed", time.Minute)
		}
		if got := k.scan(t, Options{}); len(got) != want {
			t.Errorf("%d changed: %d are kept", i+1, len(got))
		}
	}
}

// A file in which notes are written again and again stays small.
func TestKeepGrowth(t *testing.T) {
	k := newKeeping(t, "a.md", "x", "b.md", "x")
	var size int64
	for i := range 40 {
		k.write(t, "a.md", strings.Repeat("#t ", i), time.Duration(100-i)*time.Minute)
		k.scan(t, Options{})
		if info, err := os.Stat(k.file(t)); err != nil || i > 0 && info.Size() > 4*size {
			t.Fatalf("%d bytes, at first %d, %v", info.Size(), size, err)
		} else if i == 0 {
			size = info.Size()
		}
	}
}

// What a killed process was writing is removed, and not what another one writes now.
func TestKeepSweeps(t *testing.T) {
	k := newKeeping(t, "a.md", "x")
	k.scan(t, Options{})
	file := filepath.Join(k.cache, "."+filepath.Base(k.file(t)))
	old, young, other := file+"-123", file+"-124", filepath.Join(k.cache, ".other.notes-125")
	for _, name := range []string{old, young, other} {
		check(t, os.WriteFile(name, []byte("half"), 0o600))
	}
	at := time.Now().Add(-time.Hour)
	check(t, errors.Join(os.Chtimes(old, at, at), os.Chtimes(other, at, at)))
	k.scan(t, Options{})
	for name, want := range map[string]bool{old: false, young: true, other: true} {
		if _, err := os.Stat(name); err == nil != want {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
		_ = os.Remove(name) // if it is there
	}
}

// What was read while the vault was open is kept when it is closed.
func TestKeepAtClose(t *testing.T) {
	k := newKeeping(t, "a.md", "x")
	v, err := Open(k.dir, Options{Cache: k.cache})
	check(t, err)
	check(t, v.Scan(t.Context()))
	k.write(t, "b.md", "#later", time.Hour)
	_, err = v.Update(t.Context(), []Path{"b.md"})
	check(t, err)
	check(t, v.Close())
	if got := k.scan(t, Options{}); len(got) != 2 {
		t.Errorf("kept %v", got)
	}
}

// TestUnpack: a packed note is unpacked unchanged, and other data is refused without harm.
func TestUnpack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := unpack("a.md", rapid.String().Draw(t, "packed"))
		for range n.Links() {
		}
		n.Blocks()
		n.Props()
	})
}

// Kept notes are those of this version of the program. If this test fails, notes are
// read or packed in another way than before: count keptMagic up, and correct the sum.
func TestKeptVersion(t *testing.T) {
	const want = "4da3"
	h := sha256.New()
	for i := range 50 {
		_, _ = h.Write([]byte(parseNote("a/n.md", makeNote(i)).packed()))
	}
	for _, text := range []string{
		"---\ntags: a, b\nx: {y: [1, \"[[z]]\"]}\nprivate: yes\n---\n# h #t\n\n- a ^b\n  - c\n\n> ![[p.png|20]]\n\nT\n===\n",
		"---\na: b: c\n---\n`[[x]]` [y]([[z]]) [q](r%20s.md#t 'u')\n```\n# no\n```\n| a |\n|---|\n| [[c\\|d]] |\n^e\n",
		"---\nprivate: true",
		"---\naliases: a, b\n---\n## h ^i\n",
		"---\nepoch: 1\nmodelKey: m\ntopic: t\n---\n**user**: x\n",
	} {
		_, _ = h.Write([]byte(parseNote("a/n.md", text).packed()))
	}
	if got := hex.EncodeToString(h.Sum(nil))[:4]; got != want || keptMagic != "ibid notes 11\n" {
		t.Errorf("the sum is %s", got)
	}
}
