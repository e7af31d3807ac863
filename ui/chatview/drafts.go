package chatview

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/history/statefolder"
	"ibid/ui/composer"
	"ibid/ui/page"
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

// DraftKeeper keeps what is unsent of each chat.
type DraftKeeper struct {
	Broke  bool // the program ends by a fault
	files  *statefolder.Drafts
	screen *Setup
	drop   func(text string)

	of    *Chat  // on the screen
	edits int    // of its prompt, as far as they are kept or about to be
	due   bool   // the timer of the next writing runs
	long  bool   // what was written last takes long to write
	said  string // that something could not be written, as it was said; "" if all could
	again bool   // the timer of the next try runs
	found bool   // what other processes left was looked for
}

// NewDraftKeeper keeps what is unsent of the chats of a screen in files; drop takes a line off its
// status, if it still stands there. Without a store of chats nothing is kept.
func NewDraftKeeper(screen *Setup, drop func(text string)) *DraftKeeper {
	k := &DraftKeeper{screen: screen, drop: drop}
	if screen.Store != nil {
		k.files = screen.Store.Drafts()
	}
	return k
}

// DraftEvent is a message for the keeper.
type DraftEvent interface{ takeIn(k *DraftKeeper) tea.Cmd }

// draftDue asks to write what stands in the prompt.
type draftDue struct{}

// draftFailed says why a draft could not be written, nil if it could be at last.
type draftFailed struct{ err error }

// draftAgain asks to write what could not be written.
type draftAgain struct{}

// draftRead brings back what was not sent in a chat.
type draftRead struct {
	of   *Chat
	chat *desk.Chat
	slot int64 // of a chat that has not begun
	what savedDraft
	more []leftDraft // of others that have not begun
	err  error
}

// leftDraft is what another process left of a chat that has not begun.
type leftDraft struct {
	slot int64
	what savedDraft
}

// Follow brings back what was not sent in a chat that comes onto the screen, and writes
// what changed: soon where something is typed, at once where something was sent.
func (k *DraftKeeper) Follow() tea.Cmd {
	if k.files == nil {
		return nil
	}
	var cmds []tea.Cmd
	c := k.screen.Current
	if was := k.of; was != c {
		k.of, k.edits = c, k.screen.Composer.Edits()
		if was != nil && was.DraftFile.Ready && !was.Closed {
			cmds = append(cmds, k.write(was))
		}
	}
	switch f := &c.DraftFile; {
	case c.Desk.Chat.ReadOnly:
		*f = draftFile{Wrote: f.Wrote} // the window that has it open keeps what is written there
	case f.Chat == c.Handle:
	case f.Slot != 0 && c.Desk.Chat.Epoch == 0: // one that has not begun takes the place of another
		f.Chat = c.Handle
	default:
		cmds = append(cmds, k.Leave(c, true))
		*f = draftFile{Chat: c.Handle, Epoch: c.Desk.Chat.Epoch, Wrote: f.Wrote}
		cmds = append(cmds, k.read(c))
	}
	for _, o := range k.screen.Host.All() {
		if o.DraftFile.Ready && !o.Closed && o.Unkept() {
			cmds = append(cmds, k.write(o))
		}
	}
	switch {
	case !c.DraftFile.Ready || k.screen.Composer.Edits() == k.edits:
	case k.screen.Composer.Empty():
		cmds = append(cmds, k.write(c))
	case !k.due:
		wait := keepTime
		if k.long {
			wait = keepLongTime
		}
		k.due = true
		cmds = append(cmds, k.screen.Tasks.After(wait, draftDue{}))
	}
	return tea.Batch(cmds...)
}

// Take takes a message in.
func (k *DraftKeeper) Take(e DraftEvent) tea.Cmd { return e.takeIn(k) }

func (k *DraftKeeper) ask(r page.Request) tea.Cmd { return k.screen.Host.Ask(k.screen.Current, r) }

// takeIn writes what stands in the prompt, when that is due.
func (draftDue) takeIn(k *DraftKeeper) tea.Cmd {
	k.due = false
	if c := k.screen.Current; c.DraftFile.Ready && k.screen.Composer.Edits() != k.edits {
		return k.write(c)
	}
	return nil
}

// unsent is what is unsent in a chat, which is as good as kept then.
func (k *DraftKeeper) unsent(c *Chat) *savedDraft {
	what := &savedDraft{
		Draft: c.Draft, Queue: slices.Clone(c.Queue), Attached: slices.Clone(c.Desk.Attached),
		Active: c.Desk.Treats(), Cleared: c.Cleared, Open: !c.DraftFile.Freed,
	}
	if c.Shown() {
		what.Draft = k.screen.Composer.Draft()
		k.edits, k.long = k.screen.Composer.Edits(), len(what.Draft.Text) > longDraft
	}
	if c.Turn.Sends() {
		what.Queue = slices.Insert(what.Queue, 0, c.Turn.Input.Draft)
	}
	return what
}

// put has what is unsent in a chat written, and is its number.
func (k *DraftKeeper) put(c *Chat, what *savedDraft) (number int64) {
	f := &c.DraftFile
	number, before := c.Number(), f.Epoch
	f.Ready, f.Epoch, f.Sends, f.Queue, f.Refs, f.Note, f.Clear = true, number, c.Turn.Sends(), len(c.Queue),
		what.Attached, what.Active, c.Cleared
	if c.Desk.Chat.Epoch != 0 {
		f.Slot = 0
	}
	putDraft(k.files, number, before, what)
	return number
}

func putDraft(d *statefolder.Drafts, number, before int64, what *savedDraft) {
	switch {
	case number == 0:
	case what.Empty():
		d.Put(number, before, nil)
	default:
		d.Put(number, before, what)
	}
}

// write writes what is unsent in a chat, in the background.
func (k *DraftKeeper) write(c *Chat) tea.Cmd {
	return k.writeAll(k.put(c, k.unsent(c)))
}

// writeAll writes the drafts of numbers in the background.
func (k *DraftKeeper) writeAll(numbers ...int64) tea.Cmd {
	failing := k.said != ""
	return k.screen.Tasks.Start(func(context.Context) tea.Msg {
		if err := k.files.Write(numbers...); err != nil || failing {
			return draftFailed{err}
		}
		return nil
	})
}

// Leave gives up the number of a chat that has not begun: what is unsent in it stays for
// the next one, unless it has gone to another chat.
func (k *DraftKeeper) Leave(c *Chat, gone bool) tea.Cmd {
	f, drafts := c.DraftFile, k.files
	if f.Slot == 0 || !f.Ready {
		return nil
	}
	what := k.unsent(c)
	what.Open = false
	if gone { // the prompt has gone to another chat, and what was attached has not
		what = &savedDraft{Attached: f.Refs, Active: f.Note}
	}
	c.DraftFile = draftFile{}
	putDraft(drafts, f.Slot, f.Slot, what)
	return k.screen.Tasks.Start(func(context.Context) tea.Msg {
		if err := errors.Join(drafts.Write(f.Slot), drafts.Release(f.Slot)); err != nil {
			return draftFailed{err}
		}
		return nil
	})
}

// takeIn says once that something cannot be kept, and has it tried again; what was said
// goes when all is kept.
func (msg draftFailed) takeIn(k *DraftKeeper) tea.Cmd {
	if msg.err == nil {
		if len(k.files.Pending()) == 0 {
			k.drop(k.said)
			k.said = ""
		}
		return nil
	}
	var cmds []tea.Cmd
	if k.said == "" {
		k.said = strings.TrimSpace(msg.err.Error())
		cmds = append(cmds, k.ask(page.Complain(k.said)))
	}
	if !k.again {
		k.again = true
		cmds = append(cmds, k.screen.Tasks.After(keepLongTime, draftAgain{}))
	}
	return tea.Batch(cmds...)
}

// takeIn writes what could not be written.
func (draftAgain) takeIn(k *DraftKeeper) tea.Cmd {
	k.again = false
	return k.writeAll(k.files.Pending()...)
}

// ReleaseIdle closes the chats in the background that hold only something unsent, each
// once until it is on the screen again.
func (k *DraftKeeper) ReleaseIdle() tea.Cmd {
	var cmds []tea.Cmd
	for _, c := range k.screen.Host.All() {
		if c.Shown() || c.DraftFile.Freed || !c.Idle() {
			continue
		}
		c.DraftFile.Freed = true
		what, drafts := k.unsent(c), k.files
		number := k.put(c, what)
		c.DraftFile.Wrote = what
		cmds = append(cmds, c.Do(Close(func() error { return drafts.Write(number) })))
	}
	return tea.Batch(cmds...)
}

// Close writes what is unsent when the program ends.
func (k *DraftKeeper) Close() error {
	if k.files == nil {
		return nil
	}
	for _, c := range k.screen.Host.All() {
		behind := !c.Shown() && c.Released() // it was written, and may be another process's now
		if c.DraftFile.Ready && !c.Closed && !behind {
			what := k.unsent(c)
			what.Open = k.Broke
			k.put(c, what)
		}
	}
	return k.files.Write(k.files.Pending()...)
}

// read reads what was not sent in a chat. For one that has not begun that is what another
// process left; the first time, all that others left comes along.
func (k *DraftKeeper) read(c *Chat) tea.Cmd {
	drafts, epoch, wrote := k.files, c.Desk.Chat.Epoch, c.DraftFile.Wrote
	msg := draftRead{of: c, chat: c.Handle}
	first := epoch == 0 && !k.found
	k.found = k.found || first
	return k.screen.Tasks.Start(func(context.Context) tea.Msg {
		if epoch != 0 {
			data, err := drafts.Read(epoch)
			if !wrote.Is(data) {
				msg.what, msg.err = openDraft(drafts, epoch, data, err)
			}
			return msg
		}
		n, data, err := drafts.Take()
		msg.slot = n
		if msg.what, msg.err = openDraft(drafts, n, data, err); first && len(data) > 0 {
			msg.more = takeLeft(drafts)
		}
		return msg
	})
}

// openDraft reads a draft, and has its file say that it is open, before anything is made
// of it: what ends the program then does so once.
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
		_ = d.Write(number) // it is only for the next start
		what.Open = false
	}
	return what, nil
}

// takeLeft takes the drafts that other processes left and that hold a message; others
// stay for whoever begins a chat.
func takeLeft(d *statefolder.Drafts) (left []leftDraft) {
	var others []int64
	for len(left) < mostLeft {
		n, data, err := d.Take()
		if len(data) == 0 && err == nil {
			others = append(others, n)
			break
		}
		what := savedDraft{}
		if err == nil {
			err = json.Unmarshal(data, &what)
		}
		if err != nil || term.IsBlank(what.Draft.Text) && len(what.Queue) == 0 {
			others = append(others, n)
			continue
		}
		what, _ = openDraft(d, n, data, nil)
		left = append(left, leftDraft{n, what})
	}
	for _, n := range others {
		_ = d.Release(n) // it is this process's until its end
	}
	return left
}

// ChatsWithDrafts are chats for the background that have not begun, and in which another process left
// something unsent.
type ChatsWithDrafts []*Chat

// leftChats makes them.
func (k *DraftKeeper) leftChats(left []leftDraft) (all ChatsWithDrafts) {
	now := &k.screen.Current.Desk
	for _, l := range left {
		c := New(k.screen, nil, State{
			Chat:   chains.Snapshot{Model: now.Chat.Model},
			Active: cmp.Or(l.what.Active, now.Active),
		})
		c.Restyle()
		c.Draft, c.Queue, c.Cleared = l.what.Draft, l.what.Queue, l.what.Cleared
		c.Estimate.Hold(&l.what)
		c.DraftFile = draftFile{Ready: true, Slot: l.slot, Epoch: l.slot, Queue: len(c.Queue), Clear: c.Cleared}
		if len(l.what.Attached) > 0 {
			c.Late = append(c.Late, attach("", l.what.Attached...))
		}
		all = append(all, c)
	}
	return all
}

// takeIn puts back what was not sent. What was typed meanwhile stays in the prompt.
func (msg draftRead) takeIn(k *DraftKeeper) tea.Cmd {
	c, u := msg.of, &msg.what
	left := k.ask(page.Post{Msg: k.leftChats(msg.more)})
	if msg.chat != c.DraftFile.Chat || c.Closed {
		return tea.Batch(left, k.screen.Tasks.Start(func(context.Context) tea.Msg {
			_ = k.files.Release(msg.slot) // it is this process's until its end
			return nil
		}))
	}
	c.DraftFile.Ready, c.DraftFile.Wrote = true, nil
	if c.Desk.Chat.Epoch == 0 {
		c.DraftFile.Slot, c.DraftFile.Epoch = msg.slot, msg.slot
	}
	switch {
	case msg.err != nil:
		return tea.Batch(left, k.ask(page.Complain("what you had not sent cannot be read: "+msg.err.Error())))
	case u.Empty():
		return left
	}
	c.Cleared = cmp.Or(c.Cleared, u.Cleared)
	c.Estimate.Hold(u)
	c.Queue = append(notIn(c.Queue, u.Queue), c.Queue...)
	cmds := []tea.Cmd{left}
	if !c.Shown() {
		if c.Draft.Text == "" {
			c.Draft = u.Draft
		}
	} else {
		typed := k.screen.Composer.Draft()
		if u.Cleared != nil {
			k.screen.Composer.SetDraft(*u.Cleared)
			k.screen.Composer.Take() // ↑ brings it back
		}
		k.screen.Composer.SetDraft(u.Draft)
		if typed.Text != "" {
			k.screen.Composer.Take()
			k.screen.Composer.SetDraft(typed)
		}
		if back := unsentBack(c, u, typed.Text != "", len(msg.more)); back != "" {
			cmds = append(cmds, k.ask(page.Toast{Text: back}))
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

// notIn is the messages of more that do not wait in a queue already, since the chat was
// open here before.
func notIn(queue, more []composer.Draft) []composer.Draft {
	return slices.DeleteFunc(more, func(d composer.Draft) bool {
		return slices.ContainsFunc(queue, func(o composer.Draft) bool { return o.Text == d.Text })
	})
}

// unsentBack says what came back, "" if that need not be said.
func unsentBack(c *Chat, u *savedDraft, typed bool, more int) (text string) {
	switch {
	case typed:
		text = "what you had not sent: " + c.Theme.Glyphs.Up + " brings it back"
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
