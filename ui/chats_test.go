package ui_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// older are chats that were saved before.
const older = `
-- Chats/Scales.md --
---
epoch: 1773000000000
title: Scales and arpeggios
tags:
  - copilot-conversation
---

**user**: Where do I start?
[Timestamp: 2026/03/01 09:00:00]

**ai**: Begin with contrary motion, then thirds.
[Timestamp: 2026/03/01 09:00:05]
-- Chats/Keyboard.md --
---
epoch: 1741000000000
title: Which keyboard to buy
tags:
  - copilot-conversation
---

**user**: Which one for the stage?
[Context: Notes: Band/Gone.md]
[Timestamp: 2025/03/03 09:00:00]

**ai**: The light one.
[Timestamp: 2025/03/03 09:00:05]
`

func playChats(t *testing.T, replies []chaintest.Reply, script func(r *stage)) {
	t.Helper()
	playOn(t, 100, 30, rigOn(band+older, replies...), script)
}

// TestOpenInEditor opens the file of the chat, and a note.
func TestOpenInEditor(t *testing.T) {
	var opened []string
	playOn(t, 100, 30, rigWithOptions(band+older, func(o *ui.Options) {
		o.Editor = []string{"edit"}
		o.Exec = func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
			opened = append(opened, filepath.Base(c.Args[1]))
			return func() tea.Msg { return done(nil) }
		}
	}), func(r *stage) {
		r.Ask("/open", "nothing of it is saved")
		r.Ask("/open Scales", "contrary motion")
		r.Ask("/open", "")
		r.Ask("/open Bass tone", "")
		r.Pass(time.Second)
	})
	is(t, fmt.Sprint(opened), "[Scales.md Bass tone.md]")
}

// TestReadOnlyElsewhere opens a chat that another process has open.
func TestReadOnlyElsewhere(t *testing.T) {
	playChats(t, nil, func(r *stage) {
		other, err := history.NewStore(r.vault, history.Options{StateDir: r.locks})
		check(r, err)
		defer func() { _ = other.Close() }()
		_, _, err = other.Open("Chats/Scales.md")
		check(r, err)
		r.Ask("/open Scales", "contrary motion")
		r.Want("read-only")
		r.Ask("go on", "/branch")
		r.Want("> go on")

		check(r, other.Close())
		r.WaitFor("it goes on here")
		r.WantNot("read-only")
		r.Want("> go on")
		r.Press("enter")
		r.WaitFor("saved")
	})
}

// TestMergeOffered: a copy that a sync program left is told, and merged after a
// question that says what that does.
func TestMergeOffered(t *testing.T) {
	playChats(t, nil, func(r *stage) {
		data, err := os.ReadFile(filepath.Join(r.dir, "Chats", "Scales.md"))
		check(r, err)
		more := "\n\n**user**: And by ear?\n[Timestamp: 2030/01/01 00:00:00]\n"
		vaulttest.Write(r.T, r.vault, "Chats/Scales (1).md", strings.TrimRight(string(data), "\n")+more)
		r.Ask("/open Scales", "contrary motion")
		r.Want("a sync program left a copy")
		r.Ask("/merge", "adds 1 message(s) of the copy")
		r.Press("enter")
		r.WaitFor("And by ear?")
		if _, err := os.Stat(filepath.Join(r.dir, ".trash", "Chats", "Scales (1).md")); err != nil {
			r.Error(err)
		}
	})
}

// TestEditedOutside shows what an editor wrote into the chat's file.
func TestEditedOutside(t *testing.T) {
	playOn(t, 100, 30, rigWith(band+older, (*rig).watched), func(r *stage) {
		r.WaitFor("Ask anything")
		r.Ask("/open Scales", "contrary motion")
		file := filepath.Join(r.dir, "Chats", "Scales.md")
		data, err := os.ReadFile(file)
		check(r, err)
		vaulttest.Write(r.T, r.vault, "Chats/Scales.md", strings.Replace(string(data), "then thirds", "then sixths", 1))
		r.batch <- vault.Batch{Paths: []vault.Path{"Chats/Scales.md"}}
		r.WaitFor("then sixths")
		r.Want("reloaded from disk")
		r.WantNot("thirds")

		vaulttest.Rename(r.T, r.vault, "Chats/Scales.md", "Practice/Scales.md")
		r.batch <- vault.Batch{Paths: []vault.Path{"Chats/Scales.md", "Practice/Scales.md"}}
		r.WaitFor("the chat is now Practice/Scales.md")
		r.Ask("And arpeggios?", "arpeggios")
		if data, err := os.ReadFile(filepath.Join(r.dir, "Practice", "Scales.md")); err != nil ||
			!strings.Contains(string(data), "And arpeggios?") {
			r.Errorf("it is not continued where it is: %v", err)
		}
	})
}

// watched makes the screen watch the rig's channel of changes.
func (r *rig) watched() {
	r.change(func(o *ui.Options) { o.Watch = watcher(r.batch) })
}

func TestNothingKept(t *testing.T) {
	playOn(t, 80, 24, rigWith(band, (*rig).keepNothing, reply("ok")), func(r *stage) {
		r.Ask("hello", "ok")
		r.Want("not kept")
		r.Press("ctrl+s")
		r.Want("--no-save")
		if _, err := os.Stat(filepath.Join(r.dir, "Chats")); err == nil {
			r.Error("a chat was kept")
		}
	})
}

// TestFirstRun shows what was found, and writes nothing.
func TestFirstRun(t *testing.T) {
	onSizes(t, sizes[:3], func(t *testing.T, w, h int) {
		playOn(t, w, h, rigWith(band, (*rig).firstRun), func(r *stage) {
			r.Pass(time.Second)
			golden.RequireEqual(r.T, r.Screen())
			for _, dir := range []string{"Chats", ".ibid"} {
				if _, err := os.Stat(filepath.Join(r.dir, dir)); err == nil {
					r.Errorf("%s was made before anything was sent", dir)
				}
			}
		})
	})
}

// keepNothing replaces the desk by one that saves no chats.
func (r *rig) keepNothing() {
	r.store = nil
	r.deskWith(func(*desk.Options) {})
}

// leftBehind leaves behind what a process leaves that is killed while it answers a
// question anew.
func leftBehind(t *testing.T, g *rig, texts ...string) {
	t.Helper()
	for _, text := range texts {
		store, err := history.NewStore(g.vault, history.Options{StateDir: g.locks, Zone: time.UTC})
		check(t, err)
		c, _, err := store.Open("Chats/Scales.md")
		check(t, err)
		j := store.Journal(&c, 0)
		j.Write(text)
		check(t, j.Close(&c, false))
		check(t, store.Close())
	}
}

// TestUnsavedOffered: what a crash left is offered at the start; it can be kept,
// opened, thrown away, or left for another time.
func TestUnsavedOffered(t *testing.T) {
	for key, want := range map[string]struct {
		shows string
		left  int
		kept  bool
	}{
		"enter":  {"kept: Chats/Scales.md", 0, true},
		"o":      {"Where do I start?", 0, true},
		"ctrl+x": {"thrown away: Scales and arpeggios", 0, false},
		"esc":    {"Ask anything", 2, false},
	} {
		t.Run(key, func(t *testing.T) {
			playOn(t, 100, 30, rigWith(band+older, func(g *rig) {
				leftBehind(g.t, g, "Half of another answer", "And half of a third")
			}), func(r *stage) {
				r.WaitFor("2 unsaved replies were found")
				r.WaitFor("Half of another answer")
				r.Pass(time.Second)
				r.Press(key)
				r.WaitFor(want.shows)
				left, err := os.ReadDir(filepath.Join(r.locks, "unsaved"))
				if err != nil || len(left) != want.left {
					r.Errorf("%d are left, %v", len(left), err)
				}
				data, err := os.ReadFile(filepath.Join(r.dir, "Chats", "Scales.md"))
				if kept := strings.Contains(string(data), "Half of another answer") &&
					strings.Contains(string(data), "half of a third"); err != nil || kept != want.kept {
					r.Errorf("kept: %v, %v\n%s", kept, err, data)
				}
			})
		})
	}
}

// TestOwnToChat: what is attached and a note that always goes along belong to the
// chat that they were chosen in, a branch says that it is one, and a click places
// the cursor in the prompt.
func TestOwnToChat(t *testing.T) {
	playAt(t, 120, 30, replies(reply("first answer")), func(r *stage) {
		r.Ask("/fork", "nothing to branch off")
		r.Ask("alpha", "first answer")
		r.WaitFor("saved")
		r.Ask("/add Setlist", "attached")
		r.Ask("/active Soil", "active note")
		r.Pass(time.Second)
		r.Want("+ Setlist", "Soil")
		r.Press("ctrl+n")
		r.WaitFor("New chat")
		r.Pass(time.Second)
		r.WantNot("+ Setlist", "◉ Soil")
		r.Press("ctrl+s")
		r.WaitFor("alpha")
		r.Press("enter")
		r.WaitFor("first answer")
		r.Pass(time.Second)
		r.Want("+ Setlist", "◉ Soil")
		r.Ask("/branch", "branch · alpha")
		r.Want("+ Setlist")
		r.Press("ctrl+s")
		r.WaitFor("branch at message 2")
		r.Press("esc")

		r.Type("one two")
		x, y := r.Cursor()
		r.Click(x-3, y)
		r.Type("and ")
		r.Want("> one and two")
	})
}
