package statefolder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked says that another process has the chat open.
var ErrLocked = errors.New("another process has it")

// Lock keeps other processes from writing a chat. A nil Lock does nothing.
type Lock struct{ file *flock.Flock }

// lockFile returns the name of a chat's lock file.
func (f *Folder) lockFile(epoch int64) string {
	return filepath.Join(f.dir, "locks", "chat-"+f.key("\x00"+strconv.FormatInt(epoch, 10))+".lock")
}

// Lock locks a chat. The lock is nil, without an error, if the folder cannot be used; Trouble gives the reason.
// If another process has it, the error is ErrLocked.
func (f *Folder) Lock(epoch int64) (*Lock, error) {
	if f.makeSub("locks") == "" {
		return nil, nil
	}
	name := f.lockFile(epoch)
	for try := 1; ; try++ {
		file := flock.New(name)
		ok, err := file.TryLock()
		switch {
		case err != nil:
			f.err = errors.Join(fmt.Errorf("lock %s: %w", name, err), file.Close())
			return nil, nil
		case ok && isSameFile(name, file):
			return &Lock{file}, nil
		case ok: // the last owner removed the file between opening and locking it here
		case try == 3:
			return nil, errors.Join(ErrLocked, file.Close())
		default:
			time.Sleep(2 * time.Millisecond) // the other process may only be checking whether it is locked
		}
		if err := file.Close(); err != nil {
			return nil, fmt.Errorf("lock %s: %w", name, err)
		}
	}
}

func isSameFile(name string, file *flock.Flock) bool {
	there, err := os.Stat(name)
	if err != nil {
		return false
	}
	ours, err := file.Stat()
	return err == nil && os.SameFile(there, ours)
}

// Locked reports whether a process has locked a chat.
func (f *Folder) Locked(epoch int64) bool {
	name := f.lockFile(epoch)
	if _, err := os.Stat(name); f.dir == "" || err != nil {
		return false
	}
	l := flock.New(name, flock.SetFlag(os.O_RDONLY))
	ok, err := l.TryRLock()
	_ = l.Close() // an error means that it was not locked here
	return err == nil && !ok
}

// Release removes the lock file and unlocks it, in this order. On systems that do not remove open files, an
// empty file remains.
func (l *Lock) Release() error {
	if l == nil {
		return nil
	}
	_ = os.Remove(l.file.Path())
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("unlock %s: %w", l.file.Path(), err)
	}
	return nil
}
