package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/vault/vaulttest"
)

// printTime is longer than anything waits to be printed.
const printTime = time.Second

// playInline runs a script on a screen that prints what is said.
func playInline(t *testing.T, w, h int, replies []chaintest.Reply, script func(r *stage)) {
	t.Helper()
	playOn(t, w, h, rigWithOptions(band+older, func(o *ui.Options) { o.Terminal.Inline = true }, replies...), script)
}

func TestInline(t *testing.T) {
	long := make([]string, 60)
	for i := range long {
		long[i] = fmt.Sprintf("Step number %d.", i)
	}
	replies := replies(
		reply("Play it **slow**."), slow(strings.Join(long, "\n\n")), reply("Third."),
		reply("Third again."),
	)
	playInline(t, 80, 24, replies, func(r *stage) {
		r.Pass(printTime)
		r.WantPrinted(1, "ibid", "/ lists commands")
		if v := r.View(); v.AltScreen || v.MouseMode != 0 {
			r.Errorf("alternate screen %v, mouse %v", v.AltScreen, v.MouseMode)
		}
		r.Ask("how?", "Ask your vault")
		r.Pass(printTime)
		r.WantPrinted(1, "▌ how?", "Play it slow.")
		if r.Has("Play it slow") {
			r.Errorf("what was printed is drawn too:\n%s", r.Screen())
		}

		r.Type("all of it")
		r.Press("enter")
		r.WaitFor("esc stop")
		for !r.Has("Step number 20.") {
			r.Pass(50 * time.Millisecond)
			r.Want("esc stop", " s") // and for how long it is written
		}
		r.WantPrinted(0, "all of it", "Step number 7.")
		r.Press("pgup") // the alternate screen scrolls
		if !r.View().AltScreen || !r.Has("Step number 5.") {
			r.Errorf("it does not scroll:\n%s", r.Screen())
		}
		r.Press("end")
		if r.View().AltScreen {
			r.Errorf("it does not go back:\n%s", r.Screen())
		}
		r.Resize(60, 16)
		r.Press("f2")
		r.WaitFor("next turn")
		r.Pass(5 * printTime)
		r.WantPrinted(0, "Step number 7.") // not on a page
		r.Press("esc")
		r.Pass(printTime)
		for i := range long {
			r.WantPrinted(1, long[i])
		}

		r.Ask("third", "Ask your vault")
		r.Press("ctrl+x", ".")
		r.Pass(printTime)
		r.WantPrinted(1, "▌ third", "Third.", "Third again.")
		r.Type("/new")
		r.Press("enter")
		r.Pass(printTime)
		r.WantPrinted(2, "New chat")
		r.WantPrinted(1, "▌ third")
	})
}

// TestInlineSavedChat opens a chat with many turns: the last ones are printed, the
// others are a key away.
func TestInlineSavedChat(t *testing.T) {
	playOn(t, 80, 24, rigWith(band, func(g *rig) {
		g.change(func(o *ui.Options) { o.Terminal.Inline = true })
		var b strings.Builder
		b.WriteString("---\nepoch: 1727129880000\ntags:\n  - copilot-conversation\n---\n")
		for i := range 30 {
			fmt.Fprintf(&b, "\n**user**: Question %d?\n[Timestamp: 2024/09/23 22:18:00]\n\n**ai**: Answer %d.\n[Timestamp: 2024/09/23 22:18:05]\n", i, i)
		}
		vaulttest.Write(g.t, g.vault, "Chats/Long talk.md", b.String())
	}, reply("New one.")), func(r *stage) {
		r.Type("/open Long talk")
		r.Press("enter")
		r.WaitFor("Ask your vault")
		r.Pass(printTime)
		r.WantPrinted(1, "27 earlier turns", "Question 27?", "Answer 29.")
		r.WantPrinted(0, "Question 26?")
		r.Press("tab", "g")
		r.Want("Question 0?")
		r.Press("tab", "end")
		r.Ask("more?", "Ask your vault")
		r.Pass(printTime)
		r.WantPrinted(1, "Question 29?", "▌ more?", "New one.")
	})
}

// TestInlineWidth ends a reply behind a page and changes the width there: what is printed
// afterwards is as wide as the terminal is then.
func TestInlineWidth(t *testing.T) {
	words := make([]string, 60)
	for i := range words {
		words[i] = fmt.Sprintf("word%02d", i)
	}
	for name, w := range map[string]int{"narrower": 50, "wider": 100} {
		t.Run(name, func(t *testing.T) {
			replies := replies(slow(strings.Join(words, " ") + "\n\nThe end."))
			playInline(t, 80, 24, replies, func(r *stage) {
				r.Type("go")
				r.Press("enter")
				r.WaitFor("word03")
				r.Press("f2")
				r.WaitFor("next turn")
				r.Pass(10 * printTime)
				r.WantPrinted(0, "word00")
				r.Resize(w, 24)
				r.Press("esc")
				r.Pass(printTime)
				r.WantPrinted(1, append(words, "The end.")...)
				lines, longest := strings.Split(r.Printed(), "\n"), 0
				for i, line := range lines {
					if strings.HasPrefix(line, "  word") {
						longest = max(longest, len(line))
						if next := lines[i+1]; strings.HasPrefix(next, "  word") && len(line)+len(" word00") < min(w-2, 84) {
							r.Errorf("a line of %d columns is not full on a screen of %d: %q, and then %q", len(line), w, line, next)
						}
					}
				}
				if longest > w || longest < min(w-10, 70) {
					r.Errorf("the longest line is %d columns wide on a screen of %d:\n%s", longest, w, r.Printed())
				}
			})
		})
	}
}
