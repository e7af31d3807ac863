package plain_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/chains/offline"
	"ibid/context/gather"
	"ibid/history"
	"ibid/ui/plain"
	"ibid/vault"
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
	t        *testing.T
	vault    *vault.Vault
	desk     *desk.Desk
	out, err bytes.Buffer
	output   *plain.Output
}

func newRig(t *testing.T, archive string) *rig {
	v := vaulttest.New(t, archive)
	store, err := history.NewStore(v, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	r := &rig{t: t, vault: v}
	g := gather.New(v, gather.Options{})
	r.desk = desk.New(desk.Options{
		Vault: v, Gather: g, Store: store, StateDir: t.TempDir(),
		Session: chains.Options{Model: offline.New(offline.Options{}), ModelName: "offline", Gather: g, Store: store},
	})
	r.output = &plain.Output{Out: &r.out, Err: &r.err}
	return r
}

// line runs one line and returns what it wrote to standard output and error.
func (r *rig) line(text string) (out, err string) {
	r.t.Helper()
	r.out.Reset()
	r.err.Reset()
	plain.Line(r.t.Context(), r.desk, r.output, text)
	return r.out.String(), r.err.String()
}

func (r *rig) wants(line, want string) string {
	r.t.Helper()
	out, errs := r.line(line)
	if !strings.Contains(out+errs, want) {
		r.t.Fatalf("%s: want %q in\n%s%s", line, want, out, errs)
	}
	return out
}

func (r *rig) chatFile() string {
	r.t.Helper()
	path := r.desk.Session().Snapshot().Path
	data, err := os.ReadFile(filepath.Join(r.vault.Dir(), filepath.FromSlash(path)))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

func TestCommands(t *testing.T) {
	r := newRig(t, notes)
	r.wants("what about bananas in @Alpha?", "Bananas are yellow")
	r.wants("/add Beta", "attached: sub/Beta.md")
	r.wants("/context", "sub/Beta.md")
	r.wants("/drop Beta", "dropped: sub/Beta.md")
	r.wants("/drop Beta", "is not attached")
	r.wants("/pin Beta", "pinned: sub/Beta.md")
	r.wants("and grapes?", "Grapes are green")
	r.wants("/unpin Beta", "unpinned")
	r.wants("/active Alpha", "active note: Alpha.md")
	r.wants("/context", "Alpha.md")
	r.wants("/active off", "active note: off")
	r.wants("/layout strict", "layout: strict")
	r.wants("/layout loose", "not a layout")
	r.wants("/mute Alpha", "muted: Alpha.md")
	r.wants("/context", "muted")
	r.wants("/unmute Alpha", "no longer muted")
	r.wants("/refresh", "rebuilds")
	r.wants("/forget Alpha", "forgotten: Alpha.md")
	if out, _ := r.line("/context"); strings.Contains(out, "Alpha.md") {
		t.Errorf("forgotten, and still there:\n%s", out)
	}
	r.wants("/chain plus", "not a chain")
	r.wants("/model x", "no server is connected")
	r.wants("/help", "/add REF")
	r.wants("/help fo", "/forget REF")
	r.wants("/un", "could be /unpin or /unmute or /undo")
	r.wants("/nonsense", "is not a command")
	r.wants("/add", "/add takes REF")
	r.wants("/usr/bin is a path, not a command", "Nothing")
}

func TestUndoRedoRetry(t *testing.T) {
	r := newRig(t, notes)
	r.wants("/undo", "there is no turn yet")
	r.wants("bananas in @Alpha?", "yellow")
	r.wants("grapes in @Beta?", "green")
	before := r.chatFile()
	r.wants("/undo", "taken back: grapes in @Beta?")
	if strings.Contains(r.chatFile(), "grapes") {
		t.Error("the turn is still in the file")
	}
	r.wants("/redo", "brought back")
	if got := r.chatFile(); got != before {
		t.Errorf("redo gave another file:\n%s\nwant\n%s", got, before)
	}
	vaulttest.Write(t, r.vault, "sub/Beta.md", "Grapes are blue now.\n")
	r.wants("/retry", "blue")
	if f := r.chatFile(); strings.Contains(f, "green") || strings.Count(f, "grapes in @Beta?") != 1 {
		t.Errorf("the old reply is still there:\n%s", f)
	}
}

func TestRenameBranchOpen(t *testing.T) {
	r := newRig(t, notes)
	r.wants("bananas in @Alpha?", "yellow")
	r.wants("grapes in @Beta?", "green")
	r.wants("/rename Fruit salad", "Fruit salad")
	first := r.desk.Session().Snapshot().Path
	if !strings.Contains(first, "Fruit_salad") {
		t.Errorf("the file is still called %s", first)
	}
	r.wants("and bananas again, @Alpha?", "Bananas")
	if got := r.desk.Session().Snapshot().Path; got != first {
		t.Errorf("the chat went on in %s, not in %s", got, first)
	}
	r.wants("/branch 2", "branched: ")
	second := r.desk.Session().Snapshot().Path
	if second == first {
		t.Error("the branch is the same file")
	}
	if strings.Contains(r.chatFile(), "grapes") {
		t.Error("the branch holds more than it should")
	}
	r.wants("again bananas?", "yellow")
	r.wants("/open Fruit salad", "several have this name")
	r.wants("/open "+first, "opened: "+first)
	if !strings.Contains(r.chatFile(), "grapes") {
		t.Error("opened another chat")
	}
	r.wants("/chats", "Fruit salad")
	r.wants("/new", "a new chat")
	if p := r.desk.Session().Snapshot().Path; p != "" {
		t.Errorf("a new chat has a path: %s", p)
	}
	r.wants("/open nothing like it", "nothing like it")
}

// TestForget takes a note out of the file as well, and back.
func TestForget(t *testing.T) {
	r := newRig(t, notes)
	r.wants("bananas in @Alpha?", "yellow")
	before := r.chatFile()
	vaulttest.Remove(t, r.vault, "Alpha.md") // what is gone can be forgotten all the same
	r.wants("/forget Alpha", "forgotten: Alpha.md")
	if f := r.chatFile(); strings.Contains(f, "Notes: Alpha.md") || strings.Contains(f, "[[Alpha]]\"") {
		t.Errorf("the file still names it:\n%s", f)
	}
	r.wants("/undo", "taken back: forget Alpha.md")
	if got := r.chatFile(); got != before {
		t.Errorf("undo gave another file:\n%s\nwant\n%s", got, before)
	}
}

func TestLinesExitStatus(t *testing.T) {
	for in, want := range map[string]int{
		"/help\n":               plain.ExitDone,
		"/nonsense\n":           plain.ExitFailed,
		"one \\\ntwo\n/quit\nx": plain.ExitDone,
	} {
		r := newRig(t, notes)
		if got := plain.Lines(t.Context(), r.desk, strings.NewReader(in), r.output, ""); got != want {
			t.Errorf("%q: status %d, want %d\n%s%s", in, got, want, r.out.String(), r.err.String())
		}
	}
	r := newRig(t, notes)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := plain.Lines(ctx, r.desk, strings.NewReader("hello\n"), r.output, ""); got != plain.ExitInterrupted {
		t.Errorf("interrupted: status %d", got)
	}
}

func TestEscapeSequencesStayOut(t *testing.T) {
	r := newRig(t, "-- Evil.md --\nThe evil note \x1b]0;owned\x07 says \x1b[2Jboo.\n")
	out, errs := r.line("what does @Evil say of evil?")
	if strings.ContainsAny(out+errs, "\x1b\x07") || !strings.Contains(out, "boo") {
		t.Errorf("got %q %q", out, errs)
	}
}
