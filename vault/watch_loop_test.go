package vault

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// fakeSystem is a notification system controlled by a test. It behaves as fsnotify documents:
// unbuffered channels, closed by close.
type fakeSystem struct {
	mu       sync.Mutex
	watches  map[string]bool
	limit    int   // watches it has, 0 for any number
	refuses  error // what it says beyond limit
	connects int
	fails    error         // of connecting
	cost     time.Duration // of a look at the vault

	events chan fsnotify.Event
	errors chan error
	hangUp func() // closes the channels, once
}

func (f *fakeSystem) connect() (watchBackend, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connects++
	if f.fails != nil {
		return watchBackend{}, f.fails
	}
	events, errs := make(chan fsnotify.Event), make(chan error)
	hangUp := sync.OnceFunc(func() {
		close(errs)
		close(events)
	})
	f.watches, f.events, f.errors, f.hangUp = map[string]bool{}, events, errs, hangUp
	return watchBackend{
		events: events, errors: errs,
		add: func(dir string) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			if _, err := os.Stat(dir); err != nil {
				return err
			}
			if f.limit > 0 && len(f.watches) >= f.limit {
				return f.refuses
			}
			f.watches[dir] = true
			return nil
		},
		remove: func(dir string) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			delete(f.watches, dir)
			return nil
		},
		close: func() error {
			hangUp()
			return nil
		},
	}, nil
}

// watching lists what is watched below dir.
func (f *fakeSystem) watching(dir string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []string
	for name := range f.watches {
		if rel, err := filepath.Rel(dir, name); err == nil && !strings.HasPrefix(rel, "..") {
			list = append(list, filepath.ToSlash(rel))
		}
	}
	slices.Sort(list)
	return list
}

// scripted runs test with a watcher on dir over a fake system and a fake clock.
func scripted(t *testing.T, dir string, tree bool, f *fakeSystem,
	test func(t *testing.T, w *Watcher, out <-chan Batch),
) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := NewWatcher(WatchOptions{Dir: dir, Cost: func() time.Duration { return f.cost }})
		w.tree, w.connect = tree, f.connect
		ctx, cancel := context.WithCancel(t.Context())
		out, err := w.Watch(ctx)
		check(t, err)
		first := <-out
		if !first.Rescan || !first.Workspace {
			t.Errorf("the first batch is %+v", first)
		}
		test(t, w, out)
		cancel()
		w.Wait()
	})
}

func vaultDir(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		put(t, f, dir, f)
	}
	return dir
}

func TestLoopDelays(t *testing.T) {
	dir := vaultDir(t, "A.md")
	var f fakeSystem
	scripted(t, dir, true, &f, func(t *testing.T, _ *Watcher, out <-chan Batch) {
		start := time.Now()
		f.events <- fsnotify.Event{Name: filepath.Join(dir, "A.md"), Op: fsnotify.Write}
		time.Sleep(20 * time.Millisecond)
		f.events <- fsnotify.Event{Name: filepath.Join(dir, "A.md"), Op: fsnotify.Write}
		time.Sleep(20 * time.Millisecond)
		f.events <- fsnotify.Event{Name: filepath.Join(dir, "A.md"), Op: fsnotify.Chmod}
		b := <-out
		is(t, b, Batch{Paths: []Path{"A.md"}})
		if got := time.Since(start); got != 50*time.Millisecond {
			t.Errorf("came after %v, want 50ms", got)
		}
		// Nothing else comes, however long one waits.
		select {
		case b := <-out:
			t.Errorf("unexpected %+v", b)
		case <-time.After(time.Hour):
		}
	})
}

func TestLoopOverflow(t *testing.T) {
	dir := vaultDir(t, "A.md", "Sub/B.md")
	var f fakeSystem
	scripted(t, dir, true, &f, func(t *testing.T, w *Watcher, out <-chan Batch) {
		put(t, "", dir, "Made/while/blind.md")
		f.errors <- fsnotify.ErrEventOverflow
		if b := <-out; !b.Rescan || !b.Workspace {
			t.Errorf("batch = %+v, want everything", b)
		}
		want := []string{".", "Made", "Made/while", "Sub"}
		is(t, f.watching(dir), want)
		if f.connects != 2 || w.Degraded() != "" {
			t.Errorf("%d connections, degraded %q", f.connects, w.Degraded())
		}
	})
}

// The system has no more watches: the folders are given back, the spots stay,
// and looks at everything take over, with a line that says why.
func TestLoopExhausted(t *testing.T) {
	for _, refuses := range []error{
		os.NewSyscallError("inotify_add_watch", syscall.ENOSPC), syscall.EMFILE,
		&os.PathError{Op: "add", Path: "x", Err: syscall.ENFILE},
	} {
		dir := vaultDir(t, ".obsidian/workspace.json", "1/A.md", "2/B.md", "3/C.md", "4/D.md", "5/E.md")
		f := fakeSystem{limit: 4, refuses: refuses}
		scripted(t, dir, true, &f, func(t *testing.T, w *Watcher, out <-chan Batch) {
			is(t, f.watching(dir), []string{".obsidian"}, refuses)
			if got := w.Degraded(); !strings.Contains(got, "every 3s") || strings.Contains(got, "\n") {
				t.Errorf("%v: degraded = %q", refuses, got)
			}
			for range 3 {
				start := time.Now()
				if b := <-out; !b.Rescan {
					t.Errorf("%v: batch = %+v", refuses, b)
				}
				if got := time.Since(start); got > 4*time.Second {
					t.Errorf("%v: came after %v", refuses, got)
				}
			}
		})
	}
}

func TestLoopWithoutNotifications(t *testing.T) {
	dir := vaultDir(t, "A.md", ".obsidian/workspace.json")
	f := fakeSystem{fails: syscall.EMFILE}
	scripted(t, dir, true, &f, func(t *testing.T, w *Watcher, out <-chan Batch) {
		if w.Degraded() == "" {
			t.Error("no notice")
		}
		if b := <-out; !b.Rescan || b.Workspace {
			t.Errorf("a tick: %+v, want a rescan alone", b)
		}
		put(t, "longer than it was", dir, ".obsidian/workspace.json")
		if b := <-out; !b.Rescan || !b.Workspace {
			t.Errorf("the workspace file changed: %+v", b)
		}
	})
}

// Looks that take long are far apart.
func TestLoopCost(t *testing.T) {
	dir := vaultDir(t, "A.md")
	f := fakeSystem{cost: 400 * time.Millisecond}
	scripted(t, dir, false, &f, func(t *testing.T, _ *Watcher, out <-chan Batch) {
		<-out
		for range 3 {
			start := time.Now()
			<-out
			if got := time.Since(start); got < 19*time.Second || got > 24*time.Second {
				t.Errorf("a look that takes 0.4 s comes again after %v", got)
			}
		}
	})
}

// The connection breaks off by itself.
func TestLoopLosesNotifications(t *testing.T) {
	dir := vaultDir(t, "A.md")
	var f fakeSystem
	scripted(t, dir, true, &f, func(t *testing.T, w *Watcher, out <-chan Batch) {
		f.hangUp()
		for range 2 {
			if b := <-out; !b.Rescan {
				t.Errorf("batch = %+v, want a look at everything", b)
			}
		}
		if got := w.Degraded(); !strings.Contains(got, "every 3s") {
			t.Errorf("degraded = %q", got)
		}
	})
}

// Where each watched file costs an open file, only the settings are watched.
func TestLoopSettingsOnly(t *testing.T) {
	dir := vaultDir(t, ".obsidian/app.json", "A.md", "Sub/B.md")
	var f fakeSystem
	scripted(t, dir, false, &f, func(t *testing.T, w *Watcher, out <-chan Batch) {
		is(t, f.watching(dir), []string{".obsidian"})
		is(t, w.Degraded(), "")
		if b := <-out; !b.Rescan {
			t.Errorf("batch = %+v, want a look at the rest", b)
		}
	})
}

// Nobody receives for an hour, then all comes as one batch.
func TestLoopSlowReceiver(t *testing.T) {
	dir := vaultDir(t, "A.md", "B.md")
	var f fakeSystem
	scripted(t, dir, true, &f, func(t *testing.T, _ *Watcher, out <-chan Batch) {
		for _, name := range []string{"B.md", "A.md", "B.md"} {
			f.events <- fsnotify.Event{Name: filepath.Join(dir, name), Op: fsnotify.Write}
			time.Sleep(20 * time.Minute)
		}
		is(t, <-out, Batch{Paths: []Path{"A.md", "B.md"}})
	})
}
