package ui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/ui"
	"ibid/ui/uitest"
	"ibid/vault"
	"ibid/vault/edit"
	"ibid/vault/undo"
	"ibid/vault/vaulttest"
)

const week = `---
tags: [week]
---
# Week 47

## Plan
- Mon scales
- Tue scales

## Notes

one
two
three
four
five
six
seven
See also [[Setlist]]
`

// changer returns a tool that proposes to write the text of its call into a note.
func changer(g *rig) *chaintest.Tool {
	j := g.journal(g.store)
	return &chaintest.Tool{
		ToolSpec: chains.ToolSpec{
			Name:   "writeToFile",
			Schema: `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}}}`, Writes: true,
		},
		Func: func(_ context.Context, args json.RawMessage) (chains.ToolOutput, error) {
			var a struct{ Path, Content string }
			if err := json.Unmarshal(args, &a); err != nil {
				return chains.ToolOutput{}, err
			}
			plan, err := j.Plan(vault.Path(a.Path), undo.Author{Tool: "writeToFile"},
				func(before string, _ bool) (string, error) {
					if a.Content == "" {
						return edit.Replace(before, "- Mon scales\n- Tue scales",
							"- Mon C major, hands together, 20 min\n- Tue arpeggios, 20 min\n- Sun rest", false)
					}
					return a.Content, nil
				})
			if err != nil {
				return chains.ToolOutput{}, err
			}
			return chains.ToolOutput{Propose: chains.NewProposal(j, plan)}, nil
		},
	}
}

func writing(n int, path, content string) prompt.ToolCall {
	args, _ := json.Marshal(map[string]string{"path": path, "content": content}) // strings always marshal
	return prompt.ToolCall{ID: fmt.Sprintf("call%d", n), Name: "writeToFile", Arguments: string(args)}
}

// twoHunks is the week with another plan and another link.
var twoHunks = strings.NewReplacer("- Tue scales", "- Tue arpeggios\n- Sun rest", "See also [[Setlist]]",
	"See also [[Setlist]] and [[Nowhere]]").Replace(week)

// playChanges runs a script on a screen whose model proposes changes.
func playChanges(t *testing.T, w, h int, replies []chaintest.Reply, change func(*ui.Options),
	script func(r *stage),
) {
	t.Helper()
	playOn(t, w, h, func(t *testing.T) *rig {
		g := changing(t, replies...)
		g.change(change)
		return g
	}, script)
}

// changing makes a rig whose model can propose changes of a week.
func changing(t *testing.T, replies ...chaintest.Reply) *rig {
	t.Helper()
	g := newRig(t, band, replies...)
	vaulttest.Write(t, g.vault, "Week 47.md", week)
	g.tools = []chains.Tool{changer(g)}
	g.reopen()
	return g
}

// proposing makes a watched rig whose model proposes two hunks.
func proposing(t *testing.T) *rig {
	t.Helper()
	g := changing(t, calling("", writing(1, "Week 47.md", twoHunks)), reply("Done."))
	g.watched()
	return g
}

// propose asks and waits until the change is shown and awake.
func propose(r *uitest.Robot) {
	r.Begin("go", "Write to note?")
	r.Pass(time.Second)
}

// TestChange: a change is shown as it is drawn in the design, at any size and look, and
// what was typed before it appeared approves nothing.
func TestChange(t *testing.T) {
	for name, look := range map[string]struct {
		w, h int
		look string
	}{"80x24": {80, 24, ""}, "120x40": {120, 40, ""}, "40x12": {40, 12, ""}, "ascii": {80, 24, "ascii"}} {
		t.Run(name, func(t *testing.T) {
			change := func(o *ui.Options) {
				if look.look != "" {
					o.Theme.ASCII, o.Theme.NoColor = true, true
				}
			}
			replies := replies(calling("I put the plan in.", writing(1, "Week 47.md", twoHunks)), reply("Done."))
			playChanges(t, look.w, look.h, replies, change, func(r *stage) {
				r.Type("go")
				r.Press("enter")
				r.Type("yya ")
				r.WaitFor("Write to note?")
				r.Type("yy")
				r.Press("space")
				all := "== asleep\n" + r.Screen()
				r.Pass(time.Second)
				all += "\n== awake\n" + r.Screen()
				if r.note("Week 47.md") != week {
					r.Fatal("it was written unasked")
				}
				r.Press("]", "space")
				all += "\n== one dropped\n" + r.Screen()
				r.Press("t")
				all += "\n== turned\n" + r.Screen()
				r.Press("f")
				all += "\n== full\n" + r.Screen()
				r.Press("f", "?")
				all += "\n== why\n" + r.Screen()
				r.Press("esc")
				golden.RequireEqual(r.T, all)
				r.Want("Write to note?")
				r.Press("y")
				if look.h < 24 { // not all of it was on the screen
					r.Want("not applied yet")
					r.Press("y")
				}
				r.WaitFor("Done.")
				r.Pass(time.Second)
				if got, want := r.note("Week 47.md"),
					strings.Replace(week, "- Tue scales", "- Tue arpeggios\n- Sun rest", 1); got != want {
					r.Errorf("the note is\n%s", got)
				}
				sent := r.model.Requests()[1].Messages
				if got := fmt.Sprint(sent); !strings.Contains(got, "applied 1 of 2 hunks") {
					r.Errorf("the model was told %s", got)
				}
				if look.w >= 80 {
					r.Want("Week 47.md", "> yya yy")
				}
			})
		})
	}
}

// TestChangeRefused: a no is told to the model with its reason, esc without one, and
// nothing is written.
func TestChangeRefused(t *testing.T) {
	replies := replies(calling("", writing(1, "Week 47.md", ""),
		writing(2, "New.md", "# New\n")), reply("Fine."))
	playChanges(t, 80, 24, replies, nil, func(r *stage) {
		propose(r.Robot)
		r.Press("n")
		r.Type("not on a")
		r.Paste(" Sunday")
		r.Want("why not? not on a Sunday")
		if x, y := r.Cursor(); x < 20 || y != 22 {
			r.Errorf("the cursor stands at %d,%d", x, y)
		}
		r.Press("enter")
		r.WaitFor("make a new note")
		r.Want("New.md", "+1 −0")
		r.Pass(time.Second)
		r.Press("esc")
		r.WaitFor("Fine.")
		r.Want("refused by the person: not on a Sunday")
		if r.note("Week 47.md") != week || exists(filepath.Join(r.dir, "New.md")) {
			r.Error("something was written")
		}
	})
}

// TestChangeApproved: what was approved at the start is made without a question, and said.
func TestChangeApproved(t *testing.T) {
	replies := replies(calling("", writing(1, "Week 47.md", "one\n"),
		writing(2, "New.md", "# New\n")), reply("Fine."))
	change := func(o *ui.Options) { o.Covers = func(path string) bool { return path == "Week 47.md" } }
	playChanges(t, 80, 24, replies, change, func(r *stage) {
		r.Begin("go", "make a new note")
		r.Pass(time.Second)
		r.Press("esc")
		r.WaitFor("Fine.")
		r.Want("yes to Week 47.md, ", "as --approve says")
		if r.note("Week 47.md") != "one\n" || exists(filepath.Join(r.dir, "New.md")) {
			r.Error("what was approved was not written, or something else was")
		}
	})
}

// TestChangeAlways: a yes for the note holds for this chat, and the header says so until
// a click or the command takes it back.
func TestChangeAlways(t *testing.T) {
	replies := replies(
		calling("", writing(1, "Week 47.md", "one\n")), reply("First."),
		calling("", writing(2, "Week 47.md", "two\n")), reply("Second."),
		calling("", writing(3, "Week 47.md", "three\n")), reply("Third."),
		calling("", writing(4, "Week 47.md", "four\n")), reply("Fourth."),
	)
	playChanges(t, 100, 24, replies, nil, func(r *stage) {
		propose(r.Robot)
		r.Press("a", "a") // the first one shows the rest of it
		r.WaitFor("First.")
		r.Pass(time.Second)
		r.Want("writes: 1 note")
		r.Ask("again", "Second.")
		is(r, r.note("Week 47.md"), "two\n")
		click := func(text string) {
			before, _, _ := strings.Cut(strings.Split(r.Screen(), "\n")[0], text)
			r.Click(len([]rune(before))+2, 0)
			r.Pass(time.Second)
		}
		click("writes: 1 note")
		r.WantNot("writes: 1 note")
		click("writes: ask")
		r.Want("writes: off")
		r.Ask("once more", "Third.")
		r.Want("refused by the person: this chat")
		click("writes: off")
		r.Begin("and again", "Write to note?")
		r.Pass(time.Second)
		r.Press("esc")
		r.WaitFor("Fourth.")
		is(r, r.note("Week 47.md"), "two\n")
	})
}

// TestChangeEdited: the person edits what is proposed; that is shown, and written.
func TestChangeEdited(t *testing.T) {
	replies := replies(calling("", writing(1, "Week 47.md", "")), reply("Done."))
	var file string
	change := func(o *ui.Options) {
		o.Editor = []string{"vi"}
		o.Exec = execOn(func(argv []string, text string) (string, error) {
			file = argv[len(argv)-1]
			return strings.Replace(text, "- Sun rest", "- Sun nothing at all", 1), nil
		})
	}
	playChanges(t, 80, 24, replies, change, func(r *stage) {
		propose(r.Robot)
		r.Press("e")
		r.WaitFor("edited by you")
		r.Want("+ - Sun nothing at all", "0.4 s of quiet")
		r.Pass(time.Second)
		r.Press("y")
		r.WaitFor("Done.")
		if got := r.note("Week 47.md"); !strings.Contains(got, "- Sun nothing at all") {
			r.Errorf("the note is\n%s", got)
		}
		if strings.HasPrefix(file, r.dir) || exists(file) {
			r.Errorf("the text was in %s", file)
		}
	})
}

// TestChangeRebased: a note that is changed while its change is shown keeps that; a
// hunk that fits nowhere any more is left out, and said.
func TestChangeRebased(t *testing.T) {
	for name, now := range map[string]string{
		"fits":     strings.Replace(week, "# Week 47", "# Week 47, a good one", 1),
		"conflict": strings.Replace(week, "- Tue scales", "- Tue off", 1),
	} {
		t.Run(name, func(t *testing.T) {
			playOn(t, 120, 40, proposing, func(r *stage) {
				propose(r.Robot)
				vaulttest.Write(r.T, r.vault, "Week 47.md", now)
				r.batch <- vault.Batch{Paths: []vault.Path{"Week 47.md"}}
				r.WaitFor("the file was changed")
				if name == "conflict" {
					r.Want("1 hunk of 2 fits nowhere")
				}
				r.Press("y")
				r.WaitFor("Done.")
				got := r.note("Week 47.md")
				if !strings.Contains(got, "and [[Nowhere]]") ||
					name == "fits" && !strings.Contains(got, "# Week 47, a good one") ||
					name == "conflict" && !strings.Contains(got, "- Tue off") {
					r.Errorf("the note is\n%s", got)
				}
			})
		})
	}
}

// TestChangeBatch: changes of many notes are one list first.
func TestChangeBatch(t *testing.T) {
	var calls []prompt.ToolCall
	for i := range 5 {
		calls = append(calls, writing(i, fmt.Sprintf("New %d.md", i), "text\n"))
	}
	playChanges(t, 80, 24, replies(calling("", calls...), reply("Done.")), nil,
		func(r *stage) {
			r.Begin("go", "Change many notes?")
			r.Type("y")
			r.Want("0.4 s of quiet")
			r.Pass(time.Second)
			r.Press("space", "down", "down", "space")
			golden.RequireEqual(r.T, r.Screen())
			r.Press("y")
			for _, n := range []int{1, 3, 4} {
				r.WaitFor(fmt.Sprintf("New %d.md", n))
				r.Pass(time.Second)
				r.Want("Write to note?", fmt.Sprintf("New %d.md", n))
				r.Press("y")
				r.Pass(time.Second)
			}
			r.WaitFor("Done.")
			for n, made := range []bool{false, true, false, true, true} {
				is(r, exists(filepath.Join(r.dir, fmt.Sprintf("New %d.md", n))), made, n)
			}
		})
}

// TestChangeAllAtOnce: A makes 40 changes with two keys, one of them struck out; they are one entry of the journal, and
// one undo takes all of them back.
func TestChangeAllAtOnce(t *testing.T) {
	var calls []prompt.ToolCall
	for i := range 40 {
		calls = append(calls, writing(i, fmt.Sprintf("New %d.md", i), "text\n"))
	}
	calls = append(calls, writing(40, "Week 47.md", twoHunks))
	playChanges(t, 80, 24, replies(calling("", calls...), reply("Done.")), nil, func(r *stage) {
		r.Begin("go", "Change many notes?")
		r.Pass(time.Second)
		r.Want("41 notes", "A all of these as they are shown")
		r.Press("down", "space", "A", "A")
		r.WaitFor("Done.")
		r.Pass(time.Second)
		for n := range 40 {
			is(r, exists(filepath.Join(r.dir, fmt.Sprintf("New %d.md", n))), n != 1, n)
		}
		is(r, r.note("Week 47.md") == week, false)
		r.Type("/undo-write list")
		r.Press("enter")
		r.Pass(time.Second)
		r.Want("New 0.md and 39 other notes")
		r.Press("esc")
		r.Type("/undo-write")
		r.Press("enter")
		r.Pass(time.Second)
		r.Want("taken back: 40 notes")
		for n := range 40 {
			is(r, exists(filepath.Join(r.dir, fmt.Sprintf("New %d.md", n))), false, n)
		}
		is(r, r.note("Week 47.md"), week)
	})
}

// TestHostileChange: whatever a proposal holds, a frame is a frame.
func TestHostileChange(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\u202eevil\u2066\t\u0301" + strings.Repeat("x", 300) + "\r\n"
	replies := replies(calling(evil,
		writing(1, "Week 47.md", strings.Repeat(evil, 200)+"[[\x1b[31m]]")), reply("Done."))
	playChanges(t, 80, 24, replies, nil, func(r *stage) {
		propose(r.Robot)
		r.Press("J", "t", "G", "?", "esc", "f", "g", "v", "]", "[", "space")
		r.Resize(40, 12)
		r.Wheel(2)
		r.Click(10, 5)
		r.Resize(200, 50)
		r.Press("G", "t")
	})
}

// TestActionBlock: a block that proposes to write a note is a line in the reply, now and
// when the chat is opened again, and the change is asked about.
func TestActionBlock(t *testing.T) {
	block := "Here it is.\n\n<writeToFile>\n<path>Made.md</path>\n<content>\n# Made\n\nNow.\n</content>\n</writeToFile>\n\nThat is all."
	playChanges(t, 80, 24, replies(reply(block)), nil, func(r *stage) {
		propose(r.Robot)
		r.Want("Made.md", "+ # Made")
		r.Press("y")
		r.Pass(2 * time.Second)
		is(r, r.note("Made.md"), "# Made\n\nNow.\n")
		for _, again := range []bool{false, true} {
			if again {
				r.Press("ctrl+n")
				r.Pass(time.Second)
				r.Press("ctrl+s")
				r.Pass(time.Second)
				r.Press("enter")
				r.Pass(time.Second)
			}
			r.Want("proposes to write Made, 3 lines", "That is all.", "Proposed a change to Made")
			r.WantNot("<path>", "# Made")
		}
		r.Press("tab", "w") // the call is the last message
		r.WaitFor("Write to a new note")
		if !strings.Contains(r.chatText(""), "<path>Made.md</path>") {
			r.Error("the block is not in the file")
		}
	})
}

// TestActionStreams: while a block streams it is a line that says how far it is, and none
// of its text. One that is not closed is shown as it came.
func TestActionStreams(t *testing.T) {
	block := "<writeToFile>\n<path>Made.md</path>\n<content>\n# Made\n\n" + strings.Repeat("made up\n", 20) +
		"</content>\n</writeToFile>"
	for _, c := range []struct {
		text string
		cut  bool
	}{
		{"Here it is.\n\n" + block + "\n\nThat is all.", false},
		{"Here it is.\n\n" + strings.TrimSuffix(block, "</writeToFile>"), true},
	} {
		replies := []chaintest.Reply{{Text: c.text, Split: 9, Delay: 150 * time.Millisecond}}
		playChanges(t, 80, 24, replies, nil, func(r *stage) {
			r.Begin("go", "writing a note…")
			r.WaitFor("writing Made.md, 2 lines so far…")
			for !r.Has("writing Made.md, 20 lines so far…") {
				r.Pass(100 * time.Millisecond)
				r.WantNot("<write", "<path", "<content", "made up")
			}
			if r.WaitFor("writing Made.md, 22 lines"); c.cut {
				r.WaitFor("</content>")
				r.Want("made up", "but the block is not closed")
				return
			}
			r.WaitFor("proposes to write Made, 22 lines")
			r.WantNot("so far", "made up")
			r.WaitFor("Write to note?")
		})
	}
}

// TestChangeList: older changes are listed, and taken back by their number; one of a
// note that was changed since is shown three ways.
func TestChangeList(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}} {
		playAt(t, size[0], size[1], replies(reply("Play it twice.")), func(r *stage) {
			r.Ask("/undo-write list", "no change of a note is kept")
			r.Ask("the encore?", "Play it twice.")
			r.Ask("/append Setlist", "written: Band/Setlist.md")
			r.Ask("/append Soil", "written: Garden/Soil.md")
			r.Ask("/undo-write list", "/undo-write N takes one back")
			r.Want("Garden/Soil.md", "Band/Setlist.md")
			r.Ask("/undo-write 2", "taken back: Garden/Soil.md")
			if got := r.note("Garden/Soil.md"); strings.Contains(got, "twice") {
				r.Errorf("the note is %q", got)
			}
			vaulttest.Write(r.T, r.vault, "Band/Setlist.md", r.note("Band/Setlist.md")+"\nAnd a last one.\n")
			r.Ask("/undo-write 1", "Take this back?")
		})
	}
}

// TestDroppedStays: a hunk that was dropped stays dropped when the note is changed
// meanwhile and all hunks still fit. The policy is said, and a click changes it, where the
// header is in the last line, too.
func TestDroppedStays(t *testing.T) {
	playOn(t, 60, 24, proposing, func(r *stage) {
		propose(r.Robot)
		r.Press("space")
		r.Want("drop")
		vaulttest.Write(r.T, r.vault, "Week 47.md", strings.Replace(week, "# Week 47", "# Week 47, a good one", 1))
		r.batch <- vault.Batch{Paths: []vault.Path{"Week 47.md"}}
		r.WaitFor("the file was changed")
		r.Want("drop")
		r.Press("a", "a") // the first one shows the rest of it
		r.WaitFor("Done.")
		if got := r.note("Week 47.md"); strings.Contains(got, "arpeggios") || !strings.Contains(got, "a good one") ||
			!strings.Contains(got, "[[Nowhere]]") {
			r.Errorf("the note is\n%s", got)
		}
		r.Resize(60, 12)
		r.Want("writes: 1 note")
		rows := strings.Split(r.Screen(), "\n")
		r.Click(strings.Index(rows[11], "writes:")+2, 11)
		r.WaitFor("you are asked about each change")
	})
}
