package vault

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestResolveActive(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	signal := func(age time.Duration) Signal {
		return Signal{Path: "Editor.md", Line: 7, When: ago(age), Source: "nvim"}
	}
	ws := func(age time.Duration) Workspace { return Workspace{Active: "Obsidian.md", When: ago(age)} }
	fromWorkspace := func(age time.Duration, live bool) ActiveNote {
		return ActiveNote{Path: "Obsidian.md", Source: "Obsidian", When: ago(age), Live: live}
	}
	fromSignal := func(age time.Duration) ActiveNote {
		return ActiveNote{Path: "Editor.md", Line: 7, Source: "nvim", When: ago(age), Live: true}
	}
	tests := []struct {
		name     string
		explicit Signal
		signal   Signal
		ws       Workspace
		want     ActiveNote
	}{
		{"nothing", Signal{}, Signal{}, Workspace{}, ActiveNote{}},
		{"nothing open", Signal{}, Signal{}, Workspace{When: now, Tabs: []Path{"A.md"}}, ActiveNote{}},
		{"a choice in ibid", Signal{Path: "Mine.md", Line: 3}, signal(0), ws(0), ActiveNote{Path: "Mine.md", Line: 3, Source: "ibid", Live: true}},
		{"an editor that spoke last", Signal{}, signal(time.Minute), ws(2 * time.Minute), fromSignal(time.Minute)},
		{"Obsidian that wrote last", Signal{}, signal(2 * time.Minute), ws(time.Minute), fromWorkspace(time.Minute, true)},
		{"at the same time the editor, which is exact", Signal{}, signal(time.Minute), ws(time.Minute), fromSignal(time.Minute)},
		{"Obsidian wrote last, and shows no note", Signal{}, signal(time.Hour), Workspace{When: now}, fromSignal(time.Hour)},
		{"an editor's word does not age", Signal{}, signal(48 * time.Hour), Workspace{}, fromSignal(48 * time.Hour)},
		{"an hour", Signal{}, Signal{}, ws(time.Hour), fromWorkspace(time.Hour, true)},
		{"more than an hour", Signal{}, Signal{}, ws(time.Hour + time.Second), fromWorkspace(time.Hour+time.Second, false)},
		{"a clock that ran ahead", Signal{}, signal(time.Second), ws(-72 * time.Hour), fromWorkspace(0, true)},
		{"two clocks that ran ahead", Signal{}, signal(-time.Hour), ws(-72 * time.Hour), fromSignal(0)},
		{"an editor without a name", Signal{}, Signal{Path: "E.md", When: now}, Workspace{}, ActiveNote{Path: "E.md", Source: "editor", When: now, Live: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ResolveActive(tt.explicit, tt.signal, tt.ws, now)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSignal(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	state := filepath.Join(t.TempDir(), "new", "state")
	if _, ok, err := ReadSignal(state, dir); ok || err != nil {
		t.Fatalf("before anything: %v, %v", ok, err)
	}
	must(t, ClearSignal(state, dir))

	when := time.Date(2026, 5, 4, 12, 0, 0, 123456789, time.FixedZone("", 7200))
	must(t, WriteSignal(state, Signal{Vault: dir, Path: "/a//Übung \"1\" <x>.md", Line: -3, When: when, Source: "vi\x1b[31mm\n"}))
	must(t, WriteSignal(state, Signal{Vault: other, Path: "B.md", Line: 12, When: when}))

	got, ok, err := ReadSignal(state, dir)
	if err != nil || !ok {
		t.Fatalf("ReadSignal = %v, %v", ok, err)
	}
	if got.Path != "a/Übung \"1\" <x>.md" || got.Line != 0 || !got.When.Equal(when) || got.Source != "vi[31mm" {
		t.Errorf("got %+v", got)
	}
	if got, _, _ = ReadSignal(state, other); got.Path != "B.md" || got.Line != 12 {
		t.Errorf("the other vault: %+v", got)
	}
	must(t, ClearSignal(state, dir), ClearSignal(state, dir))
	if _, ok, err = ReadSignal(state, dir); ok || err != nil {
		t.Errorf("after clearing: %v, %v", ok, err)
	}
	if _, ok, _ = ReadSignal(state, other); !ok {
		t.Error("clearing one vault cleared another")
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("the vault holds %v", entries)
	}
}

func TestSignalAnyNameOfTheVault(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege there")
	}
	state, dir := t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(dir, link))
	must(t, WriteSignal(state, Signal{Vault: link + "/./", Path: "A.md"}))
	if got, ok, err := ReadSignal(state, dir); !ok || err != nil || got.Path != "A.md" {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
}

func TestSignalRefused(t *testing.T) {
	dir := t.TempDir()
	for _, s := range []Signal{
		{Vault: dir}, {Vault: dir, Path: "../x.md"}, {Path: "x.md"}, {Vault: dir, Path: "\xff.md"},
	} {
		state := filepath.Join(t.TempDir(), "state")
		if err := WriteSignal(state, s); err == nil {
			t.Errorf("WriteSignal(%+v) succeeded", s)
		}
		if entries, _ := os.ReadDir(state); len(entries) > 0 {
			t.Errorf("WriteSignal(%+v) left %v", s, entries)
		}
	}
}

func TestReadSignalBadFile(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	must(t, WriteSignal(state, Signal{Vault: dir, Path: "A.md"}))
	entries, err := os.ReadDir(state)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	name := filepath.Join(state, entries[0].Name())
	canonical, err := canonicalDir(dir)
	must(t, err)
	for text, isError := range map[string]bool{
		"":               false,
		"{":              true,
		`{"vault":1}`:    true,
		`{"ts":"today"}`: true,
		fmt.Sprintf(`{"vault":%q,"path":"../../x"}`, canonical):   true,
		fmt.Sprintf(`{"vault":%q,"path":""}`, canonical):          false,
		`{"vault":"/another","path":"A.md"}`:                      false,
		`"` + strings.Repeat("x", maxSignalLength) + `"`:          true,
		fmt.Sprintf(`{"vault":%q,"path":"A.md"}   `, "elsewhere"): false,
	} {
		put(t, text, name)
		if got, ok, err := ReadSignal(state, dir); ok || (err != nil) != isError {
			t.Errorf("%.40q: %+v, %v, %v", text, got, ok, err)
		}
	}
	must(t, WriteSignal(state, Signal{Vault: dir, Path: "B.md"}))
	if _, ok, err := ReadSignal(state, dir); !ok || err != nil {
		t.Errorf("a new signal over a bad one: %v, %v", ok, err)
	}
}

// Editors signal at every change of window; a reader sees whole signals only.
func TestSignalAtomic(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	must(t, WriteSignal(state, Signal{Vault: dir, Path: "0.md", Line: 1}))
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 8 {
				p := Path(strings.Repeat("long ", w*100) + "name.md")
				if err := WriteSignal(state, Signal{Vault: dir, Path: p, Line: i + 1}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { defer close(done); writers.Wait() }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		if s, ok, err := ReadSignal(state, dir); err != nil || !ok || s.Line == 0 {
			t.Fatalf("%+v, %v, %v", s, ok, err)
		}
	}
	if entries, _ := os.ReadDir(state); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
