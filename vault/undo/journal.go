package undo

import (
	"cmp"
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

// Options say where and how long a journal keeps old contents.
type Options struct {
	StateDir string           // folder outside of the vault; "" keeps nothing
	Days     int              // 0 keeps nothing
	MaxBytes int64            // maximum size in bytes, not counting the current turn; 0 means ownfile.MaxFolderSize
	Chats    vault.Path       // folder of saved chats, which are never written; "" if there is none
	Now      func() time.Time // nil means time.Now
	// called for each write that was made, in its goroutine; it must not use the journal and may be nil
	Written func(*Entry)
}

// Journal writes files of a vault, and undoes writes.
type Journal struct {
	vault *vault.Vault
	opts  Options
	dir   string // "" if nothing is kept

	mu          sync.Mutex // one write at a time
	settled     bool       // the writes that a crash interrupted are settled
	turn        Author     // turn of the last write, without the tool
	firstOfTurn string     // file of the first write of that turn
}

// New returns the journal of a vault. It does not read or write anything yet.
func New(v *vault.Vault, o Options) *Journal {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Written == nil {
		o.Written = func(*Entry) {}
	}
	o.MaxBytes = cmp.Or(o.MaxBytes, ownfile.MaxFolderSize)
	j := &Journal{vault: v, opts: o}
	if o.StateDir != "" && o.Days > 0 {
		j.dir = filepath.Join(o.StateDir, "writes", vault.StateName(v))
	}
	return j
}

// Author is the origin of a write.
type Author struct {
	Chat  string `json:"chat,omitempty"`  // path of the chat file at the time, "" for none
	Epoch int64  `json:"epoch,omitempty"` // identity of the chat, which stays when its file is renamed; 0 if unknown
	Turn  int    `json:"turn,omitempty"`  // turn of the chat, from 1; 0 for none
	Tool  string `json:"tool,omitempty"`  // tool that proposed the write, or command that a person typed
}

// In reports whether the write belongs to a chat: by identity if both are known, else by the path of the chat
// file.
func (a Author) In(chat string, epoch int64) bool {
	if a.Epoch != 0 && epoch != 0 {
		return a.Epoch == epoch
	}
	return chat != "" && a.Chat == chat
}

// Write is a change of a file.
type Write struct {
	Path   vault.Path
	New    bool   // the file does not exist yet
	Gone   bool   // the file is moved to the trash
	Before string // bytes before, "" for a new file
	After  string // bytes after, "" for a file that is removed
	Author
	Undoes int // number of the write that this one undoes, 0 for none
}

// Entry is a write that was made.
type Entry struct {
	Write
	ID     int // number from 1, in the order of the writes; 0 if it was not kept
	Time   time.Time
	Undone int  // number of the write that undid this one, 0 for none
	Unsure bool // after a crash it is unknown whether it was made, since the file was changed again
}

// CanUndo reports whether the write counts as the last one for a person who wants to undo it: it is no undo
// itself, and was not undone.
func (e *Entry) CanUndo() bool { return e.Undoes == 0 && e.Undone == 0 }

// ErrNothing is the error for a write that does not exist or cannot be undone.
var ErrNothing = errors.New("there is no such write to take back")

// Write saves the content of a file and then changes the file. It fails with vault.ErrChanged or fs.ErrExist,
// without writing, if the file is not in the state that w describes.
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
		return Entry{}, keepError(w.Path, err)
	}
	defer unlock()
	return j.write(w)
}

// write saves and makes a change; the journal must be locked.
func (j *Journal) write(w Write) (Entry, error) {
	if err := j.checkBefore(&w); err != nil {
		return Entry{}, fmt.Errorf("write %s: %w", w.Path, err)
	}
	e := Entry{Write: w, Time: j.opts.Now()}
	if err := j.record(&e); err != nil {
		return Entry{}, keepError(w.Path, err)
	}
	if err := j.carryOut(&w); err != nil {
		return Entry{}, errors.Join(err, j.settle(e.ID))
	}
	j.opts.Written(&e)
	if err := os.Rename(j.file(e.ID, pending), j.file(e.ID, done)); err != nil {
		return e, fmt.Errorf("note that %s was written: %w", w.Path, err)
	}
	return e, nil
}

// keepError returns the error for content that cannot be saved, without the path of the state folder, since a
// model may get it.
func keepError(p vault.Path, err error) error {
	return fmt.Errorf("keep what %s holds in the state folder: %w", p, ownfile.Reason(err))
}

// checkBefore returns an error unless a file has the content that w expects.
func (j *Journal) checkBefore(w *Write) error {
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
		if err := j.checkBefore(w); err != nil {
			return fmt.Errorf("remove %s: %w", w.Path, err)
		}
		_, err := j.vault.Trash(w.Path)
		return err
	}
	o := vault.WriteOptions{Create: w.New}
	if !w.New {
		o.Old = []byte(w.Before)
	}
	return j.vault.WriteFile(w.Path, []byte(w.After), o)
}

// read returns the content of a file, and whether it exists.
func (j *Journal) read(p vault.Path) (text string, there bool, err error) {
	data, err := j.vault.ReadOwn(p)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return string(data), err == nil, err
}

// Undo undoes a write, by its number: it restores the old content of the file. A file that the write created
// goes to the trash. Undoing a write that was an undo works the same way. If the file does not have the content
// that was written any more, nothing happens, and the error is a *ChangedError.
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
		back := Write{
			Path: e.Path, New: e.Gone, Gone: e.New, Before: e.After, After: e.Before, Author: e.Author, Undoes: e.ID,
		}
		switch err := j.checkBefore(&back); {
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

// ChangedError says that a file was changed since the write that is to be undone. Entry has the contents before
// and after that write.
type ChangedError struct {
	Entry Entry
	Now   string // present content
	Gone  bool   // the file does not exist any more
}

// Change returns the undo of the write as a change of the present content, with the hunks that still fit;
// conflicts are the indexes of the others.
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
