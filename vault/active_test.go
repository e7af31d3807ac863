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
)

// actives has a case per line: statements with their age, of an editor, one without a name, Obsidian, or Obsidian
// without a note => the active note, its line, its source, its age, and whether it is live.
const actives = `
nothing: =>  0   false
nothing open: blank 0s =>  0   false
an editor that spoke last: nvim 1m, obsidian 2m => Editor.md 7 nvim 1m0s true
Obsidian that wrote last: nvim 2m, obsidian 1m => Obsidian.md 0 Obsidian 1m0s true
at the same time the editor, which is exact: nvim 1m, obsidian 1m => Editor.md 7 nvim 1m0s true
Obsidian wrote last, and shows no note: nvim 1h, blank 0s => Editor.md 7 nvim 1h0m0s true
an editor's word does not age: nvim 48h => Editor.md 7 nvim 48h0m0s true
an hour: obsidian 1h => Obsidian.md 0 Obsidian 1h0m0s true
more than an hour: obsidian 1h0m1s => Obsidian.md 0 Obsidian 1h0m1s false
a clock that ran ahead: nvim 1s, obsidian -72h => Obsidian.md 0 Obsidian 0s true
two clocks that ran ahead: nvim -1h, obsidian -72h => Editor.md 7 nvim 0s true
an editor without a name: editor 0s => E.md 0 editor 0s true
`

func TestResolveActive(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for line := range strings.Lines(strings.TrimSpace(actives)) {
		name, row, _ := strings.Cut(strings.TrimSpace(line), ": ")
		t.Run(name, func(t *testing.T) {
			said, want, _ := strings.Cut(row, "=> ")
			var signal Signal
			var ws Workspace
			for _, one := range strings.FieldsFunc(said, func(r rune) bool { return r == ',' }) {
				who, age, ok := strings.Cut(strings.TrimSpace(one), " ")
				if !ok {
					continue
				}
				ago, err := time.ParseDuration(age)
				check(t, err)
				switch when := now.Add(-ago); who {
				case "nvim":
					signal = Signal{Path: "Editor.md", Line: 7, When: when, Source: who}
				case "editor":
					signal = Signal{Path: "E.md", When: when}
				case "obsidian":
					ws = Workspace{Active: "Obsidian.md", When: when}
				case "blank":
					ws = Workspace{When: when, Tabs: []Path{"A.md"}}
				}
			}
			a, since := ResolveActive(signal, ws, now), ""
			if !a.When.IsZero() {
				since = now.Sub(a.When).String()
			}
			is(t, fmt.Sprintf("%s %d %s %s %v", a.Path, a.Line, a.Source, since, a.Live), want)
		})
	}
}

func TestSignal(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	state := filepath.Join(t.TempDir(), "new", "state")
	if got, err := ReadSignal(state, dir); got.Path != "" || err != nil {
		t.Fatalf("before anything: %v, %v", got, err)
	}
	must(t, ClearSignal(state, dir))

	when := time.Date(2026, 5, 4, 12, 0, 0, 123456789, time.FixedZone("", 7200))
	must(t, WriteSignal(state, Signal{
		Vault: dir, Path: "/a//Übung \"1\" <x>.md", Line: -3, When: when, Source: "vi\x1b[31mm\n",
	}))
	must(t, WriteSignal(state, Signal{Vault: other, Path: "B.md", Line: 12, When: when}))

	got, err := ReadSignal(state, dir)
	check(t, err)
	if got.Path != "a/Übung \"1\" <x>.md" || got.Line != 0 || !got.When.Equal(when) || got.Source != "vi[31mm" {
		t.Errorf("got %+v", got)
	}
	if got, _ = ReadSignal(state, other); got.Path != "B.md" || got.Line != 12 {
		t.Errorf("the other vault: %+v", got)
	}
	must(t, ClearSignal(state, dir), ClearSignal(state, dir))
	if got, err = ReadSignal(state, dir); got.Path != "" || err != nil {
		t.Errorf("after clearing: %v, %v", got, err)
	}
	if got, _ = ReadSignal(state, other); got.Path == "" {
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
	if got, err := ReadSignal(state, dir); err != nil || got.Path != "A.md" {
		t.Errorf("%+v, %v", got, err)
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
		if got, err := ReadSignal(state, dir); got.Path != "" || (err != nil) != isError {
			t.Errorf("%.40q: %+v, %v", text, got, err)
		}
	}
	must(t, WriteSignal(state, Signal{Vault: dir, Path: "B.md"}))
	if got, err := ReadSignal(state, dir); got.Path == "" || err != nil {
		t.Errorf("a new signal over a bad one: %v, %v", got, err)
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
		if s, err := ReadSignal(state, dir); err != nil || s.Line == 0 {
			t.Fatalf("%+v, %v", s, err)
		}
	}
	if entries, _ := os.ReadDir(state); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
