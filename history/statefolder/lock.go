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

// ErrLocked says that another process has the chat.
var ErrLocked = errors.New("another process has it")

// Lock keeps other processes from a chat. That of a nil Lock keeps nobody.
type Lock struct{ file *flock.Flock }

// lock is the file that is locked for a chat.
func (f *Folder) lock(epoch int64) string {
	return filepath.Join(f.dir, "locks", "chat-"+f.key("\x00"+strconv.FormatInt(epoch, 10))+".lock")
}

// Lock takes the lock of a chat, nil if none is needed or none can be had.
func (f *Folder) Lock(epoch int64) (*Lock, error) {
	if f.sub("locks") == "" {
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
			return &Lock{file}, nil
		case ok: // who had it before removed the file between our opening and our locking it
		case try == 3:
			return nil, errors.Join(ErrLocked, file.Close())
		default:
			time.Sleep(2 * time.Millisecond) // it may be somebody who only looks whether it is locked
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

// Locked reports whether a process has the lock of a chat.
func (f *Folder) Locked(epoch int64) bool {
	name := f.lock(epoch)
	if _, err := os.Stat(name); f.dir == "" || err != nil {
		return false
	}
	l := flock.New(name, flock.SetFlag(os.O_RDONLY))
	ok, err := l.TryRLock()
	_ = l.Close() // if it is not ours, there is nothing to give back
	return err == nil && !ok
}

// Release gives the lock back and removes its file while it is still ours. Some
// systems do not remove open files; an empty file is left behind there.
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
