package ui_test

import (
	"testing"
	"time"

	"ibid/chains/chaintest"
)

// TestJoinedEmojiSaid: toasts and questions show all parts of a joined emoji, where the
// terminal does not draw it as one.
func TestJoinedEmojiSaid(t *testing.T) {
	slow := chaintest.Reply{Chunks: []string{"one ", "two "}, Delay: 20 * time.Second}
	playAt(t, 120, 24, replies(slow), func(r *stage) {
		r.Type("/copy 👩‍👩‍👧")
		r.Press("enter")
		r.Want("not 👩👩👧")
		r.Resize(60, 24) // in two rows
		r.Want("not 👩👩👧")
		r.Begin("a trip of 👩‍👩‍👧 all", "▌ a trip")
		r.Ask("/quit", "")
		r.WaitFor("Leave?")
		r.Want("  a trip of 👩👩👧 all")
	})
}
