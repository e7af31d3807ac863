package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

func playWatched(t *testing.T, replies []chaintest.Reply, script func(t *testing.T, r *uitest.Robot, g *rig)) {
	t.Helper()
	playOn(t, 120, 40, func(t *testing.T) *rig {
		g := newRig(t, band, replies...)
		g.watched()
		return g
	}, func(t *testing.T, r *uitest.Robot, g *rig) {
		r.WaitFor("6 notes · watching")
		script(t, r, g)
	})
}

// TestChangedNoteIsPriced edits a note that the model knows.
func TestChangedNoteIsPriced(t *testing.T) {
	playWatched(t, []chaintest.Reply{reply("ok"), reply("ok again")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "read [[Tomatoes]]", "ok")
		ask(r, "/add Tomatoes", "attached")
		r.Pass(time.Second)
		want(t, r, "● Tomatoes 0 new")
		vaulttest.Write(t, g.vault, "Garden/Tomatoes.md", "# Tomatoes\n\nWater at night.\n")
		g.batch <- vault.Batch{Paths: []vault.Path{"Garden/Tomatoes.md"}}
		r.Pass(time.Second)
		want(t, r, "changed 10:30 Tomatoes")
		ask(r, "and now?", "ok again")
		last := g.model.Requests()[1]
		if text := last.Messages[len(last.Messages)-1].Content; !strings.Contains(text, "Water at night") &&
			!strings.Contains(last.Messages[0].Content, "Water at night") {
			t.Errorf("the change was not sent:\n%s", text)
		}
	})
}

// TestActiveNote follows an editor's signal; F3 goes through the three states.
func TestActiveNote(t *testing.T) {
	playWatched(t, []chaintest.Reply{reply("ok")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		signal := vault.Signal{Vault: g.dir, Path: "Band/Rehearsal.md", When: g.now(), Source: "nvim"}
		if err := vault.WriteSignal(g.state, signal); err != nil {
			t.Fatal(err)
		}
		g.batch <- vault.Batch{Workspace: true}
		r.WaitFor("◉ Rehearsal")
		want(t, r, "what does this note say?", "open in nvim")
		r.Press("f3")
		r.WaitFor("Rehearsal +40 fixed")
		r.Press("f3")
		r.WaitFor("active note: off")
		r.Press("f3")
		r.WaitFor("active note: follow")
		ask(r, "what is it about?", "ok")
		if req := g.model.Requests()[0]; !strings.Contains(req.Messages[len(req.Messages)-1].Content, "spare cable") {
			t.Error("the active note was not sent")
		}
		r.Press("left", "x")
		r.WaitFor("active note: off")
	})
}

// TestStaleWorkspaceIsGreyed shows a note that Obsidian had open long ago, and
// does not send it.
func TestStaleWorkspaceIsGreyed(t *testing.T) {
	playWatched(t, []chaintest.Reply{reply("ok")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		g.workspace(t, workspaceOf("Garden/Soil.md"), -3*time.Hour)
		g.batch <- vault.Batch{Workspace: true}
		r.WaitFor("Soil not sent · 3 h")
		ask(r, "what is it about?", "ok")
		if req := g.model.Requests()[0]; strings.Contains(req.Messages[len(req.Messages)-1].Content, "Compost") {
			t.Error("a note was sent that nobody has open")
		}
	})
}

// TestWorkspaceBeingWritten keeps what was known and looks again.
func TestWorkspaceBeingWritten(t *testing.T) {
	playWatched(t, nil, func(t *testing.T, r *uitest.Robot, g *rig) {
		g.workspace(t, workspaceOf("Garden/Soil.md"), -time.Minute)
		g.batch <- vault.Batch{Workspace: true}
		r.WaitFor("◉ Soil")
		g.workspace(t, `{"main":{"id":"a","ty`, 0)
		g.batch <- vault.Batch{Workspace: true}
		r.Pass(10 * time.Millisecond)
		want(t, r, "◉ Soil")
		g.workspace(t, workspaceOf("Garden/Tomatoes.md"), 0)
		r.Pass(300 * time.Millisecond)
		want(t, r, "◉ Tomatoes")
	})
}

func workspaceOf(p string) string {
	return `{"main":{"id":"a","type":"split","children":[{"id":"b","type":"tabs","children":[{"id":"c","type":"leaf","state":{"type":"markdown","state":{"file":"` + p + `"}}}]}]},"active":"c","lastOpenFiles":[]}`
}

// workspace writes Obsidian's workspace file, as old as that.
func (r *rig) workspace(t *testing.T, text string, age time.Duration) {
	t.Helper()
	file := filepath.Join(r.dir, ".obsidian", "workspace.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	at := r.now().Add(age)
	if err := os.Chtimes(file, at, at); err != nil {
		t.Fatal(err)
	}
}

// TestInspector looks at what is sent, asks for a price, and pays it.
func TestInspector(t *testing.T) {
	playWatched(t, []chaintest.Reply{reply("first"), reply("second"), reply("third")},
		func(t *testing.T, r *uitest.Robot, g *rig) {
			ask(r, "read [[Setlist]] and [[Soil]]", "first")
			ask(r, "go on", "second")
			r.Press("f2")
			r.WaitFor("what will be sent")
			r.Press("down", "down")
			r.Pass(time.Second)
			want(t, r, "exact bytes · Setlist", "Three fast ones.")
			r.Press("e")
			r.WaitFor("Forget Band/Setlist.md")
			want(t, r, "y yes")
			r.Press("n", "m")
			r.WaitFor("Stop referring to Band/Setlist.md?")
			r.Press("n", "r")
			r.WaitFor("Rebuild the library")
			r.Press("n", "e")
			r.WaitFor("Forget Band/Setlist.md")
			r.Press("y")
			r.WaitFor("done: forget Band/Setlist.md")
			r.Pass(time.Second)
			wantNot(t, r, "● Setlist")
			r.Press("y")
			r.Pass(time.Second)
			if !strings.Contains(r.Clipboard(), `"layers":[`) || strings.Contains(r.Clipboard(), "forty minutes") {
				t.Errorf("copied %.200s", r.Clipboard())
			}
			r.Press("left")
			r.Pass(time.Second)
			want(t, r, "turn 2")
			r.Press("left")
			r.Pass(time.Second)
			want(t, r, "turn 1", "full")
			r.Press("right", "right", "esc")
			ask(r, "more", "third")
			if req := g.model.Requests()[2]; strings.Contains(req.Messages[0].Content, "forty minutes") {
				t.Error("what was forgotten was sent again")
			}
		})
}
