package vault

import (
	"sync"

	"github.com/fsnotify/fsnotify"
)

// watchBackend is a connection to the system's notifications: fsnotify, or in
// tests channels that a test fills.
type watchBackend struct {
	events <-chan fsnotify.Event
	errors <-chan error
	add    func(dir string) error
	remove func(dir string) error
	close  func() error // closes both channels
}

func connectFsnotify() (watchBackend, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return watchBackend{}, err
	}
	return watchBackend{events: w.Events, errors: w.Errors, add: w.Add, remove: w.Remove, close: w.Close}, nil
}

// maxQueuedEvents bounds the queue at what the kernel would keep.
const maxQueuedEvents = 16384

// watchQueue takes events off a backend as fast as they come. Adding a large
// tree keeps the loop busy for tens of milliseconds, in which the kernel's own
// queue would run over; and fsnotify may hold the lock that adding needs while
// it waits for somebody to take an error.
type watchQueue struct {
	wake chan struct{} // holds one wake-up

	mu     sync.Mutex
	events []fsnotify.Event
	lost   bool // events are missing: nothing that was known is certain
	ended  bool // the backend closed its events
}

// fill runs until the backend closes its events.
func (q *watchQueue) fill(b watchBackend) {
	for {
		select {
		case e, ok := <-b.events:
			if !ok {
				q.update(func() { q.ended = true })
				return
			}
			q.put(e)
		case _, ok := <-b.errors:
			if !ok {
				b.errors = nil
				continue
			}
			// Most are overflows; after any other it is as uncertain what was
			// missed.
			q.update(func() { q.lost = true })
		}
	}
}

func (q *watchQueue) put(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod {
		return // indexers and backups do this all the time; content does not change by it
	}
	q.update(func() {
		if n := len(q.events); n > 0 && q.events[n-1] == e {
			return
		}
		if len(q.events) == maxQueuedEvents {
			q.events, q.lost = nil, true
		}
		q.events = append(q.events, e)
	})
}

func (q *watchQueue) update(f func()) {
	q.mu.Lock()
	f()
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take empties the queue.
func (q *watchQueue) take() (events []fsnotify.Event, lost, ended bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	events, lost, ended = q.events, q.lost, q.ended
	q.events, q.lost = nil, false
	return events, lost, ended
}
