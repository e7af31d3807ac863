package ui_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"ibid/vault/vaulttest"
)

// TestWriteReply: the chosen reply, or a block of code in it, goes into a new note, after
// it was shown.
func TestWriteReply(t *testing.T) {
	text := "Warm up first.\n\n```go\nfunc warm() {}\n```\n\nThen play [[Setlist]]."
	onSizes(t, []size{{80, 24}, {120, 40}}, func(t *testing.T, w, h int) {
		playAt(t, w, h, replies(reply(text), reply("Later.")),
			func(r *stage) {
				r.Ask("how to begin", "Then play")
				r.Ask("and then?", "Later.")
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
				r.Want("how to begin", "Garden/")
				r.Press("ctrl+u")
				r.Type("Gar")
				r.Press("backspace", "backspace", "backspace")
				r.Type("Garden/Warm up")
				all += "\n" + r.Screen()
				r.Press("enter")
				r.WaitFor("Write this?")
				all += "\n" + r.Screen()
				golden.RequireEqual(r.T, all)
				if exists(filepath.Join(r.dir, "Garden", "Warm up.md")) {
					r.Fatal("it was written unseen")
				}
				r.Press("y")
				r.WaitFor("written: Garden/Warm up.md; /undo-write 1")
				is(r, r.note("Garden/Warm up.md"), "```go\nfunc warm() {}\n```\n")
				r.Press("tab")
				r.Ask("/undo-write", "is in the trash")
				if exists(filepath.Join(r.dir, "Garden", "Warm up.md")) {
					r.Error("it is still there")
				}
			})
	})
}

// TestAddReply: a reply goes under a heading of a note; esc writes nothing.
func TestAddReply(t *testing.T) {
	play(t, replies(reply("Play it twice.")), func(r *stage) {
		before := r.note("Band/Setlist.md")
		r.Ask("the encore?", "Play it twice.")
		for _, yes := range []bool{false, true} {
			r.Press("tab", "a")
			r.WaitFor("Add to a note")
			r.Type("setl")
			r.Want("Setlist", "Band/")
			r.Press("tab")
			r.Want("headings of Setlist", "First half")
			r.Press("down", "down")
			if yes {
				r.Type("first")
			} else {
				r.Type("encore")
			}
			r.Press("enter")
			r.WaitFor("Write this?")
			r.Want("+ Play it twice.")
			if yes {
				r.Press("y")
				r.WaitFor("written: Band/Setlist.md")
			} else {
				r.Press("esc")
				r.Want("nothing was written")
				if r.note("Band/Setlist.md") != before {
					r.Fatal("it was written")
				}
				r.Press("esc", "esc")
			}
		}
		if got := r.note("Band/Setlist.md"); !strings.Contains(got, "Three fast ones.\n\nPlay it twice.\n") {
			r.Errorf("the note is\n%s", got)
		}
	})
}

// TestUndoWrite: a change is taken back; in a note that was changed since the three
// texts are shown, and what came later stays.
func TestUndoWrite(t *testing.T) {
	replies := replies(calling("", writing(1, "Week 47.md", twoHunks)), reply("Done."))
	playChanges(t, 80, 24, replies, nil, func(r *stage) {
		propose(r.Robot)
		r.Press("y")
		r.WaitFor("Done.")
		r.Pass(time.Second)
		r.Ask("/undo-write", "taken back: Week 47.md, +2 -3")
		if r.note("Week 47.md") != week {
			r.Fatal("the note is not what it was")
		}
		r.Ask("/undo-write 2", "taken back")
		vaulttest.Write(r.T, r.vault, "Week 47.md", strings.Replace(twoHunks, "- Sun rest", "- Sun swim", 1))
		r.Ask("/undo-write 1", "Take this back?")
		all := r.Screen()
		r.Press("v")
		r.Want("what change 1 did")
		all += "\n" + r.Screen()
		r.Press("v")
		r.Want("what was changed since", "- Sun swim")
		golden.RequireEqual(r.T, all+"\n"+r.Screen())
		r.Press("v", "y")
		r.WaitFor("written: Week 47.md")
		if got := r.note("Week 47.md"); !strings.Contains(got, "- Sun swim") || strings.Contains(got, "Nowhere") {
			r.Errorf("the note is\n%s", got)
		}
	})
}

// TestMarkedIsWritten: what the mouse has marked is written like a reply.
func TestMarkedIsWritten(t *testing.T) {
	play(t, replies(reply("Play it twice.")), func(r *stage) {
		r.Ask("the encore?", "Play it twice.")
		r.Press("tab")
		for y, row := range strings.Split(r.Screen(), "\n") {
			if strings.Contains(row, "Play it twice.") {
				r.Send(tea.MouseClickMsg{X: 7, Y: y, Button: tea.MouseLeft})
				r.Send(tea.MouseMotionMsg{X: 14, Y: y, Button: tea.MouseLeft})
				r.Send(tea.MouseReleaseMsg{X: 14, Y: y, Button: tea.MouseLeft})
			}
		}
		r.Want("copied")
		r.Press("w")
		r.WaitFor("Write to a new note")
		r.Press("ctrl+u")
		r.Begin("Twice", "Write this?")
		r.Press("y")
		r.WaitFor("written: Twice.md")
		is(r, r.note("Twice.md"), "it twice\n")
	})
}
