package ui_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/uitest"
	"ibid/vault/vaulttest"
)

// fumble makes accidental input with the mouse and the window: other buttons, drags that never
// end, end elsewhere or leave the screen; another window in front; a window of almost no size.
func fumble(rnd *rand.Rand, r *uitest.Robot) {
	x, y := rnd.IntN(240)-5, rnd.IntN(70)-5
	button := []tea.MouseButton{
		tea.MouseLeft, tea.MouseRight, tea.MouseMiddle, tea.MouseWheelUp, tea.MouseWheelDown,
		tea.MouseWheelLeft,
	}[rnd.IntN(6)]
	switch rnd.IntN(6) {
	case 0:
		r.Send(tea.MouseClickMsg{X: x, Y: y, Button: button})
	case 1:
		r.Send(tea.MouseClickMsg{X: rnd.IntN(80), Y: rnd.IntN(24), Button: tea.MouseLeft})
		for range 4 {
			r.Send(tea.MouseMotionMsg{X: rnd.IntN(240) - 5, Y: rnd.IntN(70) - 5, Button: tea.MouseLeft})
			r.Pass(time.Duration(rnd.IntN(120)) * time.Millisecond) // it scrolls at the edge
		}
	case 2:
		r.Send(tea.MouseReleaseMsg{X: x, Y: y, Button: button})
	case 3:
		r.Send(tea.MouseWheelMsg{X: x, Y: y, Button: button})
	case 4:
		r.Send(tea.BlurMsg{})
		r.Pass(time.Duration(rnd.IntN(200)) * time.Millisecond)
		r.Send(tea.FocusMsg{})
	default:
		r.Resize(1+rnd.IntN(45), 1+rnd.IntN(13))
	}
}

// TestMonkey presses keys that nobody would press in that order, types, pastes,
// clicks, selects and drags the window, while replies stream, fail and stall. The robot looks
// at each frame: every row has its width, the cursor is on the screen, nothing panics. At the
// end the screen still answers to ctrl+c.
func TestMonkey(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	hints := []string{
		"enter", "enter", "enter", "esc", "tab", "up", "down", "left", "right", "pgup", "pgdown", "home", "end",
		"backspace", "space",
		"ctrl+s", "ctrl+n", "ctrl+l", "ctrl+p", "ctrl+o", "ctrl+f", "ctrl+t", "ctrl+b", "ctrl+r", "ctrl+x", "ctrl+y",
		"ctrl+k", "ctrl+u", "ctrl+w",
		"ctrl+a", "ctrl+e", "ctrl+d", "f1", "f2", "f3", "f9", "alt+enter", "alt+esc", "j", "k", "J", "K", "g", "G", "d",
		"u", "n", "N", "y", "Y", "o", "e", "m", "r", "a",
		"[", "]", "/", "@", "#", "x", ".", "1", "?",
	}
	texts := []string{
		"@set", "[[soil", "what about [[Setlist]] and @Garden/?", "/active follow", "/pin Soil", "/unpin Soil", "/undo",
		"/redo", "/retry", "/branch 1", "/refresh",
		"/forget Setlist", "/mute Setlist", "/rename A better name", "日本語 👩‍👩‍👧‍👦 é", "/dump", "/nonsense",
		"#garden", "y", "n",
		"/config", "/vault", "/provider", "/model", "/theme", "/new", "/delete", "/delete undo", "/open Scales", "/stats",
		"/help", "~/", "false", "sk-test-3f9a77",
		"/append Setlist", "/undo-write", "/undo-write list", "/note Made up", "/variants 1", "/export", "/merge",
		"/recover", "/query LIST FROM #gig", "/add Setlist",
		"/chain ", "/policy readonly", "/policy ask", "/memory", "/tools", "/edit", "/copy code",
	}
	pages := pageTests()
	replies := func(rnd *rand.Rand) []chaintest.Reply {
		out := make([]chaintest.Reply, 200)
		for i := range out {
			switch rnd.IntN(9) {
			case 7:
				out[i] = calling("I put it in.", writing(i, "Week 47.md", twoHunks))
			case 8:
				for n := range 5 {
					out[i].ToolCalls = append(out[i].ToolCalls, writing(10*i+n, fmt.Sprintf("New %d.md", n), fmt.Sprint("text ", i)))
				}
			case 5:
				out[i] = calling("Hm.", toolCall("localSearch", i, "a"), toolCall("webSearch", i+1000, "b"),
					toolCall("dream", i+2000, "c"))
			case 6:
				for n := range 3 + rnd.IntN(6) {
					out[i].ToolCalls = append(out[i].ToolCalls, toolCall("localSearch", 10*i+n, fmt.Sprint(n)))
				}
			case 0:
				out[i] = slow(plan)
			case 1:
				out[i] = chaintest.Reply{Text: plan, Reasoning: "because\nof that", Split: 7}
			case 2:
				out[i] = chaintest.Reply{
					Chunks: []string{"half ", "a reply"}, ErrAfter: 1,
					Err: &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."},
				}
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
				writePrompts(t, g)
				vaulttest.Write(t, g.vault, "Week 47.md", week)
				if seed%2 == 0 {
					g.tools = []chains.Tool{finder(time.Duration(rnd.IntN(3000)) * time.Millisecond), asking(), changer(g)}
				}
				if seed%4 > 1 {
					g.large = chains.LargePolicy{AskAbove: 140}
				}
				g.export = exportNothing
				g.reopen()
				g.watched()
				g.change(allServices)
				g.change(func(o *ui.Options) { o.Terminal.Inline = seed%3 == 2 })
				return g
			}, func(r *stage) {
				for range 150 {
					switch n := rnd.IntN(29); {
					case n < 13:
						if k := hints[rnd.IntN(len(hints))]; !r.Quit() {
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
					case n == 20:
						r.Press("ctrl+x", "c")
					case n == 21:
						fumble(rnd, r.Robot)
					case n == 22: // what was typed is sent, or it is a command
						r.Type(texts[rnd.IntN(len(texts))])
						r.Press("enter")
					case n > 25: // a page, from the prompt
						r.Press("esc")
						r.Pass(time.Second)
						r.Press("ctrl+u")
						playKeys(r.Robot, pages[rnd.IntN(len(pages))].open)
					case n == 23: // the rail of chats, filtered
						r.Resize(130+rnd.IntN(70), 20+rnd.IntN(30))
						r.Press("tab", "tab", "tab")
						r.Type(texts[rnd.IntN(len(texts))])
					case n == 17:
						r.Resize(20+rnd.IntN(200), 5+rnd.IntN(55))
					default:
						r.Pass(time.Duration(rnd.IntN(400)) * time.Millisecond)
					}
				}
				r.Resize(80, 24)
				if r.Press("ctrl+c"); !r.Has("Leave?") {
					r.Want("ctrl+c again quits")
					r.Press("ctrl+c")
				}
				if r.Has("Leave?") {
					r.Press("y")
				}
				r.WaitQuit()
			})
		})
	}
}

// TestLettersFilter types every letter and figure into each list that filters as one
// types: only the filter follows, and the list stays open.
func TestLettersFilter(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,/?[]"
	for pageOpen, title := range map[string]string{
		"ctrl+s": "Chats", "ctrl+p": "Everything", "ctrl+o": "Search", "ctrl+r": "Earlier prompts",
		"ctrl+x p": "Saved prompts", "ctrl+x g": "Go back to",
		"ctrl+l": "Models", "/theme": "Themes", "/config": "Settings", "/provider": "Providers", "/vault": "Vaults",
	} {
		t.Run(pageOpen, func(t *testing.T) {
			playOn(t, 120, 40, rigWithOptions(band+older, allServices, reply("ok")), func(r *stage) {
				r.Ask("go", "ok")
				for _, filled := range []bool{false, true} {
					for _, letter := range letters {
						if strings.HasPrefix(pageOpen, "/") {
							r.Type(pageOpen)
							r.Press("enter")
						} else {
							r.Press(strings.Fields(pageOpen)...)
						}
						typed := string(letter)
						if filled {
							r.Type("o")
							typed = "o" + typed
						}
						r.Type(string(letter))
						if !r.Has("> "+typed) || r.Quit() || r.Clipboard() != "" {
							r.Fatalf("%q in %s:\n%s", typed, title, r.Screen())
						}
						r.Press("esc")
						r.Want("Ask your vault")
					}
				}
				if all, err := r.store.List(r.Context()); err != nil || len(all) != 3 {
					r.Errorf("%d chats, %v", len(all), err)
				}
			})
		})
	}
}
