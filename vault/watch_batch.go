package vault

import (
	"maps"
	"slices"
	"time"
)

const (
	batchQuiet = 30 * time.Millisecond  // an editor's save is several events within a few milliseconds
	batchHold  = 250 * time.Millisecond // a file that is written all the time is still reported four times a second
	batchLimit = 200                    // paths; checking more of them one by one costs more than a walk
)

// batcher collects events until none come for a while. It is a pure state machine: the caller passes the time,
// and it starts nothing.
type batcher struct {
	paths             map[Path]bool
	rescan, workspace bool
	first, last       time.Time // times of the collected events; zero while there are none
	ready             Batch     // changes that are quiet long enough, not delivered yet
}

func (b *batcher) event(now time.Time) {
	if b.first.IsZero() {
		b.first = now
	}
	b.last = now
}

// touch records an event on a path.
func (b *batcher) touch(now time.Time, p Path) {
	b.event(now)
	if b.rescan {
		return // the rescan includes p
	}
	if b.paths == nil {
		b.paths = make(map[Path]bool)
	}
	if b.paths[p] = true; len(b.paths) > batchLimit {
		b.touchAll(now)
	}
}

// touchAll records that anything may have changed.
func (b *batcher) touchAll(now time.Time) {
	b.event(now)
	b.rescan = true
	clear(b.paths)
}

// touchWorkspace records that the workspace, a signal or the pins may have changed.
func (b *batcher) touchWorkspace(now time.Time) {
	b.event(now)
	b.workspace = true
}

// nextRelease returns the time for the next call of releaseQuietPaths; ok is false if no event waits.
func (b *batcher) nextRelease() (time.Time, bool) {
	quiet, hold := b.last.Add(batchQuiet), b.first.Add(batchHold)
	if hold.Before(quiet) {
		quiet = hold
	}
	return quiet, !b.first.IsZero()
}

// releaseQuietPaths moves the collected events to ready, if they have been quiet long enough.
func (b *batcher) releaseQuietPaths(now time.Time) {
	if at, ok := b.nextRelease(); !ok || at.After(now) {
		return
	}
	b.ready.Rescan = b.ready.Rescan || b.rescan
	b.ready.Workspace = b.ready.Workspace || b.workspace
	b.ready.Paths = slices.AppendSeq(b.ready.Paths, maps.Keys(b.paths))
	slices.Sort(b.ready.Paths)
	b.ready.Paths = slices.Compact(b.ready.Paths)
	if len(b.ready.Paths) > batchLimit {
		b.ready.Rescan = true // the receiver was busy for long
	}
	if b.ready.Rescan {
		b.ready.Paths = nil
	}
	clear(b.paths)
	*b = batcher{paths: b.paths, ready: b.ready}
}

// hasReady reports whether ready has anything to deliver.
func (b *batcher) hasReady() bool {
	return b.ready.Rescan || b.ready.Workspace || len(b.ready.Paths) > 0
}
