package ui_test

import (
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestJoinedEmojiSaid: toasts and questions show all parts of a joined emoji, where the
// terminal does not draw it as one.
func TestJoinedEmojiSaid(t *testing.T) {
	slow := chaintest.Reply{Chunks: []string{"one ", "two "}, Delay: 20 * time.Second}
	play(t, 120, 24, []chaintest.Reply{slow}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Type("/copy 👩‍👩‍👧")
		r.Press("enter")
		want(t, r, "not 👩👩👧")
		r.Resize(60, 24) // in two rows
		want(t, r, "not 👩👩👧")
		begin(r, "a trip of 👩‍👩‍👧 all", "▌ a trip")
		ask(r, "/quit", "")
		r.WaitFor("Leave?")
		want(t, r, "  a trip of 👩👩👧 all")
	})
}
