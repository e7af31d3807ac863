package ui_test

import (
	"testing"
	"time"

	"ibid/ui/uitest"
)

// TestMovedHits: a chat that a search found and that was moved then is not listed where it
// was.
func TestMovedHits(t *testing.T) {
	playChats(t, nil, func(t *testing.T, r *uitest.Robot, _ *rig) {
		for _, key := range []string{"ctrl+k", "ctrl+d"} {
			r.Press("ctrl+s")
			r.Type(map[string]string{"ctrl+k": "contrary", "ctrl+d": "light"}[key])
			r.WaitFor("In their text")
			r.Press(key)
			r.Pass(time.Second)
			want(t, r, "no chat holds that")
			r.Press("esc")
		}
	})
}
