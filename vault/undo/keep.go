package undo

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"ibid/vault"
	"ibid/vault/ownfile"
)

// The extensions of files: of a write that is being made, and of one that was made.
const (
	pending = ".pending"
	done    = ".json"
)

func (j *Journal) file(id int, ext string) string {
	return filepath.Join(j.dir, fmt.Sprintf("%08d", id)+ext)
}

// keptWrite is a write in the form of its file. Texts are bytes, since a note may be invalid UTF-8.
type keptWrite struct {
	Version int       `json:"v"`
	Time    time.Time `json:"time"`
	Path    string    `json:"path"`
	New     bool      `json:"new,omitempty"`
	Gone    bool      `json:"gone,omitempty"`
	Undoes  int       `json:"undoes,omitempty"`
	Author
	Before []byte     `json:"before"`
	After  []byte     `json:"after"`
	More   []keptFile `json:"more,omitempty"` // other files that were written at once
}

// keptFile is one of the other files of a write.
type keptFile struct {
	Path   string `json:"path"`
	New    bool   `json:"new,omitempty"`
	Gone   bool   `json:"gone,omitempty"`
	Before []byte `json:"before"`
	After  []byte `json:"after"`
}

// The versions of the form: one file, and several.
const (
	oneFile      = 1
	severalFiles = 2
)

// keep returns an entry in the form of its file.
func keep(e *Entry) keptWrite {
	k := keptWrite{
		Version: oneFile, Time: e.Time, Path: string(e.Path), New: e.New, Gone: e.Gone, Undoes: e.Undoes,
		Author: e.Author, Before: []byte(e.Before), After: []byte(e.After),
	}
	for _, w := range e.More {
		k.Version = severalFiles
		k.More = append(k.More, keptFile{string(w.Path), w.New, w.Gone, []byte(w.Before), []byte(w.After)})
	}
	return k
}

// entry returns the entry of a file.
func (k *keptWrite) entry() (Entry, error) {
	var all []Write
	first := keptFile{k.Path, k.New, k.Gone, k.Before, k.After}
	for _, f := range append([]keptFile{first}, k.More...) {
		p, err := vault.ParsePath(f.Path)
		if err != nil {
			return Entry{}, err
		}
		all = append(all, Write{
			Path: p, New: f.New, Gone: f.Gone, Before: string(f.Before), After: string(f.After), Author: k.Author,
			Undoes: k.Undoes,
		})
	}
	e := entryOf(all)
	e.Time = k.Time
	return e, nil
}

// store saves an entry under its number as one that is being made.
func (j *Journal) store(e *Entry) error {
	data, err := json.Marshal(keep(e))
	if err != nil {
		return err
	}
	return ownfile.Replace(j.file(e.ID, pending), ownfile.Pack(data), 0o600)
}

// lock creates the folder and locks it against other processes. The first lock of a process also calls recover.
func (j *Journal) lock() (unlock func(), err error) {
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder %s: %w", j.dir, err)
	}
	l := flock.New(filepath.Join(j.dir, "lock"))
	if err := l.Lock(); err != nil {
		return nil, fmt.Errorf("lock %s: %w", j.dir, err)
	}
	unlock = func() { _ = l.Close() } // closing the file releases the lock
	if !j.settled {
		if err := j.recover(); err != nil {
			unlock()
			return nil, err
		}
		j.settled = true
	}
	return unlock, nil
}

// entryFile is the file of an entry, by its name.
type entryFile struct {
	id  int
	ext string
}

// files returns the files of entries, in the order of their numbers.
func (j *Journal) files() (all []entryFile, err error) {
	entries, err := os.ReadDir(j.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		id, err := strconv.Atoi(strings.TrimSuffix(e.Name(), ext))
		if isWrite(e.Name()) && err == nil && id > 0 {
			all = append(all, entryFile{id, ext})
		}
	}
	slices.SortFunc(all, func(a, b entryFile) int { return a.id - b.id })
	return all, nil
}

// record saves a write before it is made, and sets its number.
func (j *Journal) record(e *Entry) error {
	all, err := j.files()
	if err != nil {
		return err
	}
	e.ID = 1
	if n := len(all); n > 0 {
		e.ID = all[n-1].id + 1
	}
	if err := j.store(e); err != nil {
		return err
	}
	turn := e.Author
	if turn.Tool = ""; turn != j.turn || j.firstOfTurn == "" {
		j.turn, j.firstOfTurn = turn, filepath.Base(j.file(e.ID, done))
	}
	ownfile.RemoveOldest(j.dir, j.opts.MaxBytes, isWrite, func(name string) bool {
		return filepath.Ext(name) == done && name < j.firstOfTurn
	})
	if d, err := os.Open(j.dir); err == nil { // not every system can sync a folder; then a crash may lose the name
		_ = ownfile.Sync(d)
		_ = d.Close()
	}
	return nil
}

// load reads a saved write.
func (j *Journal) load(id int, ext string) (Entry, error) {
	data, err := ownfile.Read(j.file(id, ext))
	if err == nil {
		data, err = ownfile.Unpack(data)
	}
	if err != nil {
		return Entry{}, err
	}
	var k keptWrite
	if err := json.Unmarshal(data, &k); err != nil {
		return Entry{}, fmt.Errorf("read %s: %w", j.file(id, ext), err)
	}
	e, err := k.entry()
	if err != nil {
		return Entry{}, fmt.Errorf("read %s: %w", j.file(id, ext), err)
	}
	e.ID, e.Unsure = id, ext == pending
	return e, nil
}

// settle determines from the content of each file whether an interrupted write was made, and keeps those that were.
// If a file has any other content, the entry stays as one that is unsure.
func (j *Journal) settle(id int) error {
	e, err := j.load(id, pending)
	if err != nil {
		return err
	}
	var kept []Write
	unsure := false
	for _, w := range e.Writes() {
		now, there, err := j.read(w.Path)
		switch {
		case err != nil:
			return nil //nolint:nilerr // tried again next time
		case w.Gone && !there, !w.Gone && there && now == w.After:
			kept = append(kept, w)
		case w.New && !there, !w.New && there && now == w.Before: // not made
		default:
			kept = append(kept, w)
			unsure = true
		}
	}
	if len(kept) == 0 {
		return os.Remove(j.file(id, pending))
	}
	if len(kept) <= len(e.More) { // some were not made
		rest := entryOf(kept)
		rest.ID, rest.Time = id, e.Time
		if err := j.store(&rest); err != nil {
			return err
		}
	}
	if unsure {
		return nil
	}
	return os.Rename(j.file(id, pending), j.file(id, done))
}

// recover removes writes that are older than Options.Days, and settles those that were interrupted.
func (j *Journal) recover() error {
	ownfile.Sweep(j.dir, func(name string) bool { return strings.Contains(name, pending+"-") })
	oldest := j.opts.Now().AddDate(0, 0, -j.opts.Days)
	all, err := j.files()
	for _, f := range all {
		name := j.file(f.id, f.ext)
		if info, e := os.Stat(name); e == nil && info.ModTime().Before(oldest) {
			err = errors.Join(err, os.Remove(name))
		} else if f.ext == pending {
			err = errors.Join(err, j.settle(f.id))
		}
	}
	return err
}

// List returns the saved writes, last first.
func (j *Journal) List() ([]Entry, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.dir == "" {
		return nil, nil
	}
	if _, err := os.Stat(j.dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	unlock, err := j.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	all, err := j.list()
	slices.Reverse(all)
	return all, err
}

// list returns the saved writes in order. Unreadable ones are left out.
func (j *Journal) list() ([]Entry, error) {
	files, err := j.files()
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", j.dir, err)
	}
	var all []Entry
	for _, f := range files {
		if e, err := j.load(f.id, f.ext); err == nil {
			all = append(all, e)
		}
	}
	markUndone(all)
	return all, nil
}

// markUndone sets which writes were undone. An undo may be about some files of an entry, and may be undone itself.
func markUndone(all []Entry) {
	at := map[int]int{}
	for i := range all {
		e := &all[i]
		at[e.ID] = i
		of, undoes := at[e.Undoes]
		if !undoes || e.Unsure {
			continue
		}
		for _, p := range e.Paths() {
			if w := all[of].write(p); w != nil {
				w.undone = e.ID
			}
			first, again := at[all[of].Undoes]
			if !again {
				continue
			}
			if w := all[first].write(p); w != nil { // an undo was undone
				w.undone = 0
			}
		}
	}
	for i := range all {
		all[i].Undone = all[i].undoneBy()
	}
}

// undoneBy returns the number of the last write that undid a file of the entry, 0 unless all files were undone.
func (e *Entry) undoneBy() (last int) {
	for _, w := range e.Writes() {
		if w.undone == 0 {
			return 0
		}
		last = max(last, w.undone)
	}
	return last
}

// Size returns the size in bytes of the saved writes.
func (j *Journal) Size() int64 { return ownfile.Size(j.dir, isWrite) }

// isWrite reports whether the file of this name in the folder holds a write.
func isWrite(name string) bool { return filepath.Ext(name) == done || filepath.Ext(name) == pending }
