package ui_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestMonkey presses keys that nobody would press in that order, types, pastes,
// clicks, selects and drags the window, while replies stream, fail and stall. The robot looks at each
// frame: every row has its width, the cursor is on the screen, nothing panics. At
// the end the screen still answers to ctrl+c.
func TestMonkey(t *testing.T) {
	keys := []string{
		"enter", "enter", "enter", "esc", "tab", "up", "down", "left", "right", "pgup", "pgdown", "home", "end", "backspace", "space",
		"ctrl+s", "ctrl+n", "ctrl+l", "ctrl+p", "ctrl+o", "ctrl+f", "ctrl+t", "ctrl+b", "ctrl+r", "ctrl+x", "ctrl+y", "ctrl+k", "ctrl+u", "ctrl+w",
		"ctrl+a", "ctrl+e", "ctrl+d", "f1", "f2", "f3", "f9", "alt+enter", "alt+esc", "j", "k", "J", "K", "g", "G", "d", "u", "n", "N", "y", "Y", "o", "e", "m", "r", "a",
		"[", "]", "/", "@", "#", "x", ".", "1", "?",
	}
	texts := []string{
		"@set", "[[soil", "what about [[Setlist]] and @Garden/?", "/active follow", "/pin Soil", "/unpin Soil", "/undo", "/redo", "/retry", "/branch 1", "/refresh",
		"/forget Setlist", "/mute Setlist", "/rename A better name", "日本語 👩‍👩‍👧‍👦 é", "/dump", "/nonsense", "#garden", "y", "n",
	}
	replies := func(rnd *rand.Rand) []chaintest.Reply {
		out := make([]chaintest.Reply, 200)
		for i := range out {
			switch rnd.IntN(7) {
			case 5:
				out[i] = calling("Hm.", toolCall("localSearch", i, "a"), toolCall("webSearch", i+1000, "b"), toolCall("dream", i+2000, "c"))
			case 6:
				for n := range 3 + rnd.IntN(6) {
					out[i].ToolCalls = append(out[i].ToolCalls, toolCall("localSearch", 10*i+n, fmt.Sprint(n)))
				}
			case 0:
				out[i] = slow(plan)
			case 1:
				out[i] = chaintest.Reply{Text: plan, Reasoning: "because\nof that", Split: 7}
			case 2:
				out[i] = chaintest.Reply{Chunks: []string{"half ", "a reply"}, ErrAfter: 1, Err: &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."}}
			case 3:
				out[i] = chaintest.Reply{Text: "late", Delay: time.Minute}
			default:
				out[i] = reply("yes")
			}
		}
		return out
	}
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			size := sizes[rnd.IntN(len(sizes))]
			playOn(t, size.w, size.h, func(t *testing.T) *rig {
				g := newRig(t, band+older, replies(rnd)...)
				if seed%2 == 0 {
					g.tools = []chains.Tool{finder(time.Duration(rnd.IntN(3000)) * time.Millisecond), asking()}
					g.store, g.desk = g.open(t, g.model, "test-model")
				}
				g.watched()
				return g
			}, func(t *testing.T, r *uitest.Robot, _ *rig) {
				for range 150 {
					switch n := rnd.IntN(24); {
					case n < 13:
						if k := keys[rnd.IntN(len(keys))]; !r.Quit() {
							r.Press(k)
						}
					case n < 16:
						r.Type(texts[rnd.IntN(len(texts))])
					case n == 16:
						r.Paste("pasted\nlines " + texts[rnd.IntN(len(texts))])
					case n == 18:
						r.Drag(rnd.IntN(80), rnd.IntN(24), rnd.IntN(80), rnd.IntN(24))
					case n == 19:
						x, y := rnd.IntN(80), rnd.IntN(24)
						for range 1 + rnd.IntN(3) {
							r.Click(x, y)
						}
						r.Wheel(rnd.IntN(3) - 1)
					case n == 17:
						r.Resize(20+rnd.IntN(200), 5+rnd.IntN(55))
					default:
						r.Pass(time.Duration(rnd.IntN(400)) * time.Millisecond)
					}
				}
				r.Resize(80, 24)
				r.Press("ctrl+c")
				want(t, r, "ctrl+c again quits")
				r.Press("ctrl+c")
				r.WaitQuit()
			})
		})
	}
}
