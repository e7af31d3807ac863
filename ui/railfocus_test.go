package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestRails walks through the rails by keys: a note is read, a chat is opened, and
// what is typed is the prompt's.
func TestRails(t *testing.T) {
	play(t, 160, 42, []chaintest.Reply{reply("first answer"), reply("second answer")}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		ask(r, "alpha @soil", "")
		r.Press("enter")
		r.WaitFor("first answer")
		r.Press("ctrl+n")
		r.WaitFor("New chat")
		r.Pass(7 * time.Second)
		r.Press("tab") // nothing is attached, nothing was said: only chats can be chosen
		want(t, r, "▸ alpha", "enter open")
		r.Type("x")
		want(t, r, "> x")
		wantNot(t, r, "▸ alpha")
		r.Press("backspace", "tab", "enter")
		r.WaitFor("first answer")
		r.Pass(time.Second)
		r.Press("tab", "tab")
		want(t, r, "▸ Soil")
		r.Press("down", "up", "enter")
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
