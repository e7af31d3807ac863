package ui_test

import (
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestDeleteBeside: where another chat is deleted than the one on the screen, nothing
// says that the latter was, and what stands there stays.
func TestDeleteBeside(t *testing.T) {
	playChats(t, nil, func(t *testing.T, r *uitest.Robot, g *rig) {
		r.Type("/tools")
		r.Press("enter")
		r.Pass(time.Second)
		want(t, r, "there are no tools here")
		r.Press("ctrl+s")
		r.Type("scales")
		r.Press("ctrl+d")
		r.Pass(time.Second)
		r.Press("esc")
		want(t, r, "there are no tools here", "in the trash")
		wantNot(t, r, "the chat that was open here")
	})
}

// TestDeleteBehind: a chat in the background that is deleted is gone from there.
func TestDeleteBehind(t *testing.T) {
	playChats(t, []chaintest.Reply{reply("the answer")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "alpha", "the answer")
		r.Type("half a thought")
		r.Press("ctrl+n")
		r.WaitFor("Ask anything")
		want(t, r, "1 not sent")
		r.Press("ctrl+s")
		r.Type("alpha")
		r.Press("ctrl+d")
		r.WaitFor("in the trash")
		r.Press("esc")
		r.Pass(time.Second)
		r.Press("ctrl+x", "c")
		r.Pass(time.Second)
		want(t, r, "> half a thought")
		wantNot(t, r, "the answer", "not kept")
	})
}

// TestArchiveBehind: a chat in the background that goes into the archive says so, and is
// gone from there.
func TestArchiveBehind(t *testing.T) {
	playChats(t, []chaintest.Reply{reply("the answer")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "alpha", "the answer")
		r.Type("half a thought")
		r.Press("ctrl+n")
		r.WaitFor("Ask anything")
		r.Press("ctrl+s")
		r.Type("alpha")
		r.Press("ctrl+k")
		r.Pass(time.Second)
		want(t, r, "in the archive")
		wantNot(t, r, "▸ alpha")
		r.Press("esc")
		want(t, r, "1 not sent")
		wantNot(t, r, "the answer")
	})
}

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
