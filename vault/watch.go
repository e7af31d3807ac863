package vault

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"ibid/vault/routine"
)

// WatchOptions configure a Watcher.
type WatchOptions struct {
	Dir      string          // absolute folder of the vault
	StateDir string          // folder of editors' signals (see WriteSignal), created if missing; "" for none
	Ignore   func(Path) bool // files, and folders with all in them, to leave out, or nil; called in the watcher's goroutine
	Poll     time.Duration   // interval of checks where watching is impossible; 0 means 3 s

	// Cost returns the processor time of a check of the whole vault; it may be nil. Checks are so far apart
	// that they take at most a fiftieth of a processor.
	Cost func() time.Duration
}

const (
	defaultPoll = 3 * time.Second
	pollShare   = 50 // one part in so many of the time
)

// Batch is the set of changes in the vault within a fraction of a second. It only says where to look: a path
// may be unchanged, gone, or something else than a note, and on some file systems batches come late or not at
// all.
type Batch struct {
	Paths  []Path // files and folders that may have changed, sorted and distinct: call Vault.Update
	Rescan bool   // anything may have changed, and Paths is empty: call Vault.Revalidate
	// Workspace says that Obsidian's workspace, an editor's signal or the pins may have changed: call
	// ReadWorkspace, ReadSignal, ReadPins.
	Workspace bool

	// Fault is a panic that ended the watcher; it comes with the last Batch. The receiver must panic with it,
	// in a goroutine that cleans up before the program ends.
	Fault *routine.Panic
}

// A Watcher turns the file system's events into Batches. They come 30 ms after the last event and at most 250
// ms after the first; more than 200 paths at once, an overflow in the kernel and a renamed folder give a Batch
// with Rescan.
//
// Where files cannot be watched, Batches with Rescan come every WatchOptions.Poll, or less often in a large
// vault: a watch would keep a file open for each note (macOS, BSD) or forbid renaming folders (Windows), so
// there only the settings and the signals are watched; the system may refuse more watches; and network file
// systems do not report changes by other machines. Symbolic links are not followed.
//
// Watch starts one goroutine, and one for the connection to the system's notifications, of which there is one
// at a time. They stop when the ctx of Watch ends; Wait waits for them. The methods may be called from any
// goroutine.
type Watcher struct {
	opts    WatchOptions
	tree    bool // the folders of the vault can be watched, and not only those with settings, pins and signals
	connect func() (watchBackend, error)
	running sync.WaitGroup

	mu       sync.Mutex
	degraded string
}

// NewWatcher returns a Watcher; it does nothing before Watch.
func NewWatcher(opts WatchOptions) *Watcher {
	if opts.Poll <= 0 {
		opts.Poll = defaultPoll
	}
	opts.Dir = filepath.Clean(opts.Dir)
	return &Watcher{
		opts: opts, tree: watchesTree(runtime.GOOS), connect: connectFsnotify,
	}
}

// watchesTree reports whether many folders can be watched on an operating system.
func watchesTree(goos string) bool {
	switch goos {
	case "darwin", "ios", "freebsd", "netbsd", "openbsd", "dragonfly": // kqueue opens every file of a watched folder
		return false
	case "windows": // a watched folder's parents cannot be renamed
		return false
	}
	return true
}

// Watch begins to watch. When all watches are set up, it reports everything as changed once, so that no change
// between an earlier scan and the watches is missed. While nobody receives, Batches are joined into one. The
// channel is closed when ctx has ended. Watch must be called only once.
func (w *Watcher) Watch(ctx context.Context) (_ <-chan Batch, err error) {
	defer describeError(&err, "watch %s", w.opts.Dir)
	info, err := os.Stat(w.opts.Dir)
	if err == nil && !info.IsDir() {
		err = errors.New("is not a folder")
	}
	if err != nil {
		return nil, err
	}
	out := make(chan Batch)
	w.running.Go(func() {
		defer close(out)
		p := routine.Call(func() { newWatchLoop(w).run(ctx, out) })
		if p == nil {
			return
		}
		select {
		case out <- Batch{Fault: p}:
		case <-ctx.Done():
		}
	})
	return out, nil
}

// Wait returns when all goroutines that Watch started have ended; at once when Watch was not called.
func (w *Watcher) Wait() { w.running.Wait() }

// Degraded returns one line for people that says why changes are seen late and what helps, "" if all changes
// are reported. It may change while the watcher runs.
func (w *Watcher) Degraded() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.degraded
}

func (w *Watcher) setDegraded(notice string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.degraded = notice
}
