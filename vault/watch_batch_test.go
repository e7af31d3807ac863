package vault

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// playBatcher runs a batcher by the clock until nothing waits, and returns what
// it delivers with the times in ms since the start. Events are given by the
// millisecond at which they happen.
func playBatcher(b *batcher, events map[int]func(now time.Time)) map[int]Batch {
	start := time.Now()
	got := map[int]Batch{}
	for ms := 0; ; ms++ {
		now := start.Add(time.Duration(ms) * time.Millisecond)
		if wait := time.Until(now); wait > 0 {
			time.Sleep(wait)
		}
		if f, ok := events[ms]; ok {
			f(time.Now())
			delete(events, ms)
		}
		at, ok := b.nextRelease()
		if !ok && len(events) == 0 {
			return got
		}
		if ok && !at.After(now) {
			b.releaseQuietPaths(time.Now())
			if b.hasReady() {
				got[ms] = b.ready
				b.ready = Batch{}
			}
		}
	}
}

// batches has a case per line: events on paths, on all or around the notes, with their milliseconds => the
// delivered batches.
const batches = `
a path waits for quiet: 0 A.md, 10 A.md => 40:{[A.md] false false <nil>}
what goes on together goes together: 0 A.md, 20 B.md => 50:{[A.md B.md] false false <nil>}
at the same time they go together: 5 B.md A.md around => 35:{[A.md B.md] false true <nil>}
what never rests is held for 250 ms: 0 log.md, 10 log.md, 20 log.md, 30 log.md, 40 log.md, 50 log.md, 60 log.md, 70 log.md, 80 log.md, 90 log.md, 100 log.md, 110 log.md, 120 log.md, 130 log.md, 140 log.md, 150 log.md, 160 log.md, 170 log.md, 180 log.md, 190 log.md, 200 log.md, 210 log.md, 220 log.md, 230 log.md, 240 log.md, 250 log.md, 260 log.md, 270 log.md, 280 log.md, 290 log.md, 300 log.md => 250:{[log.md] false false <nil>} 330:{[log.md] false false <nil>}
a rescan swallows paths: 0 A.md, 20 all, 40 B.md => 70:{[] true false <nil>}
the signal comes with the vault: 0 all around, 9 B.md => 39:{[] true true <nil>}
`

func TestBatcher(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(batches)) {
		name, row, _ := strings.Cut(strings.TrimSpace(line), ": ")
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var b batcher
				happens, want, _ := strings.Cut(row, " => ")
				events := map[int]func(time.Time){}
				for event := range strings.SplitSeq(happens, ", ") {
					words := strings.Fields(event)
					ms, err := strconv.Atoi(words[0])
					check(t, err)
					events[ms] = func(now time.Time) {
						for _, w := range words[1:] {
							switch w {
							case "all":
								b.touchAll(now)
							case "around":
								b.touchWorkspace(now)
							default:
								b.touch(now, Path(w))
							}
						}
					}
				}
				is(t, fmt.Sprint(playBatcher(&b, events)), "map["+want+"]")
			})
		})
	}
}

func TestBatcherLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b batcher
		many := func(from, to int) func(time.Time) {
			return func(now time.Time) {
				for i := from; i < to; i++ {
					b.touch(now, Path(fmt.Sprintf("%05d.md", i)))
				}
			}
		}
		got := playBatcher(&b, map[int]func(time.Time){0: many(0, batchLimit)})
		if n := len(got[30].Paths); n != batchLimit || got[30].Rescan {
			t.Errorf("%d paths came as %d paths, rescan %v", batchLimit, n, got[30].Rescan)
		}
		got = playBatcher(&b, map[int]func(time.Time){0: many(0, 150), 10: many(100, batchLimit+1), 15: many(5000, 9000)})
		is(t, got, map[int]Batch{45: {Rescan: true}}, "more than", batchLimit)
	})
}

func TestBatcherSlowReceiver(t *testing.T) {
	var b batcher
	now := time.Unix(0, 0)
	for i := range 3 {
		b.touch(now, "A.md")
		b.touch(now, Path(fmt.Sprintf("%d.md", i)))
		now = now.Add(time.Second)
		b.releaseQuietPaths(now)
	}
	want := Batch{Paths: []Path{"0.md", "1.md", "2.md", "A.md"}}
	is(t, b.ready, want, "ready")
	for i := range 2 * batchLimit {
		b.touch(now, Path(fmt.Sprintf("new %d.md", i)))
		now = now.Add(time.Second)
		b.releaseQuietPaths(now)
	}
	if !b.ready.Rescan || b.ready.Paths != nil {
		t.Errorf("ready = rescan %v, %d paths; want a rescan alone", b.ready.Rescan, len(b.ready.Paths))
	}
}

// Whatever happens when: no event is lost, none waits longer than the hold, and
// nothing is delivered before 30 ms of quiet unless the hold is over.
func TestBatcherProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b batcher
		start := time.Unix(1000, 0)
		now := start
		open := map[Path]time.Time{} // the first event on each that was not delivered yet
		var first, last time.Time    // of all events not delivered yet
		deliver := func() {
			b.releaseQuietPaths(now)
			if !b.hasReady() {
				return
			}
			if b.ready.Rescan {
				clear(open)
			}
			if now.Sub(last) < batchQuiet && now.Sub(first) < batchHold {
				t.Fatalf("delivered %v after the last event", now.Sub(last))
			}
			for _, p := range b.ready.Paths {
				if _, ok := open[p]; !ok {
					t.Fatalf("%s delivered without an event", p)
				}
				delete(open, p)
			}
			first = time.Time{}
			b.ready = Batch{}
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			wait := time.Duration(rapid.IntRange(0, 40).Draw(t, "wait")) * time.Millisecond
			end := now.Add(wait)
			for at, ok := b.nextRelease(); ok && !at.After(end); at, ok = b.nextRelease() {
				now = at
				deliver()
			}
			now = end
			p := Path(fmt.Sprintf("%d.md", rapid.IntRange(0, 5).Draw(t, "path")))
			if first.IsZero() {
				first = now
			}
			last = now
			if rapid.IntRange(0, 30).Draw(t, "kind") == 0 {
				b.touchAll(now)
			} else {
				b.touch(now, p)
				if _, ok := open[p]; !ok {
					open[p] = now
				}
			}
			for p, since := range open {
				if now.Sub(since) > batchHold {
					t.Fatalf("%s waits for %v", p, now.Sub(since))
				}
			}
		}
		for at, ok := b.nextRelease(); ok; at, ok = b.nextRelease() {
			now = at
			deliver()
		}
		if len(open) > 0 {
			t.Fatalf("never delivered: %v", open)
		}
	})
}

// Ten thousand events of a synchronising folder, ten on a note each.
func BenchmarkBatcher(b *testing.B) {
	paths := make([]Path, 1000)
	for i := range paths {
		paths[i] = Path(fmt.Sprintf("Folder %d/Note %d.md", i%20, i))
	}
	b.ReportAllocs()
	for b.Loop() {
		var batch batcher
		now := time.Unix(0, 0)
		for i := range 10_000 {
			now = now.Add(10 * time.Microsecond)
			batch.touch(now, paths[i/10])
		}
		batch.releaseQuietPaths(now.Add(time.Second))
	}
}
