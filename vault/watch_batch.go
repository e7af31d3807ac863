package vault

import (
	"slices"
	"time"
)

const (
	batchQuiet = 30 * time.Millisecond  // an editor's save is several events within a few milliseconds
	batchHold  = 250 * time.Millisecond // what is written all the time is still seen four times a second
	batchLimit = 200                    // paths; looking at more of them one by one costs more than a walk
)

// batchFlag is one of the things that a Batch says besides paths.
type batchFlag int

const (
	flagRescan batchFlag = iota
	flagAround
	batchFlags // how many there are
)

// batcher collects events until they have been quiet for a while. It is a pure
// state machine: it is told the time and starts nothing.
type batcher struct {
	paths map[Path]batchSpan
	flags [batchFlags]batchSpan // zero: not raised
	ready Batch                 // quiet long enough, not handed over yet
}

// batchSpan is the time of the first and of the last event.
type batchSpan struct{ first, last time.Time }

func (s batchSpan) due() time.Time {
	quiet, hold := s.last.Add(batchQuiet), s.first.Add(batchHold)
	if hold.Before(quiet) {
		return hold
	}
	return quiet
}

func (s batchSpan) again(now time.Time) batchSpan {
	if s.first.IsZero() {
		s.first = now
	}
	s.last = now
	return s
}

// touch notes an event on a path.
func (b *batcher) touch(now time.Time, p Path) {
	if rescan := &b.flags[flagRescan]; !rescan.first.IsZero() {
		*rescan = rescan.again(now) // which will look at p too
		return
	}
	if b.paths == nil {
		b.paths = make(map[Path]batchSpan)
	}
	b.paths[p] = b.paths[p].again(now)
	if len(b.paths) > batchLimit {
		b.raise(now, flagRescan)
	}
}

// raise notes an event that a flag stands for.
func (b *batcher) raise(now time.Time, f batchFlag) {
	b.flags[f] = b.flags[f].again(now)
	if f != flagRescan {
		return
	}
	for _, s := range b.paths {
		if s.first.Before(b.flags[f].first) {
			b.flags[f].first = s.first // nobody waits longer for having company
		}
	}
	clear(b.paths)
}

// next is the time at which mature has something to do; false if nothing waits.
func (b *batcher) next() (time.Time, bool) {
	var first time.Time
	found := false
	consider := func(s batchSpan) {
		if due := s.due(); !found || due.Before(first) {
			first, found = due, true
		}
	}
	for _, s := range b.paths {
		consider(s)
	}
	for _, s := range b.flags {
		if !s.first.IsZero() {
			consider(s)
		}
	}
	return first, found
}

// mature moves what has been quiet long enough to ready.
func (b *batcher) mature(now time.Time) {
	before := len(b.ready.Paths)
	for p, s := range b.paths {
		if !s.due().After(now) {
			b.ready.Paths = append(b.ready.Paths, p)
			delete(b.paths, p)
		}
	}
	for f, s := range b.flags {
		if s.first.IsZero() || s.due().After(now) {
			continue
		}
		b.flags[f] = batchSpan{}
		b.ready.Rescan = b.ready.Rescan || batchFlag(f) == flagRescan
		b.ready.Around = b.ready.Around || batchFlag(f) == flagAround
	}
	if len(b.ready.Paths) > before {
		slices.Sort(b.ready.Paths)
		b.ready.Paths = slices.Compact(b.ready.Paths)
	}
	if len(b.ready.Paths) > batchLimit {
		b.ready.Rescan = true // the receiver was away for long
	}
	if b.ready.Rescan {
		b.ready.Paths = nil
	}
}

// waiting reports whether ready has anything to hand over.
func (b *batcher) waiting() bool {
	return b.ready.Rescan || b.ready.Around || len(b.ready.Paths) > 0
}

// taken empties ready after it was handed over.
func (b *batcher) taken() { b.ready = Batch{} }
