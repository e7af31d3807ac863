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

// Rescue writes a chat that cannot be saved in its place into the state folder, for
// nobody else to read. It returns the file's name.
func (s *Store) Rescue(c *Chat) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, err := s.state.Rescue(c.Epoch, Encode(c))
	if err == nil {
		c.settle()
	}
	return name, err
}

// UnsavedChat is a reply or a chat that is not in the chats, since the process that
// held it was killed or could not write there.
type UnsavedChat struct {
	File  string     `json:"-"`              // where it is
	Path  vault.Path `json:"path,omitempty"` // of the chat that it belongs to, "" if that is gone
	Title string     `json:"title"`          // of the chat
	Time  time.Time  `json:"time"`           // when it was written last
	Text  string     `json:"text"`           // the reply, or the last message of the chat

	file statefolder.File
}

// Unsaved lists what was not saved, the oldest first, but for replies whose chat
// still ends in their question: they are in the chat whoever reads it. What a
// process is still writing is left out. What turns out to be in its chat already,
// and the temporary files of a crash, are removed when they are older than a
// minute.
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
		case what == offered:
			u.File, u.Time, u.file = f.Name, f.Written, f
			all = append(all, u)
		case what == useless && f.Written.Before(old):
			_ = os.Remove(f.Name) // if it stays, it is looked at again
		}
	}
	return all, nil
}

// Keep puts what was not saved into its chat, a reply beside another one that is
// there, or else into a chat of its own. It returns the path.
func (s *Store) Keep(u UnsavedChat) (vault.Path, error) {
	s.mu.Lock()
	c, _, what := s.examine(u.file)
	held := s.open[c.Epoch] != nil
	s.mu.Unlock()
	if what != offered {
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

// Drop throws away what was not saved.
func (u UnsavedChat) Drop() error { return os.Remove(u.File) }

// use is what a file in the state folder is good for.
type use int

const (
	needed  use = iota // a process is writing it, or a chat is read with it
	offered            // the person has to say what becomes of it
	useless            // what it holds is in its chat
)

// examine reads a file in the state folder: the chat as it would be kept, and what
// a list says of it.
func (s *Store) examine(f statefolder.File) (c Chat, u UnsavedChat, what use) {
	epoch := f.Epoch
	switch o := s.open[epoch]; {
	case f.Whole():
		return s.examineChat(f)
	case o != nil && o.streams, o == nil && s.state.Locked(epoch):
		return Chat{}, UnsavedChat{}, needed
	}
	j, ok := readJournal(f.Name)
	if !ok {
		return Chat{}, UnsavedChat{}, useless
	}
	there, found := s.current(epoch, j.Path)
	switch {
	case found && j.holds(&there):
		return Chat{}, UnsavedChat{}, useless
	case found && j.overlay(&there, s.opts.Zone):
		return Chat{}, UnsavedChat{}, needed
	}
	reply := j.reply(s.opts.Zone)
	question := j.find(&there)
	if question < 0 {
		c.Messages = []Message{{Role: User, Text: j.Question, Time: parseStamp(j.Asked, s.opts.Zone)}, reply}
		return c, UnsavedChat{Title: c.Name(), Text: j.text}, offered
	}
	_, shown := there.Ends(question)
	there.Restart(question)
	there.Messages = slices.Insert(there.Messages, question+1, reply)
	there.Show(question, shown) // it was whole, and the reply is not
	return there, UnsavedChat{Path: there.Path, Title: there.Name(), Text: j.text}, offered
}

// examineChat does that for a chat that could not be saved.
func (s *Store) examineChat(f statefolder.File) (c Chat, u UnsavedChat, what use) {
	data, err := ownfile.Read(f.Name)
	if err == nil {
		c, _, err = decode(data, s.opts.Zone)
	}
	if err != nil {
		return Chat{}, UnsavedChat{}, needed // somebody may still make something of it
	}
	u.Title = c.Name()
	for _, m := range c.Display() {
		u.Text = m.Text
	}
	there, found := s.current(f.Epoch, "")
	u.Path = there.Path
	switch {
	case !found:
		return c, u, offered
	case there.extends(&c):
		return Chat{}, UnsavedChat{}, useless
	case c.extends(&there):
		c.Path, c.file.saved, c.Epoch = there.Path, there.file.saved, there.Epoch
		return c, u, offered
	}
	return Branch(&c, len(c.Messages), s.opts.Now()), u, offered
}

// extends reports whether c says what o says and maybe more, at its end.
func (c *Chat) extends(o *Chat) bool {
	if len(c.Messages) < len(o.Messages) {
		return false
	}
	for i := range o.Messages {
		a, b := &c.Messages[i], &o.Messages[i]
		last := i == len(o.Messages)-1
		if a.Role != b.Role || a.Text != b.Text && !(last && b.Status == StatusCut && strings.HasPrefix(a.Text, b.Text)) {
			return false
		}
	}
	return true
}

// current is the chat of this identity as it is on disk; hint is where it was.
func (s *Store) current(epoch int64, hint vault.Path) (Chat, bool) {
	if hint != "" {
		if c, _, err := s.loadFile(hint); err == nil && c.Epoch == epoch {
			return c, true
		}
	}
	d := identity{s, epoch}
	p := d.original(d.known())
	if p == "" {
		return Chat{}, false
	}
	c, _, err := s.loadFile(p)
	return c, err == nil
}
