package ui_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/uitest"
)

// drag selects from the first character of one text to the last one of another.
func drag(t *testing.T, r *uitest.Robot, from, to string) {
	t.Helper()
	x, y := r.Find(from)
	toX, toY := r.Find(to)
	if strings.HasSuffix(from, to) {
		toX, toY = x+len([]rune(from))-len([]rune(to)), y
	}
	r.Drag(x, y, toX+len([]rune(to))-1, toY)
}

const prose = "The wrist stays low while the thumb passes under, and the count goes on aloud until the tempo holds by itself. " +
	"Then the left hand joins.\n\n- first a short item\n- then one that is long enough to be wrapped, because it goes on about [the metronome](https://example.org/metronome) for a while\n\n> quoted words that are wrapped too, since there are as many of them as a line can hold and a few more\n\n```go\nfunc main() {\n\tprintln(1)\n}\n```\n\nlast words"

// TestSelect drags over what a chat shows: the clipboard gets the text, without the
// gutter and with wrapped lines as one.
func TestSelect(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 40}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprint(size.w), func(t *testing.T) {
			playAt(t, size.w, size.h, replies(reply(prose)), func(r *stage) {
				r.Ask("how do I practise the thumb, and is there anything that I should keep in mind while I am at it every day?", "last words")
				for _, tt := range []struct{ from, to, want string }{
					{"wrist", "low", "wrist stays low"},
					{"stays", "left", "stays low while the thumb passes under, and the count goes on aloud until the tempo holds by itself. Then the left"},
					{"low", "wrist", "wrist stays l"},
					{"enough", "for a while", "enough to be wrapped, because it goes on about the metronome https://example.org/metronome for a while"},
					{"as many", "few", "as many of them as a line can hold and a few"},
					{"func", "println(1)", "func main() {\n    println(1)"},
					{"keep", "every", "keep in mind while I am at it every"},
					{"last words", "words", "last words"},
				} {
					drag(r.T, r.Robot, tt.from, tt.to)
					if tt.from == "low" { // backwards: to the beginning of the other one
						x, y := r.Find("low")
						toX, toY := r.Find("wrist")
						r.Drag(x, y, toX, toY)
					}
					is(r, r.Clipboard(), tt.want, tt.from, tt.to)
					if !strings.Contains(r.Content(), "\x1b[7m") {
						r.Errorf("from %s to %s: nothing is shown as selected", tt.from, tt.to)
					}
				}
				r.Want("copied: 10 characters")
				r.Press("esc")
				if strings.Contains(r.Content(), "\x1b[7m") {
					r.Error("esc left the selection")
				}
				x, y := r.Find("thumb passes")
				r.Click(x, y)
				r.Click(x, y)
				is(r, r.Clipboard(), "thumb", "by a double click")
				r.Click(x, y)
				if got := r.Clipboard(); !strings.HasPrefix(got, "The wrist") || !strings.HasSuffix(got, "hand joins.") {
					r.Errorf("a triple click copied %q", got)
				}
				r.Type("on")
				r.Want("> on")
				if strings.Contains(r.Content(), "\x1b[7m") {
					r.Error("typing left the selection")
				}
			})
		})
	}
}

// TestSelectButtons: other buttons neither click nor select, and nothing is pasted.
func TestSelectButtons(t *testing.T) {
	play(t, []chaintest.Reply{{Text: "an answer", Reasoning: "because"}},
		func(r *stage) {
			r.Ask("go", "an answer")
			before := r.Screen()
			x, y := r.Find("thought")
			for _, button := range []tea.MouseButton{tea.MouseRight, tea.MouseMiddle} {
				r.Send(tea.MouseClickMsg{X: x, Y: y, Button: button})
				r.Send(tea.MouseMotionMsg{X: x + 4, Y: y + 2, Button: button})
				r.Send(tea.MouseReleaseMsg{X: x + 4, Y: y + 2, Button: button})
			}
			if after := r.Screen(); after != before || r.Clipboard() != "" {
				r.Errorf("copied %q:\n%s", r.Clipboard(), after)
			}
			r.Click(x, y)
			r.Want("because")
		})
}

// TestSelectScrolls keeps the pointer beyond the edge of the transcript, which scrolls and
// extends the selection.
func TestSelectScrolls(t *testing.T) {
	var lines []string
	for i := range 90 {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	play(t, replies(reply(strings.Join(lines, "\n"))), func(r *stage) {
		r.Ask("go", "line 89")
		x, y := r.Find("line 89")
		r.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		r.Send(tea.MouseMotionMsg{X: x, Y: 0, Button: tea.MouseLeft})
		r.Pass(5 * time.Second)
		r.Want("line 0")
		x, y = r.Find("line 3")
		r.Send(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft})
		r.Pass(time.Second)
		r.Send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
		if got, want := r.Clipboard(), strings.Join(lines[3:89], "\n")+"\nl"; got != want {
			r.Errorf("copied %q", got)
		}
		frames := r.Frames()
		r.Pass(20 * time.Second)
		if n := r.Frames() - frames; n > 5 {
			r.Errorf("%d frames after the button was let go", n)
		}
	})
}

// TestSelectWhileStreaming selects in a reply that still grows: the selection stays
// on its text.
func TestSelectWhileStreaming(t *testing.T) {
	play(t, replies(slow("alpha beta gamma\n\n"+strings.Repeat("more and more\n\n", 40)+
		"the end")), func(r *stage) {
		r.Begin("go", "more and more")
		x, y := r.Find("beta")
		r.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		r.Send(tea.MouseMotionMsg{X: x + 3, Y: y, Button: tea.MouseLeft})
		r.WaitFor("the end")
		r.Send(tea.MouseReleaseMsg{X: x + 3, Y: y, Button: tea.MouseLeft})
		is(r, r.Clipboard(), "beta")
	})
}

// TestClickActs clicks on what looks as if it could be pressed.
func TestClickActs(t *testing.T) {
	playAt(t, 200, 40, replies(reply("first answer"), reply(strings.Repeat("second\n\n", 60))),
		func(r *stage) {
			r.Ask("alpha", "first answer")
			r.Press("ctrl+n")
			r.WaitFor("New chat")
			r.Ask("beta", "second")
			r.WaitFor("saved")
			r.Click(r.Find("alpha"))
			r.WaitFor("first answer")
			r.Click(r.Find("beta"))
			r.WaitFor("second")

			r.Press("ctrl+s")
			r.WaitFor("2 of 2")
			r.Click(r.Find("alpha"))
			r.WaitFor("first answer")

			r.Type("@Soi")
			r.WaitFor("▸ Soil")
			r.Click(r.Find("Soil   "))
			r.WaitFor("> [[Soil]]")
			r.WaitFor("+ Soil ─")
			r.Click(r.Find("+ Soil ─"))
			r.WaitFor("Compost in spring.")
			r.Press("esc", "esc")
			x, _ := r.Cursor()
			if x < 0 {
				r.Error("the cursor left the prompt")
			}
			r.Click(r.Find("VAULT"))
			r.WaitFor("exact bytes")
		})
}

// TestEndGoesDown scrolls up and goes back to the end by what the pill says.
func TestEndGoesDown(t *testing.T) {
	play(t, replies(reply(strings.Repeat("line\n\n", 60)), slow("more words"), slow("and more")),
		func(r *stage) {
			r.Ask("go", "line")
			for _, down := range []func(){func() { r.Press("end") }, func() { r.Click(r.Find("End")) }} {
				r.Begin("on", "assistant")
				r.Press("pgup", "pgup")
				r.WaitFor("new line")
				down()
				r.WantNot("new line")
				r.Pass(5 * time.Second)
			}
			r.Want("and more")
		})
}

// TestCopyLast takes the reply, not what the program says under it.
func TestCopyLast(t *testing.T) {
	broken := chaintest.Reply{
		Chunks: []string{"half ", "a reply"}, ErrAfter: 2,
		Err: &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."},
	}
	play(t, replies(broken), func(r *stage) {
		r.Ask("go", "The connection broke.")
		for _, hints := range [][]string{{"ctrl+x", "y"}, {"tab", "y"}} {
			r.Press(hints...)
			is(r, r.Clipboard(), "half a reply", hints)
		}
	})
}

// TestUsualWords finds actions by other words than their names, as commands too.
func TestUsualWords(t *testing.T) {
	play(t, replies(reply("an answer")), func(r *stage) {
		r.Ask("go", "an answer")
		for word, name := range map[string]string{
			"regenerate": "Send the last message again", "theme": "Dark or light",
			"history": "Saved chats", "exit": "Quit", "fork": "go on from message", "clipboard": "Copy the last reply",
		} {
			r.Press("ctrl+p")
			r.Type(word)
			if !strings.Contains(strings.ToLower(r.Screen()), strings.ToLower(name)) {
				r.Errorf("%s does not lead to %s:\n%s", word, name, r.Screen())
			}
			r.Press("esc")
		}
		r.Type("/cop")
		r.Want("/copy", "Copy the last reply")
		r.Press("enter")
		r.Want("copied: the last reply")
		r.Type("/find")
		r.Press("enter")
		r.Type("answer")
		r.Want("1 of 1")
	})
}

// TestCopyHere: what is copied goes to the clipboard of the machine too, which may fail,
// and the other buttons of the mouse put nothing anywhere.
func TestCopyHere(t *testing.T) {
	var here []string
	playOn(t, 80, 24, rigWithOptions(band, func(o *ui.Options) {
		o.Terminal.Copy = func(_ context.Context, text string) error {
			here = append(here, text)
			return errors.New("no display")
		}
	}, reply("a few words")), func(r *stage) {
		r.Ask("go", "a few words")
		drag(r.T, r.Robot, "few", "words")
		r.Want("copied: 9 characters")
		if r.Clipboard() != "few words" || len(here) != 1 || here[0] != "few words" {
			r.Errorf("the terminal has %q, the machine %q", r.Clipboard(), here)
		}
		for _, button := range []tea.MouseButton{tea.MouseRight, tea.MouseMiddle} {
			x, y := r.Find("Ask your vault")
			r.Send(tea.MouseClickMsg{X: x, Y: y, Button: button})
			r.Send(tea.MouseReleaseMsg{X: x, Y: y, Button: button})
			r.Want("Ask your vault")
		}
	})
}

// TestCopyTakesTheReply: every way to copy takes the reply as it was written, and not
// what the program says below it.
func TestCopyTakesTheReply(t *testing.T) {
	const said = "See [[Nowhere]]:\n\n```go\nplay()\n```"
	play(t, replies(reply(said)), func(r *stage) {
		r.Ask("go", "leads nowhere")
		copied := func(how, want string) {
			r.Helper()
			is(r, r.Clipboard(), want, how)
		}
		r.Type("/copy")
		r.Press("enter")
		copied("/copy", said)
		r.Press("ctrl+x", "y")
		copied("ctrl+x y", said)
		r.Press("tab", "Y")
		copied("Y", "play()\n")
		r.Press("y")
		copied("y", said)
		r.Press("k", "y")
		copied("y one line up", said)
		for y, row := range strings.Split(r.Screen(), "\n") {
			if strings.Contains(row, "play()") {
				r.Drag(0, y-1, 60, y+1)
			}
		}
		copied("a drag", "play()")
	})
}
