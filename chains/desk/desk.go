package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/context/gather"
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

// Options make a desk.
type Options struct {
	Vault    *vault.Vault
	Gather   *gather.Gatherer
	Store    *history.Store // nil keeps no chat
	StateDir string         // where editors leave their signals
	Session  chains.Options // for every conversation begun here
	Active   string         // Off, Follow (also "") or a note
	Attach   []prompt.Ref   // goes with the first turn

	// Instructions reads L1 for a conversation that begins, from a project folder
	// ("" for none); nil keeps what Session has.
	Instructions func(ctx context.Context, project string) (prompt.Instructions, []prompt.Missing)
	Project      string // folder of the project that conversations begin in, "" for none

	// Model gives the options of another model, for /model; nil if there is none to choose.
	Model func(ctx context.Context, name string) (chains.Options, error)
	// Models lists the names that Model takes.
	Models func(ctx context.Context) ([]string, error)
}

// Desk is a conversation and what goes with its next turn.
type Desk struct {
	opts    Options
	session *chains.Session
	notices []chains.Notice // of the last opening
	attach  []prompt.Ref
	active  string
	around  Around
	read    time.Time // when the instructions were read
}

// Around is what the editor has open, at one moment.
type Around struct {
	Active vault.ActiveNote
	Pins   []vault.Pin
	Tabs   []vault.Path

	// Again says that the workspace was being written: what was known before
	// still stands here, and another look is due after 50, 200 and 1000 ms.
	Again bool
}

// New sits down at a new conversation.
func New(o Options) *Desk {
	d := &Desk{opts: o, active: o.Active, attach: slices.Clone(o.Attach)}
	if d.active == "" {
		d.active = Follow
	}
	d.New()
	return d
}

// Session is the conversation on the desk.
func (d *Desk) Session() *chains.Session { return d.session }

// Models lists the names that /model takes; none without a server to ask.
func (d *Desk) Models(ctx context.Context) ([]string, error) {
	if d.opts.Models == nil {
		return nil, nil
	}
	return d.opts.Models(ctx)
}

// Notices is what there was to say when the conversation was opened.
func (d *Desk) Notices() []chains.Notice { return d.notices }

// New clears the desk for a new conversation; what is attached stays.
func (d *Desk) New() {
	d.release()
	o := d.opts.Session
	d.session, d.notices = chains.NewSession(o), nil
}

// Instruct begins the conversation on the desk again with freshly read
// instructions. It is for the start: it forgets what was said.
func (d *Desk) Instruct(ctx context.Context) {
	notices := d.instruct(ctx)
	d.New()
	d.notices = notices
}

// instruct reads the instructions anew for the next conversation and returns
// what is missing.
func (d *Desk) instruct(ctx context.Context) []chains.Notice {
	if d.opts.Instructions == nil {
		return nil
	}
	in, missing := d.opts.Instructions(ctx, d.opts.Project)
	d.opts.Session.Instructions, d.read = in, d.now()
	var notices []chains.Notice
	for _, m := range missing {
		notices = append(notices, chains.Notice{Kind: "instructions", Text: m.Reason})
	}
	return notices
}

// release gives up the lock of the chat on the desk.
func (d *Desk) release() {
	if d.session == nil || d.opts.Store == nil {
		return
	}
	if c, err := d.session.Chat(); err == nil && c.Path != "" {
		_ = d.opts.Store.Release(&c) // at worst the chat is read-only elsewhere until this process ends
	}
}

// Open takes a saved chat, named by its path or its title, onto the desk.
func (d *Desk) Open(ctx context.Context, name string) error {
	if d.opts.Store == nil {
		return errors.New("chats are not kept in this session (--no-save)")
	}
	before, _ := d.session.Chat()
	d.release()
	chat, warnings, err := d.opts.Store.OpenAny(ctx, name)
	if err != nil {
		if before.Path != "" {
			_, _, _ = d.opts.Store.Open(before.Path) // take the lock back
		}
		return err
	}
	return d.take(ctx, chat, warnings)
}

// take makes chat the conversation on the desk.
func (d *Desk) take(ctx context.Context, chat history.Chat, warnings []history.Warning) error {
	if _, err := d.opts.Vault.Revalidate(ctx); err != nil {
		return err
	}
	notices := d.instruct(ctx)
	chat, resolved := history.Resolve(&chat, history.InVault(d.opts.Vault, d.opts.Gather.Revision))
	for _, w := range warnings {
		notices = append(notices, chains.Notice{Kind: w.Kind, Text: w.Text})
	}
	for _, r := range resolved {
		if w, ok := r.Warning(); ok && !slices.ContainsFunc(notices, func(n chains.Notice) bool { return n.Text == w.Text }) {
			notices = append(notices, chains.Notice{Kind: w.Kind, Text: w.Text})
		}
	}
	o := d.opts.Session
	if chat.Layout != "" {
		o.Layout = prompt.Layout(chat.Layout)
	}
	s, more, err := chains.Reopen(ctx, o, chat)
	if err != nil {
		return err
	}
	for _, n := range more {
		// A note that is gone was named when its path was resolved.
		if n.Kind == "changed_note" || n.Kind == "private_note" || len(resolved) == 0 {
			notices = append(notices, n)
		}
	}
	d.session, d.notices = s, notices
	if chat.Active != "" {
		d.active = chat.Active
	}
	return nil
}

// Branch copies the conversation up to its n-th message into a chat of its own
// and goes on there; n = 0 takes all of it.
func (d *Desk) Branch(ctx context.Context, n int) error {
	chat, err := d.session.Chat()
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
	if n < 0 || n > total {
		return fmt.Errorf("there are %d messages: /branch N takes 1 to %d", total, total)
	}
	branch := history.Branch(&chat, n, d.now())
	var warnings []history.Warning
	if d.opts.Store != nil {
		if warnings, err = d.opts.Store.Save(&branch); err != nil {
			return err
		}
	}
	d.release()
	return d.take(ctx, branch, warnings)
}

// Look finds out what the editor has open. It reads files and changes nothing:
// SetAround takes what it found.
func (d *Desk) Look(now time.Time) (Around, error) {
	dir := d.opts.Vault.Dir()
	var a Around
	signal, _, err := vault.ReadSignal(d.opts.StateDir, dir)
	ws, wsErr := vault.ReadWorkspace(os.DirFS(dir))
	if errors.Is(wsErr, vault.ErrNotYet) {
		wsErr, a.Again = nil, true // what was there before still holds
		ws = vault.Workspace{Active: d.around.Active.Path, When: d.around.Active.When, Tabs: d.around.Tabs}
	}
	own, pinErr := vault.ReadPins(os.DirFS(dir))
	a.Active = vault.ResolveActive(vault.Signal{}, signal, ws, now)
	a.Pins = vault.MergePins(own, ws.Pins)
	a.Tabs = ws.Tabs
	return a, errors.Join(err, wsErr, pinErr)
}

// SetAround takes what Look found.
func (d *Desk) SetAround(a Around) { d.around = a }

// Around is what the editor has open, as SetAround was told last.
func (d *Desk) Around() Around { return d.around }

// Active is how the active note is treated: Off, Follow, or a path.
func (d *Desk) Active() string { return d.active }

// ActiveNote is the note that counts as open, and whether it goes with the next turn.
func (d *Desk) ActiveNote() (note vault.ActiveNote, goes bool) {
	switch d.active {
	case Off:
		return d.around.Active, false
	case Follow:
		return d.around.Active, d.around.Active.Path != "" && d.around.Active.Live
	}
	return vault.ActiveNote{Path: vault.Path(d.active), Source: "ibid", Live: true}, true
}

// SetActive chooses how the active note is treated and keeps the choice with the chat.
func (d *Desk) SetActive(active string) error {
	d.active = active
	_, err := d.session.SetActive(active)
	return err
}

// Attached lists what was attached by hand to the next turn.
func (d *Desk) Attached() []prompt.Ref { return slices.Clone(d.attach) }

// Attach adds to the next turn; what is there already stays where it is.
func (d *Desk) Attach(refs ...prompt.Ref) {
	for _, r := range refs {
		if !slices.Contains(d.attach, r) {
			d.attach = append(d.attach, r)
		}
	}
}

// Drop takes something off the next turn; it reports whether it was there.
func (d *Desk) Drop(ref prompt.Ref) bool {
	n := len(d.attach)
	d.attach = slices.DeleteFunc(d.attach, func(r prompt.Ref) bool { return r == ref })
	return len(d.attach) < n
}

// Input is the next turn with this text, as values. Bytes that are no text
// become U+FFFD.
func (d *Desk) Input(text string) chains.Input {
	in := chains.Input{Text: strings.ToValidUTF8(text, "\uFFFD"), Attach: slices.Clone(d.attach)}
	note, goes := d.ActiveNote()
	if note.Path != "" {
		in.Open = prompt.Ref{Kind: prompt.Note, ID: string(note.Path)}
	}
	if goes {
		in.Active = in.Open
	}
	for _, p := range d.around.Pins {
		in.Pins = append(in.Pins, prompt.Ref{Kind: prompt.Note, ID: string(p.Path)})
	}
	in.Pinned = in.Pins
	return in
}

// Sent clears what was attached by hand: the conversation knows it now.
func (d *Desk) Sent() { d.attach = nil }

// Rename names the chat; if it is saved, its file too.
func (d *Desk) Rename(title string) error {
	chat, err := d.session.Chat()
	if err != nil {
		return err
	}
	if chat.Path != "" && d.opts.Store != nil {
		if _, err := d.opts.Store.Rename(chat.Path, title); err != nil {
			return err
		}
	}
	_, err = d.session.SetTitle(title)
	return err
}

func (d *Desk) now() time.Time {
	if d.opts.Session.Now != nil {
		return d.opts.Session.Now()
	}
	return time.Now()
}
