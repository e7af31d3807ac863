package history

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"ibid/vault/ownfile"
)

const (
	mostDraft = 32 << 20            // bytes of a draft that is kept
	draftAge  = 90 * 24 * time.Hour // for which a draft is kept
	newDrafts = 99                  // that are kept of chats that have not begun
)

// Drafts is what stands unsent in the prompts of chats: bytes that mean something to
// whoever keeps them, in the state folder, for nobody else to read. A draft goes by the
// epoch of its chat and is deleted with it; that of a chat that has not begun by a
// number below 0, which Take gives. It is as safe for concurrent use as its Store.
type Drafts struct{ store *Store }

// draftSlots are the numbers of chats that have not begun in this process.
type draftSlots struct {
	mu   sync.Mutex // guards the files of drafts, and what follows
	held map[int64]*flock.Flock
}

// Drafts is where drafts are kept. Without a state folder none are.
func (s *Store) Drafts() Drafts { return Drafts{s} }

// Take gives a number to a chat that has not begun, until Release or the end of the
// store: that of the newest draft that another process left, and the draft with it, if
// there is one. 0 is none: nothing of the chat can be kept.
func (in Drafts) Take() (n int64, data []byte, err error) {
	s := in.store
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	if s.state.dir == "" || os.MkdirAll(filepath.Dir(s.state.lock(-1)), 0o700) != nil {
		return 0, nil, nil
	}
	left := s.leftDrafts()
	for _, n := range left {
		if !s.takeDraft(n) {
			continue
		}
		data, err := s.readDraft(n)
		return n, data, err
	}
	for n := int64(-1); n >= -newDrafts; n-- {
		if !slices.Contains(left, n) && s.takeDraft(n) {
			return n, nil, nil
		}
	}
	return 0, nil, nil
}

// leftDrafts are the numbers of the drafts of chats that have not begun, the newest
// first.
func (s *Store) leftDrafts() (left []int64) {
	dir := filepath.Join(s.state.dir, "drafts")
	entries, _ := os.ReadDir(dir) // what cannot be read stays
	written := map[int64]time.Time{}
	for _, e := range entries {
		name, ours := strings.CutPrefix(e.Name(), s.state.prefix())
		name, draft := strings.CutSuffix(name, ".json")
		n, err := strconv.ParseInt(name, 10, 64)
		if info, look := e.Info(); ours && draft && err == nil && n < 0 && look == nil {
			left, written[n] = append(left, n), info.ModTime()
		}
	}
	slices.SortFunc(left, func(a, b int64) int { return cmp.Or(written[b].Compare(written[a]), cmp.Compare(b, a)) })
	return left
}

// takeDraft keeps a number from other chats, unless one has it.
func (s *Store) takeDraft(n int64) bool {
	if s.slots.held[n] != nil {
		return false
	}
	lock := flock.New(s.state.lock(n))
	if ok, err := lock.TryLock(); err != nil || !ok {
		_ = lock.Close() // it was not locked
		return false
	}
	if s.slots.held == nil {
		s.slots.held = map[int64]*flock.Flock{}
	}
	s.slots.held[n] = lock
	return true
}

// Release gives a number back that Take gave; its draft, if there is one, is for the
// next who takes it.
func (in Drafts) Release(n int64) error {
	s := in.store
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	lock := s.slots.held[n]
	if lock == nil {
		return nil
	}
	delete(s.slots.held, n)
	return lock.Close()
}

// close gives all numbers back.
func (d *draftSlots) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, lock := range d.held {
		errs = append(errs, lock.Close())
	}
	d.held = nil
	return errors.Join(errs...)
}

// Read is the draft of a chat, nil if there is none.
func (in Drafts) Read(epoch int64) ([]byte, error) {
	s := in.store
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	return s.readDraft(epoch)
}

// readDraft reads a draft, which another process may just have removed.
func (s *Store) readDraft(epoch int64) ([]byte, error) {
	name := s.draft(epoch)
	if name == "" {
		return nil, nil
	}
	data, err := ownfile.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the draft: %w", err)
	}
	return data, nil
}

// File is the file that holds the draft of a chat, "" if there is none.
func (in Drafts) File(epoch int64) string {
	s := in.store
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	name := s.draft(epoch)
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

// Keep replaces the draft of a chat. Without data there is none any more. That of a
// number that is not taken is left alone.
func (in Drafts) Keep(epoch int64, data []byte) error {
	s := in.store
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	name := s.draft(epoch)
	switch {
	case name == "" || epoch < 0 && s.slots.held[epoch] == nil:
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

// draft is the file of a draft, "" if none can be kept.
func (s *Store) draft(epoch int64) string {
	if s.state.dir == "" || epoch == 0 {
		return ""
	}
	return filepath.Join(s.state.dir, "drafts", s.state.prefix()+strconv.FormatInt(epoch, 10)+".json")
}

// sweepDrafts removes the drafts that are old, and what was half written of them.
func (s *Store) sweepDrafts() {
	dir := filepath.Join(s.state.dir, "drafts")
	entries, _ := os.ReadDir(dir) // what cannot be read stays
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), s.state.prefix()) && s.opts.Now().Sub(info.ModTime()) > draftAge {
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
