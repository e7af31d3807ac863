package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

const (
	mostDraft = 32 << 20            // bytes of a draft that is kept
	draftAge  = 90 * 24 * time.Hour // for which a draft is kept
	newDrafts = 9                   // processes that keep one of a chat that has not begun
)

// Drafts is what stands unsent in the prompts of chats: bytes that mean something to
// whoever keeps them, in the state folder, for nobody else to read. The draft of a chat
// is deleted with it. Of chats that have not begun, which are 0 here, each process has
// one. It is as safe for concurrent use as its Store.
type Drafts struct{ store *Store }

// draftSlot is which draft of a chat that has not begun is this process's.
type draftSlot struct {
	mu    sync.Mutex // guards the files of drafts, and what follows
	epoch int64      // it is kept as that of this chat, below 0; 0 for none
	lock  *flock.Flock
}

// Drafts is where drafts are kept. Without a state folder none are.
func (s *Store) Drafts() Drafts { return Drafts{s} }

// Read is the draft of a chat, nil if there is none.
func (in Drafts) Read(epoch int64) ([]byte, error) {
	s := in.store
	s.slot.mu.Lock()
	defer s.slot.mu.Unlock()
	if epoch == 0 {
		if err := s.leaveSlot(); err != nil { // another process may have left one
			return nil, fmt.Errorf("read the draft: %w", err)
		}
	}
	name := s.draft(epoch)
	if name == "" {
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the draft: %w", err)
	}
	return data, nil
}

// File is the file that holds the draft of a chat, "" if there is none.
func (in Drafts) File(epoch int64) string {
	s := in.store
	s.slot.mu.Lock()
	defer s.slot.mu.Unlock()
	if epoch == 0 && s.slot.epoch == 0 {
		return ""
	}
	name := s.draft(epoch)
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

// Keep replaces the draft of a chat. Without data there is none any more.
func (in Drafts) Keep(epoch int64, data []byte) error {
	s := in.store
	s.slot.mu.Lock()
	defer s.slot.mu.Unlock()
	name := s.draft(epoch)
	switch {
	case name == "":
		return nil
	case len(data) == 0:
		return removeFile(name)
	case len(data) > mostDraft:
		return fmt.Errorf("keep the draft: it is longer than %d MB", mostDraft>>20)
	}
	if _, err := os.Stat(name); err != nil {
		s.sweepDrafts()
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), replace(name, data)); err != nil {
		return fmt.Errorf("keep the draft: %w", err)
	}
	return nil
}

// draft is the file of a chat's draft, "" if none can be kept.
func (s *Store) draft(epoch int64) string {
	if epoch == 0 {
		s.takeSlot()
		epoch = s.slot.epoch
	}
	if s.state.dir != "" && epoch != 0 {
		return filepath.Join(s.state.dir, "drafts", s.state.prefix()+strconv.FormatInt(epoch, 10)+".json")
	}
	return ""
}

// takeSlot finds a draft that no process has, one with something in it if there is any.
func (s *Store) takeSlot() {
	if s.state.dir == "" || os.MkdirAll(filepath.Dir(s.state.lock(-1)), 0o700) != nil {
		return
	}
	for _, filled := range []bool{true, false} {
		for n := int64(-1); s.slot.epoch == 0 && n >= -newDrafts; n-- {
			if _, err := os.Stat(s.draft(n)); (err == nil) != filled {
				continue
			}
			lock := flock.New(s.state.lock(n))
			if ok, err := lock.TryLock(); err == nil && ok {
				s.slot.epoch, s.slot.lock = n, lock
			} else {
				_ = lock.Close() // it was not locked
			}
		}
	}
}

// leaveSlot gives the draft of a chat that has not begun to other processes, if there
// is nothing in it.
func (s *Store) leaveSlot() error {
	if s.slot.epoch == 0 {
		return nil
	}
	if _, err := os.Stat(s.draft(s.slot.epoch)); err == nil {
		return nil
	}
	lock := s.slot.lock
	s.slot.epoch, s.slot.lock = 0, nil
	return lock.Close()
}

// sweepDrafts removes the drafts that are old.
func (s *Store) sweepDrafts() {
	dir := filepath.Join(s.state.dir, "drafts")
	entries, _ := os.ReadDir(dir) // what cannot be read stays
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), s.state.prefix()) && filepath.Ext(e.Name()) == ".json" && s.opts.Now().Sub(info.ModTime()) > draftAge {
			_ = os.Remove(filepath.Join(dir, e.Name())) // it is tried again
		}
	}
}

// removeFile removes a file that may not be there.
func removeFile(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
