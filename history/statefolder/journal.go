package statefolder

import (
	"errors"
	"os"
	"sync"
	"time"

	"ibid/vault/ownfile"
)

// journalEvery is the delay before a text is written: less than the second that may be lost, since writing
// takes time too.
const journalEvery = 900 * time.Millisecond

// Journal appends a text to a file while it arrives: each part is on disk within a second, whether more arrives
// or not. The file is created when the first part is due, so that a text that ends at once has no file.
type Journal struct {
	folder *Folder
	epoch  int64
	header []byte

	file    *os.File // file and written belong to the goroutine that flushes
	written int64
	flushes sync.WaitGroup

	mu      sync.Mutex  // guards the fields below
	waiting []byte      // text that is not on disk yet
	err     error       // error of the last write
	timer   *time.Timer // timer of the next or the running flush, nil if there is none
	closed  bool
}

// Journal begins a journal for a chat, with header as its first line; nil if the folder cannot be used.
func (f *Folder) Journal(epoch int64, header []byte) *Journal {
	if f.makeSub("unsaved") == "" {
		return nil
	}
	return &Journal{folder: f, epoch: epoch, header: append(header, '\n')}
}

// Write appends text.
func (j *Journal) Write(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting = append(j.waiting, text...)
	j.schedule()
}

// schedule starts the timer for the next flush, if it does not run; mu must be held.
func (j *Journal) schedule() {
	if j.timer == nil && !j.closed {
		j.flushes.Add(1)
		j.timer = time.AfterFunc(journalEvery, func() {
			defer j.flushes.Done()
			j.flush()
		})
	}
}

// Err returns the reason why the text is not on disk within a second, nil if it is.
func (j *Journal) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Close stops the timer and waits for a running flush. With flush, it writes the remaining text. name is the
// name of the file, "" if there is none.
func (j *Journal) Close(flush bool) (name string, err error) {
	j.mu.Lock()
	j.closed = true
	if j.timer != nil && j.timer.Stop() {
		j.flushes.Done()
	}
	j.mu.Unlock()
	if j.flushes.Wait(); flush {
		j.flush()
	}
	if j.file == nil {
		return "", j.err
	}
	return j.file.Name(), errors.Join(j.err, j.file.Close())
}

// flush writes the waiting text. After an error the text waits again.
func (j *Journal) flush() {
	j.mu.Lock()
	rest := j.waiting
	j.waiting = nil
	j.mu.Unlock()
	var err error
	if len(rest) > 0 {
		err = j.write(rest)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.timer, j.err = nil, err
	if err != nil {
		j.waiting = append(rest, j.waiting...)
	}
	if len(j.waiting) > 0 {
		j.schedule()
	}
}

func (j *Journal) write(text []byte) (err error) {
	if j.file == nil {
		if j.file, err = j.folder.create(j.epoch, ".reply"); err != nil {
			return err
		}
	}
	if j.written == 0 {
		text = append(j.header, text...)
	}
	if _, err = j.file.WriteAt(text, j.written); err == nil {
		err = ownfile.Sync(j.file)
	}
	if err == nil {
		j.written += int64(len(text))
	}
	return err
}
