package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// reconnect starts again: with a new connection, watches on everything in reach, and everything reported as
// changed, because anything may have changed in between.
func (l *watchLoop) reconnect(ctx context.Context) {
	l.disconnect()
	l.tree, l.network = l.w.tree, onNetwork(l.dir)
	l.w.setDegraded("")
	if l.network {
		l.w.setDegraded(fmt.Sprintf(
			"This vault is on a shared or network file system, which does not report every change; ibid looks every %v, in a large vault less often.", l.w.opts.Poll))
	}
	b, err := l.w.connect()
	if err != nil {
		l.degrade(err)
	} else {
		lost := make(chan struct{}, 1)
		l.backend, l.lost = b, lost
		l.w.running.Go(func() { reportLoss(b.errors, lost) })
	}
	now := time.Now()
	for _, s := range l.spots {
		s.watched, s.states = false, make(map[string]walkedFile)
		l.addSpot(s)
		l.lookAt(now, s)
	}
	if l.tree {
		l.addTree(ctx, "", false)
	}
	l.batch.touchAll(now)
	l.batch.touchWorkspace(now)
	if _, err := os.Stat(l.dir); err != nil {
		l.handleMissingRoot(now)
	}
}

func (l *watchLoop) disconnect() {
	if l.lost != nil {
		_ = l.backend.close() // there is nothing to save, and its goroutine ends either way
	}
	l.lost, l.backend = nil, watchBackend{}
	l.dirs, l.ignores = make(map[Path]struct{}), make(map[Path]struct{})
}

// addTree watches p and the folders below it. If announce is set, it reports files that exist already as
// changed: they were written before the watch was set up, and no event will come for them. The order matters:
// first the watch, then the list.
func (l *watchLoop) addTree(ctx context.Context, p Path, announce bool) {
	for todo := []Path{p}; len(todo) > 0 && ctx.Err() == nil; {
		p, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if !l.add(p) {
			if !l.tree {
				return // there were no more watches
			}
			continue
		}
		entries, err := os.ReadDir(l.abs(p))
		if err != nil && len(entries) == 0 {
			continue // removed again, or not readable
		}
		now := time.Now()
		for _, e := range entries {
			child := p.Join(e.Name())
			switch {
			case l.ignored(child):
				if e.IsDir() && !hasDotPart(child) {
					l.ignores[child] = struct{}{}
				}
			case e.IsDir():
				todo = append(todo, child)
			case announce && !isScratch(child):
				l.batch.touch(now, child)
			}
		}
		if announce && len(entries) == 0 {
			l.batch.touch(now, p)
		}
	}
}

// add watches the folder p.
func (l *watchLoop) add(p Path) bool {
	if l.lost == nil {
		return false
	}
	err := l.backend.add(l.abs(p))
	if err == nil {
		l.dirs[p] = struct{}{}
		return true
	}
	if isOutOfWatches(err) {
		l.degrade(err)
	}
	return false
}

func (l *watchLoop) addSpot(s *watchSpot) {
	if l.lost == nil {
		return
	}
	s.watched = l.backend.add(s.dir) == nil
}

// forget removes the watches on p and below.
func (l *watchLoop) forget(p Path) {
	for d := range l.dirs {
		if d == p || d.In(p) {
			delete(l.dirs, d)
			_ = l.backend.remove(l.abs(d)) // often the system has removed it already
		}
	}
}

// degrade stops watching all folders after the system refused a watch. It releases the existing watches: other
// programs of the same person share the limit.
func (l *watchLoop) degrade(err error) {
	if l.tree {
		l.tree = false
		l.forget("")
	}
	l.batch.touchAll(time.Now())
	help := err.Error()
	switch {
	case errors.Is(err, syscall.ENOSPC):
		help = "raise fs.inotify.max_user_watches to see changes at once"
	case errors.Is(err, syscall.EMFILE):
		help = "raise fs.inotify.max_user_instances or the limit of open files to see changes at once"
	}
	l.w.setDegraded(fmt.Sprintf(
		"Not every folder can be watched; ibid looks every %v, in a large vault less often (%s).", l.w.opts.Poll, help))
}

// handleMissingRoot waits for the vault's folder to come back.
func (l *watchLoop) handleMissingRoot(now time.Time) {
	l.rootMissing = true
	l.forget("")
	l.batch.touchAll(now)
	l.w.setDegraded("The vault's folder is gone; put it back, or start ibid on the new one.")
}
