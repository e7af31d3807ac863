package desk_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/chains/offline"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/state"
	"ibid/vault/undo"
	"ibid/vault/vaulttest"
)

const notes = `
-- Alpha.md --
# Alpha

Bananas are yellow.
-- sub/Beta.md --
Grapes are green.
`

type rig struct {
	t       *testing.T
	vault   *vault.Vault
	store   *history.Store
	locks   string
	signals string // where editors leave theirs
	desk    *desk.Place

	indexes string
	now     func() time.Time // nil is time.Now
	servers desk.ServerOptions
}

func newRig(t *testing.T, archive string, m chains.Model) *rig {
	t.Helper()
	r := &rig{t: t, vault: vaulttest.New(t, archive), locks: t.TempDir(), indexes: t.TempDir(), signals: t.TempDir()}
	r.store = r.newStore()
	r.openDesk(m)
	return r
}

// openDesk opens a desk, as a new process does.
func (r *rig) openDesk(m chains.Model) { r.openDeskWithMemory(m, "") }

// openDeskWithMemory opens a desk with a configuration that names the memory note.
func (r *rig) openDeskWithMemory(m chains.Model, note string) {
	r.t.Helper()
	g := gather.New(r.vault, gather.Options{})
	memory := desk.NewMemory(r.vault, r.locks, note)
	d := desk.New(desk.Options{
		Memory: memory,
		Instructions: func(ctx context.Context, project string) (prompt.Instructions, []prompt.MissingRef) {
			return g.Instructions(ctx, prompt.Instructions{}, memory.Note(), project)
		},
		Vault: r.vault, Gather: g, Store: r.store, StateDir: r.signals, IndexDir: r.indexes,
		Journal: undo.New(r.vault,
			undo.Options{StateDir: r.locks, Days: 30, Chats: r.store.Folder(), Written: memory.Written}),
		Session: chains.Options{Model: m, ModelName: "test", Gather: g, Store: r.store, Now: r.now},
		Servers: r.servers,
	})
	r.desk = d
	r.t.Cleanup(func() {
		if err := d.Close(); err != nil {
			r.t.Error(err)
		}
	})
}

// newStore opens the chats as another process does.
func (r *rig) newStore() *history.Store {
	r.t.Helper()
	store := value(history.NewStore(r.vault, history.Options{StateDir: r.locks}))(r.t)
	r.t.Cleanup(func() { _ = store.Close() })
	return store
}

// line sends a message or runs a command, and returns the reply or the result.
func (r *rig) line(text string) string {
	r.t.Helper()
	check(r.t, r.desk.LookAround())
	if !desk.IsCommand(text) {
		return r.turn(r.desk.Session().Send(r.t.Context(), r.desk.Input(text)), r.desk.Sent)
	}
	res, err := r.desk.Command(r.t.Context(), text)
	switch {
	case err != nil:
		return err.Error()
	case res.Turn != nil:
		return r.turn(res.Turn, func() {})
	}
	return res.Text
}

// turn returns the reply of a turn, or its error. It calls begun when the turn has started.
func (r *rig) turn(events iter.Seq2[chains.Event, error], begun func()) string {
	text := ""
	for e, err := range events {
		if err != nil {
			return err.Error()
		}
		switch e := e.(type) {
		case chains.TurnStarted:
			begun()
		case chains.TextDelta:
			text += e.Text
		}
	}
	return text
}

func (r *rig) wants(line string, want ...string) {
	r.t.Helper()
	got := r.line(line)
	for _, part := range want {
		if !strings.Contains(got, part) {
			r.t.Fatalf("%s: want %q in\n%s", line, part, got)
		}
	}
}

func (r *rig) path() string { return r.desk.Session().Snapshot().Path }

func (r *rig) chatFile() string {
	r.t.Helper()
	data := value(os.ReadFile(filepath.Join(r.vault.Dir(), filepath.FromSlash(r.path()))))(r.t)
	return string(data)
}

// TestDeleteCloses: deleting a chat closes it, so that unfinished work does not write its file
// again. While a turn runs the chat is not deleted.
func TestDeleteCloses(t *testing.T) {
	r := newRig(t, notes, chaintest.New(chaintest.Reply{Text: "first"}, chaintest.Reply{Text: "one two", Split: 4}))
	r.wants("hello", "first")
	deleted, path := r.desk.Chat, r.path()
	for e, err := range deleted.Session().Send(t.Context(), r.desk.Input("count")) {
		if _, is := e.(chains.TextDelta); err != nil || is {
			r.wants("/delete", chains.ErrBusy.Error())
		}
	}
	r.wants("/add Beta", "attached")
	r.wants("/delete", "in the trash")
	if slices.Contains(r.desk.Chats(), deleted) || r.desk.Chat == deleted || len(r.desk.Attached()) != 0 {
		t.Errorf("%d chats are open, %v is attached", len(r.desk.Chats()), r.desk.Attached())
	}
	r.wants("/delete undo", "brought back: "+path)
	if len(r.desk.Chats()) != 1 || r.path() != path || len(r.desk.Attached()) != 1 {
		t.Errorf("%d chats are open, %v is attached", len(r.desk.Chats()), r.desk.Attached())
	}
}

// TestSavedChats: a chat is renamed, pinned, archived and deleted in the list, open or not.
// Archiving the open chat closes it.
func TestSavedChats(t *testing.T) {
	r := newRig(t, notes, chaintest.New(chaintest.Reply{Text: "first"}, chaintest.Reply{Text: "second"}))
	r.wants("hello", "first")
	saved := r.path()
	r.wants("/new", "new chat")
	r.wants("again", "second")
	open := r.path()
	do := func(path, line, want string) desk.Result {
		t.Helper()
		got, err := r.desk.CommandFor(t.Context(), path, line)
		if err != nil || !strings.Contains(got.Text, want) {
			t.Errorf("%s of %s: %q, %v; want %q", line, path, got.Text, err, want)
		}
		return got
	}
	saved = string(do(saved, "/rename Scales", "called").Saved)
	do(saved, "/pin", "is pinned")
	if all, err := r.store.List(t.Context()); err != nil || all[0].Title != "Scales" || !all[0].Pinned {
		t.Errorf("%+v, %v", all, err)
	}
	do(saved, "/unpin", "no longer pinned")
	archived := do(saved, "/archive", "in the archive: ").Saved
	if !r.store.Archived(archived) || r.path() != open {
		t.Errorf("it is at %s, open is %s", archived, r.path())
	}
	do(string(archived), "/archive off", "out of the archive: "+saved)
	if _, err := r.desk.CommandFor(t.Context(), saved, "/stats"); err == nil {
		t.Error("/stats is about a chat that is open")
	}
	do(saved, "/delete", "in the trash: "+saved)
	if got := desk.LastDeleted(r.desk); string(got) != saved || r.path() != open {
		t.Errorf("deleted %q, open is %s", got, r.path())
	}
	do(saved, "/delete undo", "brought back: "+saved)
	if desk.LastDeleted(r.desk) != "" || r.path() != open {
		t.Errorf("%q is deleted, open is %s", desk.LastDeleted(r.desk), r.path())
	}
	gone := do(open, "/archive", "in the archive")
	if !gone.Gone || r.path() != "" {
		t.Errorf("%+v, open is %q", gone, r.path())
	}
	r.wants("/open "+string(gone.Saved), "")
	r.wants("/archive off", "out of the archive: "+open)
	is(t, r.path(), open)
	r.wants("/archive now", "takes nothing, or off")
}

func TestIsCommand(t *testing.T) {
	for line, want := range map[string]bool{
		"/help": true, "/HELP": true, "/Add x": true, "/add\tx": true, "/context\n": true, "/nonsense": true,
		"/écrire": true, "/q": true,
		"/etc/hosts is a file": false, "/etc/hosts": false, "/Users/me": false, "/": false, "/ help": false,
		"/3 of them": false, "//": false,
		" /help": false, "help": false, "": false,
	} {
		is(t, desk.IsCommand(line), want, line)
	}
}

// TestChosenActiveNote: the note that a person chose wins over the one that an editor names, and
// "off" over both.
func TestChosenActiveNote(t *testing.T) {
	r := newRig(t, notes, offline.New(offline.Options{}))
	check(t, vault.WriteSignal(r.signals, vault.Signal{
		Vault: r.vault.Dir(), Path: "Alpha.md", When: time.Now(), Source: "nvim",
	}))
	check(t, r.desk.LookAround())
	for choice, want := range map[string]string{
		"": "Alpha.md nvim true", desk.Follow: "Alpha.md nvim true",
		"sub/Beta.md": "sub/Beta.md ibid true", desk.Off: "  false",
	} {
		a := r.desk.Workspace(choice).Active
		is(t, fmt.Sprint(a.Path, " ", a.Source, " ", a.Live), want, choice)
	}
}

// TestSeveralChats opens several chats: each keeps its lock, its attachments and its mode for
// the active note until it is closed.
func TestSeveralChats(t *testing.T) {
	r := newRig(t, notes, offline.New(offline.Options{}))
	elsewhere := r.newStore()
	locked := func(path string) bool {
		t.Helper()
		c, _, err := elsewhere.Open(vault.Path(path))
		check(t, err)
		check(t, elsewhere.Release(&c))
		return c.ReadOnly
	}
	r.wants("bananas in @Alpha?", "yellow")
	first, firstPath := r.desk.Chat, r.path()
	r.wants("/new", "a new chat")
	r.wants("/active off", "off")
	r.wants("grapes in @Beta?", "green")
	second, secondPath := r.desk.Chat, r.path()
	r.wants("/add Alpha", "attached")
	if got := r.desk.Chats(); !slices.Equal(got, []*desk.Chat{first, second}) {
		t.Fatalf("%d chats are open", len(got))
	}
	if !locked(firstPath) || !locked(secondPath) {
		t.Error("an open chat may be written elsewhere")
	}
	if r.desk.Chat = first; r.path() != firstPath || r.desk.Active() != desk.Follow || len(r.desk.Attached()) != 0 {
		t.Errorf("the first chat is %s, active %s, with %v", r.path(), r.desk.Active(), r.desk.Attached())
	}
	was := second.Session()
	r.wants("/open "+secondPath, "opened: "+secondPath)
	if r.desk.Chat != second || second.Session() != was || len(r.desk.Chats()) != 2 ||
		len(r.desk.Attached()) != 1 || r.desk.Active() != desk.Off {
		t.Errorf("an open chat was opened anew: %d chats, %v, active %s", len(r.desk.Chats()), r.desk.Attached(),
			r.desk.Active())
	}
	r.desk.CloseOthers()
	if locked(firstPath) || !locked(secondPath) || slices.Contains(r.desk.Chats(), first) {
		t.Error("the first chat is not closed, or the second one is")
	}
	moved := "Chats/moved.md"
	check(t,
		os.Rename(filepath.Join(r.vault.Dir(), filepath.FromSlash(secondPath)),
			filepath.Join(r.vault.Dir(), filepath.FromSlash(moved))))
	r.wants("/open "+moved, "opened: "+moved)
	if r.desk.Chat != second || len(r.desk.Chats()) != 1 || !locked(moved) {
		t.Errorf("an open chat whose file was moved was opened anew: %d chats", len(r.desk.Chats()))
	}
	secondPath = moved
	r.wants("/open nothing like it", "no chat or note called")
	if r.desk.Chat != second || !locked(secondPath) {
		t.Error("a chat that cannot be opened changes the desk")
	}
	if err := second.Close(); err != nil || locked(secondPath) || len(r.desk.Chats()) != 0 {
		t.Errorf("closed: %v, %d chats", err, len(r.desk.Chats()))
	}
	r.wants("/new", "a new chat")
	blank := r.desk.Chat
	if got := r.desk.Attached(); len(got) != 0 {
		t.Errorf("%v is attached to another chat", got)
	}
	r.wants("/add Beta", "attached")
	r.wants("/active Alpha", "active note: Alpha.md")
	r.wants("/open "+firstPath, "opened: "+firstPath)
	if len(r.desk.Chats()) != 1 || slices.Contains(r.desk.Chats(), blank) || len(r.desk.Attached()) != 0 ||
		r.desk.Active() == "Alpha.md" {
		t.Errorf("%d chats are open, %v is attached, active %s", len(r.desk.Chats()), r.desk.Attached(), r.desk.Active())
	}
	r.wants("/active Alpha", "active note: Alpha.md")
	r.wants("/new", "a new chat")
	if got := r.desk.Attached(); len(got) != 1 || got[0].ID != "sub/Beta.md" || r.desk.Active() == "Alpha.md" {
		t.Errorf("the new chat has %v, active %s", got, r.desk.Active())
	}
	r.wants("/branch", "there is nothing to branch off")
	r.wants("/open "+firstPath, "opened: "+firstPath)
	is(t, r.desk.Active(), "Alpha.md")
	r.wants("/open "+secondPath, "opened: "+secondPath)
	if got := r.desk.Attached(); len(got) != 1 || got[0].ID != "Alpha.md" {
		t.Errorf("the chat that was closed has %v", got)
	}
}

// TestTurnGoesOn switches to another chat in the middle of a reply.
func TestTurnGoesOn(t *testing.T) {
	r := newRig(t, notes,
		chaintest.New(chaintest.Reply{Text: "one two three", Split: 4}, chaintest.Reply{Text: "meanwhile"}))
	first := r.desk.Chat
	next, stop := iter.Pull2(first.Session().Send(t.Context(), first.Input("count")))
	defer stop()
	text := ""
	step := func() bool {
		e, err, ok := next()
		check(t, err)
		if d, is := e.(chains.TextDelta); is {
			text += d.Text
		}
		return ok
	}
	for text == "" && step() {
	}
	path := r.path()
	r.wants("/new", "a new chat")
	r.wants("and you?", "meanwhile")
	r.desk.CloseOthers()
	if err := first.Close(); !errors.Is(err, chains.ErrBusy) || len(r.desk.Chats()) != 2 {
		t.Fatalf("a chat was closed while a turn ran in it: %v", err)
	}
	r.wants("/open "+path, "opened: "+path)
	if r.desk.Chat != first || !first.Running() {
		t.Error("the chat is not the one in which the turn runs")
	}
	for step() {
	}
	if text != "one two three" || first.Running() || !strings.Contains(r.chatFile(), "one two three") {
		t.Errorf("the turn ended with %q:\n%s", text, r.chatFile())
	}
}

// TestOpenMoved opens a chat whose file was moved, while a turn of it is prepared and while it
// runs: the chat is found among the open ones.
func TestOpenMoved(t *testing.T) {
	r := newRig(t, notes, chaintest.New(chaintest.Reply{Text: "first"}, chaintest.Reply{Text: "one two three", Split: 4}))
	r.wants("hello", "first")
	first, s := r.desk.Chat, r.desk.Session()
	open := func(to string) {
		t.Helper()
		r.wants("/new", "a new chat")
		all, err := filepath.Glob(filepath.Join(r.vault.Dir(), "Chats", "*"))
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		check(t, os.Rename(all[0], filepath.Join(r.vault.Dir(), "Chats", to)))
		r.wants("/open Chats/"+to, "opened: ")
		if r.desk.Chat != first || first.Session() != s {
			t.Errorf("%s: the chat is the same: %v; the session is: %v", to, r.desk.Chat == first, first.Session() == s)
		}
	}
	turn := first.Counted(t.Context(), s.Send(t.Context(), first.Input("count")))
	open("prepared.md")
	text := ""
	for e, err := range turn {
		check(t, err)
		if d, is := e.(chains.TextDelta); is {
			if text += d.Text; text == d.Text {
				open("running.md")
			}
		}
	}
	if data, err := os.ReadFile(filepath.Join(r.vault.Dir(), "Chats", "running.md")); err != nil ||
		!strings.Contains(string(data), "one two three") {
		t.Errorf("%v: the chat is\n%s", err, data)
	}
}

// TestRun: names and search index follow changes of the vault.
func TestRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("run", func(t *testing.T) {
		r := newRig(t, notes, offline.New(offline.Options{}))
		ctx, cancel := context.WithCancel(t.Context())
		batches, updates, ended := make(chan vault.Batch), make(chan desk.Update), make(chan struct{})
		go func() {
			defer close(ended)
			r.desk.Run(ctx, desk.Changes{
				Watch:    func(context.Context) (<-chan vault.Batch, error) { return batches, nil },
				Degraded: func() string { return "late" },
			}, func(u desk.Update) { updates <- u })
		}()
		if u := <-updates; u.Err != nil || u.Notes == nil || u.Notes.Count != 2 || len(u.Notes.Recent) != 2 {
			t.Fatalf("%+v", u)
		}
		write := func(p vault.Path, text string) desk.Update {
			t.Helper()
			name := filepath.Join(r.vault.Dir(), p.Native())
			check(t, os.MkdirAll(filepath.Dir(name), 0o755))
			check(t, os.WriteFile(name, []byte(text), 0o644))
			batches <- vault.Batch{Paths: []vault.Path{p}}
			return <-updates
		}
		if u := write("other/Alpha.md", "Cherries.\n"); u.Notes == nil || u.Notes.Count != 3 ||
			u.Notes.Twins["alpha"] != 2 || len(u.Changes) != 1 || u.Late != "late" {
			t.Errorf("%+v: %+v", u, u.Notes)
		}
		if hits, err := r.desk.Search(ctx, index.Query{Text: "cherries"}); err != nil || len(hits) != 1 ||
			hits[0].Path != "other/Alpha.md" {
			t.Errorf("found %v, %v", hits, err)
		}
		write("Chats/a.md", "A chat.\n")
		if u := write("Chats/a.md", "A chat that goes on.\n"); u.Notes != nil || len(u.Changes) != 0 {
			t.Errorf("a chat that was written to: %+v", u)
		}
		for end := time.Now().Add(10 * time.Second); len(r.indexed(t, "cherries")) == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the change never came into the index")
			}
		}
		cancel()
		<-ended
	})
}

// unlisted is a vault without a list of notes, so that only the index finds them.
type unlisted struct{ *vault.Vault }

func (unlisted) Notes() []*vault.Note { return nil }

// indexed returns the hits in the index, opened as another process does.
func (r *rig) indexed(t *testing.T, text string) []index.Hit {
	t.Helper()
	x := value(index.Open(t.Context(), index.Options{Dir: r.indexes, Vault: r.vault.Dir()}))(t)
	defer x.Close() //nolint:errcheck // it is only read
	hits := value(index.Searcher{Source: unlisted{r.vault}, Index: x}.Search(t.Context(), index.Query{Text: text}))(t)
	return hits
}

// TestState: the desk's state of the workspace follows changes of files and tabs and the notes
// that ibid opens, and does not change while Obsidian writes.
func TestState(t *testing.T) {
	r := newRig(t, notes, offline.New(offline.Options{}))
	workspace := `{"main":{"type":"split","children":[{"type":"tabs","children":[{"id":"a","type":"leaf","pinned":true,"state":{"type":"markdown","state":{"file":"Alpha.md"}}}]}]},"active":"a"}`
	vaulttest.Write(t, r.vault, ".obsidian/workspace.json", workspace)
	look := func() string {
		t.Helper()
		check(t, r.desk.LookAround())
		s := r.desk.State()
		out := string(s.Active.Path)
		for _, p := range s.Pins {
			out += " pin " + string(p.Path)
		}
		for _, tab := range s.Tabs {
			out += " " + string(tab.Source) + " " + string(tab.Path)
		}
		return out
	}
	if got, want := look(), "Alpha.md pin Alpha.md workspace Alpha.md"; got != want || r.desk.Again() {
		t.Errorf("%s, want %s", got, want)
	}
	r.desk.Opened("sub/Beta.md", state.Search)
	vaulttest.Write(t, r.vault, ".obsidian/workspace.json", "")
	if got, want := look(), "Alpha.md pin Alpha.md search sub/Beta.md workspace Alpha.md"; got != want || !r.desk.Again() {
		t.Errorf("while it is written: %s, want %s", got, want)
	}
	path := func(name string) string { return filepath.Join(r.vault.Dir(), filepath.FromSlash(name)) }
	check(t, errors.Join(os.Rename(path("Alpha.md"), path("Omega.md")), os.Remove(path("sub/Beta.md"))))
	value(r.vault.Revalidate(t.Context()))(t)
	if s := r.desk.State(); s.Active.Path != "Omega.md" || s.Pins[0].Path != "Omega.md" || len(s.Tabs) != 1 ||
		s.Tabs[0].Path != "Omega.md" {
		t.Errorf("after a rename: %+v", s)
	}
	if in := r.desk.Input("x"); in.Active.ID != "Omega.md" || len(in.Pins) != 1 || in.Pins[0].ID != "Omega.md" {
		t.Errorf("the next turn: %+v", in)
	}
}

// TestWait: a chat that stays open in another process opens read-only after a wait, and a
// notice explains the wait.
func TestWait(t *testing.T) {
	r := newRig(t, notes, offline.New(offline.Options{}))
	r.wants("bananas in @Alpha?", "yellow")
	var waiting []string
	g := gather.New(r.vault, gather.Options{})
	other := desk.New(desk.Options{
		Vault: r.vault, Gather: g, Store: r.newStore(), Session: chains.Options{Gather: g},
		Wait: desk.Wait{Most: 1100 * time.Millisecond, Say: func(chat string) { waiting = append(waiting, chat) }},
	})
	began := time.Now()
	check(t, other.Open(t.Context(), r.path()))
	if waited := time.Since(began); waited < time.Second || !other.Session().Snapshot().ReadOnly ||
		!slices.Equal(waiting, []string{r.path()}) {
		t.Errorf("after %s: read-only %v, said %q", waited, other.Session().Snapshot().ReadOnly, waiting)
	}
	if taken, err := other.TakeOver(t.Context()); taken || err != nil {
		t.Errorf("taken over while it is open: %v", err)
	}
	check(t, r.desk.Chat.Close())
	if taken, err := other.TakeOver(t.Context()); !taken || err != nil {
		t.Errorf("not taken over: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	third := desk.New(desk.Options{Vault: r.vault, Gather: g, Store: r.newStore(), Wait: desk.Wait{Most: time.Minute}})
	if err := third.Open(ctx, other.Session().Snapshot().Path); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted while it waits: %v", err)
	}
}

// TestFirstTurnAttach: the attachments for the first turn are sent with it in a new chat and in
// one that was opened.
func TestFirstTurnAttach(t *testing.T) {
	for _, line := range []string{"/new", "/open first"} {
		r := newRig(t, notes, offline.New(offline.Options{}))
		g := gather.New(r.vault, gather.Options{})
		vaulttest.Write(t, r.vault, "Chats/first.md", "---\nepoch: 1773000000000\ntags:\n  - copilot-conversation\n---\n\n**user**: hello\n[Timestamp: 2026/03/01 09:00:00]\n")
		o := desk.Options{Vault: r.vault, Gather: g, Store: r.newStore(), Session: chains.Options{Gather: g}}
		o.Attach = []prompt.Ref{{Kind: prompt.Note, ID: "Alpha.md"}}
		d := desk.New(o)
		value(d.Command(t.Context(), line))(t)
		is(t, d.Attached(), o.Attach, line)
	}
}

// value returns the result of a call, and ends the test if the call failed.
func value[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		check(t, err)
		return v
	}
}

// check ends the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
