package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"ibid/vault/routine"
)

// WatchOptions say what a Watcher looks at.
type WatchOptions struct {
	Dir      string          // absolute folder of the vault
	StateDir string          // folder of editors' signals (see WriteSignal); "" for none. It is made when missing
	Ignore   func(Path) bool // files and folders that do not matter, or nil; called by the watcher's goroutine
	Poll     time.Duration   // between looks at what cannot be watched; 0 means 3 s

	// Cost is how much time of a processor a look at the whole vault takes, or nil.
	// Looks are so far apart that they take a fiftieth of one at most.
	Cost func() time.Duration
}

const (
	defaultPoll = 3 * time.Second
	pollShare   = 50 // of the time
)

// Batch is what happened in the vault within a fraction of a second. It is a
// hint where to look and no more: a path may be unchanged, gone, or something
// else than a note, and on some file systems hints come late or not at all.
type Batch struct {
	Paths  []Path // files and folders that may have changed, sorted, each once: Vault.Update
	Rescan bool   // anything may have changed: Vault.Revalidate. Paths is empty
	Around bool   // Obsidian's workspace, an editor's signal or the pins may have changed: ReadWorkspace, ReadSignal, ReadPins

	// Fault is a panic that ended the watcher: the last Batch has it. Whoever receives
	// it panics with it, in a goroutine that knows what comes before the end.
	Fault *routine.Panic
}

// A Watcher turns the file system's events into Batches. They come 30 ms after
// the last event and at most 250 ms after the first; more than
// 200 at once, an overflow in the kernel and a renamed folder come as Rescan.
//
// Where files cannot be watched, Batches with Rescan come every
// WatchOptions.Poll, or less often in a large vault: a watch would keep a file open for each note (macOS, BSD)
// or forbid renaming folders (Windows), so there only the settings and the
// signals are watched; the system may refuse more watches; and network file
// systems do not report what other machines do. Symbolic links are not followed.
//
// Watch starts one goroutine, and one for each connection to the system's
// notifications, of which there is one at a time. They stop when the ctx of
// Watch ends; Wait waits for them. The methods may be called from any
// goroutine.
type Watcher struct {
	opts    WatchOptions
	reach   watchReach
	connect func() (watchBackend, error)
	running sync.WaitGroup

	mu       sync.Mutex
	started  bool
	degraded string
}

// watchReach says which of the vault's folders can be watched.
type watchReach int

const (
	wholeTree    watchReach = iota
	settingsOnly            // none, only the spots with settings, pins and signals
	topFolder               // the root only
	noFolder                // not even that
)

// NewWatcher makes a Watcher; nothing happens before Watch.
func NewWatcher(opts WatchOptions) *Watcher {
	if opts.Poll <= 0 {
		opts.Poll = defaultPoll
	}
	opts.Dir = filepath.Clean(opts.Dir)
	return &Watcher{
		opts: opts, reach: systemReach(runtime.GOOS), connect: connectFsnotify,
	}
}

// systemReach is how far watching goes on an operating system.
func systemReach(goos string) watchReach {
	switch goos {
	case "darwin", "ios", "freebsd", "netbsd", "openbsd", "dragonfly":
		return settingsOnly // kqueue opens every file of a watched folder
	case "windows":
		return topFolder // a watched folder's parents cannot be renamed
	default:
		return wholeTree
	}
}

// Watch begins to watch. When all watches stand, everything is reported as
// changed once, so that nothing is missed between a scan made earlier and
// them. While nobody receives, Batches grow into one. The channel is closed
// when ctx has ended. A Watcher watches once.
func (w *Watcher) Watch(ctx context.Context) (<-chan Batch, error) {
	info, err := os.Stat(w.opts.Dir)
	if err == nil && !info.IsDir() {
		err = errors.New("is not a folder")
	}
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", w.opts.Dir, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started {
		return nil, fmt.Errorf("watch %s: is being watched", w.opts.Dir)
	}
	w.started = true
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

// Wait returns when everything that Watch started has ended; at once when
// Watch was not called.
func (w *Watcher) Wait() { w.running.Wait() }

// Degraded is one line for people that says why changes are seen late and what
// helps, "" while all is well. It may change while the watcher runs.
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
