package history

import (
	"errors"
	"fmt"
	"os"

	"github.com/gofrs/flock"
)

// acquire takes the lock of a chat, nil if none is needed or none can be had.
// ErrReadOnly says that another process has the chat open. Locks are named after
// the vault and the identity of the chat, so that renaming a file does not lose
// its lock.
func (s *Store) acquire(epoch int64) (*flock.Flock, error) {
	if s.state.folder("locks") == "" {
		return nil, nil
	}
	name := s.state.lock(epoch)
	for {
		file := flock.New(name)
		ok, err := file.TryLock()
		if err != nil {
			s.state.err = errors.Join(fmt.Errorf("lock %s: %w", name, err), file.Close())
			return nil, nil
		}
		if !ok {
			return nil, errors.Join(ErrReadOnly, file.Close())
		}
		// Whoever had it before may have removed the file between our opening and
		// our locking it: then we hold a lock that nobody else can see.
		if same(name, file) {
			return file, nil
		}
		if err := file.Close(); err != nil {
			return nil, fmt.Errorf("lock %s: %w", name, err)
		}
	}
}

func same(name string, file *flock.Flock) bool {
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
