package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"ibid/history/statefolder"
	"ibid/vault"
	"ibid/vault/ownfile"
)

// Journal stores a reply in the state folder while it streams. The methods of a nil Journal do nothing.
type Journal struct {
	store *Store
	epoch int64
	file  *statefolder.Journal
}

// journalHeader is the first line of a journal; the text of the reply follows.
type journalHeader struct {
	Path     vault.Path `json:"chat"`
	Question string     `json:"question"` // the beginning of the question; the chat has all of it
	Hash     string     `json:"hash"`     // messageHash of the question
	Asked    string     `json:"asked"`    // time stamp of the question
	At       string     `json:"at"`       // time stamp of the reply
}

// maxQuestion is the number of bytes of the question that a journal repeats.
const maxQuestion = 400

// Journal begins a journal of the reply to the message at index question, in a saved chat. It returns nil if
// there is no usable state folder; a warning of Save gives the reason.
func (s *Store) Journal(c *Chat, question int) *Journal {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.open[c.Epoch]
	if o == nil {
		return nil
	}
	m := &c.Messages[question]
	file := s.state.Journal(c.Epoch, marshal(journalHeader{
		Path: c.Path, Question: m.Text[:cutLength(m.Text, maxQuestion)], Hash: messageHash(User, m.Text),
		Asked: m.Time.Format(stampLayout), At: s.opts.Now().In(m.Time.Location()).Format(stampLayout),
	}))
	if file == nil {
		return nil
	}
	o.streaming = true
	return &Journal{store: s, epoch: c.Epoch, file: file}
}

// Write appends text to the reply.
func (j *Journal) Write(text string) {
	if j != nil {
		j.file.Write(text)
	}
}

// Err returns the reason why the reply is not on disk within a second, nil if it is.
func (j *Journal) Err() error {
	if j == nil {
		return errors.New("there is no state folder")
	}
	return j.file.Err()
}

// Close ends the journal. It removes the file if the reply is saved in c's file; otherwise the file stays until
// the reply is.
func (j *Journal) Close(c *Chat, saved bool) error {
	if j == nil {
		return nil
	}
	name, err := j.file.Close(!saved)
	j.store.mu.Lock()
	if o := j.store.open[j.epoch]; o != nil {
		o.streaming = false
	}
	j.store.mu.Unlock()
	if name == "" {
		return err
	}
	c.file.journals = append(slices.Clip(c.file.journals), name)
	if saved {
		c.removeJournals()
	}
	return err
}

// journal is the content of a journal file that an ended process left.
type journal struct {
	journalHeader
	text string
}

// readJournal reads a journal file, which may be cut off. ok is false if it holds no text of a reply.
func readJournal(name string) (j journal, ok bool) {
	data, err := ownfile.Read(name)
	head, text, found := bytes.Cut(data, []byte("\n"))
	if err != nil || !found || json.Unmarshal(head, &j.journalHeader) != nil {
		return journal{}, false
	}
	j.text = strings.ToValidUTF8(string(text), "") // it may end in half a character
	return j, strings.TrimSpace(j.text) != ""
}

// findQuestion returns the index of the journal's question in c, -1 if it is not there.
func (j *journal) findQuestion(c *Chat) int {
	for i, m := range slices.Backward(c.Messages) {
		if m.Role == User && m.Time.Format(stampLayout) == j.Asked && messageHash(User, m.Text) == j.Hash {
			return i
		}
	}
	return -1
}

// isSavedIn reports whether an answer in c begins with the text of the journal.
func (j *journal) isSavedIn(c *Chat) bool {
	question := j.findQuestion(c)
	return question >= 0 && j.findEnd(c, question, func(text string, _ Status) bool {
		return strings.HasPrefix(text, j.text)
	}) >= 0
}

// findEnd returns the index of the first end of the turn whose answer is wanted, -1 if there is none.
func (j *journal) findEnd(c *Chat, question int, wanted func(text string, status Status) bool) int {
	ends, _ := c.Ends(question)
	return slices.IndexFunc(ends, func(v Variant) bool { return wanted(v.Reply()) })
}

// reply returns the text of the journal as a reply that was cut off.
func (j *journal) reply(zone *time.Location) Message {
	return Message{Role: Assistant, Text: j.text, Time: parseStamp(j.At, zone), Status: StatusCut}
}

// overlay adds the reply to a chat that still ends in its question, marked as cut off. If the chat already has
// the beginning of the reply, as the displayed end of the turn or as a variant, it replaces that. It reports
// whether it changed c.
func (j *journal) overlay(c *Chat, zone *time.Location) bool {
	question := j.findQuestion(c)
	now, last := j.reply(zone), len(c.Messages)-1
	switch {
	case question < 0 || question != c.LastTurn():
		return false
	case question == last:
		c.Messages = append(c.Messages, now)
		return true
	case question == last-1 && c.Messages[last].Status == StatusCut && strings.HasPrefix(j.text, c.Messages[last].Text):
		c.Messages[last].Text = j.text
		return true
	}
	beginning := j.findEnd(c, question, func(text string, status Status) bool {
		return status == StatusCut && strings.HasPrefix(j.text, text)
	})
	if beginning < 0 {
		return false
	}
	ends, _ := c.Ends(question)
	v := ends[beginning]
	v.Messages = []Message{v.Messages[0], now}
	c.AddVariant(question, beginning, v)
	return true
}

// overlay adds to c the reply that an ended process had not yet written into the file. Saving c writes it.
func (s *Store) overlay(c *Chat) {
	if o := s.open[c.Epoch]; o != nil && o.streaming {
		return // the process that streams it has more than the journal
	}
	for _, f := range s.state.Unsaved() {
		if f.Epoch != c.Epoch || f.Whole() {
			continue
		}
		if j, ok := readJournal(f.Name); ok && j.overlay(c, s.opts.Zone) {
			c.file.journals = append(c.file.journals, f.Name)
		}
	}
}

// overlaySummaries replaces the summaries of the chats in a list whose journals hold more than their files.
func (s *Store) overlaySummaries(all []Summary) {
	for _, f := range s.state.Unsaved() {
		j, ok := readJournal(f.Name)
		i := slices.IndexFunc(all, func(sum Summary) bool { return sum.Path == j.Path })
		if !ok || i < 0 {
			continue
		}
		if c, warnings, err := s.loadFile(j.Path); err == nil && j.overlay(&c, s.opts.Zone) {
			modified := all[i].Modified
			all[i] = c.summary(warnings)
			all[i].Modified, all[i].Unsaved = modified, true
		}
	}
}

// Recovered reports whether c ends in a reply from the journal of an ended process, which is not in the file
// until c is saved.
func (c *Chat) Recovered() bool { return len(c.file.journals) > 0 }

// removeJournals removes the journals of c after c was saved.
func (c *Chat) removeJournals() {
	for _, name := range c.file.journals {
		_ = os.Remove(name) // a journal that remains is offered again, and found to be in the chat
	}
	c.file.journals = nil
}
