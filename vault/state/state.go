package state

import (
	"slices"
	"time"

	"ibid/vault"
)

// MaxTabs is how many open notes are remembered; the one used least recently goes.
const MaxTabs = 20

// State is the workspace at one instant. The zero value is a vault of which
// nothing is known.
type State struct {
	Vault   string           // identity of the vault, such as its folder
	Active  vault.ActiveNote // zero if there is none
	Pins    []vault.Pin      // in the order in which they were made, each note once
	Tabs    []Tab            // used last in front, each note once, at most MaxTabs
	Updated time.Time        // of the last event
}

// Tab is a note that is open.
type Tab struct {
	Path   vault.Path
	Source Source
	Used   time.Time
}

// Source says how a note came to be open.
type Source string

// The sources.
const (
	Search     Source = "search"
	Wikilink   Source = "wikilink"
	Navigation Source = "navigation" // a list, or a command
	History    Source = "history"
	Workspace  Source = "workspace" // a tab of Obsidian
)

// Kind says what happened.
type Kind string

// The kinds of events.
const (
	ActiveSet     Kind = "ACTIVE_NOTE_SET"     // Active
	ActiveCleared Kind = "ACTIVE_NOTE_CLEARED" //
	NotePinned    Kind = "NOTE_PINNED"         // Path, At
	NoteUnpinned  Kind = "NOTE_UNPINNED"       // Path
	TabOpened     Kind = "TAB_OPENED"          // Path, Source; also a tab that is used again
	TabClosed     Kind = "TAB_CLOSED"          // Path
	NoteRenamed   Kind = "NOTE_RENAMED"        // Path, To
	NoteDeleted   Kind = "NOTE_DELETED"        // Path; its pin stays for the day the note comes back
	VaultSwitched Kind = "VAULT_SWITCHED"      // Vault
	WorkspaceRead Kind = "WORKSPACE_READ"      // Active, Pins, Tabs: what is known about all of it now
)

// Same reports whether two states differ in nothing but when they came to be.
func (s State) Same(o State) bool {
	when := func(t Tab) Tab {
		t.Used = time.Time{}
		return t
	}
	return s.Vault == o.Vault && s.Active == o.Active && slices.Equal(s.Pins, o.Pins) &&
		slices.EqualFunc(s.Tabs, o.Tabs, func(a, b Tab) bool { return when(a) == when(b) })
}

// Event is one thing that happened. Its Kind says which fields count.
type Event struct {
	Kind   Kind
	At     time.Time
	Vault  string
	Path   vault.Path
	To     vault.Path // where the note is now
	Source Source
	Active vault.ActiveNote
	Pins   []vault.Pin
	Tabs   []vault.Path // of Obsidian, in its order
}

// EventsOf is the events of changes to the vault's files.
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

// EventsBetween is the events by which after differs from before: the note that is open,
// pins and tabs. A note that was renamed counts as one that went and one that came.
func EventsBetween(before, after State) []Event {
	var events []Event
	at := after.Updated
	switch {
	case before.Active.Path == after.Active.Path && before.Active.Source == after.Active.Source:
	case after.Active.Path == "":
		events = append(events, Event{Kind: ActiveCleared, At: at})
	default:
		events = append(events, Event{Kind: ActiveSet, At: at, Path: after.Active.Path, Active: after.Active})
	}
	pinned := func(pins []vault.Pin, path vault.Path) bool {
		return slices.ContainsFunc(pins, func(p vault.Pin) bool { return p.Path == path })
	}
	for _, p := range before.Pins {
		if !pinned(after.Pins, p.Path) {
			events = append(events, Event{Kind: NoteUnpinned, At: at, Path: p.Path})
		}
	}
	for _, p := range after.Pins {
		if !pinned(before.Pins, p.Path) {
			events = append(events, Event{Kind: NotePinned, At: at, Path: p.Path, Pins: []vault.Pin{p}})
		}
	}
	open := func(tabs []Tab, path vault.Path) bool {
		return slices.ContainsFunc(tabs, func(t Tab) bool { return t.Path == path })
	}
	for _, t := range before.Tabs {
		if !open(after.Tabs, t.Path) {
			events = append(events, Event{Kind: TabClosed, At: at, Path: t.Path, Source: t.Source})
		}
	}
	for _, t := range after.Tabs {
		if !open(before.Tabs, t.Path) {
			events = append(events, Event{Kind: TabOpened, At: at, Path: t.Path, Source: t.Source})
		}
	}
	return events
}

// Since is when what e tells began, as far as it says so; else it is zero.
func (e Event) Since() time.Time {
	switch {
	case e.Kind == ActiveSet:
		return e.Active.When
	case e.Kind == NotePinned && len(e.Pins) == 1:
		return e.Pins[0].PinnedAt
	}
	return time.Time{}
}

// Apply is s after e.
func Apply(s State, e Event) State {
	s.Updated = e.At
	switch e.Kind {
	case ActiveSet:
		s.Active = e.Active
	case ActiveCleared:
		s.Active = vault.ActiveNote{}
	case NotePinned:
		s.Pins = vault.MergePins(append(slices.Clip(s.Pins), vault.Pin{Path: e.Path, PinnedAt: e.At}), nil)
	case NoteUnpinned:
		s.Pins = withoutDropped(s.Pins, func(p vault.Pin) bool { return p.Path == e.Path })
	case TabOpened:
		s.Tabs = recentTabs(append([]Tab{{Path: e.Path, Source: e.Source, Used: e.At}}, s.Tabs...))
	case TabClosed:
		s.Tabs = withoutDropped(s.Tabs, func(t Tab) bool { return t.Path == e.Path })
	case NoteRenamed:
		s.rename(e.Path, e.To)
	case NoteDeleted:
		if s.Active.Path == e.Path {
			s.Active = vault.ActiveNote{}
		}
		s.Tabs = withoutDropped(s.Tabs, func(t Tab) bool { return t.Path == e.Path })
	case VaultSwitched:
		s = State{Vault: e.Vault, Updated: e.At}
	case WorkspaceRead:
		s.Active, s.Pins = e.Active, vault.MergePins(e.Pins, nil)
		s.read(e)
	}
	return s
}

// rename follows a note.
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
	s.Pins, s.Tabs = vault.MergePins(s.Pins, nil), recentTabs(s.Tabs)
}

// read takes over Obsidian's tabs: those that it closed go, and the new ones come
// behind what is known.
func (s *State) read(e Event) {
	s.Tabs = withoutDropped(s.Tabs, func(t Tab) bool { return t.Source == Workspace && !slices.Contains(e.Tabs, t.Path) })
	for _, p := range e.Tabs {
		s.Tabs = append(s.Tabs, Tab{Path: p, Source: Workspace, Used: e.At})
	}
	s.Tabs = recentTabs(s.Tabs)
}

// recentTabs is the first MaxTabs of tabs, each note once.
func recentTabs(tabs []Tab) []Tab {
	var out []Tab
	for _, t := range tabs {
		if len(out) < MaxTabs && !slices.ContainsFunc(out, func(o Tab) bool { return o.Path == t.Path }) {
			out = append(out, t)
		}
	}
	return out
}

// withoutDropped is a copy of list without what drop says.
func withoutDropped[T any](list []T, drop func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), drop)
}
