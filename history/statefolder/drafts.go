package statefolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"ibid/vault/ownfile"
)

const (
	maxDraft     = 32 << 20            // bytes of a draft
	draftAge     = 90 * 24 * time.Hour // time for which a draft is kept
	maxNewDrafts = 99                  // drafts of chats that have not begun
)

// Drafts stores the unsent text in the prompts of chats, as bytes that it does not interpret. The key of a
// draft is the epoch of its chat; for a chat that has not begun it is a negative number, which Take hands out.
// Put queues a draft without waiting for the disk; it stays queued until it is written, so that a failed write
// is repeated. Of several for one chat only the newest is written.
type Drafts struct {
	folder *Folder

	mu   sync.Mutex             // guards the files of drafts, and held
	held map[int64]*flock.Flock // locked numbers of chats that have not begun in this process

	disk   sync.Mutex // held while queued drafts are written
	queue  sync.Mutex // guards queued
	queued map[int64]draft
}

// draft is a queued draft.
type draft struct {
	content any   // nil deletes the draft
	before  int64 // the number of the file that holds the draft until it is written
	version int   // tells the draft from older ones with the same number
}

// Drafts returns the store of drafts. Without a folder it keeps nothing.
func (f *Folder) Drafts() *Drafts { return &f.drafts }

// Take reserves a number for a chat that has not begun, until Release or Close. If another process left drafts,
// it returns the number and the data of the newest one. n is 0 if the folder cannot be used or all numbers are
// taken: then drafts of the chat are not kept.
func (d *Drafts) Take() (n int64, data []byte, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.folder.dir == "" || os.MkdirAll(filepath.Dir(d.folder.lockFile(-1)), 0o700) != nil {
		return 0, nil, nil
	}
	var left []int64
	for _, f := range d.folder.list("drafts") {
		if n := f.Epoch; n < 0 && f.Name == d.fileName(n) {
			if d.reserve(n) {
				data, err := d.read(n)
				return n, data, err
			}
			left = append(left, n)
		}
	}
	for n := int64(-1); n >= -maxNewDrafts; n-- {
		if !slices.Contains(left, n) && d.reserve(n) {
			return n, nil, nil
		}
	}
	return 0, nil, nil
}

// reserve locks a number, and reports whether it was free.
func (d *Drafts) reserve(n int64) bool {
	if d.held[n] != nil {
		return false
	}
	lock := flock.New(d.folder.lockFile(n))
	if ok, err := lock.TryLock(); err != nil || !ok {
		_ = lock.Close() // the file was not locked
		return false
	}
	d.held[n] = lock
	return true
}

// Release frees a number from Take. Its draft, if there is one, goes to the next caller of Take.
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

// Close frees all numbers.
func (d *Drafts) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, lock := range d.held {
		errs = append(errs, lock.Close())
	}
	clear(d.held)
	return errors.Join(errs...)
}

// Read returns the draft of a chat, nil if there is none.
func (d *Drafts) Read(epoch int64) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.read(epoch)
}

// read reads a draft; another process may have removed it in the meantime.
func (d *Drafts) read(epoch int64) ([]byte, error) {
	name := d.fileName(epoch)
	if name == "" {
		return nil, nil
	}
	data, err := ownfile.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the draft: %w", err)
	}
	return data, nil
}

// File returns the name of the file that holds the draft of a chat, "" if there is none.
func (d *Drafts) File(epoch int64) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := d.fileName(epoch)
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

// Keep replaces the draft of a chat, or deletes it if data is empty. It does nothing for a number that is not
// reserved. A new draft removes drafts that are older than 90 days.
func (d *Drafts) Keep(epoch int64, data []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := d.fileName(epoch)
	switch {
	case name == "" || epoch < 0 && d.held[epoch] == nil:
		return nil
	case len(data) == 0:
		return ownfile.Remove(name)
	case len(data) > maxDraft:
		return fmt.Errorf("keep the draft: it is longer than %d MB", maxDraft>>20)
	}
	if _, err := os.Stat(name); err != nil {
		for _, old := range d.folder.list("drafts") {
			if d.folder.now().Sub(old.Written) > draftAge {
				_ = os.Remove(old.Name) // a file that remains is tried again
			}
		}
	}
	if err := ownfile.Replace(name, data, 0o600); err != nil {
		return fmt.Errorf("keep the draft: %w", err)
	}
	return nil
}

// fileName returns the name of a draft's file, "" if it cannot be kept.
func (d *Drafts) fileName(epoch int64) string {
	if d.folder.dir == "" || epoch == 0 {
		return ""
	}
	return d.folder.fileName("drafts", epoch, ".json")
}

// Put queues what, as JSON, for the next Write of number; nil deletes the draft. Writing it also deletes the
// draft with the number before, if that is another one, and frees that number.
func (d *Drafts) Put(number, before int64, what any) {
	d.queue.Lock()
	defer d.queue.Unlock()
	was := d.queued[number]
	if before == number && was.version > 0 {
		before = was.before // the last one is not written yet
	}
	if before != number {
		delete(d.queued, before)
	}
	d.queued[number] = draft{what, before, was.version + 1}
}

// Pending returns the numbers of queued drafts.
func (d *Drafts) Pending() []int64 {
	d.queue.Lock()
	defer d.queue.Unlock()
	return slices.Collect(maps.Keys(d.queued))
}

// Write writes the queued drafts of numbers. Those that fail stay queued.
func (d *Drafts) Write(numbers ...int64) error {
	d.disk.Lock()
	defer d.disk.Unlock()
	var errs []error
	for _, number := range numbers {
		d.queue.Lock()
		now, ok := d.queued[number]
		d.queue.Unlock()
		if !ok {
			continue
		}
		if err := d.write(number, &now); err != nil {
			errs = append(errs, err)
			continue
		}
		d.queue.Lock()
		if newer := d.queued[number]; newer.version == now.version {
			delete(d.queued, number)
		} else if newer.version > 0 {
			newer.before = number
			d.queued[number] = newer
		}
		d.queue.Unlock()
	}
	return errors.Join(errs...)
}

// write writes one draft, and deletes the one that it replaces.
func (d *Drafts) write(number int64, now *draft) error {
	var data []byte
	if now.content != nil {
		var err error
		if data, err = json.Marshal(now.content); err != nil {
			return err
		}
	}
	if err := d.Keep(number, data); err != nil || now.before == number {
		return err
	}
	return errors.Join(d.Keep(now.before, nil), d.Release(now.before))
}
