package chatview

import (
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/calltext"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/page"
	"ibid/vault"
	"ibid/vault/usage"
)

// State is the state of a chat at the desk after a job.
type State struct {
	Chat      chains.Snapshot
	Attached  []prompt.Ref
	Active    string           // desk.Off, desk.Follow or a path
	chosen    string           // how the active note is treated, "" for the default
	Note      vault.ActiveNote // the active note
	SendsNote bool             // Note goes with the next turn
	Pins      []vault.Pin
	Policy    *chains.Policy       // for changes that the model proposes; safe for concurrent use
	Writes    bool                 // the model may propose changes
	Again     bool                 // the workspace file was being written
	pages     map[string]time.Time // when pages were fetched, by URL
	lifetime  time.Duration
	Window    int
	Price     chains.Price  // of the model
	NoBlocks  string        // why blocks in replies do not propose to write notes, "" if they do
	NoMemory  string        // why the model cannot change the memory note, "" if it can
	Prompts   []desk.Prompt // saved prompts
	Tools     []string      // names of the tools for models
	UsedWith  *usage.Counts // notes that were used together with Note; nil suggests nothing
}

// Actions returns a drawer for the blocks of replies, nil if they propose nothing.
func (s *State) Actions() *calltext.BlockReader {
	if s.NoBlocks != "" {
		return nil
	}
	return calltext.NewBlockDrawer()
}

// Follows reports whether the active note may go with the next turn.
func (s *State) Follows() bool { return s.Active != desk.Off }

// HasPrompt reports whether a command is a saved prompt.
func (s *State) HasPrompt(word string) bool {
	return slices.ContainsFunc(s.Prompts, func(p desk.Prompt) bool {
		return p.Word != "" && strings.EqualFold(p.Word, word)
	})
}

// StateOf returns the current state of the chat of a place.
func StateOf(d *desk.Place) State {
	s := State{
		Chat: d.Session().Snapshot(), Attached: d.Attached(), Active: d.Active(), chosen: d.Chosen(),
		Pins: d.State().Pins, Again: d.Again(), pages: d.Pages(), Prompts: d.Prompts().List(),
	}
	s.Note, s.SendsNote = d.ActiveNote()
	o := d.Session().Options()
	s.lifetime, s.Window, s.Price = o.Cache.Lifetime, o.Window, o.Price()
	s.Policy = d.Session().Policy()
	s.Writes = slices.ContainsFunc(o.Tools.List, func(t chains.Tool) bool { return t.Spec().Writes })
	s.NoBlocks, s.NoMemory = o.NoBlocks(s.Chat.Chain), o.NoMemory(s.Chat.Chain)
	for _, t := range o.Tools.List {
		s.Tools = append(s.Tools, t.Spec().Name)
	}
	if used := desk.UsageOf(d); used != nil && !used.Off.Load() {
		with := used.CountsFor(s.Note.Path)
		s.UsedWith = &with
	}
	return s
}

// samePrice reports whether the next turn carries the same things.
func (s *State) samePrice(o *State) bool {
	return s.Note.Path == o.Note.Path && s.SendsNote == o.SendsNote && s.Active == o.Active &&
		s.Chat.Model == o.Chat.Model && s.Chat.Layout == o.Chat.Layout && slices.Equal(s.Attached, o.Attached) &&
		slices.EqualFunc(s.Pins, o.Pins, func(a, b vault.Pin) bool { return a.Path == b.Path })
}

// Pinned reports whether a note goes with every turn.
func (s *State) Pinned(p vault.Path) bool {
	return slices.ContainsFunc(s.Pins, func(pin vault.Pin) bool { return pin.Path == p })
}

// ActiveTreatment returns how the user chose to treat the active note in a chat that has not begun. A chat that
// has begun is saved with that choice, and Treats returns "".
func (s *State) ActiveTreatment() string {
	if s.Chat.Epoch != 0 {
		return ""
	}
	return s.chosen
}

// NextActive switches the treatment of the active note, in turn: off, follow, this note.
func (s *State) NextActive() page.Request {
	how := desk.Off
	switch {
	case s.Active == desk.Off:
		how = desk.Follow
	case s.Active == desk.Follow && s.Note.Path != "":
		how = string(s.Note.Path)
	}
	return page.Post{Msg: setActive(how, false)}
}
