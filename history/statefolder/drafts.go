package statefolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
// whoever keeps them. A draft goes by the epoch of its chat; that of a chat that has not
// begun by a number below 0, which Take gives. What was put stays until it is written, so
// that what could not be is tried again; of one chat the newest counts. Put does not wait
// for the disk.
type Drafts struct {
	folder *Folder

	mu   sync.Mutex             // guards the files of drafts, and what follows
	held map[int64]*flock.Flock // the numbers of chats that have not begun in this process

	disk  sync.Mutex // held while drafts that were put are written
	queue sync.Mutex // guards put
	put   map[int64]draft
}

// draft is what is to be written, nil for nothing.
type draft struct {
	what   any
	before int64 // the number under which the chat's draft lies until then
	n      int   // tells it from an older one
}

// Drafts is where drafts are kept. Without a folder none are.
func (f *Folder) Drafts() *Drafts { return &f.drafts }

// Take gives a number to a chat that has not begun, until Release or Close: that of the
// newest draft that another process left, and the draft with it, if there is one. 0 is
// none: nothing of the chat can be kept.
func (d *Drafts) Take() (n int64, data []byte, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.folder.dir == "" || os.MkdirAll(filepath.Dir(d.folder.lock(-1)), 0o700) != nil {
		return 0, nil, nil
	}
	var left []int64
	for _, f := range d.folder.list("drafts") {
		if n := f.Epoch; n < 0 && f.Name == d.file(n) {
			if d.take(n) {
				data, err := d.read(n)
				return n, data, err
			}
			left = append(left, n)
		}
	}
	for n := int64(-1); n >= -newDrafts; n-- {
		if !slices.Contains(left, n) && d.take(n) {
			return n, nil, nil
		}
	}
	return 0, nil, nil
}

// take keeps a number from other chats, unless one has it.
func (d *Drafts) take(n int64) bool {
	if d.held[n] != nil {
		return false
	}
	lock := flock.New(d.folder.lock(n))
	if ok, err := lock.TryLock(); err != nil || !ok {
		_ = lock.Close() // it was not locked
		return false
	}
	if d.held == nil {
		d.held = map[int64]*flock.Flock{}
	}
	d.held[n] = lock
	return true
}

// Release gives a number back that Take gave; its draft, if there is one, is for the
// next who takes it.
func (d *Drafts) Release(n int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	lock := d.held[n]
	if lock == nil {
		return nil
	}
	delete(d.held, n)
	return lock.Close()
}

// Close gives all numbers back.
func (d *Drafts) Close() error {
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
func (d *Drafts) Read(epoch int64) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.read(epoch)
}

// read reads a draft, which another process may just have removed.
func (d *Drafts) read(epoch int64) ([]byte, error) {
	name := d.file(epoch)
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
func (d *Drafts) File(epoch int64) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := d.file(epoch)
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

// Keep replaces the draft of a chat. Without data there is none any more. That of a
// number that is not taken is left alone. What is old goes when a new one comes.
func (d *Drafts) Keep(epoch int64, data []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := d.file(epoch)
	switch {
	case name == "" || epoch < 0 && d.held[epoch] == nil:
		return nil
	case len(data) == 0:
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	case len(data) > mostDraft:
		return fmt.Errorf("keep the draft: it is longer than %d MB", mostDraft>>20)
	}
	if _, err := os.Stat(name); err != nil {
		for _, old := range d.folder.list("drafts") {
			if d.folder.now().Sub(old.Written) > draftAge {
				_ = os.Remove(old.Name) // it is tried again
			}
		}
	}
	if err := ownfile.Replace(name, data, 0o600); err != nil {
		return fmt.Errorf("keep the draft: %w", err)
	}
	return nil
}

// file is the file of a draft, "" if none can be kept.
func (d *Drafts) file(epoch int64) string {
	if d.folder.dir == "" || epoch == 0 {
		return ""
	}
	return d.folder.file("drafts", epoch, ".json")
}

// Put has a draft written by the next Write of its number: what, as JSON, or none if that
// is nil. The one that lies under another number before goes then, and its number with it.
func (d *Drafts) Put(number, before int64, what any) {
	d.queue.Lock()
	defer d.queue.Unlock()
	was := d.put[number]
	if before == number && was.n > 0 {
		before = was.before // it was not written where it belongs
	}
	if before != number {
		delete(d.put, before)
	}
	if d.put == nil {
		d.put = map[int64]draft{}
	}
	d.put[number] = draft{what, before, was.n + 1}
}

// Pending are the numbers of drafts that are not written.
func (d *Drafts) Pending() (numbers []int64) {
	d.queue.Lock()
	defer d.queue.Unlock()
	for n := range d.put {
		numbers = append(numbers, n)
	}
	return numbers
}

// Write writes the drafts of numbers that were put.
func (d *Drafts) Write(numbers ...int64) error {
	d.disk.Lock()
	defer d.disk.Unlock()
	var errs []error
	for _, number := range numbers {
		d.queue.Lock()
		now, ok := d.put[number]
		d.queue.Unlock()
		if !ok {
			continue
		}
		if err := d.write(number, &now); err != nil {
			errs = append(errs, err)
			continue
		}
		d.queue.Lock()
		if newer := d.put[number]; newer.n == now.n {
			delete(d.put, number)
		} else if newer.n > 0 {
			newer.before = number
			d.put[number] = newer
		}
		d.queue.Unlock()
	}
	return errors.Join(errs...)
}

// write writes a draft.
func (d *Drafts) write(number int64, now *draft) error {
	var data []byte
	if now.what != nil {
		var err error
		if data, err = json.Marshal(now.what); err != nil {
			return err
		}
	}
	if err := d.Keep(number, data); err != nil || now.before == number {
		return err
	}
	return errors.Join(d.Keep(now.before, nil), d.Release(now.before))
}
