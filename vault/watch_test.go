package vault

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// watched is a vault under a real Watcher, with the state that its Batches report.
type watched struct {
	t       *testing.T
	dir     string
	state   string
	w       *Watcher
	batches <-chan Batch

	known   map[Path]string // path to content, kept up to date by the Batches alone
	seen    Batch           // everything that came since reset
	rescans int
}

// watchVault starts to watch dir; the first report is consumed.
func watchVault(t *testing.T, dir string, change func(*Watcher)) *watched {
	t.Helper()
	v := &watched{t: t, dir: dir, state: filepath.Join(t.TempDir(), "state"), known: map[Path]string{}}
	v.w = NewWatcher(WatchOptions{Dir: dir, StateDir: v.state, Poll: 100 * time.Millisecond})
	if change != nil {
		change(v.w)
	}
	leaks := goleak.IgnoreCurrent()
	ctx, cancel := context.WithCancel(t.Context())
	var err error
	v.batches, err = v.w.Watch(ctx)
	check(t, err)
	t.Cleanup(func() {
		cancel()
		v.w.Wait()
		for range v.batches { // closed, so this ends
		}
		goleak.VerifyNone(t, leaks)
	})
	v.until("the first report", func() bool {
		return v.seen.Rescan && v.seen.Workspace
	})
	v.reset()
	return v
}

func (v *watched) reset() { v.seen, v.rescans = Batch{}, 0 }

func (v *watched) apply(b Batch) {
	v.seen.Paths = append(v.seen.Paths, b.Paths...)
	v.seen.Rescan = v.seen.Rescan || b.Rescan
	v.seen.Workspace = v.seen.Workspace || b.Workspace
	if b.Rescan {
		v.rescans++
		v.known = contents(v.t, v.dir)
		return
	}
	for _, p := range b.Paths {
		name := filepath.Join(v.dir, string(p))
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			delete(v.known, p)
			continue
		}
		v.known[p] = string(data)
	}
}

// patience is the time that an immediate event may take on a busy machine.
const patience = time.Minute

// until applies Batches until done.
func (v *watched) until(what string, done func() bool) {
	v.t.Helper()
	for deadline := time.After(patience); !done(); {
		select {
		case b, ok := <-v.batches:
			if !ok {
				v.t.Fatalf("%s: the watcher ended", what)
			}
			v.apply(b)
		case <-deadline:
			v.t.Fatalf("%s: did not come; saw %+v", what, v.seen)
		}
	}
}

// settles waits until what the Batches taught equals a fresh listing.
func (v *watched) settles() {
	v.t.Helper()
	want := contents(v.t, v.dir)
	for deadline := time.After(patience); !maps.Equal(v.known, want); {
		select {
		case b := <-v.batches:
			v.apply(b)
		case <-deadline:
			v.t.Fatalf("the picture differs from the folder (-want +got):\n%s", cmp.Diff(want, v.known))
		}
	}
}

// quiet checks that nothing comes for a while.
func (v *watched) quiet() {
	v.t.Helper()
	select {
	case b := <-v.batches:
		v.t.Errorf("unexpected batch: %+v", b)
	case <-time.After(80 * time.Millisecond):
	}
}

// contents reads the notes below dir, hidden ones excluded.
func contents(t *testing.T, dir string) map[Path]string {
	t.Helper()
	files := map[Path]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return nil // it may be gone again
		}
		if strings.HasPrefix(e.Name(), ".") {
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if data, err := os.ReadFile(name); err == nil {
			rel, _ := filepath.Rel(dir, name)
			files[Path(filepath.ToSlash(rel))] = string(data)
		}
		return nil
	})
	check(t, err)
	return files
}

func put(t *testing.T, text string, parts ...string) {
	t.Helper()
	name := filepath.Join(parts...)
	check(t, os.MkdirAll(filepath.Dir(name), 0o755))
	check(t, os.WriteFile(name, []byte(text), 0o644))
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		check(t, err)
	}
}

func needsWholeTree(t *testing.T) {
	t.Helper()
	if !watchesTree(runtime.GOOS) {
		t.Skip("this system cannot watch a whole tree")
	}
}

func TestWatchSaves(t *testing.T) {
	needsWholeTree(t)
	dir := t.TempDir()
	put(t, "one", dir, "Garden/Bed.md")
	v := watchVault(t, dir, nil)
	only := func(what string, paths ...Path) {
		t.Helper()
		v.settles()
		v.until(what, func() bool { return len(v.seen.Paths) >= len(paths) })
		v.quiet()
		slices.Sort(v.seen.Paths)
		if got := slices.Compact(v.seen.Paths); !slices.Equal(got, paths) || v.seen.Rescan {
			t.Errorf("%s: paths %q, rescan %v; want %q", what, got, v.seen.Rescan, paths)
		}
		v.reset()
	}

	put(t, "two", dir, "Garden/Bed.md")
	only("a plain write", "Garden/Bed.md")

	put(t, "three", dir, "Garden/Bed.md.tmp")
	must(t, os.Rename(filepath.Join(dir, "Garden/Bed.md.tmp"), filepath.Join(dir, "Garden/Bed.md")))
	only("write beside and rename", "Garden/Bed.md")

	put(t, "", dir, "Garden/4913")
	put(t, "swap", dir, "Garden/.Bed.md.swp")
	must(t, os.Rename(filepath.Join(dir, "Garden/Bed.md"), filepath.Join(dir, "Garden/Bed.md~")),
		os.Remove(filepath.Join(dir, "Garden/4913")))
	put(t, "four", dir, "Garden/Bed.md")
	must(t, os.Remove(filepath.Join(dir, "Garden/Bed.md~")), os.Remove(filepath.Join(dir, "Garden/.Bed.md.swp")))
	only("vim", "Garden/Bed.md")

	must(t, os.Rename(filepath.Join(dir, "Garden/Bed.md"), filepath.Join(dir, "Moved.md")))
	only("a move", "Garden/Bed.md", "Moved.md")

	must(t, os.Remove(filepath.Join(dir, "Moved.md")))
	only("a removal", "Moved.md")

	put(t, "copy", dir, "Bed.sync-conflict-20260102-030405-ABCDEFG.md")
	only("a conflict copy is a note", "Bed.sync-conflict-20260102-030405-ABCDEFG.md")

	must(t, os.Chmod(filepath.Join(dir, "Bed.sync-conflict-20260102-030405-ABCDEFG.md"), 0o600))
	put(t, "x", dir, ".trash/old.md")
	put(t, "x", dir, ".git/index")
	for _, name := range []string{"graph.json", "app.json", "workspace.json"} {
		put(t, "{}", dir, ".obsidian/"+name)
	}
	v.until("the settings appear", func() bool { return v.seen.Workspace && v.seen.Rescan })
	v.quiet()
	if len(v.seen.Paths) > 0 {
		t.Errorf("hidden files and modes: paths %q", v.seen.Paths)
	}
}

func TestWatchIgnore(t *testing.T) {
	needsWholeTree(t)
	dir := t.TempDir()
	put(t, "", dir, "Archive/old.md")
	v := watchVault(t, dir, func(w *Watcher) {
		w.opts.Ignore = func(p Path) bool { return p == "Archive" || p.In("Archive") }
	})
	put(t, "x", dir, "Archive/old.md")
	v.quiet()
	put(t, "x", dir, "new.md")
	v.until("a note beside", func() bool { return slices.Contains(v.seen.Paths, "new.md") })
}

// A folder that stops being excluded is watched, and what was written in it before
// that is told.
func TestWatchStopsIgnoring(t *testing.T) {
	needsWholeTree(t)
	dir := t.TempDir()
	put(t, "old", dir, "Archive", "2019", "Tea.md")
	var open atomic.Bool
	v := watchVault(t, dir, func(w *Watcher) {
		w.opts.Ignore = func(p Path) bool { return strings.HasPrefix(string(p)+"/", "Archive/") && !open.Load() }
	})
	put(t, "unseen", dir, "Archive", "2019", "Tea.md")
	v.quiet()
	open.Store(true)
	v.until("the note in the folder", func() bool { return slices.Contains(v.seen.Paths, "Archive/2019/Tea.md") })
	v.reset()
	put(t, "new", dir, "Archive", "2019", "Tea.md")
	put(t, "new", dir, "Archive", "Cup.md")
	v.until("changes in it", func() bool {
		return slices.Contains(v.seen.Paths, "Archive/2019/Tea.md") && slices.Contains(v.seen.Paths, "Archive/Cup.md")
	})
}

// A folder is made and written to faster than it can be watched.
func TestWatchMkdirRace(t *testing.T) {
	needsWholeTree(t)
	dir := t.TempDir()
	v := watchVault(t, dir, nil)
	for i := range 60 {
		put(t, fmt.Sprint(i), dir, fmt.Sprintf("Trip %d/Day/Hour.md", i))
		put(t, fmt.Sprint(-i), dir, fmt.Sprintf("Trip %d/Plan.md", i))
	}
	v.settles()
	for i := range 60 {
		put(t, "later", dir, fmt.Sprintf("Trip %d/Day/Hour.md", i))
	}
	v.settles()
	must(t, os.Mkdir(filepath.Join(dir, "Empty"), 0o755))
	v.until("an empty folder", func() bool { return slices.Contains(v.seen.Paths, "Empty") })
}

// Watches follow a folder under its new name, and stop when it leaves.
func TestWatchFolderRename(t *testing.T) {
	needsWholeTree(t)
	dir, elsewhere := t.TempDir(), t.TempDir()
	put(t, "one", dir, "Recipes/Bread/Rye.md")
	v := watchVault(t, dir, nil)

	must(t, os.Rename(filepath.Join(dir, "Recipes"), filepath.Join(dir, "Food")))
	v.until("a rescan", func() bool { return v.seen.Rescan })
	v.settles()
	v.quiet()
	v.reset()
	put(t, "two", dir, "Food/Bread/Rye.md")
	v.settles()
	if !slices.Contains(v.seen.Paths, "Food/Bread/Rye.md") {
		t.Errorf("a write below the new name came as %+v", v.seen)
	}
	// The old name is free again and means another folder.
	put(t, "three", dir, "Recipes/Bread/Rye.md")
	v.settles()

	must(t, os.Rename(filepath.Join(dir, "Food"), filepath.Join(elsewhere, "Food")))
	v.settles()
	v.quiet()
	v.reset()
	put(t, "four", elsewhere, "Food/Bread/Rye.md")
	v.quiet()
	must(t, os.Rename(filepath.Join(elsewhere, "Food"), filepath.Join(dir, "Back")))
	v.settles()
	must(t, os.RemoveAll(filepath.Join(dir, "Back")))
	v.settles()
}

// However a burst is cut into paths and looks at everything, it ends in the
// right picture and costs few looks.
func TestWatchBurst(t *testing.T) {
	needsWholeTree(t)
	dir := t.TempDir()
	v := watchVault(t, dir, nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 2000 {
			name := filepath.Join(dir, fmt.Sprintf("Folder %d", i%40), fmt.Sprintf("%d.md", i))
			_ = os.MkdirAll(filepath.Dir(name), 0o755)
			_ = os.WriteFile(name, []byte("x"), 0o644)
		}
	}()
	for waiting := true; waiting; {
		select {
		case b := <-v.batches:
			v.apply(b)
		case <-done:
			waiting = false
		}
	}
	v.settles()
	if len(v.known) != 2000 {
		t.Errorf("%d notes, want 2000", len(v.known))
	}
	if v.rescans > 40 {
		t.Errorf("%d rescans", v.rescans)
	}
}

// A Vault that looks where the Batches say knows what a Vault knows that was
// opened afterwards.
func TestWatchKeepsVaultTrue(t *testing.T) {
	needsWholeTree(t)
	dir := t.TempDir()
	for i := range 20 {
		put(t, fmt.Sprintf("# Note %d", i), dir, fmt.Sprintf("Box %d/Note %d.md", i%4, i))
	}
	v, err := Open(dir, Options{})
	must(t, err)
	defer func() { must(t, v.Close()) }()
	must(t, v.Scan(t.Context()))
	w := watchVault(t, dir, nil)

	random := rand.New(rand.NewPCG(1, 2))
	box := func() string { return filepath.Join(dir, fmt.Sprintf("Box %d", random.IntN(6))) }
	for i := range 150 {
		switch random.IntN(6) {
		case 0:
			_ = os.Rename(box(), box())
		case 1:
			_ = os.RemoveAll(box())
		case 2:
			_ = os.Rename(box(), filepath.Join(box(), "Inner"))
		default:
			put(t, fmt.Sprintf("# Title %d", i), box(), fmt.Sprintf("Note %d.md", random.IntN(9)))
		}
	}
	fresh, err := Open(dir, Options{})
	must(t, err)
	defer func() { must(t, fresh.Close()) }()
	must(t, fresh.Scan(t.Context()))
	know := func(v *Vault) map[Path]string {
		m := map[Path]string{}
		for _, n := range v.Notes() {
			m[n.Path] = n.Title + fmt.Sprint(n.Headings)
		}
		for _, d := range v.Folders() {
			m[d] = "folder"
		}
		return m
	}
	want := know(fresh)
	for deadline := time.After(patience); !maps.Equal(know(v), want); {
		select {
		case b := <-w.batches:
			if b.Rescan {
				_, err = v.Revalidate(t.Context())
			} else {
				_, err = v.Update(t.Context(), b.Paths)
			}
			must(t, err)
		case <-deadline:
			t.Fatalf("the vault differs from a fresh one (-want +got):\n%s", cmp.Diff(want, know(v)))
		}
	}
}

func TestWatchSpots(t *testing.T) {
	dir := t.TempDir()
	v := watchVault(t, dir, nil)

	put(t, "{", dir, ".obsidian/workspace.json")
	v.until("the workspace file in a new folder", func() bool { return v.seen.Workspace })
	v.settles()
	v.reset()
	put(t, "{}", dir, ".obsidian/workspace.json")
	v.until("the workspace file", func() bool { return v.seen.Workspace })

	v.quietSpots()
	must(t, WriteSignal(v.state, Signal{Vault: dir, Path: "A.md", When: time.Now()}))
	v.until("a signal", func() bool { return v.seen.Workspace })
	v.quietSpots()
	must(t, WriteSignal(v.state, Signal{Vault: t.TempDir(), Path: "A.md", When: time.Now()}))
	must(t, ClearSignal(v.state, dir))
	v.until("the signal is gone", func() bool { return v.seen.Workspace })

	v.quietSpots()
	must(t, AddPin(openAt(t, dir), "A.md", time.Now()))
	v.until("the first pin", func() bool { return v.seen.Workspace })
	v.quietSpots()
	must(t, AddPin(openAt(t, dir), "B.md", time.Now()))
	v.until("the second pin", func() bool { return v.seen.Workspace })

	v.quietSpots()
	put(t, `{"userIgnoreFilters":["Archive/"]}`, dir, ".obsidian/app.json")
	v.until("other excluded files", func() bool { return v.seen.Rescan })
}

func TestWatchRenamedConfigFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, "{}", dir, ".config-pc/workspace.json")
	v := watchVault(t, dir, nil)
	put(t, "{} ", dir, ".config-pc/workspace.json")
	v.until("the workspace file", func() bool { return v.seen.Workspace })
}

// quietSpots waits until the events of what was done are used up.
func (v *watched) quietSpots() {
	v.t.Helper()
	for {
		select {
		case b := <-v.batches:
			v.apply(b)
			continue
		case <-time.After(250 * time.Millisecond):
		}
		v.reset()
		return
	}
}

// A vault that is moved away and put back.
func TestWatchVaultGone(t *testing.T) {
	needsWholeTree(t)
	dir := filepath.Join(t.TempDir(), "vault")
	put(t, "one", dir, "A.md")
	v := watchVault(t, dir, nil)
	must(t, os.Rename(dir, dir+" away"))
	v.until("a notice", func() bool { return v.w.Degraded() != "" })
	put(t, "two", dir+" away", "A.md")
	must(t, os.Rename(dir+" away", dir))
	v.until("the notice goes", func() bool { return v.w.Degraded() == "" })
	v.settles()
	v.quietSpots()
	put(t, "three", dir, "A.md")
	v.settles()
	if v.seen.Rescan {
		t.Error("it is not watched again: the change came by a look at everything")
	}
}

func TestWatchErrors(t *testing.T) {
	dir := t.TempDir()
	put(t, "", dir, "file")
	for _, name := range []string{"missing", "file"} {
		w := NewWatcher(WatchOptions{Dir: filepath.Join(dir, name)})
		if _, err := w.Watch(t.Context()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Watch(%s) = %v", name, err)
		}
		w.Wait()
	}
}

// Nobody receives while the watcher ends.
func TestWatchAbandoned(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancel(t.Context())
	w := NewWatcher(WatchOptions{Dir: t.TempDir()})
	_, err := w.Watch(ctx)
	check(t, err)
	time.Sleep(50 * time.Millisecond)
	cancel()
	w.Wait()
}

func TestWatchesTree(t *testing.T) {
	for goos, want := range map[string]bool{
		"linux": true, "darwin": false, "windows": false, "freebsd": false,
	} {
		is(t, watchesTree(goos), want, goos)
	}
}
