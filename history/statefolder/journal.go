package statefolder

import (
	"errors"
	"os"
	"sync"
	"time"
)

// journalEvery is how long a text waits before it is on disk: less than the second
// that may be lost, since writing it takes time too.
const journalEvery = 900 * time.Millisecond

// Journal keeps a text on disk while it comes, in a file to which it is appended: a text
// is there within a second after it came, whether more comes or not. The file is made
// when the first text is due, so that one that ends at once has none.
type Journal struct {
	folder *Folder
	epoch  int64
	header []byte

	file    *os.File // these two belong to whoever flushes
	written int64
	flushes sync.WaitGroup

	mu     sync.Mutex  // guards what follows
	rest   []byte      // not on disk yet
	err    error       // of the last try
	timer  *time.Timer // of the next one, or of that which runs; nil if there is none
	begun  bool        // something was written
	closed bool
}

// Journal begins a journal of something of a chat, whose first line is header; nil where
// there is no folder for it.
func (f *Folder) Journal(epoch int64, header []byte) *Journal {
	if f.sub("unsaved") == "" {
		return nil
	}
	return &Journal{folder: f, epoch: epoch, header: append(header, '\n')}
}

// Write adds a text; one that is to stand first only if nothing was written before it.
func (j *Journal) Write(text string, first bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !first || !j.begun {
		j.rest, j.begun = append(j.rest, text...), true
		j.schedule()
	}
}

// schedule makes sure that what is not on disk gets there; mu is held.
func (j *Journal) schedule() {
	if j.timer == nil && !j.closed {
		j.flushes.Add(1)
		j.timer = time.AfterFunc(journalEvery, func() {
			defer j.flushes.Done()
			j.flush()
		})
	}
}

// Err is why the text is not on disk within a second, nil if it is.
func (j *Journal) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Close stops the timer and waits for what it has begun. With flush, what is not on disk
// is written. name is the file, "" if there is none.
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

// flush puts what came onto the disk. What cannot be written is tried again.
func (j *Journal) flush() {
	j.mu.Lock()
	rest := j.rest
	j.rest = nil
	j.mu.Unlock()
	var err error
	if len(rest) > 0 {
		err = j.write(rest)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.timer, j.err = nil, err
	if err != nil {
		j.rest = append(rest, j.rest...)
	}
	if len(j.rest) > 0 {
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
		err = j.file.Sync()
	}
	if err == nil {
		j.written += int64(len(text))
	}
	return err
}
