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

	undone int // number of the write that undid this one, 0 for none; List sets it
}

// Change returns the change of the text.
func (w *Write) Change() edit.Change { return edit.Compare(textOf(w.Before), textOf(w.After)) }

// textOf returns the text of a file that was saved, or its bytes if it is none.
func textOf(saved string) string {
	text, _, err := vault.DecodeFile([]byte(saved))
	if err != nil {
		return saved
	}
	return text
}

// Entry is a write that was made, or several that were made at once and are undone at once.
type Entry struct {
	Write         // the first
	More  []Write // those that were made at once with it, of other files
	ID    int     // number from 1, in the order of the writes; 0 if it was not kept
	Time  time.Time
	// number of the write that undid this one, 0 for none; if several do so, of the last, once all files are as before
	Undone int
	Unsure bool // after a crash it is unknown whether it was made, since the file was changed again
}

// entryOf returns the entry of writes that are made at once.
func entryOf(all []Write) Entry { return Entry{Write: all[0], More: all[1:]} }

// Writes returns all writes of the entry.
func (e *Entry) Writes() []Write { return append([]Write{e.Write}, e.More...) }

// Paths returns the files that were written.
func (e *Entry) Paths() (all []vault.Path) {
	for _, w := range e.Writes() {
		all = append(all, w.Path)
	}
	return all
}

// write returns the write of a file in the entry, nil if there is none.
func (e *Entry) write(p vault.Path) *Write {
	if e.Path == p {
		return &e.Write
	}
	for i := range e.More {
		if e.More[i].Path == p {
			return &e.More[i]
		}
	}
	return nil
}

// CanUndo reports whether the write counts as the last one for a person who wants to undo it: it is no undo
// itself, and was not undone.
func (e *Entry) CanUndo() bool { return e.Undoes == 0 && e.Undone == 0 }

// ErrNothing is the error for a write that does not exist or cannot be undone.
var ErrNothing = errors.New("there is no such write to take back")

// Write saves the content of a file and then changes the file. It fails with vault.ErrChanged or fs.ErrExist,
// without writing, if the file is not in the state that w describes.
func (j *Journal) Write(w Write) (Entry, error) {
	e, errs := j.WriteAll([]Write{w})
	return e, errs[0]
}

// WriteAll is like Write for several files, which must be different ones: they are one entry, and one undo takes all
// of them back. A file that cannot be written is left out; errs has the error of each write.
func (j *Journal) WriteAll(all []Write) (e Entry, errs []error) {
	errs = make([]error, len(all))
	for i := range all {
		errs[i] = j.Check(all[i].Path, false)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.dir == "" {
		return j.writeUnkept(all, errs), errs
	}
	unlock, err := j.lock()
	if err != nil {
		keepErrors(all, errs, err)
		return Entry{}, errs
	}
	defer unlock()
	return j.writeLocked(all, errs), errs
}

// writeUnkept makes the changes that have no error yet, and keeps nothing.
func (j *Journal) writeUnkept(all []Write, errs []error) Entry {
	made := j.carryOutAll(all, errs)
	if len(made) == 0 {
		return Entry{}
	}
	e := entryOf(made)
	e.Time = j.opts.Now()
	j.opts.Written(&e)
	return e
}

// writeLocked saves and makes the changes that have no error yet; the journal must be locked. All contents are on the
// disk before the first file is changed, so that a crash in the middle loses none.
func (j *Journal) writeLocked(all []Write, errs []error) Entry {
	var fit []Write
	for i := range all {
		if errs[i] != nil {
			continue
		}
		if err := j.checkBefore(&all[i]); err != nil {
			errs[i] = fmt.Errorf("write %s: %w", all[i].Path, err)
			continue
		}
		fit = append(fit, all[i])
	}
	if len(fit) == 0 {
		return Entry{}
	}
	e := entryOf(fit)
	e.Time = j.opts.Now()
	if err := j.record(&e); err != nil {
		keepErrors(all, errs, err)
		return Entry{}
	}
	made := j.carryOutAll(all, errs)
	if len(made) < len(fit) {
		err := j.settle(e.ID)
		for i := range errs {
			if errs[i] != nil {
				errs[i] = errors.Join(errs[i], err)
			}
		}
		if len(made) == 0 {
			return Entry{}
		}
		whole := entryOf(made)
		whole.ID, whole.Time = e.ID, e.Time
		j.opts.Written(&whole)
		return whole
	}
	j.opts.Written(&e)
	if err := os.Rename(j.file(e.ID, pending), j.file(e.ID, done)); err != nil {
		for i := range errs {
			if errs[i] == nil {
				errs[i] = fmt.Errorf("note that %s was written: %w", all[i].Path, err)
			}
		}
	}
	return e
}

// carryOutAll makes the changes that have no error yet, and returns those that were made.
func (j *Journal) carryOutAll(all []Write, errs []error) (made []Write) {
	for i := range all {
		if errs[i] == nil {
			errs[i] = j.carryOut(&all[i])
		}
		if errs[i] == nil {
			made = append(made, all[i])
		}
	}
	return made
}

// keepErrors sets the error of all writes that have none yet: their contents cannot be saved.
func keepErrors(all []Write, errs []error, err error) {
	for i := range errs {
		if errs[i] == nil {
			errs[i] = keepError(all[i].Path, err)
		}
	}
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

// Undo undoes a write, by its number: it restores the old content of each file. A file that the write created
// goes to the trash. Undoing a write that was an undo works the same way. A file that does not have the content
// that was written any more stays as it is, and the error is a *ChangedError; the entry has those that were
// restored, and no number if there are none. Undoing the write again is about the files that stayed.
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
	for i := range all {
		if all[i].ID == id && all[i].Undone == 0 {
			return j.undoEntry(&all[i])
		}
	}
	return Entry{}, ErrNothing
}

// undoEntry undoes the writes of an entry that were not undone yet.
func (j *Journal) undoEntry(e *Entry) (Entry, error) {
	var back []Write
	var changed *ChangedError
	for _, w := range e.Writes() {
		if w.undone > 0 {
			continue
		}
		one := Write{
			Path: w.Path, New: w.Gone, Gone: w.New, Before: w.After, After: w.Before, Author: w.Author, Undoes: e.ID,
		}
		switch err := j.checkBefore(&one); {
		case errors.Is(err, vault.ErrChanged) || errors.Is(err, fs.ErrExist):
			now, there, err := j.read(w.Path)
			if err != nil {
				return Entry{}, err
			}
			if changed != nil {
				changed.Others = append(changed.Others, w.Path)
				continue
			}
			was := Entry{Write: w, ID: e.ID, Time: e.Time, Unsure: e.Unsure}
			changed = &ChangedError{Entry: was, Now: now, Gone: !there}
		case err != nil:
			return Entry{}, fmt.Errorf("undo the write of %s: %w", w.Path, err)
		default:
			back = append(back, one)
		}
	}
	var undone Entry
	if len(back) > 0 {
		errs := make([]error, len(back))
		undone = j.writeLocked(back, errs)
		if err := errors.Join(errs...); err != nil {
			return undone, err
		}
	}
	if changed != nil {
		return undone, changed
	}
	return undone, nil
}

// ChangedError says that a file was changed since the write that is to be undone. Entry has the contents before
// and after the write of this file.
type ChangedError struct {
	Entry  Entry
	Now    string       // present content
	Gone   bool         // the file does not exist any more
	Others []vault.Path // other files of the entry that were changed since
}

// Undo returns the undo of the write as a plan for the present content, with the hunks that still fit; conflicts are the
// indexes of the others.
func (e *ChangedError) Undo() (p Plan, conflicts []int) {
	back := edit.Compare(textOf(e.Entry.After), textOf(e.Entry.Before))
	p = Plan{Path: e.Entry.Path, Author: e.Entry.Author, Undoes: e.Entry.ID}
	_, p.Encoding, _ = vault.DecodeFile([]byte(e.Now))
	p.Change, conflicts = edit.Rebase(&back, textOf(e.Now))
	return p, conflicts
}

// Since returns the change of the text that was made since the write.
func (e *ChangedError) Since() edit.Change { return edit.Compare(textOf(e.Entry.After), textOf(e.Now)) }

func (e *ChangedError) Error() string {
	text := fmt.Sprintf("undo the write of %s: the file was changed since", e.Entry.Path)
	if e.Gone {
		text = fmt.Sprintf("undo the write of %s: the file is gone", e.Entry.Path)
	}
	if n := len(e.Others); n > 0 {
		text += fmt.Sprintf("; so were %d others", n)
	}
	return text
}
