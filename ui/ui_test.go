package ui_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/chains/chaintest"
)

// size is that of a screen, in cells.
type size struct{ w, h int }

var sizes = []size{{80, 24}, {120, 40}, {200, 50}, {160, 42}, {60, 16}, {40, 10}}

// onSizes runs a test on screens of several sizes, each under its own name.
func onSizes(t *testing.T, sizes []size, test func(t *testing.T, w, h int)) {
	t.Helper()
	for _, s := range sizes {
		t.Run(fmt.Sprintf("%dx%d", s.w, s.h), func(t *testing.T) { test(t, s.w, s.h) })
	}
}

const plan = `Here is a plan that keeps to [[Setlist]]:

| Day | What |
|-----|------|
| Mon | scales |
| Tue | 曲を通す |

1. roll the highs off
2. play it *slowly*

` + "```go\nfmt.Println(\"count aloud\")\n```\n"

// TestScreens compares the main screens at all sizes.
func TestScreens(t *testing.T) {
	scripts := []struct {
		name string
		run  func(r *stage)
	}{
		{"new", func(r *stage) { r.Pass(time.Second) }},
		{"notes", func(r *stage) { r.Type("compare with @se") }},
		{"replied", func(r *stage) {
			r.Type("plan from @sets")
			r.Press("enter")
			r.Ask("please", "count aloud")
		}},
		{"streaming", func(r *stage) {
			r.Begin("plan it", "count aloud")
			r.Pass(7 * time.Second)
			r.Begin("and then", "a little")
			r.Type("one more thing")
			r.Press("enter")
			r.Type("draft")
		}},
		{"context", func(r *stage) {
			r.Type("plan from @sets")
			r.Press("enter", "enter")
			r.WaitFor("count aloud")
			r.Press("f2")
			r.Pass(time.Second)
		}},
		{"commands", func(r *stage) { r.Type("/re") }},
		{"help", func(r *stage) { r.Press("f1") }},
		{"palette", func(r *stage) { r.Press("ctrl+p"); r.Type("note") }},
		{"leader", func(r *stage) { r.Press("ctrl+x") }},
		{"find", func(r *stage) {
			r.Begin("plan it", "count aloud")
			r.Pass(7 * time.Second)
			r.Press("ctrl+f")
			r.Type("plan")
		}},
	}
	onSizes(t, sizes, func(t *testing.T, w, h int) {
		for _, s := range scripts {
			t.Run(s.name, func(t *testing.T) {
				replies := []chaintest.Reply{
					{
						Text: plan, Reasoning: "Short days, so short sets.",
						Usage: &chains.Usage{Prompt: 420, Cached: 256, Completion: 80, Reasoning: 9, Cost: -1},
					},
					slow("Then play all of it slowly, and once more a little faster, until it holds."),
				}
				playAt(t, w, h, replies, func(r *stage) {
					s.run(r)
					golden.RequireEqual(r.T, r.Screen())
				})
			})
		}
	})
}

// TestLooks shows that no meaning is lost without colour, on a light background,
// and in ASCII.
func TestLooks(t *testing.T) {
	for _, look := range []string{"nocolor", "light", "ascii"} {
		t.Run(look, func(t *testing.T) {
			playOn(t, 100, 24, rigWith(band, func(g *rig) {
				g.look(look)
			}, chaintest.Reply{Text: plan}), func(r *stage) {
				r.Type("plan from @sets")
				r.Press("enter", "enter")
				r.WaitFor("count aloud")
				r.Pass(time.Second)
				golden.RequireEqual(r.T, r.Screen())
				if content := r.Content(); look == "nocolor" && strings.Contains(content, "38;2;") {
					r.Error("there are colours on a screen without colours")
				}
			})
		})
	}
}

// TestForeignText sends escape sequences from every side. The robot looks at
// each frame.
func TestForeignText(t *testing.T) {
	evil := "\x1b]52;c;aGk=\x07\x1b[2J\x1b[31mred\x1b[0m \u202etxt\u202c \x9b5n"
	archive := band + "-- Band/Evil \x1b[2J name.md --\n# Evil " + evil + "\n\n## Head " + evil + "\n"
	playOn(t, 120, 40, rigOn(archive, chaintest.Reply{Text: "So: " + evil, Reasoning: evil, Split: 3}, chaintest.Reply{
		Err: &chains.ProviderError{Kind: chains.ErrServer, Message: "the server said " + evil},
	}), func(r *stage) {
		r.Paste(evil)
		r.Type(" @evil")
		r.WaitFor("Evil")
		r.Press("enter", "enter")
		r.WaitFor("So:")
		r.Press("ctrl+t", "f2")
		r.Pass(time.Second)
		r.Press("down", "down", "down", "esc", "ctrl+s")
		r.Pass(time.Second)
		r.Press("esc")
		r.Begin("again", "the server said")
		r.Press("ctrl+o")
		r.Type("evil")
		r.Press("esc", "ctrl+f")
		r.Paste(evil)
		r.Press("esc", "tab", "K", "o")
		r.Pass(time.Second)
	})
}

// TestSuspendFromPages: ctrl+z goes to the shell from every page that does nothing of
// its own with it.
func TestSuspendFromPages(t *testing.T) {
	play(t, nil, func(r *stage) {
		for i, pageOpen := range []string{"f1", "f2", "ctrl+p", "ctrl+o", "ctrl+s", "ctrl+l", "ctrl+r"} {
			r.Press(pageOpen, "ctrl+z", "esc")
			is(r, r.Suspended(), i+1, pageOpen)
		}
	})
}

// TestUndoKey: right after a change that was agreed to, ctrl+z takes it back while nothing
// is in the prompt, and u does in the transcript; later, and with a prompt, they mean what
// they always do.
func TestUndoKey(t *testing.T) {
	for _, row := range []struct {
		keys      []string
		typed     string
		undone    bool
		suspended int
	}{
		{[]string{"ctrl+z"}, "", true, 0},
		{[]string{"ctrl+z"}, "half a question", false, 1},
		{[]string{"tab", "u"}, "", true, 0},
		{[]string{"tab", "j", "u"}, "", false, 0},
		{[]string{"ctrl+z", "ctrl+z"}, "", true, 1},
	} {
		replies := replies(calling("", writing(1, "New.md", "new\n")), reply("Done."))
		playChanges(t, 80, 24, replies, nil, func(r *stage) {
			propose(r.Robot)
			r.Press("y")
			r.WaitFor("Done.")
			r.Type(row.typed)
			r.Press(row.keys...)
			r.Pass(time.Second)
			if there := exists(filepath.Join(r.dir, "New.md")); there == row.undone || r.Suspended() != row.suspended {
				r.Errorf("%v behind %q: the note is there: %v, suspended %d times\n%s", row.keys, row.typed, there,
					r.Suspended(), r.Screen())
			}
		})
	}
}

// TestSuspend: ctrl+z goes to the shell, and the draft is there when one comes back.
func TestSuspend(t *testing.T) {
	play(t, nil, func(r *stage) {
		r.Type("half a question")
		r.Press("ctrl+z")
		is(r, r.Suspended(), 1)
		r.Type(" more")
		r.WaitFor("half a question more")
	})
}
