package desk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/chains/offline"
	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

// desktop is a workspace in its true state, with the files for it.
type desktop struct {
	*rig
	r      *rand.Rand
	tools  map[string]chains.Tool
	notes  map[string]string // text by path
	clock  time.Time
	made   int
	active string            // the note that is open, by its name now
	pins   []string          // likewise
	tabs   map[string]string // source by name now
	open   []string          // of Obsidian, by the names that its file has
	shown  string            // active there
}

func newDesktop(t *testing.T, seed uint64) *desktop {
	d := &desktop{
		rig: newRig(t, "-- Zero.md --\nx\n", offline.New(offline.Options{})), r: rand.New(rand.NewPCG(seed, 1)),
		notes: map[string]string{"Zero.md": "x\n"}, clock: time.Now().Add(-time.Hour), tabs: map[string]string{},
		tools: map[string]chains.Tool{},
	}
	for _, each := range tool.New(tool.Options{
		Vault: d.vault, State: d.desk.Workspace, Settle: d.desk.Settle, Links: d.desk.Links,
		Searcher: func(context.Context) index.Searcher { return index.Searcher{Source: d.vault} },
	}) {
		d.tools[each.Spec().Name] = each
	}
	for range 12 {
		d.create()
	}
	return d
}

func (d *desktop) path(name string) string {
	return filepath.Join(d.vault.Dir(), filepath.FromSlash(name))
}

func (d *desktop) create() string {
	d.made++
	name := fmt.Sprintf("%s/Note %d.md", []string{"a", "b", "c/d"}[d.r.IntN(3)], d.made)
	d.notes[name] = fmt.Sprintf("Text %d.\n", d.made)
	vaulttest.Write(d.t, d.vault, vault.Path(name), d.notes[name])
	return name
}

func (d *desktop) some() string {
	var names []string
	for n := range d.notes {
		names = append(names, n)
	}
	slices.Sort(names)
	return names[d.r.IntN(len(names))]
}

// tick returns a time after all earlier ones.
func (d *desktop) tick() time.Time {
	d.clock = d.clock.Add(time.Second)
	return d.clock
}

// obsidian writes its workspace file.
func (d *desktop) obsidian() {
	var tabs []string
	for i, p := range d.open {
		tabs = append(tabs, fmt.Sprintf(`{"id":"t%d","type":"leaf","state":{"type":"markdown","state":{"file":%q}}}`, i, p))
	}
	active := slices.Index(d.open, d.shown)
	text := fmt.Sprintf(
		`{"main":{"type":"split","children":[{"type":"tabs","currentTab":%d,"children":[%s]}]},"active":"t%d"}`,
		max(active, 0), strings.Join(tabs, ","), active)
	vaulttest.Write(d.t, d.vault, ".obsidian/workspace.json", text)
	at := d.tick()
	check(d.t, os.Chtimes(d.path(".obsidian/workspace.json"), at, at))
	for p, source := range d.tabs {
		if source == "workspace" && !slices.Contains(d.open, p) {
			delete(d.tabs, p)
		}
	}
	for _, p := range d.open {
		if d.tabs[p] == "" {
			d.tabs[p] = "workspace"
		}
	}
	d.active = d.shown
}

// event makes a random change, and returns its description.
func (d *desktop) event() string {
	name := d.some()
	switch kind := d.r.IntN(9); kind {
	case 0, 1: // shown in Obsidian; its file names no note that moved or went
		d.open = slices.DeleteFunc(d.open, func(p string) bool { return d.notes[p] == "" })
		if !slices.Contains(d.open, name) {
			d.open = append(d.open, name)
		}
		if len(d.open) > 4 {
			d.open = d.open[1:]
		}
		d.shown = name
		d.obsidian()
		return "shown " + name
	case 2: // stated by an editor
		check(d.t, vault.WriteSignal(d.signals, vault.Signal{Vault: d.vault.Dir(), Path: vault.Path(name), When: d.tick()}))
		d.active = name
		return "stated " + name
	case 3:
		if d.line("/pin \"" + name + "\""); !slices.Contains(d.pins, name) {
			d.pins = append(d.pins, name)
		}
		return "pinned " + name
	case 4:
		d.line("/unpin \"" + name + "\"")
		d.pins = slices.DeleteFunc(d.pins, func(p string) bool { return p == name })
		return "unpinned " + name
	case 5:
		source := []state.Source{state.Search, state.Wikilink, state.Navigation, state.History}[d.r.IntN(4)]
		d.desk.Opened(vault.Path(name), source)
		d.tabs[name] = string(source)
		return "opened " + name
	case 6:
		d.notes[name] += fmt.Sprintf("More %d.\n", d.r.IntN(1000))
		vaulttest.Write(d.t, d.vault, vault.Path(name), d.notes[name])
		return "edited " + name
	case 7:
		to := fmt.Sprintf("moved/Note %d.md", d.made+1)
		d.made++
		check(d.t, errors.Join(os.MkdirAll(d.path("moved"), 0o700), os.Rename(d.path(name), d.path(to))))
		d.rename(name, to)
		return "renamed " + name + " to " + to
	}
	if len(d.notes) < 6 {
		return "created " + d.create()
	}
	check(d.t, os.Remove(d.path(name)))
	delete(d.notes, name)
	return "deleted " + name + ", created " + d.create()
}

func (d *desktop) rename(from, to string) {
	d.notes[to] = d.notes[from]
	delete(d.notes, from)
	if d.active == from {
		d.active = to
	}
	for i, p := range d.pins {
		if p == from {
			d.pins[i] = to
		}
	}
	if d.tabs[from] != "" {
		d.tabs[to] = d.tabs[from]
		delete(d.tabs, from)
	}
}

// wants returns the right answer for the present state.
func (d *desktop) wants() string {
	one := func(p string) string { return p + " " + d.notes[p] }
	var out []string
	if d.notes[d.active] != "" {
		out = append(out, "active "+one(d.active))
	}
	for _, p := range d.pins {
		if d.notes[p] != "" {
			out = append(out, "pin "+one(p))
		}
	}
	var tabs []string
	for p, source := range d.tabs {
		if d.notes[p] != "" {
			tabs = append(tabs, source+" "+one(p))
		}
	}
	slices.Sort(tabs)
	return strings.Join(append(out, tabs...), "|")
}

// says returns the answer of the tool.
func (d *desktop) says(ctx context.Context) string {
	out := value(chains.RunTool(ctx, d.tools["get_workspace_context"],
		`{"includeContent":true,"maxContentLength":10000,"includeMetadata":false}`))(d.t)
	type note struct{ ID, NoteID, Content, Source string }
	var got struct {
		Data struct {
			ActiveNote                 *note
			PinnedNotes, TemporaryTabs []note
		}
	}
	check(d.t, json.Unmarshal([]byte(out.Text), &got))
	var all, tabs []string
	if n := got.Data.ActiveNote; n != nil {
		all = append(all, "active "+n.ID+" "+n.Content)
	}
	for _, n := range got.Data.PinnedNotes {
		all = append(all, "pin "+n.ID+" "+n.Content)
	}
	for _, n := range got.Data.TemporaryTabs {
		tabs = append(tabs, n.Source+" "+n.NoteID+" "+n.Content)
	}
	slices.Sort(tabs)
	return strings.Join(append(all, tabs...), "|")
}

// After each of 500 events the tool's answer is that of the workspace as it is, where
// nobody watches the files and where who watches has not said anything yet (S3-03).
func TestSettled(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	const events = 500
	for _, watched := range []bool{false, true} {
		d := newDesktop(t, 7)
		if watched {
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			watching := make(chan struct{})
			go func() {
				defer close(ended)
				d.desk.Run(ctx, desk.Changes{Watch: func(context.Context) (<-chan vault.Batch, error) {
					defer close(watching)
					return make(chan vault.Batch), nil
				}}, func(desk.Update) {})
			}()
			<-watching
			defer func() { stop(); <-ended }()
		}
		right := 0
		for i := range events {
			what := d.event()
			if got, want := d.says(t.Context()), d.wants(); got == want {
				right++
			} else {
				t.Errorf("watched %v, event %d, %s:\n got %s\nwant %s", watched, i, what, got, want)
				break
			}
		}
		t.Logf("watched %v: %d of %d events right", watched, right, events)
	}
}

// Each event is one line of the debug log, and what changes nothing is none (S3-17).
func TestWorkspaceLog(t *testing.T) {
	v := vaulttest.New(t, notes)
	g := gather.New(v, gather.Options{})
	var log strings.Builder
	d := desk.New(desk.Options{
		Vault: v, Gather: g, StateDir: t.TempDir(),
		Session: chains.Options{
			Gather: g,
			Log:    slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		},
	})
	check(t, vault.AddPin(v, "Alpha.md", time.Now()))
	for range 3 {
		d.Settle(t.Context())
	}
	d.Opened("sub/Beta.md", state.Search)
	check(t, os.Rename(filepath.Join(v.Dir(), "Alpha.md"), filepath.Join(v.Dir(), "Omega.md")))
	for range 3 {
		d.Settle(t.Context())
	}
	var events []string
	for line := range strings.Lines(log.String()) {
		if _, rest, ok := strings.Cut(line, "msg=workspace event="); ok {
			events = append(events, strings.Fields(rest)[0])
			if strings.Contains(line, v.Dir()) {
				t.Errorf("names where the vault is: %s", line)
			}
			if strings.Contains(rest, "NOTE_PINNED") && !strings.Contains(rest, " age=") {
				t.Errorf("does not say since when: %s", line)
			}
			if strings.Contains(rest, "TAB_OPENED") && !strings.Contains(rest, " source=search ") {
				t.Errorf("does not say from where: %s", line)
			}
		}
	}
	if got, want := strings.Join(events, " "), "WORKSPACE_READ NOTE_PINNED TAB_OPENED NOTE_RENAMED"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestPinsFollowRenames: the file names a pinned note as it is called now, so that it
// is pinned when ibid starts again.
func TestPinsFollowRenames(t *testing.T) {
	r := newRig(t, notes, offline.New(offline.Options{}))
	r.line("/pin Alpha")
	r.line("/pin sub/Beta")
	file := filepath.Join(r.vault.Dir(), ".ibid", "pins.json")
	check(t, os.Rename(filepath.Join(r.vault.Dir(), "Alpha.md"), filepath.Join(r.vault.Dir(), "sub", "Gamma.md")))
	r.desk.Settle(t.Context())
	if data, err := os.ReadFile(file); err != nil ||
		!strings.Contains(string(data), `"path": "sub/Gamma.md"`) ||
		strings.Contains(string(data), "Alpha") {
		t.Errorf("%v\n%s", err, data)
	}
	r.openDesk(offline.New(offline.Options{})) // a process that starts
	check(t, r.desk.LookAround())
	var pinned []vault.Path
	for _, p := range r.desk.State().Pins {
		pinned = append(pinned, p.Path)
	}
	is(t, pinned, []vault.Path{"sub/Gamma.md", "sub/Beta.md"}, "pinned")
}

// The calls of one reply look at the whole vault once, and again after a write or when a note is gone.
func TestSettleSharesWalk(t *testing.T) {
	r := newRig(t, notes, offline.New(offline.Options{}))
	reply := func() context.Context { return chains.Caller{Walk: &chains.Walk{}}.In(t.Context()) }
	isKnown := func(p vault.Path) bool {
		_, ok := r.vault.Note(p)
		return ok
	}
	write := func(name string) {
		t.Helper()
		check(t, os.WriteFile(filepath.Join(r.vault.Dir(), name), []byte("x\n"), 0o600))
	}
	first := reply()
	r.desk.Settle(first)
	write("One.md")
	r.desk.Settle(first)
	r.desk.Settle(first, "")
	is(t, isKnown("One.md"), false, "the second call of a reply makes no walk")
	write("Named.md")
	r.desk.Settle(first, "Named.md")
	is(t, isKnown("Named.md"), true, "a note that a call names is looked at")
	r.desk.Settle(first)
	is(t, isKnown("One.md"), true, "a walk after the vault has changed")

	write("Two.md")
	r.desk.Settle(first)
	is(t, isKnown("Two.md"), false, "the walk after the change is shared")
	r.desk.Settle(reply())
	is(t, isKnown("Two.md"), true, "the next reply makes a walk")

	second := reply()
	r.desk.Settle(second)
	check(t, os.Rename(filepath.Join(r.vault.Dir(), "Two.md"), filepath.Join(r.vault.Dir(), "Three.md")))
	r.desk.Settle(second, "Two.md")
	is(t, isKnown("Three.md"), true, "a walk after a note was found gone")

	write("Four.md")
	r.desk.Settle(t.Context())
	is(t, isKnown("Four.md"), true, "calls that share nothing")
}
