package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"ibid/history/statefolder"
	"ibid/vault"
	"ibid/vault/ownfile"
)

// Rescue writes a chat that cannot be saved in its place into the state folder, readable by this user only. It
// returns the file's name.
func (s *Store) Rescue(c *Chat) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, err := s.state.Rescue(c.Epoch, Encode(c))
	if err == nil {
		c.removeJournals()
	}
	return name, err
}

// UnsavedChat is a reply or a chat that is in the state folder only, because its process was killed or could
// not write to the vault.
type UnsavedChat struct {
	File  string     `json:"-"`              // name of the file in the state folder
	Path  vault.Path `json:"path,omitempty"` // path of its chat, "" if that does not exist
	Title string     `json:"title"`          // title of the chat
	Time  time.Time  `json:"time"`           // time of the last write
	Text  string     `json:"text"`           // the reply, or the last message of the chat

	file statefolder.File
}

// Unsaved returns the unsaved replies and chats, oldest first. It leaves out those that another process is
// still writing, and replies whose chat still ends in their question: reading that chat includes them. Files
// whose text turns out to be in the chat, and temporary files of a crash, are removed when they are older than
// a minute.
func (s *Store) Unsaved() ([]UnsavedChat, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.opts.Now().Add(-time.Minute)
	if err := s.vault.Sweep(s.folder, old); err != nil {
		return nil, err
	}
	var all []UnsavedChat
	for _, f := range slices.Backward(s.state.Unsaved()) {
		_, u, what := s.examine(f)
		switch {
		case what == offerFile:
			u.File, u.Time, u.file = f.Name, f.Written, f
			all = append(all, u)
		case what == removeFile && f.Written.Before(old):
			_ = os.Remove(f.Name) // a file that remains is examined again
		}
	}
	return all, nil
}

// Keep saves u into its chat, a reply as a variant if there is another one, or else as a new chat. It returns
// the path.
func (s *Store) Keep(u UnsavedChat) (vault.Path, error) {
	s.mu.Lock()
	c, _, what := s.examine(u.file)
	held := s.open[c.Epoch] != nil
	s.mu.Unlock()
	if what != offerFile {
		return "", fmt.Errorf("keep %s: %w", u.File, fs.ErrNotExist)
	}
	if _, err := s.Save(&c); err != nil {
		return "", err
	}
	err := u.Drop()
	if !held {
		err = errors.Join(err, s.Release(&c))
	}
	return c.Path, err
}

// Drop deletes the unsaved text.
func (u UnsavedChat) Drop() error { return os.Remove(u.File) }

// unsavedUse is the treatment of a file in the state folder.
type unsavedUse int

const (
	leaveFile  unsavedUse = iota // nothing: a process is writing it, or reading its chat includes it
	offerFile                    // ask the person what to do with it
	removeFile                   // remove it: its text is in its chat
)

// examine reads a file in the state folder. It returns the chat as Keep would save it, and the entry for the
// list; both are zero unless what is offerFile.
func (s *Store) examine(f statefolder.File) (c Chat, u UnsavedChat, what unsavedUse) {
	epoch := f.Epoch
	switch o := s.open[epoch]; {
	case f.Whole():
		return s.examineChat(f)
	case o != nil && o.streaming, o == nil && s.state.Locked(epoch):
		return c, u, leaveFile
	}
	j, ok := readJournal(f.Name)
	if !ok {
		return c, u, removeFile
	}
	there, found := s.loadByEpoch(epoch, j.Path)
	switch {
	case found && j.isSavedIn(&there):
		return c, u, removeFile
	case found && j.overlay(&there, s.opts.Zone):
		return c, u, leaveFile
	}
	reply := j.reply(s.opts.Zone)
	question := j.findQuestion(&there)
	if question < 0 {
		c.Messages = []Message{{Role: User, Text: j.Question, Time: parseStamp(j.Asked, s.opts.Zone)}, reply}
		return c, UnsavedChat{Title: c.Name(), Text: j.text}, offerFile
	}
	_, shown := there.Ends(question)
	there.Restart(question)
	there.Messages = slices.Insert(there.Messages, question+1, reply)
	there.Show(question, shown) // the reply there is whole, this one is not
	return there, UnsavedChat{Path: there.Path, Title: there.Name(), Text: j.text}, offerFile
}

// examineChat does the same for a chat that could not be saved.
func (s *Store) examineChat(f statefolder.File) (c Chat, u UnsavedChat, what unsavedUse) {
	data, err := ownfile.Read(f.Name)
	if err == nil {
		c, _, err = decode(data, s.opts.Zone)
	}
	if err != nil {
		return Chat{}, UnsavedChat{}, leaveFile // nobody can read it now, but it may be all that exists
	}
	u.Title = c.Name()
	if n := len(c.Messages); n > 0 {
		u.Text = c.Messages[n-1].Text
	}
	there, found := s.loadByEpoch(f.Epoch, "")
	u.Path = there.Path
	switch {
	case !found:
		return c, u, offerFile
	case there.extends(&c):
		return Chat{}, UnsavedChat{}, removeFile
	case c.extends(&there):
		c.Path, c.file.saved, c.Epoch = there.Path, there.file.saved, there.Epoch
		return c, u, offerFile
	}
	return Branch(&c, len(c.Messages), s.opts.Now()), u, offerFile
}

// extends reports whether c has all messages of o, and may have more at its end.
func (c *Chat) extends(o *Chat) bool {
	if len(c.Messages) < len(o.Messages) {
		return false
	}
	for i := range o.Messages {
		a, b := &c.Messages[i], &o.Messages[i]
		last := i == len(o.Messages)-1
		notes := a.Notes[:min(len(a.Notes), len(b.Notes))]
		if a.Role != b.Role || !slices.Equal(notes, b.Notes) ||
			a.Text != b.Text && !(last && b.Status == StatusCut && strings.HasPrefix(a.Text, b.Text)) {
			return false
		}
	}
	return true
}

// loadByEpoch reads the chat with this epoch from disk; hint is its last known path.
func (s *Store) loadByEpoch(epoch int64, hint vault.Path) (Chat, bool) {
	if hint != "" {
		if c, _, err := s.loadFile(hint); err == nil && c.Epoch == epoch {
			return c, true
		}
	}
	d := identity{s, epoch}
	p := d.pickOriginal(d.withEpoch())
	if p == "" {
		return Chat{}, false
	}
	c, _, err := s.loadFile(p)
	return c, err == nil
}
