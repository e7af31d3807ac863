package chatview

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/history/statefolder"
	"ibid/ui/composer"
	"ibid/ui/term"
)

// Delays before the text of a prompt is written to disk: a second, and longer for text that takes long
// to write.
const (
	keepTime     = time.Second
	keepLongTime = 10 * time.Second
	longDraft    = 1 << 20 // bytes
)

// DraftKeeper keeps the unsent text of each chat on disk.
type DraftKeeper struct {
	*Setup
	Broke bool // the program ends because of a panic
	files *statefolder.Drafts
	drop  func(text string)

	shown      *Chat  // the chat on the screen
	edits      int    // edits of its prompt that are written or about to be
	writeDue   bool   // the timer of the next write runs
	slow       bool   // the last written text takes long to write
	shownError string // shown line about a failed write; "" if all could be written
	retryDue   bool   // the timer of the next attempt runs
}

// NewDraftKeeper returns the keeper for the chats of a screen. drop removes a line from the status if
// it still stands there. Without a store of chats nothing is kept.
func NewDraftKeeper(screen *Setup, drop func(text string)) *DraftKeeper {
	k := &DraftKeeper{Setup: screen, drop: drop}
	if screen.Store != nil {
		k.files = screen.Store.Drafts()
	}
	return k
}

// DraftEvent is a message for the keeper.
type DraftEvent interface{ takeIn(k *DraftKeeper) tea.Cmd }

// draftDue asks to write the text of the prompt.
type draftDue struct{}

// draftFailed is the error of a write, nil if a write succeeded after a failed one.
type draftFailed struct{ err error }

// draftAgain asks to repeat failed writes.
type draftAgain struct{}

// draftRead brings back the unsent text of a chat.
type draftRead struct {
	of   *Chat
	chat *desk.Chat
	slot int64 // number of the draft of a chat that has not begun
	what savedDraft
	err  error
}

// Follow reads the unsent text of a chat that comes onto the screen, and writes what has changed: soon
// while the user types, at once when something was sent.
func (k *DraftKeeper) Follow() tea.Cmd {
	if k.files == nil {
		return nil
	}
	var cmds []tea.Cmd
	c := k.Current
	if was := k.shown; was != c {
		k.shown, k.edits = c, k.Composer.Edits()
		if was != nil && was.DraftFile.Ready && !was.Closed {
			cmds = append(cmds, k.write(was))
		}
	}
	switch f := &c.DraftFile; {
	case c.Desk.Chat.ReadOnly:
		*f = draftFile{Wrote: f.Wrote} // the window that has it open keeps the file
	case f.Chat == c.Handle:
	case f.Slot != 0 && c.Desk.Chat.Epoch == 0: // it has not begun, and takes the place of another chat
		f.Chat = c.Handle
	default:
		cmds = append(cmds, k.Leave(c, true))
		*f = draftFile{Chat: c.Handle, Epoch: c.Desk.Chat.Epoch, Wrote: f.Wrote}
		cmds = append(cmds, k.read(c))
	}
	for _, o := range k.Host.All() {
		if o.DraftFile.Ready && !o.Closed && o.Unkept() {
			cmds = append(cmds, k.write(o))
		}
	}
	switch {
	case !c.DraftFile.Ready || k.Composer.Edits() == k.edits:
	case k.Composer.Empty():
		cmds = append(cmds, k.write(c))
	case !k.writeDue:
		wait := keepTime
		if k.slow {
			wait = keepLongTime
		}
		k.writeDue = true
		cmds = append(cmds, k.Tasks.After(wait, draftDue{}))
	}
	return tea.Batch(cmds...)
}

// Take handles a message.
func (k *DraftKeeper) Take(e DraftEvent) tea.Cmd { return e.takeIn(k) }

// takeIn writes the text of the prompt when the timer is due.
func (draftDue) takeIn(k *DraftKeeper) tea.Cmd {
	k.writeDue = false
	if c := k.Current; c.DraftFile.Ready && k.Composer.Edits() != k.edits {
		return k.write(c)
	}
	return nil
}

// unsent returns the unsent text of a chat and notes its edits as kept.
func (k *DraftKeeper) unsent(c *Chat) *savedDraft {
	what := &savedDraft{
		Draft: c.Draft, Queue: slices.Clone(c.Queue), Attached: slices.Clone(c.Desk.Attached),
		Active: c.Desk.ActiveTreatment(), Cleared: c.Cleared, Open: !c.DraftFile.Freed,
	}
	if c.Shown() {
		what.Draft = k.Composer.Draft()
		k.edits, k.slow = k.Composer.Edits(), len(what.Draft.Text) > longDraft
	}
	if c.Turn.IsSending() {
		what.Queue = slices.Insert(what.Queue, 0, c.Turn.Input.Draft)
	}
	return what
}

// put passes the unsent text of a chat to the store, to be written, and returns the number of its
// draft.
func (k *DraftKeeper) put(c *Chat, what *savedDraft) (number int64) {
	f := &c.DraftFile
	number, before := c.DraftNumber(), f.Epoch
	f.Ready, f.Epoch, f.Wrote = true, number, *what
	if c.Desk.Chat.Epoch != 0 {
		f.Slot = 0
	}
	putDraft(k.files, number, before, what)
	return number
}

// putDraft stores a draft under its number, or removes it if it is empty.
func putDraft(d *statefolder.Drafts, number, before int64, what *savedDraft) {
	switch {
	case number == 0:
	case what.Empty():
		d.Put(number, before, nil)
	default:
		d.Put(number, before, what)
	}
}

// write writes the unsent text of a chat, in the background.
func (k *DraftKeeper) write(c *Chat) tea.Cmd {
	return k.writeAll(k.put(c, k.unsent(c)))
}

// writeAll writes the drafts with the given numbers, in the background.
func (k *DraftKeeper) writeAll(numbers ...int64) tea.Cmd {
	failing := k.shownError != ""
	return k.Tasks.Start(func(context.Context) tea.Msg {
		if err := k.files.Write(numbers...); err != nil || failing {
			return draftFailed{err}
		}
		return nil
	})
}

// Leave gives up the number of a chat that has not begun. Its unsent text stays for the next such chat,
// unless gone says that it has moved to another chat.
func (k *DraftKeeper) Leave(c *Chat, gone bool) tea.Cmd {
	f, drafts := c.DraftFile, k.files
	if f.Slot == 0 || !f.Ready {
		return nil
	}
	what := k.unsent(c)
	what.Open = false
	if gone { // the prompt has moved, the attachments have not
		what = &savedDraft{Attached: f.Wrote.Attached, Active: f.Wrote.Active}
	}
	c.DraftFile = draftFile{}
	putDraft(drafts, f.Slot, f.Slot, what)
	return k.Tasks.Start(func(context.Context) tea.Msg {
		if err := errors.Join(drafts.Write(f.Slot), drafts.Release(f.Slot)); err != nil {
			return draftFailed{err}
		}
		return nil
	})
}

// takeIn shows an error once and tries again later. The line goes away when everything is written.
func (msg draftFailed) takeIn(k *DraftKeeper) tea.Cmd {
	if msg.err == nil {
		if len(k.files.Pending()) == 0 {
			k.drop(k.shownError)
			k.shownError = ""
		}
		return nil
	}
	var cmds []tea.Cmd
	if k.shownError == "" {
		k.shownError = strings.TrimSpace(msg.err.Error())
		cmds = append(cmds, k.Current.Complain(k.shownError))
	}
	if !k.retryDue {
		k.retryDue = true
		cmds = append(cmds, k.Tasks.After(keepLongTime, draftAgain{}))
	}
	return tea.Batch(cmds...)
}

// takeIn repeats the failed writes.
func (draftAgain) takeIn(k *DraftKeeper) tea.Cmd {
	k.retryDue = false
	return k.writeAll(k.files.Pending()...)
}

// ReleaseIdle closes the chats in the background that hold nothing but unsent text. It does so once for
// each, until the chat is on the screen again.
func (k *DraftKeeper) ReleaseIdle() tea.Cmd {
	var cmds []tea.Cmd
	for _, c := range k.Host.All() {
		if c.Shown() || c.DraftFile.Freed || !c.Idle() {
			continue
		}
		c.DraftFile.Freed = true
		drafts, number := k.files, k.put(c, k.unsent(c))
		cmds = append(cmds, c.Do(Close(func() error { return drafts.Write(number) })))
	}
	return tea.Batch(cmds...)
}

// Close writes the unsent text of all chats when the program ends.
func (k *DraftKeeper) Close() error {
	if k.files == nil {
		return nil
	}
	for _, c := range k.Host.All() {
		behind := !c.Shown() && c.Released() // it is written already, and another process may have changed it
		if c.DraftFile.Ready && !c.Closed && !behind {
			what := k.unsent(c)
			what.Open = k.Broke
			k.put(c, what)
		}
	}
	return k.files.Write(k.files.Pending()...)
}

// read reads the unsent text of a chat. For a chat that has not begun that is a draft of another
// process.
func (k *DraftKeeper) read(c *Chat) tea.Cmd {
	drafts, epoch, wrote := k.files, c.Desk.Chat.Epoch, c.DraftFile.Wrote
	msg := draftRead{of: c, chat: c.Handle}
	return k.Tasks.Start(func(context.Context) tea.Msg {
		if epoch != 0 {
			data, err := drafts.Read(epoch)
			if !wrote.Is(data) {
				msg.what, msg.err = openDraft(drafts, epoch, data, err)
			}
			return msg
		}
		n, data, err := drafts.Take()
		msg.slot = n
		msg.what, msg.err = openDraft(drafts, n, data, err)
		return msg
	})
}

// openDraft decodes a draft, and before it returns marks the file as open: if the draft ends the
// program, it does so only once, because an open draft is not priced at the next start.
func openDraft(d *statefolder.Drafts, number int64, data []byte, err error) (what savedDraft, _ error) {
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, &what)
	}
	if err != nil {
		return savedDraft{}, err
	}
	if !what.Open && !what.Empty() {
		what.Open = true
		putDraft(d, number, number, &what)
		_ = d.Write(number) // it only matters at the next start
		what.Open = false
	}
	return what, nil
}

// takeIn restores the unsent text. Text that was typed meanwhile stays in the prompt.
func (msg draftRead) takeIn(k *DraftKeeper) tea.Cmd {
	c, u := msg.of, &msg.what
	if msg.chat != c.DraftFile.Chat || c.Closed {
		return k.Tasks.Start(func(context.Context) tea.Msg {
			_ = k.files.Release(msg.slot) // on an error it stays with this process until its end
			return nil
		})
	}
	c.DraftFile.Ready, c.DraftFile.Wrote = true, savedDraft{}
	if c.Desk.Chat.Epoch == 0 {
		c.DraftFile.Slot, c.DraftFile.Epoch = msg.slot, msg.slot
	}
	switch {
	case msg.err != nil:
		return k.Current.Complain("what you had not sent cannot be read: " + msg.err.Error())
	case u.Empty():
		return nil
	}
	c.Cleared = cmp.Or(c.Cleared, u.Cleared)
	if u.Open {
		c.Estimate.unpriced = &u.Draft.Text
	}
	c.Queue = append(notIn(c.Queue, u.Queue), c.Queue...)
	var cmds []tea.Cmd
	if !c.Shown() {
		if c.Draft.Text == "" {
			c.Draft = u.Draft
		}
	} else {
		typed := k.Composer.Draft()
		if u.Cleared != nil {
			k.Composer.SetDraft(*u.Cleared)
			k.Composer.Take() // ↑ brings it back
		}
		k.Composer.SetDraft(u.Draft)
		if typed.Text != "" {
			k.Composer.Take()
			k.Composer.SetDraft(typed)
		}
		if back := describeRestored(c, u, typed.Text != ""); back != "" {
			cmds = append(cmds, k.Current.Say(back))
		}
		cmds = append(cmds, c.FollowEdit())
	}
	if u.Active != "" && c.Desk.Chat.Epoch == 0 {
		cmds = append(cmds, c.Do(setActive(u.Active, true)))
	}
	if len(u.Attached) > 0 {
		cmds = append(cmds, c.Do(attach("", u.Attached...)))
	}
	return tea.Batch(cmds...)
}

// notIn returns the messages of more that are not in queue. The chat may have been open here before.
func notIn(queue, more []composer.Draft) []composer.Draft {
	return slices.DeleteFunc(more, func(d composer.Draft) bool {
		return slices.ContainsFunc(queue, func(o composer.Draft) bool { return o.Text == d.Text })
	})
}

// describeRestored returns the line about restored text, "" if there is nothing to say.
func describeRestored(c *Chat, u *savedDraft, typed bool) string {
	switch {
	case typed:
		return "what you had not sent: " + c.Theme.Glyphs.Up + " brings it back"
	case !term.IsBlank(u.Draft.Text) && u.Open:
		return "what you had not sent is back; ibid broke off: a price comes when you edit it"
	case !term.IsBlank(u.Draft.Text):
		return "what you had not sent is back; ctrl+c clears it"
	case len(c.Queue) > 0:
		return c.DescribeQueued()
	}
	return ""
}
