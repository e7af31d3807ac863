package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

func playWatched(t *testing.T, replies []chaintest.Reply, script func(r *stage)) {
	t.Helper()
	playOn(t, 120, 40, rigWith(band, (*rig).watched, replies...), func(r *stage) {
		r.WaitFor("6 notes · watching")
		script(r)
	})
}

// TestChangedNoteIsPriced edits a note that the model knows.
func TestChangedNoteIsPriced(t *testing.T) {
	playWatched(t, replies(reply("ok"), reply("ok again")), func(r *stage) {
		r.Ask("read [[Tomatoes]]", "ok")
		r.Ask("/add Tomatoes", "attached")
		r.Pass(time.Second)
		r.Want("● Tomatoes 0 new")
		vaulttest.Write(r.T, r.vault, "Garden/Tomatoes.md", "# Tomatoes\n\nWater at night.\n")
		r.batch <- vault.Batch{Paths: []vault.Path{"Garden/Tomatoes.md"}}
		r.Pass(time.Second)
		r.Want("changed 10:30 Tomatoes")
		r.Ask("and now?", "ok again")
		last := r.model.Requests()[1]
		if text := last.Messages[len(last.Messages)-1].Content; !strings.Contains(text, "Water at night") &&
			!strings.Contains(last.Messages[0].Content, "Water at night") {
			r.Errorf("the change was not sent:\n%s", text)
		}
	})
}

// TestActiveNote follows an editor's signal; F3 goes through the three states.
func TestActiveNote(t *testing.T) {
	playWatched(t, replies(reply("ok")), func(r *stage) {
		signal := vault.Signal{Vault: r.dir, Path: "Band/Rehearsal.md", When: r.now(), Source: "nvim"}
		check(r, vault.WriteSignal(r.state, signal))
		r.batch <- vault.Batch{Workspace: true}
		r.WaitFor("◉ Rehearsal")
		r.Want("what does this note say?", "open in nvim")
		r.Press("f3")
		r.WaitFor("Rehearsal +40 fixed")
		r.Press("f3")
		r.WaitFor("active note: off")
		r.Press("f3")
		r.WaitFor("active note: follow")
		r.Ask("what is it about?", "ok")
		if req := r.model.Requests()[0]; !strings.Contains(req.Messages[len(req.Messages)-1].Content, "spare cable") {
			r.Error("the active note was not sent")
		}
		r.Press("left", "x")
		r.WaitFor("active note: off")
	})
}

// TestStaleWorkspaceIsGreyed shows a note that Obsidian had open long ago, and
// does not send it.
func TestStaleWorkspaceIsGreyed(t *testing.T) {
	playWatched(t, replies(reply("ok")), func(r *stage) {
		r.workspace(workspaceOf("Garden/Soil.md"), -3*time.Hour)
		r.batch <- vault.Batch{Workspace: true}
		r.WaitFor("Soil not sent · 3 h")
		r.Ask("what is it about?", "ok")
		if req := r.model.Requests()[0]; strings.Contains(req.Messages[len(req.Messages)-1].Content, "Compost") {
			r.Error("a note was sent that nobody has open")
		}
	})
}

// TestWorkspaceBeingWritten: while the workspace is being written its old state is kept, and it
// is read again.
func TestWorkspaceBeingWritten(t *testing.T) {
	playWatched(t, nil, func(r *stage) {
		r.workspace(workspaceOf("Garden/Soil.md"), -time.Minute)
		r.batch <- vault.Batch{Workspace: true}
		r.WaitFor("◉ Soil")
		r.workspace(`{"main":{"id":"a","ty`, 0)
		r.batch <- vault.Batch{Workspace: true}
		r.Pass(10 * time.Millisecond)
		r.Want("◉ Soil")
		r.workspace(workspaceOf("Garden/Tomatoes.md"), 0)
		r.Pass(300 * time.Millisecond)
		r.Want("◉ Tomatoes")
	})
}

func workspaceOf(p string) string {
	return `{"main":{"id":"a","type":"split","children":[{"id":"b","type":"tabs","children":[{"id":"c","type":"leaf","state":{"type":"markdown","state":{"file":"` + p + `"}}}]}]},"active":"c","lastOpenFiles":[]}`
}

// workspace writes Obsidian's workspace file, as old as that.
func (r *rig) workspace(text string, age time.Duration) {
	r.t.Helper()
	file := filepath.Join(r.dir, ".obsidian", "workspace.json")
	check(r.t, os.MkdirAll(filepath.Dir(file), 0o755))
	check(r.t, os.WriteFile(file, []byte(text), 0o644))
	at := r.now().Add(age)
	check(r.t, os.Chtimes(file, at, at))
}

// TestInspector looks at what is sent, asks for a price, and pays it.
func TestInspector(t *testing.T) {
	playWatched(t, replies(reply("first"), reply("second"), reply("third")),
		func(r *stage) {
			r.Ask("read [[Setlist]] and [[Soil]]", "first")
			r.Ask("go on", "second")
			r.Press("f2")
			r.WaitFor("what will be sent")
			r.Press("down", "down")
			r.Pass(time.Second)
			r.Want("exact bytes · Setlist", "Three fast ones.")
			r.Press("e")
			r.WaitFor("Forget Band/Setlist.md")
			r.Want("y yes")
			r.Press("n", "m")
			r.WaitFor("Stop referring to Band/Setlist.md?")
			r.Press("n", "r")
			r.WaitFor("Rebuild the library")
			r.Press("n", "e")
			r.WaitFor("Forget Band/Setlist.md")
			r.Press("y")
			r.WaitFor("forgotten: Band/Setlist.md")
			r.Pass(time.Second)
			r.WantNot("● Setlist")
			r.Press("y")
			r.Pass(time.Second)
			if !strings.Contains(r.Clipboard(), `"layers":[`) || strings.Contains(r.Clipboard(), "forty minutes") {
				r.Errorf("copied %.200s", r.Clipboard())
			}
			r.Press("left")
			r.Pass(time.Second)
			r.Want("turn 2")
			r.Press("left")
			r.Pass(time.Second)
			r.Want("turn 1", "full")
			r.Press("right", "right", "esc")
			r.Ask("more", "third")
			if req := r.model.Requests()[2]; strings.Contains(req.Messages[0].Content, "forty minutes") {
				r.Error("what was forgotten was sent again")
			}
		})
}
