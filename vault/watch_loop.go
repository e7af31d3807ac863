package vault

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watchLoop is the state of a running Watcher; only its goroutine uses it.
type watchLoop struct {
	w     *Watcher
	dir   string
	tree  bool // the folders of the vault are watched
	batch batcher
	spots []*watchSpot

	backend     watchBackend
	lost        chan struct{}     // receives a value when events were lost; nil while there is no connection
	dirs        map[Path]struct{} // watched folders of the vault
	ignores     map[Path]struct{} // folders that are not watched because they were excluded
	polled      time.Time         // time of the last check of the whole vault by the clock
	network     bool              // the file system does not report all changes
	rootMissing bool              // the vault's folder does not exist
}

// watchSpot is a folder with a few files of special meaning.
type watchSpot struct {
	dir     string
	files   []string
	states  map[string]walkedFile // of the files, when they were last looked at
	watched bool
}

func newWatchLoop(w *Watcher) *watchLoop {
	dir := w.opts.Dir
	l := &watchLoop{w: w, dir: dir, tree: w.tree, spots: []*watchSpot{
		{
			dir:   filepath.Join(dir, ConfigDir(os.DirFS(dir))),
			files: []string{workspaceFile, legacyWorkspace, mobileWorkspace, settingsFile},
		},
		{dir: filepath.Join(dir, ownDir), files: []string{pinsBase}},
	}}
	if state := w.opts.StateDir; state != "" {
		// The vault may have been renamed since the watcher was made; then there is no signal to wait for
		// either.
		if canonical, err := canonicalDir(dir); err == nil {
			l.spots = append(l.spots, &watchSpot{dir: filepath.Clean(state), files: []string{signalName(canonical)}})
		}
	}
	return l
}

// run is the watcher's goroutine.
func (l *watchLoop) run(ctx context.Context, out chan<- Batch) {
	if l.w.opts.StateDir != "" {
		// The first signal of an editor would create it, but the watch needs it now.
		_ = os.MkdirAll(l.w.opts.StateDir, 0o700)
	}
	defer l.disconnect()
	l.reconnect(ctx)
	ticker := time.NewTicker(l.w.opts.Poll)
	defer ticker.Stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	timer.Stop()
	armed := false
	for ctx.Err() == nil {
		if !armed {
			if at, ok := l.batch.nextRelease(); ok {
				timer.Reset(time.Until(at))
				armed = true
			}
		}
		var deliver chan<- Batch
		if l.batch.hasReady() {
			deliver = out
		}
		select {
		case <-ctx.Done():
		case e, ok := <-l.backend.events:
			if !ok {
				l.disconnect()
				l.degrade(errors.New("the system stopped reporting changes"))
				// indexers and backups change attributes all the time, without changing content
			} else if e.Op != fsnotify.Chmod {
				l.handle(ctx, e)
			}
		case <-l.lost:
			// A folder made in the meantime is not watched, and one that was renamed is watched under its old
			// name: start again.
			l.reconnect(ctx)
		case <-timer.C:
			armed = false
			l.batch.releaseQuietPaths(time.Now())
		case deliver <- l.batch.ready:
			l.batch.ready = Batch{}
		case <-ticker.C:
			l.tick(ctx)
		}
	}
}

func (l *watchLoop) handle(ctx context.Context, e fsnotify.Event) {
	now := time.Now()
	if l.handleSpot(now, e) {
		return
	}
	p, ok := l.rel(e.Name)
	if !ok {
		return
	}
	if p == "" {
		if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
			l.handleMissingRoot(now)
		}
		return
	}
	if l.ignored(p) {
		return
	}
	if _, known := l.dirs[p]; known && l.handleDir(now, p, e) {
		return
	}
	if e.Has(fsnotify.Create) {
		if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
			l.newDir(ctx, now, p)
			return
		}
	}
	if !isScratch(p) {
		l.batch.touch(now, p)
	}
}

// handleDir handles an event on a watched folder itself; it returns false if the event is about something that
// took the folder's place.
func (l *watchLoop) handleDir(now time.Time, p Path, e fsnotify.Event) bool {
	switch {
	case e.Has(fsnotify.Rename):
		// The watches below it would continue under the old names.
		l.forget(p)
		l.batch.touchAll(now)
	case e.Has(fsnotify.Remove):
		delete(l.dirs, p) // it was empty: its files had events of their own
		l.batch.touch(now, p)
	case e.Has(fsnotify.Create):
		info, err := os.Lstat(e.Name)
		if err != nil || !info.IsDir() {
			l.forget(p)
			return false
		}
		// The listing of its parent found it before its event came.
	}
	return true
}

// newDir handles a folder that was created.
func (l *watchLoop) newDir(ctx context.Context, now time.Time, p Path) {
	if l.tree {
		l.addTree(ctx, p, true)
		return
	}
	l.batch.touchAll(now)
}

// handleSpot handles events on the spots and in them. It returns false for other events.
func (l *watchLoop) handleSpot(now time.Time, e fsnotify.Event) bool {
	for _, s := range l.spots {
		if e.Name == s.dir {
			l.addSpot(s)
		}
		if e.Name == s.dir || filepath.Dir(e.Name) == s.dir {
			l.lookAt(now, s)
			return true
		}
	}
	return false
}

// lookAt records which files of a spot have changed since it was last looked at.
func (l *watchLoop) lookAt(now time.Time, s *watchSpot) {
	for _, name := range s.files {
		var state walkedFile
		if info, err := os.Stat(filepath.Join(s.dir, name)); err == nil {
			state = foundFile("", info)
		}
		switch {
		case state == s.states[name]:
		case name == settingsFile: // contains the list of excluded files
			l.batch.touchAll(now)
		default:
			l.batch.touchWorkspace(now)
		}
		s.states[name] = state
	}
}

// tick checks everything that may not be watched.
func (l *watchLoop) tick(ctx context.Context) {
	now := time.Now()
	if l.rootMissing {
		if info, err := os.Stat(l.dir); err == nil && info.IsDir() {
			l.rootMissing = false
			l.reconnect(ctx)
			return
		}
	}
	for _, s := range l.spots {
		if !s.watched {
			l.addSpot(s)
		}
		l.lookAt(now, s)
	}
	if l.mustPoll() && !l.rootMissing && now.Sub(l.polled) >= l.pollPause() {
		l.polled = now
		l.batch.touchAll(now)
	}
	for p := range l.ignores {
		if !l.ignored(p) {
			delete(l.ignores, p)
			l.newDir(ctx, now, p)
		}
	}
}

// pollPause returns the minimum time between two checks of the whole vault.
func (l *watchLoop) pollPause() time.Duration {
	if l.w.opts.Cost == nil {
		return 0
	}
	return pollShare * l.w.opts.Cost()
}

// mustPoll reports whether events alone are not enough to notice all changes in the vault's folders.
func (l *watchLoop) mustPoll() bool { return !l.tree || l.network }

// rel returns the path of an absolute name relative to the vault; ok is false if it is not in the vault.
func (l *watchLoop) rel(name string) (Path, bool) {
	if name == l.dir {
		return "", true
	}
	below, ok := strings.CutPrefix(name, l.dir)
	if !ok {
		return "", false
	}
	below = filepath.ToSlash(below)
	if !strings.HasSuffix(l.dir, string(filepath.Separator)) {
		if below, ok = strings.CutPrefix(below, "/"); !ok {
			return "", false
		}
	}
	return Path(below), true
}

func (l *watchLoop) abs(p Path) string { return filepath.Join(l.dir, p.Native()) }

func (l *watchLoop) ignored(p Path) bool {
	return hasDotPart(p) || l.w.opts.Ignore != nil && l.w.opts.Ignore(p)
}

// isOutOfWatches reports whether the system refuses a watch because there are too many.
func isOutOfWatches(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) ||
		errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}
