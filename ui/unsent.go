package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/composer"
)

// How long what stands in a prompt waits before it is on disk: a second, and longer for
// what takes long to write.
const (
	keepTime     = time.Second
	keepLongTime = 10 * time.Second
	longDraft    = 1 << 20 // bytes
)

// unsent is what the person wrote in a chat and did not send, as it is kept from one run
// of the program to the next.
type unsent struct {
	Draft    composer.Draft   `json:"draft"`
	Queue    []composer.Draft `json:"queue,omitempty"`
	Attached []prompt.Ref     `json:"attached,omitempty"`
	Cleared  *composer.Draft  `json:"cleared,omitempty"` // with ctrl+c, and nothing was sent since
}

// keeper keeps what is unsent of each chat in the state folder.
type keeper struct {
	files *draftFiles
	of    *conversation // on the screen
	edits int           // of its prompt, as far as they are kept or about to be
	due   bool          // the timer of the next writing runs
	long  bool          // what was written last takes long to write
	told  bool          // that nothing can be written
}

// keptAs is what is known of the file of a conversation's unsent text.
type keptAs struct {
	chat  *desk.Chat // whose it is
	ready bool       // it was read, and may be written
	epoch int64      // of the chat as which it was written last
	queue int        // messages in the queue then
	refs  int        // what was attached then
	clear *composer.Draft
}

// keepMsg asks to write what stands in the prompt.
type keepMsg struct{}

// keepFailed says why that could not be written.
type keepFailed struct{ err error }

// unsentMsg brings back what was not sent in a chat.
type unsentMsg struct {
	of   *conversation
	chat *desk.Chat
	what unsent
	err  error
}

// draftFiles writes drafts in the order in which they were made.
type draftFiles struct {
	drafts history.Drafts

	mu   sync.Mutex
	next int           // number of the next one; Update's
	last map[int64]int // the number of what was written last, by chat
}

// write writes one, unless a newer one is there. As of which chat it was written before
// is forgotten, if that is another.
func (f *draftFiles) write(n int, epoch, before int64, what *unsent) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n < f.last[epoch] {
		return nil
	}
	f.last[epoch] = n
	var data []byte
	if !what.empty() {
		var err error
		if data, err = json.Marshal(what); err != nil {
			return err
		}
	}
	err := f.drafts.Keep(epoch, data)
	if before != epoch && n >= f.last[before] {
		err = errors.Join(err, f.drafts.Keep(before, nil))
	}
	return err
}

func (u *unsent) empty() bool {
	return isBlank(u.Draft.Text) && len(u.Queue) == 0 && len(u.Attached) == 0 && u.Cleared == nil
}

// follow brings back what was not sent in a chat that comes onto the screen, and writes
// what changed: soon where something is typed, at once where something was sent.
func (k *keeper) follow(m *Model) tea.Cmd {
	if m.k.opt.Store == nil {
		return nil
	}
	if k.files == nil {
		k.files = &draftFiles{drafts: m.k.opt.Store.Drafts(), last: map[int64]int{}}
	}
	var cmds []tea.Cmd
	c := m.k.conversation
	if was := k.of; was != c {
		k.of, k.edits = c, m.composer.Edits()
		if was != nil && was.kept.ready && !was.closed {
			cmds = append(cmds, k.write(m, was))
		}
	}
	if c.desk.chat.ReadOnly {
		c.kept = keptAs{} // the window that has it open keeps what is written there
	} else if c.kept.chat != c.chat {
		c.kept = keptAs{chat: c.chat, epoch: c.desk.chat.Epoch}
		cmds = append(cmds, readUnsent(m, c))
	}
	for _, o := range m.k.all() {
		if o.kept.ready && !o.closed && (len(o.queue) != o.kept.queue || len(o.desk.attached) != o.kept.refs || o.cleared != o.kept.clear) {
			cmds = append(cmds, k.write(m, o))
		}
	}
	switch {
	case !c.kept.ready || m.composer.Edits() == k.edits:
	case m.composer.Empty():
		cmds = append(cmds, k.write(m, c))
	case !k.due:
		wait := keepTime
		if k.long {
			wait = keepLongTime
		}
		k.due = true
		cmds = append(cmds, m.tasks.after(wait, keepMsg{}))
	}
	return tea.Batch(cmds...)
}

// keep writes what stands in the prompt, when that is due.
func (k *keeper) keep(m *Model) tea.Cmd {
	k.due = false
	if c := m.k.conversation; c.kept.ready && m.composer.Edits() != k.edits {
		return k.write(m, c)
	}
	return nil
}

// take is what is unsent in a chat, which is as good as kept then.
func (k *keeper) take(m *Model, c *conversation) (what *unsent, n int, epoch, before int64) {
	what = &unsent{Draft: c.draft, Queue: slices.Clone(c.queue), Attached: slices.Clone(c.desk.attached), Cleared: c.cleared}
	if c == m.k.conversation {
		what.Draft = m.composer.Draft()
		k.edits, k.long = m.composer.Edits(), len(what.Draft.Text) > longDraft
	}
	epoch, before = c.desk.chat.Epoch, c.kept.epoch
	c.kept = keptAs{chat: c.kept.chat, ready: true, epoch: epoch, queue: len(c.queue), refs: len(c.desk.attached), clear: c.cleared}
	k.files.next++
	return what, k.files.next, epoch, before
}

// write writes what is unsent in a chat, beside the screen.
func (k *keeper) write(m *Model, c *conversation) tea.Cmd {
	files := k.files
	what, n, epoch, before := k.take(m, c)
	return m.tasks.start(func(context.Context) tea.Msg {
		if err := files.write(n, epoch, before, what); err != nil {
			return keepFailed{err}
		}
		return nil
	})
}

// fail says once that drafts cannot be kept.
func (k *keeper) fail(m *Model, msg keepFailed) tea.Cmd {
	if k.told {
		return nil
	}
	k.told = true
	return m.complain(msg.err.Error())
}

// close writes what is unsent when the program ends.
func (k *keeper) close(m *Model) error {
	if k.files == nil {
		return nil
	}
	var errs []error
	for _, c := range m.k.all() {
		if c.kept.ready && !c.closed {
			what, n, epoch, before := k.take(m, c)
			errs = append(errs, k.files.write(n, epoch, before, what))
		}
	}
	return errors.Join(errs...)
}

// readUnsent reads what was not sent in a chat.
func readUnsent(m *Model, c *conversation) tea.Cmd {
	drafts, epoch := m.k.opt.Store.Drafts(), c.desk.chat.Epoch
	if slices.ContainsFunc(m.k.others, func(o *conversation) bool { return epoch == 0 && o != c && o.kept.ready && o.kept.epoch == 0 }) {
		c.kept.ready = true // what is kept of a chat that has not begun is of that one
		return nil
	}
	chat := c.chat
	return m.tasks.start(func(context.Context) tea.Msg {
		data, err := drafts.Read(epoch)
		msg := unsentMsg{of: c, chat: chat}
		if err == nil && len(data) > 0 {
			err = json.Unmarshal(data, &msg.what)
		}
		if err != nil {
			msg.what, msg.err = unsent{}, err
		}
		return msg
	})
}

// setUnsent puts back what was not sent. What was typed meanwhile stays in the prompt.
func setUnsent(m *Model, msg unsentMsg) tea.Cmd {
	c, u := msg.of, &msg.what
	if msg.chat != c.kept.chat {
		return nil
	}
	c.kept.ready = true
	switch {
	case msg.err != nil:
		return m.complain("what you had not sent cannot be read: " + msg.err.Error())
	case c.closed || u.empty():
		return nil
	}
	c.cleared = cmp.Or(c.cleared, u.Cleared)
	c.queue = append(u.Queue, c.queue...)
	var cmds []tea.Cmd
	if c != m.k.conversation {
		if c.draft.Text == "" {
			c.draft = u.Draft
		}
	} else {
		typed := m.composer.Draft()
		if u.Cleared != nil {
			m.composer.SetDraft(*u.Cleared)
			m.composer.Take() // ↑ brings it back
		}
		m.composer.SetDraft(u.Draft)
		switch {
		case typed.Text != "":
			m.composer.Take()
			m.composer.SetDraft(typed)
			cmds = append(cmds, m.say("what you had not sent: "+m.k.theme.Glyphs.Up+" brings it back"))
		case !isBlank(u.Draft.Text):
			cmds = append(cmds, m.say("what you had not sent is back; ctrl+c clears it"))
		case len(c.queue) > 0:
			cmds = append(cmds, m.say(stillQueued(c)))
		}
		cmds = append(cmds, m.followEdit())
	}
	if len(u.Attached) > 0 {
		cmds = append(cmds, m.workIn(c, attachRefs{refs: u.Attached}))
	}
	return tea.Batch(cmds...)
}
