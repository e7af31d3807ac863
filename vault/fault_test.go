package vault

import (
	"context"
	"strings"
	"testing"

	"ibid/vault/routine"
)

// TestWatcherFault: a panic of the watcher is in its last batch.
func TestWatcherFault(t *testing.T) {
	w := NewWatcher(WatchOptions{Dir: t.TempDir()})
	w.connect = func() (watchBackend, error) { panic("oh") }
	batches, err := w.Watch(t.Context())
	check(t, err)
	var last Batch
	for b := range batches {
		last = b
	}
	if p := last.Fault; p == nil || p.Value != "oh" || !strings.Contains(string(p.Stack), "reconnect") {
		t.Errorf("the last batch is %+v", last)
	}
	w.Wait()
}

// TestWatcherFaultUnseen: nobody needs to receive it.
func TestWatcherFaultUnseen(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	w := NewWatcher(WatchOptions{Dir: t.TempDir()})
	w.connect = func() (watchBackend, error) { panic("oh") }
	_, err := w.Watch(ctx)
	check(t, err)
	stop()
	w.Wait()
}

// TestWalkFault: a panic while folders are listed ends the walk, and goes on in the
// goroutine that walks.
func TestWalkFault(t *testing.T) {
	var none Vault // has no folder to read
	p := routine.Call(func() { _, _ = none.walk(t.Context()) })
	if p == nil || !strings.Contains(string(p.Stack), "walker") {
		t.Errorf("the walk panicked with %v", p)
	}
}
