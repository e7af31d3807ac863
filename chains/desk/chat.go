package desk

import (
	"context"
	"errors"
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

// The values of how the active note is treated. Any other value is the path of a note that goes with every turn.
const (
	Off    = "off"
	Follow = "follow"
)

// Chat is an open chat with the attachments of its next turn.
type Chat struct {
	work  sync.Mutex // held by the [Place] that works in this chat
	desk  *Desk
	turns atomic.Int32 // turns that were prepared and have not ended

	session *chains.Session // guarded by Desk.mu against other places, like the fields below
	notices []chains.Notice // from opening the chat
	attach  []prompt.Ref
	active  string

	project string
	read    time.Time // time when the instructions were read
}

// Session returns the session of the chat.
func (c *Chat) Session() *chains.Session {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	return c.session
}

// Running reports whether a turn runs or is about to start.
func (c *Chat) Running() bool {
	if c.turns.Load() > 0 {
		return true
	}
	_, err := c.Session().Known()
	return errors.Is(err, chains.ErrBusy)
}

// countTurn counts a turn as running from now until it ends, or until ctx ends if nobody ranges over it. If a model
// is found for a chat without one, later chats use it, too.
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
				c.desk.foundModel.Store(a.Options)
			}
			return yield(e, err)
		})
	}
}

// empty reports whether the chat has no turn and no file.
func (c *Chat) empty() bool {
	now := c.Session().Snapshot()
	return now.Turns == 0 && now.Path == "" && !c.Running()
}

// Close closes the chat and releases its lock, so that another process may write it. While a turn runs it returns
// chains.ErrBusy and closes nothing. If the chat cannot be saved, the error is a *chains.UnsavedError that says
// where it was written.
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
	storeAttachments(c)
	d.mu.Lock()
	d.chats = slices.DeleteFunc(d.chats, func(open *Chat) bool { return open == c })
	d.mu.Unlock()
	d.release(&chat)
	return unsaved
}

// load opens a session for a saved chat.
func (c *Chat) load(ctx context.Context, chat history.Chat, warnings []history.Warning) error {
	v, g := c.desk.opts.Vault, c.desk.opts.Gather
	if _, err := v.Revalidate(ctx); err != nil {
		return err
	}
	c.project = chat.Project
	o, notices, _ := c.desk.instructedOptions(ctx, c.project) // the notices say what is missing
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
	if o.Chain = chain; said != "" {
		notices = append(notices, chains.Notice{Kind: "chain", Text: said})
	}
	s, more, err := chains.Reopen(ctx, o, chat)
	if err != nil {
		return err
	}
	for _, n := range more {
		// Resolving the path of a note has already reported that it is gone.
		if n.Kind == "changed_note" || n.Kind == "private_note" || n.Kind == "given_note" || len(resolved) == 0 {
			notices = append(notices, n)
		}
	}
	first := c.session == nil
	c.desk.mu.Lock()
	c.session, c.notices, c.read = s, notices, c.desk.now()
	c.desk.mu.Unlock()
	if first { // later the user decides what goes along
		if again := c.Carry(); len(again) > 0 {
			c.notices = append(c.notices, CarriedNotice(again))
		}
		if n := len(chat.Messages); n > 0 && chat.Messages[n-1].Role == history.User && !chat.ReadOnly {
			c.notices = append(c.notices,
				chains.Notice{Kind: NoticeUnanswered, Text: "The last message has no reply: /retry sends it again"})
		}
	}
	if active := chat.Choices.Active; active != "" {
		c.storeActive(active)
	}
	return nil
}

// Branch copies the first n messages of the chat into a new one and opens that. A branch without turns has no file
// until its first turn.
func (c *Place) Branch(ctx context.Context, n int) error {
	chat, err := c.session.Chat()
	if err != nil {
		return err
	}
	branch := history.Branch(&chat, n, c.now())
	var warnings []history.Warning
	if store := c.opts.Store; branch.Turns() == 0 {
		branch.Epoch = 0 // set with its first message
	} else if store != nil {
		if warnings, err = store.Save(&branch); err != nil {
			return err
		}
	}
	from := c.Chat
	if err := c.load(ctx, from, c.newChat(), branch, warnings); err != nil {
		return err
	}
	c.Attach(from.Attached()...) // the branch continues this chat, so its attachments move
	from.Sent()
	return nil
}

// Active returns how the active note is treated: Off, Follow, or the path of a note.
func (c *Chat) Active() string {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	return c.active
}

func (c *Chat) storeActive(active string) {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	c.active = active
}

// Chosen returns Active if this chat differs from the default, else "".
func (c *Chat) Chosen() string {
	if c.active == c.desk.opts.Active {
		return ""
	}
	return c.active
}

// ActiveNote returns the note that counts as open, and whether it goes with the next turn.
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

// SetActive sets how the active note is treated and saves that with the chat.
func (c *Chat) SetActive(active string) error {
	c.storeActive(active)
	return c.session.SetActive(active)
}

// Attached returns what the person attached to the next turn.
func (c *Chat) Attached() []prompt.Ref {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	return slices.Clone(c.attach)
}

// Attach attaches references to the next turn. Those that are attached already keep their place.
func (c *Chat) Attach(refs ...prompt.Ref) {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	for _, r := range refs {
		if !slices.Contains(c.attach, r) {
			c.attach = append(c.attach, r)
		}
	}
}

// Drop removes a reference from the next turn and reports whether it was attached.
func (c *Chat) Drop(ref prompt.Ref) bool {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	n := len(c.attach)
	c.attach = slices.DeleteFunc(c.attach, func(r prompt.Ref) bool { return r == ref })
	return len(c.attach) < n
}

// Input returns the input of the next turn with this text, as values. Invalid UTF-8 becomes U+FFFD, and white space
// at the end is removed.
func (c *Chat) Input(text string) chains.Input {
	text = strings.TrimRightFunc(strings.ToValidUTF8(text, "\uFFFD"), unicode.IsSpace)
	in := chains.Input{Text: text, Typed: !c.desk.opts.Setup.FromPipe, Attach: c.Attached()}
	note, goes := c.ActiveNote()
	if note.Path != "" {
		in.Open = prompt.NoteRef(note.Path)
	}
	for _, p := range c.desk.State().Pins {
		in.Pinned = append(in.Pinned, prompt.NoteRef(p.Path))
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

// Carry attaches what the person attached to the last turn, if its reply broke off or never came. It returns the
// references that were not attached already.
func (c *Chat) Carry() []prompt.Ref {
	n := len(c.Attached())
	c.Attach(c.session.Snapshot().BrokenOff...)
	return c.Attached()[n:]
}

// CarriedNotice returns the notice that references were attached again.
func CarriedNotice(refs []prompt.Ref) chains.Notice {
	return chains.Notice{
		Kind: "carried",
		Text: "The last turn broke off, so what it carried goes with the next one: " + prompt.JoinIDs(refs),
	}
}

// Retry returns the last turn to run again, once it is ranged over. A model that is not nil answers this turn only.
// The attachments of the broken turn go with it, and no longer with the next one; taken lists those.
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

// Sent clears the attachments after the turn was sent, because the conversation knows them now.
func (c *Chat) Sent() {
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	c.attach = nil
}

// Rename sets the title of the chat and renames its file, if it has one.
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
	return c.session.SetTitle(title)
}
