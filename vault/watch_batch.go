package vault

import (
	"maps"
	"slices"
	"time"
)

const (
	batchQuiet = 30 * time.Millisecond  // an editor's save is several events within a few milliseconds
	batchHold  = 250 * time.Millisecond // what is written all the time is still seen four times a second
	batchLimit = 200                    // paths; looking at more of them one by one costs more than a walk
)

// batcher collects events until they have been quiet for a while. It is a pure
// state machine: it is told the time and starts nothing.
type batcher struct {
	paths          map[Path]bool
	rescan, around bool
	first, last    time.Time // of the events that are collected; zero while there are none
	ready          Batch     // quiet long enough, not handed over yet
}

func (b *batcher) event(now time.Time) {
	if b.first.IsZero() {
		b.first = now
	}
	b.last = now
}

// touch notes an event on a path.
func (b *batcher) touch(now time.Time, p Path) {
	b.event(now)
	if b.rescan {
		return // which will look at p too
	}
	if b.paths == nil {
		b.paths = make(map[Path]bool)
	}
	if b.paths[p] = true; len(b.paths) > batchLimit {
		b.touchAll(now)
	}
}

// touchAll notes that anything may have changed.
func (b *batcher) touchAll(now time.Time) {
	b.event(now)
	b.rescan = true
	clear(b.paths)
}

// touchAround notes that what stands around the notes may have changed.
func (b *batcher) touchAround(now time.Time) {
	b.event(now)
	b.around = true
}

// next is the time at which releaseQuietPaths has something to do; false if nothing waits.
func (b *batcher) next() (time.Time, bool) {
	quiet, hold := b.last.Add(batchQuiet), b.first.Add(batchHold)
	if hold.Before(quiet) {
		quiet = hold
	}
	return quiet, !b.first.IsZero()
}

// releaseQuietPaths moves paths without recent events to ready.
func (b *batcher) releaseQuietPaths(now time.Time) {
	if at, ok := b.next(); !ok || at.After(now) {
		return
	}
	b.ready.Rescan = b.ready.Rescan || b.rescan
	b.ready.Around = b.ready.Around || b.around
	b.ready.Paths = slices.AppendSeq(b.ready.Paths, maps.Keys(b.paths))
	slices.Sort(b.ready.Paths)
	b.ready.Paths = slices.Compact(b.ready.Paths)
	if len(b.ready.Paths) > batchLimit {
		b.ready.Rescan = true // the receiver was away for long
	}
	if b.ready.Rescan {
		b.ready.Paths = nil
	}
	clear(b.paths)
	*b = batcher{paths: b.paths, ready: b.ready}
}

// waiting reports whether ready has anything to hand over.
func (b *batcher) waiting() bool {
	return b.ready.Rescan || b.ready.Around || len(b.ready.Paths) > 0
}

// taken empties ready after it was handed over.
func (b *batcher) taken() { b.ready = Batch{} }
