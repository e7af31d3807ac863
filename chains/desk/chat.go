package desk

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
)

// The ways to treat the active note. Any other value is the path of a note that
// goes with every turn.
const (
	Off    = "off"
	Follow = "follow"
)

// Chat is an open conversation and what goes with its next turn.
type Chat struct {
	work  sync.Mutex // held by the [Place] of who works here
	desk  *Desk
	turns atomic.Int32 // that were prepared, and have not ended

	session *chains.Session // the desk's mu guards it against places elsewhere, and what follows
	notices []chains.Notice // of the opening
	attach  []prompt.Ref
	active  string

	project string
	read    time.Time // when the instructions were read
}

// Session is the conversation.
func (c *Chat) Session() *chains.Session {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	return c.session
}

// Running reports whether a turn runs, or was prepared and is about to.
func (c *Chat) Running() bool {
	if c.turns.Load() > 0 {
		return true
	}
	_, err := c.Session().Known()
	return errors.Is(err, chains.ErrBusy)
}

// countTurn makes a turn of the chat count as running from now on until it ends. One
// that nobody ranges over counts until its context ends. Chats that begin later take the
// model that is found for it.
func (c *Chat) countTurn(ctx context.Context, turn iter.Seq2[chains.Event, error]) iter.Seq2[chains.Event, error] {
	c.turns.Add(1)
	ends := sync.OnceFunc(func() { c.turns.Add(-1) })
	stop := context.AfterFunc(ctx, ends)
	return func(yield func(chains.Event, error) bool) {
		if stop() {
			defer ends()
		}
		turn(func(e chains.Event, err error) bool {
			if a, ok := e.(chains.AnsweringModel); ok {
				c.desk.found.Store(a.Options)
			}
			return yield(e, err)
		})
	}
}

// empty reports whether nothing was said yet and nothing is on disk.
func (c *Chat) empty() bool {
	now := c.Session().Snapshot()
	return now.Turns == 0 && now.Path == "" && !c.Running()
}

// Close closes the chat: another process may write it then. While a turn runs it returns
// chains.ErrBusy and closes nothing. A *chains.UnsavedError says where the chat is that
// could not be saved.
func (c *Chat) Close() error {
	d := c.desk
	if c.Running() {
		return chains.ErrBusy
	}
	unsaved := c.Session().Close()
	chat, err := c.Session().Chat()
	if err != nil {
		return err
	}
	leave(c)
	d.mu.Lock()
	d.chats = slices.DeleteFunc(d.chats, func(open *Chat) bool { return open == c })
	d.mu.Unlock()
	d.release(&chat)
	return unsaved
}

// load makes a session of a saved chat.
func (c *Chat) load(ctx context.Context, chat history.Chat, warnings []history.Warning) error {
	v, g := c.desk.opts.Vault, c.desk.opts.Gather
	if _, err := v.Revalidate(ctx); err != nil {
		return err
	}
	c.project = chat.Project
	o, notices, _ := c.desk.instructedOptions(ctx, c.project) // what there is not, the notices say
	chat, resolved := history.Resolve(&chat, v, g.Revision)
	for _, r := range resolved {
		if w, ok := r.Warning(); ok &&
			!slices.ContainsFunc(warnings, func(known history.Warning) bool { return known.Text == w.Text }) {
			warnings = append(warnings, w)
		}
	}
	for _, w := range warnings {
		notices = append(notices, chains.Notice{Kind: w.Kind, Text: w.Text})
	}
	if chat.Layout != "" {
		o.Layout = prompt.Layout(chat.Layout)
	}
	o.Tools.Active = c.active
	if off := chat.Choices.ToolsOff; off != nil {
		o.Tools.Off = off
	}
	chain, said := chainOf(chat.Chain, o.Chain)
	o.Chain, notices = chain, append(notices, said...)
	s, more, err := chains.Reopen(ctx, o, chat)
	if err != nil {
		return err
	}
	for _, n := range more {
		// A note that is gone was named when its path was resolved.
		if n.Kind == "changed_note" || n.Kind == "private_note" || n.Kind == "given_note" || len(resolved) == 0 {
			notices = append(notices, n)
		}
	}
	first := c.session == nil
	c.desk.mu.Lock()
	c.session, c.notices, c.read = s, notices, c.desk.now()
	c.desk.mu.Unlock()
	if first { // later it is for the user to say what goes along
		if again := c.Carry(); len(again) > 0 {
			c.notices = append(c.notices, CarriedNotice(again))
		}
		if n := len(chat.Messages); n > 0 && chat.Messages[n-1].Role == history.User && !chat.ReadOnly {
			c.notices = append(c.notices,
				chains.Notice{Kind: NoticeUnanswered, Text: "The last message has no reply: /retry sends it again"})
		}
	}
	if active := chat.Choices.Active; active != "" {
		c.treat(active)
	}
	return nil
}

// Branch copies the conversation up to its n-th message into a chat of its own
// and goes on there; n = 0 takes all of it.
func (c *Place) Branch(ctx context.Context, n int) error {
	chat, err := c.session.Chat()
	if err != nil {
		return err
	}
	total := 0
	for range chat.Display() {
		total++
	}
	if n == 0 {
		n = total
	}
	if total == 0 {
		return errors.New("nothing was said here yet: there is nothing to branch off")
	}
	if n < 0 || n > total {
		return fmt.Errorf("there are %d messages: /branch N takes 1 to %d", total, total)
	}
	return c.openBranch(ctx, history.Branch(&chat, n, c.desk.now()))
}

// BranchTurns copies the first n turns into a chat of its own and goes on there. One
// without turns has no file until its first.
func (c *Place) BranchTurns(ctx context.Context, n int) error {
	chat, err := c.session.Chat()
	if err != nil {
		return err
	}
	branch := history.Branch(&chat, chat.Through(n), c.desk.now())
	if branch.Turns() == 0 {
		branch.Epoch = 0 // it begins with its first message
	}
	return c.openBranch(ctx, branch)
}

// openBranch saves a branch, if it holds anything, and goes on there.
func (c *Place) openBranch(ctx context.Context, branch history.Chat) error {
	var warnings []history.Warning
	if store := c.opts.Store; store != nil && len(branch.Messages) > 0 {
		var err error
		if warnings, err = store.Save(&branch); err != nil {
			return err
		}
	}
	from := c.Chat
	if err := c.load(ctx, from, c.newChat(), branch, warnings); err != nil {
		return err
	}
	c.Attach(from.Attached()...) // the branch goes on where this one was to
	from.Sent()
	return nil
}

// Active says whether the active note goes along: Off, Follow, or a path.
func (c *Chat) Active() string {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	return c.active
}

func (c *Chat) treat(active string) {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	c.active = active
}

// Chosen is Active where this chat treats the note otherwise than others begin, else "".
func (c *Chat) Chosen() string {
	if c.active == c.desk.opts.Active {
		return ""
	}
	return c.active
}

// ActiveNote is the note that counts as open, and whether it goes with the next turn.
func (c *Chat) ActiveNote() (note vault.ActiveNote, goes bool) {
	open := c.desk.State().Active
	switch c.active {
	case Off:
		return open, false
	case Follow:
		return open, open.Path != "" && open.Live
	}
	return c.desk.Workspace(c.active).Active, true
}

// SetActive chooses how the active note is treated and keeps the choice with the chat.
func (c *Chat) SetActive(active string) error {
	c.treat(active)
	_, err := c.session.SetActive(active)
	return err
}

// Attached lists what was attached by hand to the next turn.
func (c *Chat) Attached() []prompt.Ref {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	return slices.Clone(c.attach)
}

// Attach adds to the next turn; what is there already stays where it is.
func (c *Chat) Attach(refs ...prompt.Ref) {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	for _, r := range refs {
		if !slices.Contains(c.attach, r) {
			c.attach = append(c.attach, r)
		}
	}
}

// Drop takes something off the next turn; it reports whether it was there.
func (c *Chat) Drop(ref prompt.Ref) bool {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	n := len(c.attach)
	c.attach = slices.DeleteFunc(c.attach, func(r prompt.Ref) bool { return r == ref })
	return len(c.attach) < n
}

// Input is the next turn with this text, as values. Bytes that are no text
// become U+FFFD, and white space at the end goes, wherever the text was typed.
func (c *Chat) Input(text string) chains.Input {
	text = strings.TrimRightFunc(strings.ToValidUTF8(text, "\uFFFD"), unicode.IsSpace)
	in := chains.Input{Text: text, Typed: !c.desk.opts.Setup.FromPipe, Attach: c.Attached()}
	note, goes := c.ActiveNote()
	if note.Path != "" {
		in.Open = prompt.Ref{Kind: prompt.Note, ID: string(note.Path)}
	}
	for _, p := range c.desk.State().Pins {
		in.Pinned = append(in.Pinned, prompt.Ref{Kind: prompt.Note, ID: string(p.Path)})
	}
	if c.desk.opts.Setup.Bare {
		return in
	}
	if in.Pins = in.Pinned; goes {
		in.Active = in.Open
	}
	return in
}

// NoticeUnanswered is the kind of the notice that the last message has no reply.
const NoticeUnanswered = "unanswered"

// Carry attaches what the last turn carried in vain, since its reply broke off or
// never came, and returns what of it was not there.
func (c *Chat) Carry() []prompt.Ref {
	n := len(c.Attached())
	c.Attach(c.session.Snapshot().BrokenOff...)
	return c.Attached()[n:]
}

// CarriedNotice says what goes along again.
func CarriedNotice(refs []prompt.Ref) chains.Notice {
	return chains.Notice{
		Kind: "carried",
		Text: "The last turn broke off, so what it carried goes with the next one: " + ids(refs),
	}
}

// Retry runs the last turn again, once it is ranged over; a model answers it this once,
// nil is the one that answered. What was carried from it goes with it, and is no longer
// attached to the next one.
func (c *Chat) Retry(ctx context.Context, model *chains.Options) (turn iter.Seq2[chains.Event, error],
	taken []prompt.Ref,
) {
	for _, r := range c.session.Snapshot().BrokenOff {
		if c.Drop(r) {
			taken = append(taken, r)
		}
	}
	return c.countTurn(ctx, chains.RetryWith(ctx, c.session, model)), taken
}

// Sent clears what was attached by hand: the conversation knows it now.
func (c *Chat) Sent() {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	c.attach = nil
}

// Rename names the chat; if it is saved, its file too.
func (c *Chat) Rename(title string) error {
	chat, err := c.session.Chat()
	if err != nil {
		return err
	}
	if store := c.desk.opts.Store; chat.Path != "" && store != nil {
		if _, err := store.Rename(chat.Path, title); err != nil {
			return err
		}
	}
	_, err = c.session.SetTitle(title)
	return err
}
