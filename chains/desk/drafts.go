package desk

import (
	"encoding/json"
	"errors"
	"sync"

	"ibid/history/statefolder"
)

// Drafts keeps what is unsent of chats, each by the number of its chat, see
// [statefolder.Drafts]. What was put stays until it is written, so that what could not be
// is tried again; of one chat the newest counts. Put does not wait for the disk.
type Drafts struct {
	*statefolder.Drafts

	disk sync.Mutex // held while something is written
	mu   sync.Mutex
	put  map[int64]draft
}

// draft is what is to be written, nil for nothing.
type draft struct {
	what   any
	before int64 // the number under which the chat's draft lies until then
	n      int   // tells it from an older one
}

// NewDrafts keeps drafts in files.
func NewDrafts(files *statefolder.Drafts) *Drafts {
	return &Drafts{Drafts: files, put: map[int64]draft{}}
}

// Put has a draft written by the next Write of its number: what, as JSON, or none if that
// is nil. The one that lies under another number before goes then, and its number with it.
func (d *Drafts) Put(number, before int64, what any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.put[number]
	if before == number && was.n > 0 {
		before = was.before // it was not written where it belongs
	}
	if before != number {
		delete(d.put, before)
	}
	d.put[number] = draft{what, before, was.n + 1}
}

// Pending are the numbers of drafts that are not written.
func (d *Drafts) Pending() (numbers []int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
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
		d.mu.Lock()
		now, ok := d.put[number]
		d.mu.Unlock()
		if !ok {
			continue
		}
		if err := d.write(number, &now); err != nil {
			errs = append(errs, err)
			continue
		}
		d.mu.Lock()
		if newer := d.put[number]; newer.n == now.n {
			delete(d.put, number)
		} else if newer.n > 0 {
			newer.before = number
			d.put[number] = newer
		}
		d.mu.Unlock()
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
