package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"ibid/history/statefolder"
	"ibid/vault"
	"ibid/vault/ownfile"
)

// Errors that callers check for. They come wrapped with the operation and the path.
var (
	ErrReadOnly = errors.New(
		"read-only: another window has it open, or a newer ibid wrote it; branch the chat to go on here")
	errNotOpened = errors.New("saved without having been opened: open it first")
)

// Options configure a Store. The zero value is right for most people.
type Options struct {
	// Folder holds the chats. "" means the folder in which Copilot keeps them, if the vault has one, else
	// "Chats".
	Folder vault.Path

	// StateDir is a folder outside of the vault for the locks that keep two processes from writing the same
	// chat, and for text that could not be saved. "" means to do without; a folder that cannot be written gives
	// a warning.
	StateDir string

	// Zone is the time zone of file names, and of saved times that name none; nil means local time.
	Zone *time.Location

	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Store manages the chats of a vault. It is safe for concurrent use; a Chat belongs to one goroutine at a time.
type Store struct {
	chatDir

	mu    sync.Mutex // guards open and state, and is held while a chat is saved
	open  map[int64]*openChat
	state *statefolder.Folder

	list listCache
}

// chatDir is the folder of chats in its vault, for operations that do not depend on which chats are open.
type chatDir struct {
	vault  *vault.Vault
	folder vault.Path
	opts   Options
}

// openChat is a chat that this store has locked for writing.
type openChat struct {
	path      vault.Path
	lock      *statefolder.Lock
	streaming bool               // a reply is being streamed, with a journal
	backup    statefolder.Backup // the last backup written
}

// NewStore opens the chats of v. It checks the names of a few folders and reads nothing else.
func NewStore(v *vault.Vault, opts Options) (*Store, error) {
	if opts.Zone == nil {
		opts.Zone = time.Local
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	folder, err := vault.ParsePath(string(opts.Folder))
	if err != nil {
		return nil, fmt.Errorf("open the chats in %s: %w", opts.Folder, err)
	}
	s := &Store{
		chatDir: chatDir{v, folder, opts}, open: map[int64]*openChat{},
		state: statefolder.New(opts.StateDir, ownfile.RealPath(v.Dir()), opts.Now),
		list:  listCache{byPath: map[vault.Path]*listedFile{}},
	}
	if s.folder == "" {
		s.folder = s.existingFolder()
	}
	if _, err := v.Stat(s.folder); errors.Is(err, vault.ErrIgnored) {
		return nil, fmt.Errorf("open the chats in %s: %w", s.folder, errors.Unwrap(err))
	}
	return s, nil
}

// stateWarning returns a warning, once, if the state folder cannot be used.
func (s *Store) stateWarning() []Warning {
	err := s.state.Trouble()
	if err == nil {
		return nil
	}
	return warning("state",
		"the state folder cannot be written (%v): a second window is not kept from writing the same chat, and a reply is kept by saving the chat every second", err)
}

// acquire locks a chat. The lock is nil if there is no usable state folder.
func (s *Store) acquire(epoch int64) (*statefolder.Lock, error) {
	l, err := s.state.Lock(epoch)
	if errors.Is(err, statefolder.ErrLocked) {
		err = ErrReadOnly
	}
	return l, err
}

// Locked reports whether another process has the chat with this epoch open.
func (s *Store) Locked(epoch int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[epoch] == nil && s.state.Locked(epoch)
}

// Await waits until no other process has the chat with this epoch open, or ctx ends, whose error it returns.
func (s *Store) Await(ctx context.Context, epoch int64) error {
	const often = 100 * time.Millisecond
	for s.Locked(epoch) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(often):
		}
	}
	return nil
}

// Drafts returns the store of drafts, the unsent text in the prompts of chats.
func (s *Store) Drafts() *statefolder.Drafts { return s.state.Drafts() }

// existingFolder returns the folder in which Copilot keeps its chats, else ibid's default.
func (s *chatDir) existingFolder() vault.Path {
	for _, p := range []vault.Path{"copilot/copilot-conversations", "copilot-conversations"} {
		if info, err := s.vault.Stat(p); err == nil && info.IsDir() {
			return p
		}
	}
	return "Chats"
}

// Folder returns the folder of chats, relative to the vault.
func (s *Store) Folder() vault.Path { return s.folder }

// Close releases the locks and closes the drafts. It saves nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for epoch := range s.open {
		err = errors.Join(err, s.releaseLock(epoch))
	}
	return errors.Join(err, s.state.Drafts().Close())
}

// releaseLock releases the lock of a chat, if this store has it.
func (s *Store) releaseLock(epoch int64) error {
	o := s.open[epoch]
	if o == nil {
		return nil
	}
	delete(s.open, epoch)
	return o.lock.Release()
}

// Release ends the work on a chat, so that another process may open it for writing.
func (s *Store) Release(c *Chat) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.ReadOnly {
		return nil
	}
	return s.releaseLock(c.Epoch)
}

// Open reads the chat at p and locks it against other processes. A chat that another process has open comes
// back ReadOnly, with a warning; a file that is no chat gives ErrNotChat. It decodes without holding the
// store's lock, so that other chats can be saved meanwhile.
func (s *Store) Open(p vault.Path) (Chat, []Warning, error) {
	c, warnings, err := s.loadFile(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		return Chat{}, nil, fmt.Errorf("open chat %s: %w", p, err)
	}
	s.addUnsaved(&c)
	d := identity{s, c.Epoch}
	more, of := d.reportDuplicates(p)
	if of != "" {
		c.separate(d.nextFreeEpoch())
	}
	warnings = append(warnings, more...)
	if o := s.open[c.Epoch]; o != nil {
		o.path = p
	} else if !c.ReadOnly {
		switch err = s.holdLock(&c); {
		case errors.Is(err, ErrReadOnly):
			c.ReadOnly = true
			warnings = append(warnings, Warning{Kind: "locked", Text: "open in another window: shown read-only here"})
		case err == nil:
			err = s.reload(&c, of != "")
		}
		if err != nil && !c.ReadOnly {
			return Chat{}, nil, errors.Join(fmt.Errorf("open chat %s: %w", p, err), s.releaseLock(c.Epoch))
		}
	}
	if !c.ReadOnly {
		warnings = append(warnings, s.writeRestored(&c)...)
	}
	return c, append(warnings, s.stateWarning()...), nil
}

// reload reads c again if it was written between reading and locking it; copied says that it is a copy of another
// chat.
func (s *Store) reload(c *Chat, copied bool) error {
	data, err := s.read(c.Path)
	if err != nil || bytes.Equal(data, c.file.saved) {
		return err
	}
	again, err := s.load(c.Path)
	if err == nil {
		if copied {
			again.separate(c.Epoch)
		}
		again.Epoch = c.Epoch
		*c = again
	}
	return err
}

// load reads the chat at p, with the text in the backup and in journals that its file lacks.
func (s *Store) load(p vault.Path) (Chat, error) {
	c, _, err := s.loadFile(p)
	if err == nil {
		s.addUnsaved(&c)
	}
	return c, err
}

// addUnsaved adds to c what its file lacks: properties from the backup, and the reply from a journal.
func (s *Store) addUnsaved(c *Chat) {
	c.restore(s.state)
	s.overlay(c)
}

// loadFile reads the file at p. A chat of 2023 has no epoch yet: it gets the time at which its file was changed
// last.
func (s *chatDir) loadFile(p vault.Path) (Chat, []Warning, error) {
	data, err := s.read(p)
	if err != nil {
		return Chat{}, nil, err
	}
	c, warnings, err := decode(data, s.opts.Zone)
	if info, statErr := s.vault.Stat(p); err != nil && statErr == nil && time.Since(info.ModTime()) < time.Second {
		time.Sleep(settleTime) // it may be half written
		if data, err = s.read(p); err != nil {
			return Chat{}, nil, err
		}
		c, warnings, err = decode(data, s.opts.Zone)
	}
	if err != nil {
		return Chat{}, nil, err
	}
	if !c.file.src.isChat(len(c.Messages), s.inChatFolder(p)) {
		return Chat{}, nil, ErrNotChat
	}
	c.Path, c.file.saved = p, data
	if c.Epoch == 0 {
		c.Epoch = wholeSecond(s.opts.Now().UnixMilli())
		if info, err := s.vault.Stat(p); err == nil {
			c.Epoch = wholeSecond(info.ModTime().UnixMilli())
		}
	}
	return c, warnings, nil
}

// Read reads the chat that a person named, as Find does, for display: it takes no lock, and the chat is
// ReadOnly.
func (s *Store) Read(ctx context.Context, name string) (Chat, []Warning, error) {
	p, err := s.Find(ctx, name)
	if err != nil {
		return Chat{}, nil, err
	}
	c, warnings, err := s.loadFile(p)
	if err != nil {
		return Chat{}, nil, fmt.Errorf("read chat %s: %w", p, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addUnsaved(&c)
	c.ReadOnly = true
	return c, warnings, nil
}

// Find returns the path of the chat that a person named: by path, relative to the vault or to the chats, with
// or without ".md", by file name, by title, or by epoch. A moved chat is found by its old path. If several
// chats match, the error lists them.
func (s *Store) Find(ctx context.Context, name string) (vault.Path, error) {
	plain, err := vault.ParsePath(s.relative(name))
	if err == nil && plain != "" {
		for _, p := range []vault.Path{
			plain, plain + ".md", s.folder.Join(string(plain)), s.folder.Join(string(plain) + ".md"),
		} {
			if p.IsNote() && s.exists(p) {
				return p, nil
			}
		}
	}
	all, err := s.List(ctx)
	if err != nil {
		return "", err
	}
	var found []vault.Path
	for _, sum := range all {
		if sum.hasName(name) {
			found = append(found, sum.Path)
		}
	}
	if len(found) == 0 {
		found = s.findAnywhere(name)
	}
	return onlyOne(found, "find chat "+displayText(name), "`ibid chats` lists them")
}

// onlyOne returns the only path in found; the errors for none and several begin with what, and elsewhere says
// where to look.
func onlyOne(found []vault.Path, what, elsewhere string) (vault.Path, error) {
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("%s: %w: %s", what, fs.ErrNotExist, elsewhere)
	}
	return "", fmt.Errorf("%s: several have this name: %s", what, displayPaths(found[:min(len(found), 5)], ", "))
}

// relative returns name relative to the vault if it is an absolute path inside of it, else name with slashes.
func (s *chatDir) relative(name string) string {
	if inside, ok := vault.Inside(s.vault.Dir(), name); ok && filepath.IsAbs(name) {
		return string(inside)
	}
	return filepath.ToSlash(name)
}

// Changed reports whether somebody edited or removed the file of c since c was read or saved.
func (s *Store) Changed(c *Chat) (bool, error) {
	if c.file.saved == nil {
		return false, nil
	}
	data, err := s.read(c.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("check chat %s: %w", c.Path, err)
	}
	return !bytes.Equal(data, c.file.saved), nil
}

// lockFor locks a chat for one operation, unless this store has it open.
func (s *Store) lockFor(epoch int64) (done func(), err error) {
	if s.open[epoch] != nil {
		return func() {}, nil
	}
	l, err := s.acquire(epoch)
	if err != nil {
		return nil, err
	}
	return func() { _ = l.Release() }, nil // a lock that cannot be released ends with the process
}

// putInFolder finds a free name for c in folder and calls put with the path; put fails with fs.ErrExist when
// the name is taken. If the file system refuses the name as too long, it tries a short one.
func (s *chatDir) putInFolder(c *Chat, folder vault.Path, put func(vault.Path) error) (to vault.Path, err error) {
	for _, name := range []func(*Chat, *time.Location, string) string{fileName, shortName} {
		err = tryNumbered(func(suffix string) error {
			to = folder.Join(name(c, s.opts.Zone, suffix))
			return put(to)
		})
		if !errors.Is(err, syscall.ENAMETOOLONG) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	return to, nil
}

// Delete moves the chat at p to the vault's trash, deletes its draft, and returns the new path.
func (s *Store) Delete(p vault.Path) (trashed vault.Path, err error) {
	epoch := int64(0)
	err = s.perform("delete", p, func() (err error) {
		if c, broken := s.load(p); broken == nil {
			epoch = c.Epoch
			done, err := s.lockFor(c.Epoch)
			if err != nil {
				return err
			}
			defer done()
			if o := s.open[c.Epoch]; o != nil && o.path == p {
				if err := s.releaseLock(c.Epoch); err != nil {
					return err
				}
			}
		}
		trashed, err = s.vault.Trash(p)
		return err
	})
	if err == nil && epoch != 0 {
		_ = s.Drafts().Keep(epoch, nil) // a draft that remains is swept later
	}
	return trashed, err
}

// Undelete moves a chat from the trash back to p.
func (s *Store) Undelete(trashed, p vault.Path) error {
	if err := s.vault.Rename(trashed, p); err != nil {
		return fmt.Errorf("bring back chat %s: %w", p, err)
	}
	return nil
}

// read returns the content of a file, even if the vault excludes it from being sent: a chat that is excluded
// from search is still a chat.
func (s *chatDir) read(p vault.Path) ([]byte, error) {
	data, err := s.vault.ReadOwn(p)
	if err != nil {
		return nil, errors.Unwrap(err) // the caller names the file
	}
	return data, nil
}

func (s *chatDir) exists(p vault.Path) bool {
	info, err := s.vault.Stat(p)
	return err == nil && info.Mode().IsRegular()
}
