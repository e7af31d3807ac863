package ui_test

import (
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/history"
	"ibid/ui/uitest"
)

// savedRig is a screen over a vault with chats of earlier days.
func savedRig(t *testing.T) *rig {
	g := newRig(t, band, reply("here"), reply("there"))
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for i, text := range []string{"when does the van need new brakes?", "list the songs\nof the second set\nwith their capo", "when does the van need new brakes?"} {
		c := history.Chat{Model: "m", Title: []string{"Van", "Songs", "Van again"}[i]}
		c.Messages = []history.Message{
			{Role: history.User, Text: text, Time: at.AddDate(0, 0, i)},
			{Role: history.Assistant, Text: "an answer", Time: at.AddDate(0, 0, i)},
		}
		if _, err := g.store.Save(&c); err != nil {
			t.Fatal(err)
		}
		if err := g.store.Release(&c); err != nil {
			t.Fatal(err)
		}
	}
	g.runWith(func(*chains.Options) {})
	return g
}

// TestPromptsOfAllChats walks with the arrow keys through what was asked in all chats,
// and finds it by its words; of a chat that is deleted nothing is offered any more.
func TestPromptsOfAllChats(t *testing.T) {
	playOn(t, 80, 24, savedRig, func(t *testing.T, r *uitest.Robot, g *rig) {
		r.Type("half a thought")
		r.Press("up")
		want(t, r, "> when does the van need new brakes?")
		r.Press("up")
		want(t, r, "list the songs", "with their capo")
		r.Press("up", "up")
		want(t, r, "list the songs") // each text once
		r.Press("down", "down", "down", "down")
		want(t, r, "> half a thought")
		ask(r, "!", "here")

		r.Press("ctrl+r")
		want(t, r, "▸ half a thought!", "when does the van need new brakes?", "Van again", "3 lines · Songs", "2 Mar")
		golden.RequireEqual(t, r.Screen())
		r.Type("song capo")
		want(t, r, "▸ list the songs", "with their capo")
		wantNot(t, r, "van")
		r.Type("x")
		want(t, r, "no earlier prompt holds that")
		r.Press("backspace", "enter")
		want(t, r, "> list the songs", "with their capo")
		if n := len(g.model.Requests()); n != 1 {
			t.Errorf("%d requests: choosing a prompt sent it", n)
		}

		r.Press("ctrl+c", "ctrl+s")
		r.Type("songs")
		want(t, r, "Songs")
		r.Press("ctrl+d")
		r.WaitFor("in the trash")
		r.Press("esc", "ctrl+r")
		want(t, r, "van need")
		wantNot(t, r, "list the songs")
	})
}

// TestNoMatchSends: a list in which nothing matches says so, and enter sends.
func TestNoMatchSends(t *testing.T) {
	playOn(t, 80, 24, savedRig, func(t *testing.T, r *uitest.Robot, g *rig) {
		r.Pass(time.Second)
		begin(r, "ask @nosuchname", "here")
		if n := len(g.model.Requests()); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
}
