package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/history/statefolder"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// How long what stands in a prompt waits before it is on disk: a second, and longer for
// what takes long to write.
const (
	keepTime     = time.Second
	keepLongTime = 10 * time.Second
	longDraft    = 1 << 20 // bytes
)

// mostLeft is how many chats that have not begun are brought back at most.
const mostLeft = 8

// keeper keeps what is unsent of each chat in the state folder.
type keeper struct {
	files *draftFiles
	of    *chatview.Chat // on the screen
	edits int            // of its prompt, as far as they are kept or about to be
	due   bool           // the timer of the next writing runs
	long  bool           // what was written last takes long to write
	said  string         // that something could not be written, as it was said; "" if all could
	again bool           // the timer of the next try runs
	found bool           // what other processes left was looked for
	broke bool           // the program ends by a fault
}

// keepMsg asks to write what stands in the prompt.
type keepMsg struct{}

// keepFailed says why that could not be written, nil if it could be at last.
type keepFailed struct {
	of  *chatview.Chat
	err error
}

// keepAgain asks to write what could not be written.
type keepAgain struct{}

// unsentMsg brings back what was not sent in a chat.
type unsentMsg struct {
	of   *chatview.Chat
	chat *desk.Chat
	slot int64 // of a chat that has not begun
	what chatview.Unsent
	more []leftDraft // of others that have not begun
	err  error
}

// leftDraft is what another process left of a chat that has not begun.
type leftDraft struct {
	slot int64
	what chatview.Unsent
}

// draftFiles writes drafts in the order in which they were made.
type draftFiles struct {
	drafts *statefolder.Drafts

	mu   sync.Mutex
	next int             // number of the next one; Update's
	last map[int64]int   // the number of what was written last, by chat
	from map[int64]int64 // where the draft of a chat lies that could not be written, by epoch
}

func newDraftFiles(drafts *statefolder.Drafts) *draftFiles {
	return &draftFiles{drafts: drafts, last: map[int64]int{}, from: map[int64]int64{}}
}

// write writes one, unless a newer one is there. As of which chat it was written before
// is forgotten once it is written, if that is another.
func (f *draftFiles) write(n int, epoch, before int64, what *chatview.Unsent) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if epoch == 0 || n < f.last[epoch] {
		return nil
	}
	f.last[epoch] = n
	var data []byte
	if !what.Empty() {
		var err error
		if data, err = json.Marshal(what); err != nil {
			return err
		}
	}
	if was, failed := f.from[epoch]; failed && before == epoch {
		before = was
	}
	if err := f.drafts.Keep(epoch, data); err != nil {
		f.from[epoch] = before
		return err
	}
	delete(f.from, epoch)
	if before != epoch && n >= f.last[before] {
		return errors.Join(f.drafts.Keep(before, nil), f.drafts.Release(before))
	}
	return nil
}

// release gives up the number of a chat that has not begun, behind what was written.
func (f *draftFiles) release(slot int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.drafts.Release(slot)
}

// follow brings back what was not sent in a chat that comes onto the screen, and writes
// what changed: soon where something is typed, at once where something was sent.
func (k *keeper) follow(m *Model) tea.Cmd {
	if m.k.opt.Store == nil {
		return nil
	}
	if k.files == nil {
		k.files = newDraftFiles(m.k.opt.Store.Drafts())
	}
	var cmds []tea.Cmd
	c := m.k.Chat
	if was := k.of; was != c {
		k.of, k.edits = c, m.composer.Edits()
		if was != nil && was.DraftFile.Ready && !was.Closed {
			cmds = append(cmds, k.write(m, was))
		}
	}
	switch {
	case c.Desk.Chat.ReadOnly:
		c.DraftFile = chatview.DraftFile{Wrote: c.DraftFile.Wrote} // the window that has it open keeps what is written there
	case c.DraftFile.Chat == c.Handle:
	case c.DraftFile.Slot != 0 && c.Desk.Chat.Epoch == 0: // one that has not begun takes the place of another
		c.DraftFile.Chat = c.Handle
	default:
		cmds = append(cmds, k.leave(m, c, true))
		c.DraftFile = chatview.DraftFile{Chat: c.Handle, Epoch: c.Desk.Chat.Epoch, Wrote: c.DraftFile.Wrote}
		cmds = append(cmds, readUnsent(m, c))
	}
	for _, o := range m.k.all() {
		if o.DraftFile.Ready && !o.Closed && o.Unkept() {
			cmds = append(cmds, k.write(m, o))
		}
	}
	switch {
	case !c.DraftFile.Ready || m.composer.Edits() == k.edits:
	case m.composer.Empty():
		cmds = append(cmds, k.write(m, c))
	case !k.due:
		wait := keepTime
		if k.long {
			wait = keepLongTime
		}
		k.due = true
		cmds = append(cmds, m.tasks.After(wait, keepMsg{}))
	}
	return tea.Batch(cmds...)
}

// leave gives up the number of a chat that has not begun: what is unsent in it stays for
// the next one, unless it has gone to another chat.
func (k *keeper) leave(m *Model, c *chatview.Chat, gone bool) tea.Cmd {
	slot, files := c.DraftFile.Slot, k.files
	if slot == 0 || !c.DraftFile.Ready {
		return nil
	}
	attached, note := c.DraftFile.Refs, c.DraftFile.Note
	what, n, _, _ := k.take(m, c)
	what.Open = false
	if gone { // the prompt has gone to another chat, and what was attached has not
		what = &chatview.Unsent{Attached: attached, Active: note}
	}
	c.DraftFile = chatview.DraftFile{}
	return m.tasks.Start(func(context.Context) tea.Msg {
		if err := errors.Join(files.write(n, slot, slot, what), files.release(slot)); err != nil {
			return keepFailed{c, err}
		}
		return nil
	})
}

// carryOut writes what stands in the prompt, when that is due.
func (keepMsg) carryOut(m *Model) tea.Cmd {
	k := &m.keeper
	k.due = false
	if c := m.k.Chat; c.DraftFile.Ready && m.composer.Edits() != k.edits {
		return k.write(m, c)
	}
	return nil
}

// take is what is unsent in a chat, which is as good as kept then.
func (k *keeper) take(m *Model, c *chatview.Chat) (what *chatview.Unsent, n int, epoch, before int64) {
	what = &chatview.Unsent{Draft: c.Draft, Queue: slices.Clone(c.Queue), Attached: slices.Clone(c.Desk.Attached), Active: c.Desk.Treats(), Cleared: c.Cleared, Open: !c.DraftFile.Freed}
	if c == m.k.Chat {
		what.Draft = m.composer.Draft()
		k.edits, k.long = m.composer.Edits(), len(what.Draft.Text) > longDraft
	}
	sends := c.Turn.Sends()
	if sends {
		what.Queue = slices.Insert(what.Queue, 0, c.Turn.Input.Draft)
	}
	epoch, before = c.Number(), c.DraftFile.Epoch
	c.DraftFile = chatview.DraftFile{Chat: c.DraftFile.Chat, Ready: true, Slot: c.DraftFile.Slot, Epoch: epoch, Sends: sends, Queue: len(c.Queue), Refs: what.Attached, Note: what.Active, Clear: c.Cleared, Freed: c.DraftFile.Freed, Wrote: c.DraftFile.Wrote}
	if c.Desk.Chat.Epoch != 0 {
		c.DraftFile.Slot = 0
	}
	k.files.next++
	return what, k.files.next, epoch, before
}

// write writes what is unsent in a chat, in the background.
func (k *keeper) write(m *Model, c *chatview.Chat) tea.Cmd {
	files, failing := k.files, k.said != ""
	what, n, epoch, before := k.take(m, c)
	return m.tasks.Start(func(context.Context) tea.Msg {
		if err := files.write(n, epoch, before, what); err != nil || failing {
			return keepFailed{c, err}
		}
		return nil
	})
}

// carryOut says once that something cannot be kept, and has it tried again; what was said
// goes when all is kept.
func (msg keepFailed) carryOut(m *Model) tea.Cmd {
	k := &m.keeper
	if msg.err == nil {
		if lost := func(c *chatview.Chat) bool { return c.DraftFile.Lost }; !slices.ContainsFunc(m.k.all(), lost) {
			if m.toast.Text == k.said {
				m.toast.Text = ""
			}
			k.said = ""
		}
		return nil
	}
	msg.of.DraftFile.Lost = true
	var cmds []tea.Cmd
	if k.said == "" {
		cmds = append(cmds, m.complain(msg.err.Error()))
		k.said = m.toast.Text
	}
	if !k.again {
		k.again = true
		cmds = append(cmds, m.tasks.After(keepLongTime, keepAgain{}))
	}
	return tea.Batch(cmds...)
}

// carryOut writes what could not be written.
func (keepAgain) carryOut(m *Model) tea.Cmd {
	k := &m.keeper
	k.again = false
	var cmds []tea.Cmd
	for _, c := range m.k.all() {
		if c.DraftFile.Lost && c.DraftFile.Ready && !c.Closed {
			cmds = append(cmds, k.write(m, c))
		}
	}
	return tea.Batch(cmds...)
}

// close writes what is unsent when the program ends.
func (k *keeper) close(m *Model) error {
	if k.files == nil {
		return nil
	}
	var errs []error
	for _, c := range m.k.all() {
		behind := c != m.k.Chat && c.Released() // it was written, and may be another process's now
		if c.DraftFile.Ready && !c.Closed && !behind {
			what, n, epoch, before := k.take(m, c)
			what.Open = k.broke
			errs = append(errs, k.files.write(n, epoch, before, what))
		}
	}
	return errors.Join(errs...)
}

// readUnsent reads what was not sent in a chat. For one that has not begun that is what
// another process left; the first time, all that others left comes along.
func readUnsent(m *Model, c *chatview.Chat) tea.Cmd {
	files, epoch, chat, wrote := m.keeper.files, c.Desk.Chat.Epoch, c.Handle, c.DraftFile.Wrote
	first := epoch == 0 && !m.keeper.found
	m.keeper.found = m.keeper.found || first
	return m.tasks.Start(func(context.Context) tea.Msg {
		msg := unsentMsg{of: c, chat: chat}
		if epoch != 0 {
			data, err := files.drafts.Read(epoch)
			if wrote.Is(data) {
				return msg
			}
			msg.what, msg.err = parseUnsent(data, err)
			files.mark(epoch, msg.what)
			return msg
		}
		n, data, err := files.drafts.Take()
		msg.slot = n
		if msg.what, msg.err = parseUnsent(data, err); first && len(data) > 0 {
			msg.more = files.takeLeft()
		}
		files.mark(n, msg.what)
		return msg
	})
}

func parseUnsent(data []byte, err error) (what chatview.Unsent, _ error) {
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, &what)
	}
	if err != nil {
		what = chatview.Unsent{}
	}
	return what, err
}

// mark has the file of a draft say that it is open, before anything is made of it: what
// ends the program then does so once.
func (f *draftFiles) mark(epoch int64, what chatview.Unsent) {
	if !what.Open && !what.Empty() {
		what.Open = true
		_ = f.write(0, epoch, epoch, &what) // it is only for the next start
	}
}

// takeLeft takes the drafts that other processes left and that hold a message; others
// stay for whoever begins a chat.
func (f *draftFiles) takeLeft() (left []leftDraft) {
	var others []int64
	for len(left) < mostLeft {
		n, data, err := f.drafts.Take()
		if len(data) == 0 && err == nil {
			others = append(others, n)
			break
		}
		what, err := parseUnsent(data, err)
		if err != nil || term.IsBlank(what.Draft.Text) && len(what.Queue) == 0 {
			others = append(others, n)
			continue
		}
		f.mark(n, what)
		left = append(left, leftDraft{n, what})
	}
	for _, n := range others {
		_ = f.release(n) // it is this process's until its end
	}
	return left
}

// carryOut puts back what was not sent. What was typed meanwhile stays in the prompt.
func (msg unsentMsg) carryOut(m *Model) tea.Cmd {
	c, u := msg.of, &msg.what
	setLeft(m, msg.more)
	if msg.chat != c.DraftFile.Chat || c.Closed {
		files := m.keeper.files
		return m.tasks.Start(func(context.Context) tea.Msg {
			_ = files.release(msg.slot) // it is this process's until its end
			return nil
		})
	}
	c.DraftFile.Ready, c.DraftFile.Wrote = true, nil
	if c.Desk.Chat.Epoch == 0 {
		c.DraftFile.Slot, c.DraftFile.Epoch = msg.slot, msg.slot
	}
	switch {
	case msg.err != nil:
		return m.complain("what you had not sent cannot be read: " + msg.err.Error())
	case u.Empty():
		return nil
	}
	c.Cleared = cmp.Or(c.Cleared, u.Cleared)
	c.Estimate.Hold(u)
	c.Queue = append(notIn(c.Queue, u.Queue), c.Queue...)
	var cmds []tea.Cmd
	if c != m.k.Chat {
		if c.Draft.Text == "" {
			c.Draft = u.Draft
		}
	} else {
		typed := m.composer.Draft()
		if u.Cleared != nil {
			m.composer.SetDraft(*u.Cleared)
			m.composer.Take() // ↑ brings it back
		}
		m.composer.SetDraft(u.Draft)
		if typed.Text != "" {
			m.composer.Take()
			m.composer.SetDraft(typed)
		}
		if back := unsentBack(m, c, u, typed.Text != "", len(msg.more)); back != "" {
			cmds = append(cmds, m.say(back))
		}
		cmds = append(cmds, m.k.FollowEdit())
	}
	if u.Active != "" && c.Desk.Chat.Epoch == 0 {
		cmds = append(cmds, c.Do(chatview.SetActive(u.Active, true)))
	}
	if len(u.Attached) > 0 {
		cmds = append(cmds, c.Do(chatview.Attach("", u.Attached...)))
	}
	return tea.Batch(cmds...)
}

// notIn is the messages of more that do not wait in a queue already, since the chat was
// open here before.
func notIn(queue, more []composer.Draft) []composer.Draft {
	return slices.DeleteFunc(more, func(d composer.Draft) bool {
		return slices.ContainsFunc(queue, func(o composer.Draft) bool { return o.Text == d.Text })
	})
}

// unsentBack says what came back, "" if that need not be said.
func unsentBack(m *Model, c *chatview.Chat, u *chatview.Unsent, typed bool, more int) (text string) {
	switch {
	case typed:
		text = "what you had not sent: " + m.k.Theme.Glyphs.Up + " brings it back"
	case !term.IsBlank(u.Draft.Text) && u.Open:
		if text = "what you had not sent is back; ibid broke off"; more == 0 {
			text += ": a price comes when you edit it"
		}
	case !term.IsBlank(u.Draft.Text):
		text = "what you had not sent is back; ctrl+c clears it"
	case len(c.Queue) > 0:
		text = c.StillQueued()
	}
	if more > 0 {
		text += fmt.Sprintf("; ctrl+x c goes to %s more", theme.Plural(more, "chat"))
	}
	return strings.TrimPrefix(text, "; ")
}
