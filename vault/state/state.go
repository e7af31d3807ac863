package state

import (
	"slices"
	"time"

	"ibid/vault"
)

// MaxTabs is the number of open notes that are remembered; the least recently used one is dropped.
const MaxTabs = 20

// State is the workspace at one instant. The zero value is that of an unknown vault.
type State struct {
	Vault   string           // identity of the vault, for example its folder
	Active  vault.ActiveNote // zero if there is none
	Pins    []vault.Pin      // in the order in which they were made, without duplicates
	Tabs    []Tab            // last used first, without duplicates, at most MaxTabs
	Updated time.Time        // time of the last event
}

// Tab is an open note.
type Tab struct {
	Path   vault.Path
	Source Source
	Used   time.Time
}

// Source is the way in which a note was opened.
type Source string

// The sources.
const (
	Search     Source = "search"
	Wikilink   Source = "wikilink"
	Navigation Source = "navigation" // a list, or a command
	History    Source = "history"
	Workspace  Source = "workspace" // a tab of Obsidian
)

// Kind is the kind of an event.
type Kind string

// The kinds of events, with the fields that they use.
const (
	ActiveSet     Kind = "ACTIVE_NOTE_SET"     // Active
	ActiveCleared Kind = "ACTIVE_NOTE_CLEARED" //
	NotePinned    Kind = "NOTE_PINNED"         // Path, At
	NoteUnpinned  Kind = "NOTE_UNPINNED"       // Path
	TabOpened     Kind = "TAB_OPENED"          // Path, Source; also for using an open tab again
	TabClosed     Kind = "TAB_CLOSED"          // Path
	NoteRenamed   Kind = "NOTE_RENAMED"        // Path, To
	NoteDeleted   Kind = "NOTE_DELETED"        // Path; the pin stays in case the note comes back
	VaultSwitched Kind = "VAULT_SWITCHED"      // Vault
	WorkspaceRead Kind = "WORKSPACE_READ"      // Active, Pins, Tabs: the complete present state of these
)

// EqualExceptTimes reports whether two states are equal except for their times.
func (s State) EqualExceptTimes(o State) bool {
	return s.Vault == o.Vault && s.Active == o.Active && slices.Equal(s.Pins, o.Pins) &&
		slices.EqualFunc(s.Tabs, o.Tabs, func(a, b Tab) bool { return a.Path == b.Path && a.Source == b.Source })
}

// Event is a change of the workspace. Its Kind says which fields it uses.
type Event struct {
	Kind   Kind
	At     time.Time
	Vault  string
	Path   vault.Path
	To     vault.Path // present path of the note
	Source Source
	Active vault.ActiveNote
	Pins   []vault.Pin
	Tabs   []vault.Path // tabs of Obsidian, in its order
}

// EventsOf returns the events for changes of the vault's files.
func EventsOf(changes []vault.Change, at time.Time) []Event {
	var events []Event
	for _, c := range changes {
		switch c.Op {
		case vault.Renamed:
			events = append(events, Event{Kind: NoteRenamed, At: at, Path: c.From, To: c.Path})
		case vault.Removed:
			events = append(events, Event{Kind: NoteDeleted, At: at, Path: c.Path})
		case vault.Created, vault.Modified:
		}
	}
	return events
}

// EventsBetween returns the events that lead from before to after: for the active note, pins and tabs. A
// renamed note counts as one closed and one opened.
func EventsBetween(before, after State) []Event {
	var events []Event
	add := func(e Event) {
		e.At = after.Updated
		events = append(events, e)
	}
	switch {
	case before.Active.Path == after.Active.Path && before.Active.Source == after.Active.Source:
	case after.Active.Path == "":
		add(Event{Kind: ActiveCleared})
	default:
		add(Event{Kind: ActiveSet, Path: after.Active.Path, Active: after.Active})
	}
	pinned := func(pins []vault.Pin, path vault.Path) bool {
		return slices.ContainsFunc(pins, func(p vault.Pin) bool { return p.Path == path })
	}
	for _, p := range before.Pins {
		if !pinned(after.Pins, p.Path) {
			add(Event{Kind: NoteUnpinned, Path: p.Path})
		}
	}
	for _, p := range after.Pins {
		if !pinned(before.Pins, p.Path) {
			add(Event{Kind: NotePinned, Path: p.Path, Pins: []vault.Pin{p}})
		}
	}
	open := func(tabs []Tab, path vault.Path) bool {
		return slices.ContainsFunc(tabs, func(t Tab) bool { return t.Path == path })
	}
	for _, t := range before.Tabs {
		if !open(after.Tabs, t.Path) {
			add(Event{Kind: TabClosed, Path: t.Path, Source: t.Source})
		}
	}
	for _, t := range after.Tabs {
		if !open(before.Tabs, t.Path) {
			add(Event{Kind: TabOpened, Path: t.Path, Source: t.Source})
		}
	}
	return events
}

// Since returns the time when the state that e reports began, the zero time if e does not say.
func (e Event) Since() time.Time {
	switch {
	case e.Kind == ActiveSet:
		return e.Active.When
	case e.Kind == NotePinned && len(e.Pins) == 1:
		return e.Pins[0].PinnedAt
	}
	return time.Time{}
}

// Apply returns the state after e in s.
func Apply(s State, e Event) State {
	s.Updated = e.At
	switch e.Kind {
	case ActiveSet:
		s.Active = e.Active
	case ActiveCleared:
		s.Active = vault.ActiveNote{}
	case NotePinned:
		s.Pins = vault.MergePins(append(slices.Clip(s.Pins), vault.Pin{Path: e.Path, PinnedAt: e.At}))
	case NoteUnpinned:
		s.Pins = withoutDropped(s.Pins, func(p vault.Pin) bool { return p.Path == e.Path })
	case TabOpened:
		s.Tabs = recentTabs(append([]Tab{{Path: e.Path, Source: e.Source, Used: e.At}}, s.Tabs...))
	case NoteRenamed:
		s.rename(e.Path, e.To)
	case TabClosed, NoteDeleted:
		if e.Kind == NoteDeleted && s.Active.Path == e.Path {
			s.Active = vault.ActiveNote{}
		}
		s.Tabs = withoutDropped(s.Tabs, func(t Tab) bool { return t.Path == e.Path })
	case VaultSwitched:
		s = State{Vault: e.Vault, Updated: e.At}
	case WorkspaceRead:
		s.Active, s.Pins = e.Active, vault.MergePins(e.Pins)
		s.applyTabs(e)
	}
	return s
}

// rename replaces the path of a renamed note.
func (s *State) rename(from, to vault.Path) {
	moved := func(p *vault.Path) {
		if *p == from {
			*p = to
		}
	}
	s.Pins, s.Tabs = slices.Clone(s.Pins), slices.Clone(s.Tabs)
	moved(&s.Active.Path)
	for i := range s.Pins {
		moved(&s.Pins[i].Path)
	}
	for i := range s.Tabs {
		moved(&s.Tabs[i].Path)
	}
	s.Pins, s.Tabs = vault.MergePins(s.Pins), recentTabs(s.Tabs)
}

// applyTabs applies Obsidian's tabs: it removes those that Obsidian closed, and appends the new ones.
func (s *State) applyTabs(e Event) {
	s.Tabs = withoutDropped(s.Tabs, func(t Tab) bool {
		return t.Source == Workspace && !slices.Contains(e.Tabs, t.Path)
	})
	for _, p := range e.Tabs {
		s.Tabs = append(s.Tabs, Tab{Path: p, Source: Workspace, Used: e.At})
	}
	s.Tabs = recentTabs(s.Tabs)
}

// recentTabs returns the first MaxTabs of tabs, without duplicates.
func recentTabs(tabs []Tab) []Tab {
	var out []Tab
	for _, t := range tabs {
		if len(out) < MaxTabs && !slices.ContainsFunc(out, func(o Tab) bool { return o.Path == t.Path }) {
			out = append(out, t)
		}
	}
	return out
}

// withoutDropped returns a copy of list without the elements for which drop is true.
func withoutDropped[T any](list []T, drop func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), drop)
}
