package undo

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ibid/vault"
	"ibid/vault/edit"
	"ibid/vault/ownfile"
)

// Options say where and for how long a journal keeps what files held.
type Options struct {
	StateDir string           // folder outside of the vault; "" keeps nothing
	Days     int              // 0 keeps nothing
	Most     int64            // bytes that are kept, beside the turn that writes; 0 is ownfile.MostBytes
	Chats    vault.Path       // folder of the saved chats, which are never written; "" if none are kept
	Now      func() time.Time // nil is time.Now
	Written  func(*Entry)     // is told of each write that was made, in its goroutine, and must not use the journal; nil is told nothing
}

// Journal writes files of a vault.
type Journal struct {
	vault *vault.Vault
	opts  Options
	dir   string // "" keeps nothing

	mu      sync.Mutex // one write at a time
	settled bool       // what a crash left behind was looked at
	turn    Author     // of the last write, without its tool
	first   string     // file of the first write of that turn
}

// New makes the journal of a vault. It reads and writes nothing yet.
func New(v *vault.Vault, o Options) *Journal {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Written == nil {
		o.Written = func(*Entry) {}
	}
	o.Most = cmp.Or(o.Most, ownfile.MostBytes)
	j := &Journal{vault: v, opts: o}
	if o.StateDir != "" && o.Days > 0 {
		j.dir = filepath.Join(o.StateDir, "writes", vault.StateName(v))
	}
	return j
}

// Author says what a write comes from.
type Author struct {
	Chat  string `json:"chat,omitempty"`  // path of the chat file at that time, "" for none
	Epoch int64  `json:"epoch,omitempty"` // identity of the chat, whatever its file is called; 0 if it is not known
	Turn  int    `json:"turn,omitempty"`  // of the chat, from 1; 0 for none
	Tool  string `json:"tool,omitempty"`  // that proposed it, or the command that a person typed
}

// In reports whether this was written in a chat, by its identity where both are known,
// else by the path of its file.
func (a Author) In(chat string, epoch int64) bool {
	if a.Epoch != 0 && epoch != 0 {
		return a.Epoch == epoch
	}
	return chat != "" && a.Chat == chat
}

// Write is a change of a file.
type Write struct {
	Path   vault.Path
	New    bool   // there is no such file yet
	Gone   bool   // the file goes to the trash
	Before string // the bytes that were read, "" for a new file
	After  string // the bytes to be written, "" for one that goes
	Author
	Undoes int // number of the write that this takes back, 0 for none
}

// Entry is a write that was made.
type Entry struct {
	Write
	ID     int // from 1, in the order of the writes; 0 if it was not kept
	Time   time.Time
	Undone int  // number of the write that took it back, 0 if none did
	Unsure bool // a crash came between, and somebody changed the file since: it may not have been made
}

// Standing reports whether a write can be taken back by a person who asks for the last
// one: it is no undo, and was not undone.
func (e *Entry) Standing() bool { return e.Undoes == 0 && e.Undone == 0 }

// ErrNothing is for a write that is not there to be taken back.
var ErrNothing = errors.New("there is no such write to take back")

// Write changes a file as it says, if the file holds what it says: it fails with
// vault.ErrChanged or fs.ErrExist otherwise, and writes nothing. What the file held is
// kept first.
func (j *Journal) Write(w Write) (Entry, error) {
	if err := j.Check(w.Path, false); err != nil {
		return Entry{}, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.dir == "" {
		e := Entry{Write: w, Time: j.opts.Now()}
		err := j.carryOut(&w)
		if err == nil {
			j.opts.Written(&e)
		}
		return e, err
	}
	unlock, err := j.lock()
	if err != nil {
		return Entry{}, notKept(w.Path, err)
	}
	defer unlock()
	return j.write(w)
}

// write keeps and makes a change; the journal is locked.
func (j *Journal) write(w Write) (Entry, error) {
	if err := j.holds(&w); err != nil {
		return Entry{}, fmt.Errorf("write %s: %w", w.Path, err)
	}
	e := Entry{Write: w, Time: j.opts.Now()}
	if err := j.record(&e); err != nil {
		return Entry{}, notKept(w.Path, err)
	}
	if err := j.carryOut(&w); err != nil {
		return Entry{}, errors.Join(err, j.settle(e.ID))
	}
	j.opts.Written(&e)
	if err := os.Rename(j.file(e.ID, pending), j.file(e.ID, made)); err != nil {
		return e, fmt.Errorf("note that %s was written: %w", w.Path, err)
	}
	return e, nil
}

// notKept says why what a file holds cannot be kept, without the path of the state folder:
// a model may be told.
func notKept(p vault.Path, err error) error {
	var at *fs.PathError
	var moved *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &moved):
		err = moved.Err
	}
	return fmt.Errorf("keep what %s holds in the state folder: %w", p, err)
}

// holds checks that a file is as a write has it.
func (j *Journal) holds(w *Write) error {
	now, there, err := j.read(w.Path)
	switch {
	case err != nil:
		return err
	case w.New && there:
		return fs.ErrExist
	case !w.New && (!there || now != w.Before):
		return vault.ErrChanged
	}
	return nil
}

// carryOut makes a change of a file.
func (j *Journal) carryOut(w *Write) error {
	if w.Gone {
		if err := j.holds(w); err != nil {
			return fmt.Errorf("remove %s: %w", w.Path, err)
		}
		_, err := j.vault.Trash(w.Path)
		return err
	}
	o := vault.WriteOptions{Create: w.New}
	if !w.New {
		o.IfHash = sha256.Sum256([]byte(w.Before))
	}
	return j.vault.WriteFile(w.Path, []byte(w.After), o)
}

// read is what a file holds, and whether it is there.
func (j *Journal) read(p vault.Path) (text string, there bool, err error) {
	data, err := j.vault.ReadOwn(p)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return string(data), err == nil, err
}

// Undo takes a write back, by its number: the file holds again what it held before. A
// file that it made goes to the trash. A write that took another one back is taken
// back in the same way. If the file does not hold any more what was written, nothing
// happens, and the error is a *ChangedError.
func (j *Journal) Undo(id int) (Entry, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.dir == "" {
		return Entry{}, ErrNothing
	}
	unlock, err := j.lock()
	if err != nil {
		return Entry{}, err
	}
	defer unlock()
	all, err := j.list()
	if err != nil {
		return Entry{}, err
	}
	for _, e := range all {
		if e.ID != id || e.Undone > 0 {
			continue
		}
		back := Write{Path: e.Path, New: e.Gone, Gone: e.New, Before: e.After, After: e.Before, Author: e.Author, Undoes: e.ID}
		switch err := j.holds(&back); {
		case errors.Is(err, vault.ErrChanged) || errors.Is(err, fs.ErrExist):
			now, there, err := j.read(e.Path)
			if err != nil {
				return Entry{}, err
			}
			return Entry{}, &ChangedError{Entry: e, Now: now, Gone: !there}
		case err != nil:
			return Entry{}, fmt.Errorf("undo the write of %s: %w", e.Path, err)
		}
		return j.write(back)
	}
	return Entry{}, ErrNothing
}

// ChangedError says that a file was changed since the write that is to be taken back.
// The entry has what it held before and after that.
type ChangedError struct {
	Entry Entry
	Now   string // what it holds now
	Gone  bool   // there is no such file any more
}

// Change takes the write back in the file as it is now, as far as its hunks still fit
// there; the numbers of those that do not are the conflicts.
func (e *ChangedError) Change() (edit.Change, []int) {
	back := edit.Compare(e.Entry.After, e.Entry.Before)
	return edit.Rebase(&back, e.Now)
}

func (e *ChangedError) Error() string {
	if e.Gone {
		return fmt.Sprintf("undo the write of %s: the file is gone", e.Entry.Path)
	}
	return fmt.Sprintf("undo the write of %s: the file was changed since", e.Entry.Path)
}
