package history

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"ibid/vault"
)

// Save writes c, which may be new or opened by this store. A new chat gets its Path and its identity: the first
// second, from the time of its first message on, that no chat has; it becomes the time of that message. The
// file is replaced as a whole or not at all.
//
// When somebody else has changed the file since, their edit is kept: it is merged into c, message by message,
// or, where both changed the same message, c continues in a new file beside the old one. The warnings say what
// happened, and c is what is on disk afterwards.
//
// The time is proportional to the size of the chat and independent of the vault, so that Save can be called
// every second while a reply streams. An unchanged chat is not written again.
func (s *Store) Save(c *Chat) (warnings []Warning, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what := "the chat"
	if c.Path != "" {
		what = "chat " + string(c.Path)
	}
	if c.Epoch == 0 {
		c.Epoch = c.began(s.opts.Now()).UnixMilli()
	}
	switch {
	case c.ReadOnly:
		err = ErrReadOnly
	case c.Path == "":
		err = s.create(c, s.folder)
	case c.file.saved == nil:
		err = errNotOpened
	default:
		warnings, err = s.update(c)
	}
	if err != nil {
		err = fmt.Errorf("save %s: %w", what, err)
	}
	return append(warnings, s.stateWarning()...), err
}

// holdLock locks c for this store, if it is not locked already.
func (s *Store) holdLock(c *Chat) error {
	if o := s.open[c.Epoch]; o != nil {
		return nil
	}
	l, err := s.acquire(c.Epoch)
	if err != nil {
		return err
	}
	s.open[c.Epoch] = &openChat{path: c.Path, lock: l}
	return nil
}

// create writes a chat that has no file yet.
func (s *Store) create(c *Chat, folder vault.Path) error {
	if err := s.reserve(c); err != nil {
		return err
	}
	data := Encode(c)
	p, err := s.putInFolder(c, folder, func(p vault.Path) error {
		return s.vault.WriteFile(p, data, vault.WriteOptions{Create: true})
	})
	if err != nil {
		return errors.Join(err, s.releaseLock(c.Epoch))
	}
	s.recordWrite(c, p, data)
	return nil
}

// recordWrite updates c and the store after c was written to p as data.
func (s *Store) recordWrite(c *Chat, p vault.Path, data []byte) {
	c.Path, c.file.saved, c.file.version = p, data, version
	s.open[c.Epoch].path = p
	s.keepBackup(c)
	c.removeJournals()
}

// update writes c over its file, and merges or moves as long as the file was changed elsewhere.
func (s *Store) update(c *Chat) ([]Warning, error) {
	var warnings []Warning
	waited := false
	const tries = 8
	for range tries {
		data := Encode(c)
		if bytes.Equal(data, c.file.saved) {
			c.removeJournals()
			return warnings, nil
		}
		if err := s.holdLock(c); err != nil {
			return warnings, err
		}
		err := s.vault.WriteFile(c.Path, data, vault.WriteOptions{Old: c.file.saved})
		if err == nil {
			s.recordWrite(c, c.Path, data)
			return warnings, nil
		}
		if !errors.Is(err, vault.ErrChanged) {
			return warnings, err
		}
		more, done, err := s.reconcile(c, &waited)
		warnings = append(warnings, more...)
		if err != nil || done {
			return warnings, err
		}
	}
	return warnings, fmt.Errorf("%w: another program keeps writing it", vault.ErrChanged)
}

// reconcile updates c after its file was changed or removed elsewhere. done says that c is on disk already;
// otherwise the caller tries to write again. A file that may be half written, or in the middle of a rename, is
// checked twice: waited says that this is the second time.
func (s *Store) reconcile(c *Chat, waited *bool) (warnings []Warning, done bool, err error) {
	disk, err := s.read(c.Path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return nil, false, err
	}
	var base, theirs Chat
	if !missing {
		theirs, _, err = decode(disk, s.opts.Zone)
		ok := err == nil && theirs.file.version <= version
		if ok {
			base, _, err = decode(c.file.saved, s.opts.Zone)
			ok = err == nil && (*waited || !bytes.HasPrefix(c.file.saved, disk)) && merge(c, &base, &theirs)
		}
		if ok {
			if !slices.EqualFunc(bytes.Fields(c.file.saved), bytes.Fields(disk), bytes.Equal) { // more than white space
				warnings = warning("merged", "%s was edited elsewhere: both changes are kept", displayText(c.Path))
			}
			c.file.saved = disk
			return warnings, false, nil
		}
	}
	if o := s.open[c.Epoch]; missing && o.path != c.Path && s.exists(o.path) { // this store renamed it
		*waited = true
	}
	switch {
	case !*waited:
		*waited = true
		time.Sleep(settleTime)
		return nil, false, nil
	case missing:
		return s.handleMissing(c)
	case theirs.Epoch != c.Epoch: // another chat has taken the path
		if w, ok := (identity{s, c.Epoch}).updatePath(c); ok {
			return w, false, nil
		}
	}
	return s.saveConflict(c)
}

// saveConflict leaves the file, and the costs, to whoever changed it, and saves c as a new chat beside it.
func (s *Store) saveConflict(c *Chat) (warnings []Warning, done bool, err error) {
	theirs, epoch := c.Path, c.Epoch
	mine := *c
	mine.Path, mine.file.saved = "", nil
	mine.Epoch, mine.Totals = epoch+1000, nil
	if err := s.create(&mine, theirs.Dir()); err != nil {
		return nil, false, err
	}
	err = s.releaseLock(epoch)
	*c = mine
	return warning("conflict", "%s was rewritten elsewhere and stays as it is: this chat goes on in %s",
		displayText(theirs),
		displayText(c.Path)), true, err
}
