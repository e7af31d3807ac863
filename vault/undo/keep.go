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
	Before []byte `json:"before"`
	After  []byte `json:"after"`
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

// keptFile is the file of a write, by its name.
type keptFile struct {
	id  int
	ext string
}

// files returns the files of writes, in the order of their numbers.
func (j *Journal) files() (all []keptFile, err error) {
	entries, err := os.ReadDir(j.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		id, err := strconv.Atoi(strings.TrimSuffix(e.Name(), ext))
		if isWrite(e.Name()) && err == nil && id > 0 {
			all = append(all, keptFile{id, ext})
		}
	}
	slices.SortFunc(all, func(a, b keptFile) int { return a.id - b.id })
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
	data, err := json.Marshal(keptWrite{
		1, e.Time, string(e.Path), e.New, e.Gone, e.Undoes, e.Author, []byte(e.Before), []byte(e.After),
	})
	if err != nil {
		return err
	}
	if err := ownfile.Replace(j.file(e.ID, pending), ownfile.Pack(data), 0o600); err != nil {
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
	path, err := vault.ParsePath(k.Path)
	if err != nil {
		return Entry{}, fmt.Errorf("read %s: %w", j.file(id, ext), err)
	}
	w := Write{path, k.New, k.Gone, string(k.Before), string(k.After), k.Author, k.Undoes}
	return Entry{Write: w, ID: id, Time: k.Time, Unsure: ext == pending}, nil
}

// settle determines from the content of the file whether an interrupted write was made. If the file has any
// other content, the write stays as one that is unsure.
func (j *Journal) settle(id int) error {
	e, err := j.load(id, pending)
	if err != nil {
		return err
	}
	now, there, err := j.read(e.Path)
	switch {
	case err != nil:
		return nil //nolint:nilerr // tried again next time
	case e.Gone && !there, !e.Gone && there && now == e.After:
		return os.Rename(j.file(id, pending), j.file(id, done))
	case e.New && !there, !e.New && there && now == e.Before:
		return os.Remove(j.file(id, pending))
	}
	return nil
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
	at := map[int]int{}
	for i, e := range all {
		at[e.ID] = i
		if of, ok := at[e.Undoes]; ok && !e.Unsure {
			all[of].Undone = e.ID
			if first, ok := at[all[of].Undoes]; ok { // an undo was undone
				all[first].Undone = 0
			}
		}
	}
	return all, nil
}

// Size returns the size in bytes of the saved writes.
func (j *Journal) Size() int64 { return ownfile.Size(j.dir, isWrite) }

// isWrite reports whether the file of this name in the folder holds a write.
func isWrite(name string) bool { return filepath.Ext(name) == done || filepath.Ext(name) == pending }
