package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// acquire takes the lock of a chat, nil if none is needed or none can be had.
// ErrReadOnly says that another process has the chat open. Locks are named after
// the vault and the identity of the chat, so that renaming a file does not lose
// its lock.
func (f *stateFolder) acquire(epoch int64) (*flock.Flock, error) {
	if f.folder("locks") == "" {
		return nil, nil
	}
	name := f.lock(epoch)
	for try := 1; ; try++ {
		file := flock.New(name)
		ok, err := file.TryLock()
		switch {
		case err != nil:
			f.err = errors.Join(fmt.Errorf("lock %s: %w", name, err), file.Close())
			return nil, nil
		case ok && isSameFile(name, file):
			return file, nil
		case ok: // who had it before removed the file between our opening and our locking it
		case try == 3:
			return nil, errors.Join(ErrReadOnly, file.Close())
		default:
			time.Sleep(2 * time.Millisecond) // it may be somebody who only looks whether it is locked
		}
		if err := file.Close(); err != nil {
			return nil, fmt.Errorf("lock %s: %w", name, err)
		}
	}
}

// Locked reports whether another process has the chat with this epoch open.
func (s *Store) Locked(epoch int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[epoch] == nil && s.state.dir != "" && s.state.locked(epoch)
}

// Await waits until no other process has the chat with this epoch open, or ctx
// ends.
func (s *Store) Await(ctx context.Context, epoch int64) error {
	const often, seldom = 20 * time.Millisecond, time.Second
	for wait := often; s.Locked(epoch); wait = min(wait+wait/8, seldom) {
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
	return nil
}

func isSameFile(name string, file *flock.Flock) bool {
	there, err := os.Stat(name)
	if err != nil {
		return false
	}
	ours, err := file.Stat()
	return err == nil && os.SameFile(there, ours)
}

// release gives the lock back and removes its file while it is still ours. Some
// systems do not remove open files; an empty file is left behind there.
func release(file *flock.Flock) error {
	if file == nil {
		return nil
	}
	_ = os.Remove(file.Path())
	if err := file.Close(); err != nil {
		return fmt.Errorf("unlock %s: %w", file.Path(), err)
	}
	return nil
}
