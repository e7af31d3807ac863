package ui_test

import (
	"testing"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestCopyCommand copies the last reply, the code in it, or the chat.
func TestCopyCommand(t *testing.T) {
	play(t, 80, 24, []chaintest.Reply{reply("an answer:\n\n~~~\ncode\n~~~")}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		ask(r, "/copy all", "nothing has been said yet")
		ask(r, "go", "an answer")
		for _, one := range [][2]string{
			{"/copy", "an answer:\n\n~~~\ncode\n~~~"},
			{"/copy code", "code\n"},
			{"/copy all", "**user**: go\n\n**assistant**: an answer:\n\n~~~\ncode\n~~~\n"},
		} {
			ask(r, one[0], "copied")
			if got := r.Clipboard(); got != one[1] {
				t.Errorf("%s: %q", one[0], got)
			}
		}
		ask(r, "/copy it", "/copy takes all, code or nothing")
		ask(r, "/rails off", "/rails takes nothing")
	})
}
