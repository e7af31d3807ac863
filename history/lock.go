package history

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gofrs/flock"
)

// stateFolder is the folder for what does not belong into the vault.
type stateFolder struct {
	dir string // "" if there is none
	err error  // why it cannot be used
	// told says that a person knows of err.
	told bool
}

// folder is a folder in it that exists, "" if there is none.
func (f *stateFolder) folder(name string) string {
	if f.dir == "" {
		return ""
	}
	dir := filepath.Join(f.dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		f.err = fmt.Errorf("make the folder %s: %w", dir, err)
		return ""
	}
	return dir
}

// warning says once that the folder cannot be used.
func (f *stateFolder) warning() []Warning {
	if f.err == nil || f.told {
		return nil
	}
	f.told = true
	text := fmt.Sprintf("the state folder cannot be written, so nothing keeps a second window from writing the same chat: %v", f.err)
	return []Warning{{Kind: "state", Text: text}}
}

// acquire takes the lock of a chat, nil if none is needed or none can be had.
// ErrReadOnly says that another process has the chat open. Locks are named after
// the vault and the identity of the chat, so that renaming a file does not lose
// its lock.
func (s *Store) acquire(epoch int64) (*flock.Flock, error) {
	dir := s.state.folder("locks")
	if dir == "" {
		return nil, nil
	}
	sum := sha256.Sum256([]byte(realPath(s.vault.Dir()) + "\x00" + strconv.FormatInt(epoch, 10)))
	name := filepath.Join(dir, "chat-"+hex.EncodeToString(sum[:8])+".lock")
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
