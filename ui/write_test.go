package ui_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
	"ibid/vault/vaulttest"
)

// TestWriteReply: the chosen reply, or a block of code in it, goes into a new note, after
// it was shown.
func TestWriteReply(t *testing.T) {
	text := "Warm up first.\n\n```go\nfunc warm() {}\n```\n\nThen play [[Setlist]]."
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			play(t, size[0], size[1], []chaintest.Reply{reply(text), reply("Later.")},
				func(t *testing.T, r *uitest.Robot, g *rig) {
					ask(r, "how to begin", "Then play")
					ask(r, "and then?", "Later.")
					r.Press("tab", "[", "[", "j")
					for y, row := range strings.Split(r.Screen(), "\n") {
						if strings.Contains(row, "Warm up first.") {
							r.Click(5, y)
						}
					}
					r.Press("w")
					r.WaitFor("What of the reply?")
					all := r.Screen()
					r.Press("down", "enter")
					r.WaitFor("Write to a new note")
					want(t, r, "how to begin", "Garden/")
					r.Press("ctrl+u")
					r.Type("Gar")
					r.Press("backspace", "backspace", "backspace")
					r.Type("Garden/Warm up")
					all += "\n" + r.Screen()
					r.Press("enter")
					r.WaitFor("Write this?")
					all += "\n" + r.Screen()
					golden.RequireEqual(t, all)
					if exists(filepath.Join(g.dir, "Garden", "Warm up.md")) {
						t.Fatal("it was written unseen")
					}
					r.Press("y")
					r.WaitFor("written: Garden/Warm up.md; /undo-write 1")
					if got := note(t, g, "Garden/Warm up.md"); got != "```go\nfunc warm() {}\n```\n" {
						t.Errorf("the note is %q", got)
					}
					r.Press("tab")
					ask(r, "/undo-write", "is in the trash")
					if exists(filepath.Join(g.dir, "Garden", "Warm up.md")) {
						t.Error("it is still there")
					}
				})
		})
	}
}

// TestAddReply: a reply goes under a heading of a note; esc writes nothing.
func TestAddReply(t *testing.T) {
	play(t, 80, 24, []chaintest.Reply{reply("Play it twice.")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		before := note(t, g, "Band/Setlist.md")
		ask(r, "the encore?", "Play it twice.")
		for _, yes := range []bool{false, true} {
			r.Press("tab", "a")
			r.WaitFor("Add to a note")
			r.Type("setl")
			want(t, r, "Setlist", "Band/")
			r.Press("tab")
			want(t, r, "headings of Setlist", "First half")
			r.Press("down", "down")
			if yes {
				r.Type("first")
			} else {
				r.Type("encore")
			}
			r.Press("enter")
			r.WaitFor("Write this?")
			want(t, r, "+ Play it twice.")
			if yes {
				r.Press("y")
				r.WaitFor("written: Band/Setlist.md")
			} else {
				r.Press("esc")
				want(t, r, "nothing was written")
				if note(t, g, "Band/Setlist.md") != before {
					t.Fatal("it was written")
				}
				r.Press("esc", "esc")
			}
		}
		if got := note(t, g, "Band/Setlist.md"); !strings.Contains(got, "Three fast ones.\n\nPlay it twice.\n") {
			t.Errorf("the note is\n%s", got)
		}
	})
}

// TestUndoWrite: a change is taken back; in a note that was changed since the three
// texts are shown, and what came later stays, or goes too.
func TestUndoWrite(t *testing.T) {
	for _, whole := range []bool{false, true} {
		replies := []chaintest.Reply{calling("", writing(1, "Week 47.md", twoHunks)), reply("Done.")}
		playChanges(t, 80, 24, replies, nil, func(t *testing.T, r *uitest.Robot, g *rig) {
			propose(r)
			r.Press("y")
			r.WaitFor("Done.")
			r.Pass(time.Second)
			ask(r, "/undo-write", "taken back: Week 47.md, +2 -3")
			if note(t, g, "Week 47.md") != week {
				t.Fatal("the note is not what it was")
			}
			ask(r, "/undo-write 2", "taken back")
			vaulttest.Write(t, g.vault, "Week 47.md", strings.Replace(twoHunks, "- Sun rest", "- Sun swim", 1))
			ask(r, "/undo-write 1", "Take this back?")
			all := r.Screen()
			r.Press("v")
			want(t, r, "what change 1 did")
			all += "\n" + r.Screen()
			r.Press("v")
			want(t, r, "what was changed since", "- Sun swim")
			all += "\n" + r.Screen()
			r.Press("v", "b")
			all += "\n" + r.Screen()
			if !whole {
				golden.RequireEqual(t, all)
				r.Press("b")
			}
			r.Press("y")
			r.WaitFor("written: Week 47.md")
			got := note(t, g, "Week 47.md")
			if whole != (got == week) || !whole && (!strings.Contains(got, "- Sun swim") || strings.Contains(got, "Nowhere")) {
				t.Errorf("the note is\n%s", got)
			}
		})
	}
}

// TestParts: parts of a reply are chosen with the keyboard, marked in the gutter, and
// copied or written as a whole reply is.
func TestParts(t *testing.T) {
	const text = "Warm up first.\n\n- scales\n- thirds\n\n```go\nfunc warm() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThen play [[Setlist]]."
	play(t, 80, 40, []chaintest.Reply{reply(text), reply("Later.")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "how to begin", "Then play")
		r.Press("tab", "}", "}")
		want(t, r, "part 2 of 5: y copies", "▌ • scales", "▌ • thirds")
		wantNot(t, r, "▌ Warm", "▌ func", "▌ ```")
		r.Press("y")
		if got := r.Clipboard(); got != "- scales\n- thirds" {
			t.Errorf("copied %q", got)
		}
		r.Press("shift+down")
		want(t, r, "parts 2 to 3 of 5")
		golden.RequireEqual(t, r.Screen())
		r.Press("Y")
		if got := r.Clipboard(); got != "func warm() {}\n" {
			t.Errorf("copied %q", got)
		}
		r.Press("w")
		r.WaitFor("Write to a new note")
		r.Press("ctrl+u")
		begin(r, "Warm", "Write this?")
		r.Press("y")
		r.WaitFor("written: Warm.md")
		if got := note(t, g, "Warm.md"); got != "- scales\n- thirds\n\n```go\nfunc warm() {}\n```\n" {
			t.Errorf("the note is %q", got)
		}
		r.Press("}", "}") // the code is its end: on from there
		want(t, r, "part 5 of 5")
		r.Press("shift+up", "tab")
		ask(r, "/append Bass tone", "written: Band/Bass tone.md")
		if got := note(t, g, "Band/Bass tone.md"); !strings.HasSuffix(got,
			"\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThen play [[Setlist]].\n") {
			t.Errorf("the note is %q", got)
		}
		r.Press("tab", "esc")
		wantNot(t, r, "▌ Then play")
		want(t, r, "i prompt") // the transcript still has the keys
		r.Press("y")
		if got := r.Clipboard(); !strings.HasPrefix(got, "Warm up") {
			t.Errorf("copied %q", got)
		}
		r.Press("tab")
		ask(r, "and then?", "Later.")
		r.Press("tab", "{")
		want(t, r, "▌ Later.", "part 1 of 1")
		r.Press("{")
		want(t, r, "▌ Then play", "part 5 of 5")
		r.Press("G", "w") // scrolling chooses nothing else
		r.WaitFor("Write to a new note")
		r.Press("ctrl+u")
		begin(r, "Then", "Then play [[Setlist]].")
		wantNot(t, r, "Later.")
	})
}

// TestMarkedIsWritten: so is what the mouse has marked.
func TestMarkedIsWritten(t *testing.T) {
	play(t, 80, 24, []chaintest.Reply{reply("Play it twice.")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "the encore?", "Play it twice.")
		r.Press("tab")
		for y, row := range strings.Split(r.Screen(), "\n") {
			if strings.Contains(row, "Play it twice.") {
				r.Send(tea.MouseClickMsg{X: 7, Y: y, Button: tea.MouseLeft})
				r.Send(tea.MouseMotionMsg{X: 14, Y: y, Button: tea.MouseLeft})
				r.Send(tea.MouseReleaseMsg{X: 14, Y: y, Button: tea.MouseLeft})
			}
		}
		want(t, r, "copied")
		r.Press("w")
		r.WaitFor("Write to a new note")
		r.Press("ctrl+u")
		begin(r, "Twice", "Write this?")
		r.Press("y")
		r.WaitFor("written: Twice.md")
		if got := note(t, g, "Twice.md"); got != "it twice\n" {
			t.Errorf("the note is %q", got)
		}
	})
}
