package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/vault/vaulttest"
)

// TestRails walks through the rails by keys: a note is read, a chat is opened.
func TestRails(t *testing.T) {
	playAt(t, 160, 42, replies(reply("first answer"), reply("second answer")),
		func(r *stage) {
			r.Ask("alpha @soil", "")
			r.Press("enter")
			r.WaitFor("first answer")
			r.Press("ctrl+n")
			r.WaitFor("New chat")
			r.Pass(7 * time.Second)
			r.Press("tab") // nothing is attached, nothing was said: only chats can be chosen
			r.Want("▸ alpha", "enter open")
			r.Type("x")
			r.Want("> x", "no chat is called that")
			r.Press("esc")
			r.Want("▸ alpha", "> filter")
			r.Press("enter")
			r.WaitFor("first answer")
			r.Pass(time.Second)
			r.Press("tab", "tab")
			r.Want("▸ Soil")
			r.Type("x")
			r.Want("> x ") // what is typed is the prompt's
			r.Press("backspace", "tab", "tab", "down", "up", "enter")
			r.WaitFor("Compost in spring.")
			r.Press("esc", "tab")
			r.Want("▸ alpha")
			r.Press("esc")
			if x, _ := r.Cursor(); x < 0 {
				r.Errorf("the cursor is not in the prompt:\n%s", r.Screen())
			}
			x, y := r.Find("│ ● Soil")
			r.Click(x+4, y)
			r.WaitFor("Compost in spring.")
			r.Press("esc", "tab", "tab", "tab", "tab")
			if x, _ := r.Cursor(); x < 0 || strings.Contains(r.Screen(), "▸ alpha") {
				r.Errorf("tab does not lead back to the prompt:\n%s", r.Screen())
			}
		})
}

// savedChats returns an archive of n chats.
func savedChats(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "-- Chats/Chat %03d.md --\n---\nepoch: %d\ntitle: Chat %03d\n---\n\n**user**: Where?\n[Timestamp: 2026/03/01 09:00:00]\n\n**ai**: There.\n[Timestamp: 2026/03/01 09:00:05]\n", i, 1773000000000-i*1000, i)
	}
	return b.String()
}

// TestRailScrolls walks through more chats than the rail has rows for, filters them, and
// scrolls with the wheel what is under the pointer.
func TestRailScrolls(t *testing.T) {
	playOn(t, 160, 42, rigOn(band+savedChats(90)), func(r *stage) {
		r.WaitFor("Chat 000")
		r.Want("↓ 7")
		r.WantNot("↑ ")
		wheel := func(x, by int) {
			r.Send(tea.MouseWheelMsg{Button: map[bool]tea.MouseButton{
				true:  tea.MouseWheelDown,
				false: tea.MouseWheelUp,
			}[by > 0], X: x, Y: 20})
		}
		wheel(5, 1)
		r.Want("↑ 3")
		r.WantNot("Chat 000     ", "Chat 002")
		x, y := r.Find("↑ 3")
		r.Click(x, y)
		r.Want("Chat 000     ")
		wheel(80, 1)
		r.Want("Chat 000     ") // that is the transcript's
		r.Press("tab")
		r.Want("▸ Chat 000", "> filter")
		r.Press("end")
		r.Want("▸ Chat 089", "↑ 74")
		r.WantNot("↓ 1", "↓ 7")
		r.Press("pgup", "home")
		r.Want("▸ Chat 000")
		for range 40 {
			r.Press("down")
			r.Want("▸ Chat 0")
		}
		r.Want("▸ Chat 040")
		wheel(5, -1)
		wheel(5, -1)
		r.Press("up")
		r.Want("▸ Chat 039")
		r.Type("chat 07")
		r.Want("▸ Chat 007", "Chat 070")
		r.WantNot("Chat 039")
		r.Press("end")
		r.Want("▸ Chat 079")
		r.Resize(160, 24)
		r.Want("▸ Chat 079")
		r.Resize(160, 42)
		r.Press("home")
		r.Want("▸ Chat 007")
		x, y = r.Find("Chat 075")
		r.Click(x, y)
		r.WaitFor("There.")
		r.Want("▌ Chat 075", "Chat 068")
		r.WantNot("> filter")
		if x, _ := r.Cursor(); x < 0 {
			r.Errorf("the cursor is not in the prompt:\n%s", r.Screen())
		}
	})
}

// TestItemsScroll walks through more notes than the rail has rows for.
func TestItemsScroll(t *testing.T) {
	playOn(t, 120, 30, func(t *testing.T) *rig {
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "-- Notes/Note %02d.md --\nText.\n", i)
		}
		return newRig(t, b.String(), reply("Done."))
	}, func(r *stage) {
		for i := range 20 {
			r.Type(fmt.Sprintf("@note %02d", i))
			r.Press("enter")
		}
		r.Ask("go", "Done.")
		r.Pass(2 * time.Second)
		r.Want("Note 19", "↓ 10 more")
		r.WantNot("↑ ")
		r.Press("tab", "tab")
		r.Want("▸ Note 19")
		r.Press("end")
		r.Want("▸ Note 00", "↑ 9 more")
		r.WantNot("↓ ")
		r.Press("pgup", "up", "home")
		r.Want("▸ Note 19")
		r.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown, X: 100, Y: 5})
		r.Want("↑ 3 more", "↓ ")
		x, y := r.Find("↑ 3 more")
		r.Click(x, y)
		r.Want("▸ Note 19")
	})
}

// TestRailRelated: below the context stand the notes that have to do with the one that is
// open, and enter shows one.
func TestRailRelated(t *testing.T) {
	playOn(t, 120, 40, rigOn(band, reply("Done.")), func(r *stage) {
		r.WantNot("RELATED")
		r.Ask("what of [[Setlist]]?", "Done.")
		r.WaitFor("RELATED")
		r.Want("Soil · asked for")
		r.Press("tab", "tab", "end", "enter")
		r.WaitFor("Garden/Soil.md")
	})
	playOn(t, 80, 40, rigOn(band, reply("Done.")), func(r *stage) { // without the rail nobody looks for them
		r.Ask("what of [[Setlist]]?", "Done.")
		r.WantNot("RELATED")
	})
}

// TestRailStates compares the rails beside chats with running work, with the focus, filtered
// and scrolled, at all sizes.
func TestRailStates(t *testing.T) {
	onSizes(t, []size{{80, 24}, {120, 40}, {160, 42}, {200, 50}}, func(t *testing.T, w, h int) {
		if w == 80 || w == 200 { // fewer rails, and wider ones
			vaulttest.SkipUnlessSlow(t)
		}
		playOn(t, w, h, func(t *testing.T) *rig {
			failed := chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrServer, Message: "Overloaded."}}
			return newRig(t, band+older+savedChats(40), counting("one", 400), counting("two", 20), failed, reply("Four."))
		}, func(r *stage) {
			var all []string
			turning := strings.NewReplacer("◓", "◐", "◑", "◐", "◒", "◐")
			take := func(what string) { all = append(all, "== "+what+"\n"+turning.Replace(r.Screen())) }
			r.Begin("alpha", "one3")
			r.Press("ctrl+n")
			r.WaitFor("Ask anything")
			r.Begin("beta", "two2")
			for _, chat := range []string{"gamma", "delta @bass"} {
				r.Press("ctrl+n")
				r.WaitFor("Ask anything")
				r.Type(chat)
				r.Press("enter", "enter")
				r.Pass(time.Second)
			}
			r.WaitFor("Four.")
			r.Pass(12 * time.Second)
			take("busy and done")
			if w >= 120 {
				r.Press("tab", "tab")
				take("context rail")
			}
			if w >= 160 {
				r.Press("tab")
				take("chats rail")
				r.Press("end")
				take("scrolled")
				r.Type("key")
				take("filtered")
			}
			golden.RequireEqual(r.T, strings.Join(all, "\n"))
		})
	})
}

// TestCentred: without rails the text stands in the middle of a wide screen, and the mouse
// selects what it points at.
func TestCentred(t *testing.T) {
	playAt(t, 180, 30, replies(reply("Slate it is.")), func(r *stage) {
		r.Ask("go", "Slate")
		r.Press("ctrl+x", "b")
		row := 0
		for y, line := range strings.Split(r.Screen(), "\n") {
			if at := strings.Index(line, "Slate it"); at >= 0 {
				if row = y; at != 42 {
					r.Errorf("the text begins in column %d:\n%s", at, r.Screen())
				}
			}
		}
		r.Drag(42, row, 46, row)
		is(r, r.Clipboard(), "Slate", "selected")
	})
}
