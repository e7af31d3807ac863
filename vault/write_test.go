package vault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

func onDisk(t *testing.T, v *vault.Vault, p vault.Path) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(v.Dir(), p.Native()))
	if err != nil {
		return "error: " + err.Error()
	}
	return string(data)
}

// noLeftovers checks that no unfinished file remains.
func noLeftovers(t *testing.T, v *vault.Vault) {
	t.Helper()
	err := filepath.WalkDir(v.Dir(), func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".tmp") {
			t.Errorf("left behind: %s", name)
		}
		return err
	})
	check(t, err)
}

func TestWriteFile(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nold\n")
	text, err := v.Read("a.md")
	check(t, err)
	steps := []struct {
		name string
		path vault.Path
		data string
		opts vault.WriteOptions
		err  error
	}{
		{"a new file in a new folder", "x/y/new.md", "new", vault.WriteOptions{}, nil},
		{"over a file", "x/y/new.md", "newer", vault.WriteOptions{}, nil},
		{"only if new", "c.md", "c", vault.WriteOptions{Create: true}, nil},
		{"not new", "c.md", "cc", vault.WriteOptions{Create: true}, fs.ErrExist},
		{"as last read", "a.md", "mine", vault.WriteOptions{Old: []byte(text.Content)}, nil},
		{"changed since", "a.md", "mine again", vault.WriteOptions{Old: []byte(text.Content)}, vault.ErrChanged},
		{"gone since", "gone.md", "x", vault.WriteOptions{Old: []byte(text.Content)}, vault.ErrChanged},
		{"our own folder", ".ibid/pins.json", "{}", vault.WriteOptions{}, nil},
		{"a dot file in it", ".ibid/.x", "", vault.WriteOptions{}, vault.ErrIgnored},
		{"somebody else's", ".obsidian/app.json", "{}", vault.WriteOptions{}, vault.ErrIgnored},
		{"a dot folder below", "x/.git/config", "", vault.WriteOptions{}, vault.ErrIgnored},
		{"a folder", "x", "", vault.WriteOptions{}, fs.ErrInvalid},
		{"the vault", "", "", vault.WriteOptions{}, fs.ErrInvalid},
	}
	for _, s := range steps {
		if err := v.WriteFile(s.path, []byte(s.data), s.opts); !errors.Is(err, s.err) {
			t.Errorf("%s: %v, want %v", s.name, err, s.err)
		}
	}
	for p, want := range map[vault.Path]string{
		"a.md": "mine", "c.md": "c", "x/y/new.md": "newer", ".ibid/pins.json": "{}",
	} {
		is(t, onDisk(t, v, p), want, p)
	}
	noLeftovers(t, v)
	sameAsFresh(t, func() *vault.Vault { revalidate(t, v); return v }())
}

func TestWriteKeepsMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such modes")
	}
	v := vaulttest.New(t, "-- a.md --\n")
	name := filepath.Join(v.Dir(), "a.md")
	for _, mode := range []fs.FileMode{0o600, 0o666} {
		check(t, os.Chmod(name, mode))
		check(t, v.WriteFile("a.md", []byte("x"), vault.WriteOptions{}))
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("mode = %v, %v, want %v", info.Mode(), err, mode)
		}
	}
}

// A write that cannot finish leaves the old content.
func TestFailedWriteLeavesTheFile(t *testing.T) {
	v := vaulttest.New(t, "-- d/a.md --\nold\n")
	unreadable(t, filepath.Join(v.Dir(), "d"))
	if err := v.WriteFile("d/a.md", []byte("new"), vault.WriteOptions{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("WriteFile = %v", err)
	}
	check(t, os.Chmod(filepath.Join(v.Dir(), "d"), 0o755))
	is(t, onDisk(t, v, "d/a.md"), "old\n")
	noLeftovers(t, v)
}

// Of many who create one file, one wins and its content is whole.
func TestCreateRace(t *testing.T) {
	v := vaulttest.New(t, "")
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := ""
	for i := range 8 {
		wg.Go(func() {
			data := strings.Repeat(string(rune('a'+i)), 1000)
			err := v.WriteFile("one.md", []byte(data), vault.WriteOptions{Create: true})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && won == "":
				won = data
			case err == nil:
				t.Error("two created the same file")
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	is(t, onDisk(t, v, "one.md"), won)
}

// Somebody who reads a file while it is replaced sees the old or the new.
func TestReplaceIsAtomic(t *testing.T) {
	a, b := strings.Repeat("a", 50_000), strings.Repeat("b", 30_000)
	v := vaulttest.New(t, "")
	check(t, v.WriteFile("n.md", []byte(a), vault.WriteOptions{}))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if got := onDisk(t, v, "n.md"); got != a && got != b {
				t.Errorf("torn: %d bytes", len(got))
				return
			}
		}
	})
	for i := range 20 {
		data := []byte(a)
		if i%2 == 0 {
			data = []byte(b)
		}
		if err := v.WriteFile("n.md", data, vault.WriteOptions{}); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
}

func TestRename(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nA\n-- b.md --\nB\n-- d/c.md --\nC\n")
	steps := []struct {
		from, to vault.Path
		err      error
	}{
		{"a.md", "x/y/a.md", nil},
		{"b.md", "x/y/a.md", fs.ErrExist},
		{"d", "x", fs.ErrExist},
		{"d", "e/f", nil},
		{"nope.md", "z.md", fs.ErrNotExist},
		{"b.md", ".obsidian/b.md", vault.ErrIgnored},
		{"b.md", "b.md", fs.ErrExist},
		{"b.md", "B2.md", nil},
		{"", "z", fs.ErrInvalid},
	}
	for _, s := range steps {
		if err := v.Rename(s.from, s.to); !errors.Is(err, s.err) {
			t.Errorf("Rename(%s, %s) = %v, want %v", s.from, s.to, err, s.err)
		}
	}
	for p, want := range map[vault.Path]string{"x/y/a.md": "A\n", "B2.md": "B\n", "e/f/c.md": "C\n"} {
		is(t, onDisk(t, v, p), want, p)
	}
	if changes := revalidate(t, v); len(changes) != 3 || changes[0].Op != vault.Renamed {
		t.Errorf("changes = %v", changes)
	}
}

func TestTrashAndRestore(t *testing.T) {
	v := vaulttest.New(t, "-- d/a.md --\none\n-- e/b.md --\n")
	first, err := v.Trash("d/a.md")
	if err != nil || first != ".trash/d/a.md" {
		t.Fatalf("Trash = %s, %v", first, err)
	}
	vaulttest.Write(t, v, "d/a.md", "two")
	second, err := v.Trash("d/a.md")
	if err != nil || second != ".trash/d/a 1.md" {
		t.Fatalf("Trash = %s, %v", second, err)
	}
	if revalidate(t, v); len(v.Notes()) != 1 {
		t.Errorf("notes = %s", paths(v.Notes()))
	}
	check(t, v.Rename(second, "d/a.md"))
	if err := v.Rename(first, "d/a.md"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Restore over a file = %v", err)
	}
	if onDisk(t, v, "d/a.md") != "two" || onDisk(t, v, first) != "one\n" {
		t.Error("content was lost")
	}
	if _, err := v.Trash("nope.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Trash of nothing = %v", err)
	}
	if p, err := v.Trash("e"); err != nil || onDisk(t, v, p+"/b.md") != "" {
		t.Errorf("Trash of a folder = %s, %v", p, err)
	}
}

// TestWriteNowhere: a note cannot be written once the folder of the vault was removed,
// and the error says that.
func TestWriteNowhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "notes")
	check(t, os.Mkdir(dir, 0o755))
	v, err := vault.Open(dir, vault.Options{})
	check(t, err)
	defer v.Close()
	if err := os.Remove(dir); err != nil {
		t.Skip("this system removes no folder that is open: ", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Skip("this system removes no folder that is open")
	}
	err = v.WriteFile("Chats/a.md", []byte("a"), vault.WriteOptions{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "the folder of the vault is gone") {
		t.Errorf("%v", err)
	}
}

// TestWriteOpened: what an editor writes to a file that it had opened before a guarded
// write is not lost.
func TestWriteOpened(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system does not tell who has a file open")
	}
	v := vaulttest.New(t, "-- a.md --\none\n")
	text, err := v.Read("a.md")
	check(t, err)
	editor, err := os.OpenFile(filepath.Join(v.Dir(), "a.md"), os.O_WRONLY, 0)
	check(t, err)
	written := make(chan error, 1)
	time.AfterFunc(10*time.Millisecond, func() {
		_, err := editor.WriteString("two\n")
		written <- errors.Join(err, editor.Close())
	})
	if err := v.WriteFile("a.md", []byte("ours\n"), vault.WriteOptions{Old: []byte(text.Content)}); !errors.Is(err,
		vault.ErrChanged) {
		t.Errorf("WriteFile = %v", err)
	}
	check(t, <-written)
	is(t, onDisk(t, v, "a.md"), "two\n")
	noLeftovers(t, v)
}

// TestWriteBeside: of an editor that saves a file over and over, in place or by moving a
// new file there, no save is lost to a guarded write.
func TestWriteBeside(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("files cannot be exchanged")
	}
	for name, save := range map[string]func(file string, data []byte) error{
		"in place": func(file string, data []byte) error { return os.WriteFile(file, data, 0o644) },
		"by moving": func(file string, data []byte) error {
			return errors.Join(os.WriteFile(file+"~", data, 0o644), os.Rename(file+"~", file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, "-- a.md --\neditor 0\n")
			file := filepath.Join(v.Dir(), "a.md")
			over := make(chan bool)
			var wrote, changed int
			go func() {
				defer close(over)
				for until := time.Now().Add(700 * time.Millisecond); time.Now().Before(until); {
					text, err := v.Read("a.md")
					if err != nil || !strings.HasSuffix(text.Content, "\n") {
						continue // half written
					}
					switch err := v.WriteFile("a.md", []byte(text.Content+"ours\n"), vault.WriteOptions{Old: []byte(text.Content)}); {
					case err == nil:
						wrote++
					case errors.Is(err, vault.ErrChanged):
						changed++
					default:
						t.Error(err)
					}
				}
			}()
			saves := 0
			for running := true; running; {
				saves++
				mine := fmt.Sprintf("editor %d\n", saves)
				check(t, save(file, []byte(mine)))
				there := func() bool { return strings.HasPrefix(onDisk(t, v, "a.md"), mine) }
				time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
				found := there()
				for until := time.Now().Add(10 * time.Second); !found && time.Now().Before(until); found = there() {
					time.Sleep(time.Millisecond) // a write may be giving way, and another one soon after
				}
				if !found {
					t.Errorf("save %d is lost: %q", saves, onDisk(t, v, "a.md"))
				}
				select {
				case <-over:
					running = false
				default:
				}
			}
			t.Logf("%d saves, %d writes, %d gave way", saves, wrote, changed)
			noLeftovers(t, v)
		})
	}
}

// TestScanSweepsUnfinished: what a killed write left anywhere in the vault is removed after an hour, and nothing else.
func TestScanSweepsUnfinished(t *testing.T) {
	dir := vaulttest.Dir(t, "-- A.md --\n-- Deep/er/B.md --\n-- .ibid/pins.json --\n[]\n")
	const stem = ".ibid-ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	old := time.Now().Add(-2 * time.Hour)
	stays := map[string]bool{
		stem + ".tmp": false, "Deep/er/" + stem + ".tmp": false, ".ibid/" + stem + ".tmp": false,
		stem + ".kept": true, "Deep/.mine.tmp": true, ".obsidian/" + stem + ".tmp": true,
	}
	for name := range stays {
		file := filepath.Join(dir, name)
		check(t, os.MkdirAll(filepath.Dir(file), 0o755))
		check(t, os.WriteFile(file, []byte("old text"), 0o644))
		check(t, os.Chtimes(file, old, old))
	}
	young := filepath.Join(dir, "Deep", stem+".tmp")
	check(t, os.WriteFile(young, []byte("half"), 0o644))
	vaulttest.Open(t, dir, vault.Options{})
	for name, want := range stays {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("a file of a write that may still run is gone: %v", err)
	}
}
