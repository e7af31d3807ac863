package ui_test

import (
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestPressKeys clicks on the keys that the last row names, and on what waits.
func TestPressKeys(t *testing.T) {
	slow := chaintest.Reply{Chunks: []string{"one ", "two ", "three"}, Delay: 20 * time.Second}
	play(t, 80, 24, []chaintest.Reply{reply("an answer"), slow}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Type("a question")
		r.Click(at(t, r, "enter send"))
		r.WaitFor("an answer")
		r.Click(at(t, r, "ctrl+s chats"))
		r.WaitFor("Chats   >")
		r.Click(at(t, r, "esc"))
		wantNot(t, r, "Chats   >")
		r.Click(at(t, r, "F1 help"))
		r.WaitFor("Help")
		r.Click(at(t, r, "esc back"))
		r.WaitFor("F1 help")
		r.Click(at(t, r, "/ command"))
		r.WaitFor("esc close")
		r.Click(at(t, r, "esc close"))
		r.Press("ctrl+u")
		begin(r, "again", "▌ again")
		begin(r, "wait for it", "queued  wait")
		r.Click(at(t, r, "queued  wait"))
		want(t, r, "> wait for it")
		r.Click(at(t, r, "esc stop"))
		r.WaitFor("enter send")
	})
}

// TestPressQuestion: a question whose keys take several rows takes clicks on each of them.
func TestPressQuestion(t *testing.T) {
	for _, key := range []string{"enter sends", "m a larger model", "F2 forget something", "esc back"} {
		t.Run(key, func(t *testing.T) {
			playOn(t, 40, 24, largeRig(0), func(t *testing.T, r *uitest.Robot, _ *rig) {
				playKeys(r, "'/add_Big enter '/add_Soil enter 'why? enter")
				want(t, r, "This turn reads about")
				r.Click(at(t, r, key))
				wantNot(t, r, "This turn reads about")
			})
		})
	}
}
