package state_test

import (
	"fmt"
	"slices"
	"strings"
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
		{
			Kind: state.WorkspaceRead, At: at, Active: vault.ActiveNote{Path: "Beds.md"},
			Tabs: []vault.Path{"Beds.md", "Rota.md"},
		},
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

// applied is the name of a case, the events => the active note | the pins | the tabs, and
// the vault if it is another.
const applied = `
nothing: =>  | [] | []
workspace: read => a.md | [a.md b.md] | [a.md c.md]
opened again, to front: TAB_OPENED a.md, TAB_OPENED b.md, TAB_OPENED a.md =>  | [] | [a.md b.md]
closed: TAB_OPENED a.md, TAB_OPENED b.md, TAB_CLOSED b.md =>  | [] | [a.md]
own tabs outlive a read: TAB_OPENED x.md, read, WORKSPACE_READ c.md =>  | [] | [x.md c.md]
the least recent one out: TAB_OPENED 00.md, TAB_OPENED 01.md, TAB_OPENED 02.md, TAB_OPENED 03.md, TAB_OPENED 04.md, TAB_OPENED 05.md, TAB_OPENED 06.md, TAB_OPENED 07.md, TAB_OPENED 08.md, TAB_OPENED 09.md, TAB_OPENED 10.md, TAB_OPENED 11.md, TAB_OPENED 12.md, TAB_OPENED 13.md, TAB_OPENED 14.md, TAB_OPENED 15.md, TAB_OPENED 16.md, TAB_OPENED 17.md, TAB_OPENED 18.md, TAB_OPENED 19.md, TAB_OPENED 20.md =>  | [] | [20.md 19.md 18.md 17.md 16.md 15.md 14.md 13.md 12.md 11.md 10.md 09.md 08.md 07.md 06.md 05.md 04.md 03.md 02.md 01.md]
unpinned: read, NOTE_UNPINNED a.md => a.md | [b.md] | [a.md c.md]
pinned once: read, NOTE_PINNED a.md => a.md | [a.md b.md] | [a.md c.md]
cleared: read, ACTIVE_NOTE_CLEARED =>  | [a.md b.md] | [a.md c.md]
set: ACTIVE_NOTE_SET - z.md => z.md | [] | []
deleted: read, NOTE_DELETED a.md =>  | [a.md b.md] | [c.md]
renamed over another: read, NOTE_RENAMED a.md b.md => b.md | [b.md] | [b.md c.md]
another vault: read, VAULT_SWITCHED shed =>  | [] | [] shed
files: read, files => d/a.md | [d/a.md b.md] | [d/a.md]
`

func TestApply(t *testing.T) {
	at := time.Unix(1000, 0)
	read := state.Event{
		Kind: state.WorkspaceRead, At: at, Active: vault.ActiveNote{Path: "a.md"},
		Pins: []vault.Pin{{Path: "a.md"}, {Path: "b.md"}}, Tabs: []vault.Path{"a.md", "c.md"},
	}
	for line := range strings.Lines(strings.TrimSpace(applied)) {
		name, row, _ := strings.Cut(strings.TrimSpace(line), ": ")
		happens, want, _ := strings.Cut(row, "=> ")
		s := state.State{Vault: "garden"}
		for event := range strings.SplitSeq(happens, ", ") {
			words := append(strings.Fields(event), "", "", "")
			p, to := vault.Path(words[1]), vault.Path(words[2])
			events := []state.Event{
				{
					Kind: state.Kind(words[0]), At: at, Path: p, To: to, Source: state.Wikilink, Vault: words[1],
					Active: vault.ActiveNote{Path: to}, Tabs: []vault.Path{p},
				},
			}
			switch words[0] {
			case "":
				continue
			case "read":
				events = []state.Event{read}
			case "files":
				events = state.EventsOf([]vault.Change{
					{Op: vault.Created, Path: "n.md"},
					{Op: vault.Removed, Path: "c.md"},
					{Op: vault.Renamed, From: "a.md", Path: "d/a.md"},
					{Op: vault.Modified, Path: "b.md"},
				}, at)
			}
			for _, e := range events {
				s = state.Apply(s, e)
			}
		}
		got := fmt.Sprintf("%s | %s | %s %s", s.Active.Path, list(pathsOf(s.Pins)), list(tabsOf(s.Tabs)),
			strings.TrimPrefix(s.Vault, "garden"))
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: %s, want %s", name, got, want)
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
			if gone && (s.Active.Path == e.Path || e.Kind == state.NoteRenamed && slices.Contains(pins, e.Path) ||
				slices.Contains(tabs, e.Path)) {
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

func list(paths []vault.Path) string { return fmt.Sprint(paths) }

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
	want := []string{
		"ACTIVE_NOTE_SET b.md 1m0s", "NOTE_UNPINNED p.md", "NOTE_PINNED r.md 1h0m0s", "TAB_CLOSED t.md", "TAB_OPENED u.md",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if e := state.EventsBetween(after, state.State{Pins: after.Pins, Tabs: after.Tabs}); len(e) != 1 ||
		e[0].Kind != state.ActiveCleared {
		t.Errorf("%v", e)
	}
	if e := state.EventsBetween(after, after); e != nil {
		t.Errorf("%v", e)
	}
}
