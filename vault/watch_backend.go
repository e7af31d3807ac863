package vault

import "github.com/fsnotify/fsnotify"

// maxQueuedEvents is the number of events that wait while the loop is busy: adding a large tree takes tens of
// milliseconds, in which the kernel's own queue would overflow.
const maxQueuedEvents = 4096

// watchBackend is a connection to the system's notifications: fsnotify, or in tests channels that a test fills.
type watchBackend struct {
	events <-chan fsnotify.Event
	errors <-chan error
	add    func(dir string) error
	remove func(dir string) error
	close  func() error // closes both channels
}

func connectFsnotify() (watchBackend, error) {
	w, err := fsnotify.NewBufferedWatcher(maxQueuedEvents)
	if err != nil {
		return watchBackend{}, err
	}
	return watchBackend{events: w.Events, errors: w.Errors, add: w.Add, remove: w.Remove, close: w.Close}, nil
}

// reportLoss receives the errors of a backend as fast as they come, until it closes the channel: fsnotify may
// hold the lock that adding needs while it waits for that. Most errors are overflows; after any other it is
// just as uncertain which events were missed.
func reportLoss(errors <-chan error, lost chan<- struct{}) {
	for range errors {
		select {
		case lost <- struct{}{}:
		default: // it is reported already
		}
	}
}
