package state_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ibid/vault"
	"ibid/vault/state"
)

func ExampleApply() {
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	s := state.State{Vault: "garden"}
	for _, e := range []state.Event{
		{Kind: state.WorkspaceRead, At: at, Active: vault.ActiveNote{Path: "Beds.md"}, Tabs: []vault.Path{"Beds.md", "Rota.md"}},
		{Kind: state.TabOpened, At: at, Path: "Bulbs.md", Source: state.Search},
		{Kind: state.NotePinned, At: at, Path: "Rota.md"},
		{Kind: state.NoteRenamed, At: at, Path: "Beds.md", To: "2026/Beds.md"},
	} {
		s = state.Apply(s, e)
	}
	fmt.Println(s.Active.Path, s.Pins[0].Path)
	for _, t := range s.Tabs {
		fmt.Println(t.Source, t.Path)
	}
	// Output:
	// 2026/Beds.md Rota.md
	// search Bulbs.md
	// workspace 2026/Beds.md
	// workspace Rota.md
}

func TestApply(t *testing.T) {
	at := time.Unix(1000, 0)
	open := func(paths ...vault.Path) (events []state.Event) {
		for _, p := range paths {
			events = append(events, state.Event{Kind: state.TabOpened, At: at, Path: p, Source: state.Wikilink})
		}
		return events
	}
	pins := state.Event{Kind: state.WorkspaceRead, At: at, Active: vault.ActiveNote{Path: "a.md"}, Pins: []vault.Pin{{Path: "a.md"}, {Path: "b.md"}}, Tabs: []vault.Path{"a.md", "c.md"}}
	var many []vault.Path
	for i := range state.MaxTabs + 1 {
		many = append(many, vault.Path(fmt.Sprintf("%02d.md", i)))
	}
	for name, tt := range map[string]struct {
		events []state.Event
		want   string
	}{
		"nothing":                  {nil, "  | | "},
		"workspace":                {[]state.Event{pins}, "a.md | a.md b.md | a.md c.md"},
		"opened again, to front":   {open("a.md", "b.md", "a.md"), " | | a.md b.md"},
		"closed":                   {append(open("a.md", "b.md"), state.Event{Kind: state.TabClosed, Path: "b.md"}), " | | a.md"},
		"own tabs outlive a read":  {append(open("x.md"), pins, state.Event{Kind: state.WorkspaceRead, Tabs: []vault.Path{"c.md"}}), " | | x.md c.md"},
		"the least recent one out": {open(many...), " | | " + list(reversed(many)[:state.MaxTabs])},
		"unpinned":                 {[]state.Event{pins, {Kind: state.NoteUnpinned, Path: "a.md"}}, "a.md | b.md | a.md c.md"},
		"pinned once":              {[]state.Event{pins, {Kind: state.NotePinned, Path: "a.md"}}, "a.md | a.md b.md | a.md c.md"},
		"cleared":                  {[]state.Event{pins, {Kind: state.ActiveCleared}}, " | a.md b.md | a.md c.md"},
		"set":                      {[]state.Event{{Kind: state.ActiveSet, Active: vault.ActiveNote{Path: "z.md"}}}, "z.md | | "},
		"deleted":                  {[]state.Event{pins, {Kind: state.NoteDeleted, Path: "a.md"}}, " | a.md b.md | c.md"},
		"renamed over another":     {[]state.Event{pins, {Kind: state.NoteRenamed, Path: "a.md", To: "b.md"}}, "b.md | b.md | b.md c.md"},
		"another vault":            {[]state.Event{pins, {Kind: state.VaultSwitched, Vault: "shed"}}, " | | "},
		"files": {append([]state.Event{pins}, state.EventsOf([]vault.Change{
			{Op: vault.Created, Path: "n.md"}, {Op: vault.Removed, Path: "c.md"}, {Op: vault.Renamed, From: "a.md", Path: "d/a.md"}, {Op: vault.Modified, Path: "b.md"},
		}, at)...), "d/a.md | d/a.md b.md | d/a.md"},
	} {
		s := state.State{Vault: "garden"}
		for _, e := range tt.events {
			s = state.Apply(s, e)
		}
		got := fmt.Sprintf("%s | %s | %s", s.Active.Path, list(pathsOf(s.Pins)), list(tabsOf(s.Tabs)))
		if trim(got) != trim(tt.want) {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
		if want := map[bool]string{true: "shed", false: "garden"}[name == "another vault"]; s.Vault != want {
			t.Errorf("%s: vault %s", name, s.Vault)
		}
	}
}

// Whatever happens: nothing is listed twice, no more than so many tabs are kept,
// what is gone is nowhere, and an earlier State stays as it was.
func TestProperties(t *testing.T) {
	kinds := []state.Kind{
		state.ActiveSet, state.ActiveCleared, state.NotePinned, state.NoteUnpinned, state.TabOpened,
		state.TabClosed, state.NoteRenamed, state.NoteDeleted, state.VaultSwitched, state.WorkspaceRead,
	}
	path := rapid.Custom(func(t *rapid.T) vault.Path {
		return vault.Path(fmt.Sprintf("%d.md", rapid.IntRange(0, 30).Draw(t, "path")))
	})
	rapid.Check(t, func(t *rapid.T) {
		var s state.State
		for i := range rapid.IntRange(1, 80).Draw(t, "events") {
			e := state.Event{
				Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), At: time.Unix(int64(i), 0), Vault: "v",
				Path: path.Draw(t, "of"), To: path.Draw(t, "to"), Source: state.Search,
				Active: vault.ActiveNote{Path: path.Draw(t, "active")}, Tabs: rapid.SliceOfN(path, 0, 25).Draw(t, "tabs"),
			}
			for _, p := range rapid.SliceOfN(path, 0, 5).Draw(t, "pins") {
				e.Pins = append(e.Pins, vault.Pin{Path: p})
			}
			before, copied := s, s
			copied.Pins, copied.Tabs = slices.Clone(s.Pins), slices.Clone(s.Tabs)
			s = state.Apply(s, e)
			if diff := cmp.Diff(copied, before); diff != "" {
				t.Fatalf("%s changed the State before it (-was +is)\n%s", e.Kind, diff)
			}
			pins, tabs := pathsOf(s.Pins), tabsOf(s.Tabs)
			for _, l := range [][]vault.Path{pins, tabs} {
				if len(slices.Compact(slices.Sorted(slices.Values(l)))) != len(l) {
					t.Fatalf("%s: listed twice: %s", e.Kind, list(l))
				}
			}
			gone := e.Kind == state.NoteDeleted || e.Kind == state.NoteRenamed && e.Path != e.To
			if gone && (s.Active.Path == e.Path || e.Kind == state.NoteRenamed && slices.Contains(pins, e.Path) || slices.Contains(tabs, e.Path)) {
				t.Fatalf("%s is still there: %+v", e.Path, s)
			}
			if len(tabs) > state.MaxTabs || e.Kind == state.TabOpened && tabs[0] != e.Path || s.Updated != e.At {
				t.Fatalf("%s: %d tabs, %s", e.Kind, len(tabs), list(tabs))
			}
		}
	})
}

func pathsOf(pins []vault.Pin) (paths []vault.Path) {
	for _, p := range pins {
		paths = append(paths, p.Path)
	}
	return paths
}

func tabsOf(tabs []state.Tab) (paths []vault.Path) {
	for _, t := range tabs {
		paths = append(paths, t.Path)
	}
	return paths
}

func reversed(paths []vault.Path) []vault.Path {
	paths = slices.Clone(paths)
	slices.Reverse(paths)
	return paths
}

func list(paths []vault.Path) string { return fmt.Sprint(paths) }

func trim(s string) string {
	return string(slices.DeleteFunc([]byte(s), func(c byte) bool { return c == ' ' || c == '[' || c == ']' }))
}

// TestBetween: each difference between two states has an event of its own kind, and
// equal states have none.
func TestBetween(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	before := state.State{
		Active: vault.ActiveNote{Path: "a.md", Source: "nvim"},
		Pins:   []vault.Pin{{Path: "p.md"}, {Path: "q.md"}},
		Tabs:   []state.Tab{{Path: "t.md"}},
	}
	after := state.State{
		Active: vault.ActiveNote{Path: "b.md", Source: "Obsidian", When: at.Add(-time.Minute)},
		Pins:   []vault.Pin{{Path: "q.md"}, {Path: "r.md", PinnedAt: at.Add(-time.Hour)}},
		Tabs:   []state.Tab{{Path: "u.md", Source: state.Workspace}}, Updated: at,
	}
	var got []string
	for _, e := range state.EventsBetween(before, after) {
		line := string(e.Kind) + " " + string(e.Path)
		if since := e.Since(); !since.IsZero() {
			line += " " + at.Sub(since).String()
		}
		got = append(got, line)
	}
	want := []string{"ACTIVE_NOTE_SET b.md 1m0s", "NOTE_UNPINNED p.md", "NOTE_PINNED r.md 1h0m0s", "TAB_CLOSED t.md", "TAB_OPENED u.md"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if e := state.EventsBetween(after, state.State{Pins: after.Pins, Tabs: after.Tabs}); len(e) != 1 || e[0].Kind != state.ActiveCleared {
		t.Errorf("%v", e)
	}
	if e := state.EventsBetween(after, after); e != nil {
		t.Errorf("%v", e)
	}
}
