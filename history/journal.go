package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ibid/history/statefolder"
	"ibid/vault"
	"ibid/vault/ownfile"
)

// Journal keeps a reply on disk while it streams, in the state folder. The methods of a
// nil Journal do nothing.
type Journal struct {
	store *Store
	epoch int64
	file  *statefolder.Journal
}

// journalHeader is the first line of a journal; the text of the reply follows.
type journalHeader struct {
	Path     vault.Path `json:"chat"`
	Question string     `json:"question"` // the beginning of it: all of it is in the chat
	Hash     string     `json:"hash"`     // of the question
	Asked    string     `json:"asked"`    // its stamp
	At       string     `json:"at"`       // stamp of the reply
}

// maxQuestion is how many bytes of a question a journal repeats.
const maxQuestion = 400

// Journal begins a journal of the reply to the message at index question, in a chat
// that was saved. It is nil where there is no state folder to keep it in; a warning
// of Save says why.
func (s *Store) Journal(c *Chat, question int) *Journal {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.open[c.Epoch]
	if o == nil {
		return nil
	}
	m := &c.Messages[question]
	file := s.state.Journal(c.Epoch, marshal(journalHeader{
		Path: c.Path, Question: m.Text[:cutAt(m.Text, maxQuestion)], Hash: messageHash(User, m.Text),
		Asked: m.Time.Format(stampLayout), At: s.opts.Now().In(m.Time.Location()).Format(stampLayout),
	}))
	if file == nil {
		return nil
	}
	o.streams = true
	return &Journal{store: s, epoch: c.Epoch, file: file}
}

// Write adds to the reply.
func (j *Journal) Write(text string) {
	if j != nil {
		j.file.Write(text, false)
	}
}

// Think puts what the model thought in front of the reply, as long as nothing of the
// reply was written.
func (j *Journal) Think(thought string) {
	if j != nil && thought != "" {
		j.file.Write(withThought(thought, ""), true)
	}
}

// Err is why the reply is not on disk within a second, nil if it is.
func (j *Journal) Err() error {
	if j == nil {
		return errors.New("there is no state folder")
	}
	return j.file.Err()
}

// Close ends the journal. If the reply is in the file of c it is not needed any
// more; otherwise it stays until it is.
func (j *Journal) Close(c *Chat, saved bool) error {
	if j == nil {
		return nil
	}
	name, err := j.file.Close(!saved)
	j.store.mu.Lock()
	if o := j.store.open[j.epoch]; o != nil {
		o.streams = false
	}
	j.store.mu.Unlock()
	if name == "" {
		return err
	}
	c.file.journals = append(slices.Clip(c.file.journals), name)
	if saved {
		c.settle()
	}
	return err
}

// journal is a journal as a process left it.
type journal struct {
	journalHeader
	thought, text string
}

// readJournal reads a journal, as far as it was written.
func readJournal(name string) (j journal, ok bool) {
	data, err := ownfile.Read(name)
	head, text, found := bytes.Cut(data, []byte("\n"))
	if err != nil || !found || json.Unmarshal(head, &j.journalHeader) != nil {
		return journal{}, false
	}
	for i := 0; i < utf8.UTFMax && len(text) > 0; i++ { // half a character at the end
		if r, n := utf8.DecodeLastRune(text); r != utf8.RuneError || n != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	j.thought, j.text = cutThought(string(text))
	if j.thought == "" && strings.HasPrefix(j.text, thoughtOpen) {
		return j, false // nothing but a piece of the thinking
	}
	return j, strings.TrimSpace(j.text) != ""
}

// find is the index of the message in c that the journal answers, -1 if it is not
// there.
func (j *journal) find(c *Chat) int {
	for i, m := range slices.Backward(c.Messages) {
		if m.Role == User && m.Time.Format(stampLayout) == j.Asked && messageHash(User, m.Text) == j.Hash {
			return i
		}
	}
	return -1
}

// holds reports whether an answer in c has what the journal has.
func (j *journal) holds(c *Chat) bool {
	question := j.find(c)
	return question >= 0 && j.end(c, question, func(text string, _ Status) bool { return strings.HasPrefix(text, j.text) }) >= 0
}

// end is the first end of a turn whose answer is as wanted, -1 if none is.
func (j *journal) end(c *Chat, question int, wanted func(text string, status Status) bool) int {
	ends, _ := c.Ends(question)
	return slices.IndexFunc(ends, func(v Variant) bool { return wanted(v.Reply()) })
}

// reply is the reply as far as the journal has it.
func (j *journal) reply(zone *time.Location) Message {
	return Message{Role: Assistant, Thought: j.thought, Text: j.text, Time: parseStamp(j.At, zone), Status: StatusCut}
}

// overlay puts the reply into a chat that still ends in its question, or in the
// place of its beginning, shown or not, marked as cut off. It reports whether it
// does.
func (j *journal) overlay(c *Chat, zone *time.Location) bool {
	question := j.find(c)
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
	beginning := j.end(c, question, func(text string, status Status) bool {
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

// overlay puts into c what a process that ended had not written into its file yet.
// It goes into the file when c is saved.
func (s *Store) overlay(c *Chat) {
	if o := s.open[c.Epoch]; o != nil && o.streams {
		return // whoever streams it has more
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

// overlaid makes a list say of chats what they say with their journals.
func (s *Store) overlaid(all []Summary) {
	for _, f := range s.state.Unsaved() {
		j, ok := readJournal(f.Name)
		i := slices.IndexFunc(all, func(sum Summary) bool { return sum.Path == j.Path })
		if !ok || i < 0 {
			continue
		}
		if c, _, err := s.loadFile(j.Path); err == nil && j.overlay(&c, s.opts.Zone) {
			cut := "the last reply " + StatusCut.Describe()
			all[i].Problems = slices.DeleteFunc(slices.Clone(all[i].Problems), func(p string) bool { return p == problemUnanswered || p == cut })
			all[i].addProblem(cut)
			all[i].Unsaved = true
		}
	}
}

// Recovered reports whether the end of c is on disk outside of its file, as a process
// that ended left it. It goes into the file when c is saved.
func (c *Chat) Recovered() bool { return len(c.file.journals) > 0 }

// settle removes what was kept elsewhere until c was saved.
func (c *Chat) settle() {
	for _, name := range c.file.journals {
		_ = os.Remove(name) // at worst it is offered, and found to be in the chat
	}
	c.file.journals = nil
}
