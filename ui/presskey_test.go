package ui_test

import (
	"testing"
	"time"

	"ibid/chains/chaintest"
)

// TestPressKeys clicks on the keys that the last row names, and on what waits.
func TestPressKeys(t *testing.T) {
	slow := chaintest.Reply{Chunks: []string{"one ", "two ", "three"}, Delay: 20 * time.Second}
	play(t, replies(reply("an answer"), slow), func(r *stage) {
		r.Type("a question")
		r.Click(r.Find("enter send"))
		r.WaitFor("an answer")
		r.Click(r.Find("ctrl+s chats"))
		r.WaitFor("Chats   >")
		r.Click(r.Find("esc"))
		r.WantNot("Chats   >")
		r.Click(r.Find("F1 help"))
		r.WaitFor("Help")
		r.Click(r.Find("esc back"))
		r.WaitFor("F1 help")
		r.Click(r.Find("/ command"))
		r.WaitFor("esc close")
		r.Click(r.Find("esc close"))
		r.Press("ctrl+u")
		r.Begin("again", "▌ again")
		r.Begin("wait for it", "queued  wait")
		r.Click(r.Find("queued  wait"))
		r.Want("> wait for it")
		r.Click(r.Find("esc stop"))
		r.WaitFor("enter send")
	})
}

// TestPressQuestion: a question whose keys take several rows takes clicks on each of them.
func TestPressQuestion(t *testing.T) {
	for _, key := range []string{"enter sends", "m a larger model", "F2 forget something", "esc back"} {
		t.Run(key, func(t *testing.T) {
			playOn(t, 40, 24, largeRig(0), func(r *stage) {
				playKeys(r.Robot, "'/add_Big enter '/add_Soil enter 'why? enter")
				r.Want("This turn reads about")
				r.Click(r.Find(key))
				r.WantNot("This turn reads about")
			})
		})
	}
}
