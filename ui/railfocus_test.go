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
	"ibid/ui/uitest"
	"ibid/vault/vaulttest"
)

// TestRails walks through the rails by keys: a note is read, a chat is opened.
func TestRails(t *testing.T) {
	play(t, 160, 42, []chaintest.Reply{reply("first answer"), reply("second answer")},
		func(t *testing.T, r *uitest.Robot, _ *rig) {
			ask(r, "alpha @soil", "")
			r.Press("enter")
			r.WaitFor("first answer")
			r.Press("ctrl+n")
			r.WaitFor("New chat")
			r.Pass(7 * time.Second)
			r.Press("tab") // nothing is attached, nothing was said: only chats can be chosen
			want(t, r, "▸ alpha", "enter open")
			r.Type("x")
			want(t, r, "> x", "no chat is called that")
			r.Press("esc")
			want(t, r, "▸ alpha", "> filter")
			r.Press("enter")
			r.WaitFor("first answer")
			r.Pass(time.Second)
			r.Press("tab", "tab")
			want(t, r, "▸ Soil")
			r.Type("x")
			want(t, r, "> x ") // what is typed is the prompt's
			r.Press("backspace", "tab", "tab", "down", "up", "enter")
			r.WaitFor("Compost in spring.")
			r.Press("esc", "tab")
			want(t, r, "▸ alpha")
			r.Press("esc")
			if x, _ := r.Cursor(); x < 0 {
				t.Errorf("the cursor is not in the prompt:\n%s", r.Screen())
			}
			x, y := at(t, r, "+ Soil   ")
			r.Click(x+2, y)
			r.WaitFor("Compost in spring.")
			r.Press("esc", "tab", "tab", "tab", "tab")
			if x, _ := r.Cursor(); x < 0 || strings.Contains(r.Screen(), "▸ alpha") {
				t.Errorf("tab does not lead back to the prompt:\n%s", r.Screen())
			}
		})
}

// savedChats is an archive of n chats.
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
	playOn(t, 160, 42, func(t *testing.T) *rig {
		return newRig(t, band+savedChats(90))
	}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.WaitFor("Chat 000")
		want(t, r, "↓ 7")
		wantNot(t, r, "↑ ")
		wheel := func(x, by int) {
			r.Send(tea.MouseWheelMsg{Button: map[bool]tea.MouseButton{
				true:  tea.MouseWheelDown,
				false: tea.MouseWheelUp,
			}[by > 0], X: x, Y: 20})
		}
		wheel(5, 1)
		want(t, r, "↑ 3")
		wantNot(t, r, "Chat 000     ", "Chat 002")
		x, y := at(t, r, "↑ 3")
		r.Click(x, y)
		want(t, r, "Chat 000     ")
		wheel(80, 1)
		want(t, r, "Chat 000     ") // that is the transcript's
		r.Press("tab")
		want(t, r, "▸ Chat 000", "> filter")
		r.Press("end")
		want(t, r, "▸ Chat 089", "↑ 74")
		wantNot(t, r, "↓ 1", "↓ 7")
		r.Press("pgup", "home")
		want(t, r, "▸ Chat 000")
		for range 40 {
			r.Press("down")
			want(t, r, "▸ Chat 0")
		}
		want(t, r, "▸ Chat 040")
		wheel(5, -1)
		wheel(5, -1)
		r.Press("up")
		want(t, r, "▸ Chat 039")
		r.Type("chat 07")
		want(t, r, "▸ Chat 007", "Chat 070")
		wantNot(t, r, "Chat 039")
		r.Press("end")
		want(t, r, "▸ Chat 079")
		r.Resize(160, 24)
		want(t, r, "▸ Chat 079")
		r.Resize(160, 42)
		r.Press("home")
		want(t, r, "▸ Chat 007")
		x, y = at(t, r, "Chat 075")
		r.Click(x, y)
		r.WaitFor("There.")
		want(t, r, "▌ Chat 075", "Chat 068")
		wantNot(t, r, "> filter")
		if x, _ := r.Cursor(); x < 0 {
			t.Errorf("the cursor is not in the prompt:\n%s", r.Screen())
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
	}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		for i := range 20 {
			r.Type(fmt.Sprintf("@note %02d", i))
			r.Press("enter")
		}
		ask(r, "go", "Done.")
		r.Pass(2 * time.Second)
		want(t, r, "Note 19", "↓ 10 more")
		wantNot(t, r, "↑ ")
		r.Press("tab", "tab")
		want(t, r, "▸ Note 19")
		r.Press("end")
		want(t, r, "▸ Note 00", "↑ 9 more")
		wantNot(t, r, "↓ ")
		r.Press("pgup", "up", "home")
		want(t, r, "▸ Note 19")
		r.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown, X: 100, Y: 5})
		want(t, r, "↑ 3 more", "↓ ")
		x, y := at(t, r, "↑ 3 more")
		r.Click(x, y)
		want(t, r, "▸ Note 19")
	})
}

// TestRailRelated: below the context stand the notes that have to do with the one that is
// open, and enter shows one.
func TestRailRelated(t *testing.T) {
	playOn(t, 120, 40, func(t *testing.T) *rig {
		return newRig(t, band, reply("Done."))
	}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		wantNot(t, r, "RELATED")
		ask(r, "what of [[Setlist]]?", "Done.")
		r.WaitFor("RELATED")
		want(t, r, "Soil · asked for")
		r.Press("tab", "tab", "end", "enter")
		r.WaitFor("Garden/Soil.md")
	})
	playOn(t, 80, 40, func(t *testing.T) *rig {
		return newRig(t, band, reply("Done."))
	}, func(t *testing.T, r *uitest.Robot, _ *rig) { // without the rail nobody looks for them
		ask(r, "what of [[Setlist]]?", "Done.")
		wantNot(t, r, "RELATED")
	})
}

// TestRailStates holds the rails beside chats in which something goes on, with the focus,
// filtered and scrolled, at all sizes.
func TestRailStates(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {160, 42}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			if size[0] == 80 || size[0] == 200 { // fewer rails, and wider ones
				vaulttest.SkipUnlessSlow(t)
			}
			playOn(t, size[0], size[1], func(t *testing.T) *rig {
				failed := chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrServer, Message: "Overloaded."}}
				return newRig(t, band+older+savedChats(40), counting("one", 400), counting("two", 20), failed, reply("Four."))
			}, func(t *testing.T, r *uitest.Robot, _ *rig) {
				var all []string
				turning := strings.NewReplacer("◓", "◐", "◑", "◐", "◒", "◐")
				take := func(what string) { all = append(all, "== "+what+"\n"+turning.Replace(r.Screen())) }
				begin(r, "alpha", "one3")
				r.Press("ctrl+n")
				r.WaitFor("Ask anything")
				begin(r, "beta", "two2")
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
				if size[0] >= 120 {
					r.Press("tab", "tab")
					take("context rail")
				}
				if size[0] >= 160 {
					r.Press("tab")
					take("chats rail")
					r.Press("end")
					take("scrolled")
					r.Type("key")
					take("filtered")
				}
				golden.RequireEqual(t, strings.Join(all, "\n"))
			})
		})
	}
}

// TestCentred: without rails the text stands in the middle of a wide screen, and the mouse
// selects what it points at.
func TestCentred(t *testing.T) {
	play(t, 180, 30, []chaintest.Reply{reply("Slate it is.")}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		ask(r, "go", "Slate")
		r.Press("ctrl+x", "b")
		row := 0
		for y, line := range strings.Split(r.Screen(), "\n") {
			if at := strings.Index(line, "Slate it"); at >= 0 {
				if row = y; at != 42 {
					t.Errorf("the text begins in column %d:\n%s", at, r.Screen())
				}
			}
		}
		r.Drag(42, row, 46, row)
		if got := r.Clipboard(); got != "Slate" {
			t.Errorf("selected is %q", got)
		}
	})
}
