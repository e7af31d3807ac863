package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/vault"
)

// largeRig returns a function that makes a rig with low limits: 140 tokens are a large request,
// and 600 bytes a large note.
func largeRig(replies int) func(t *testing.T) *rig {
	archive := band + "-- Big.md --\n# Big\n\n" + strings.Repeat("Many words.\n", 30) +
		"-- Bigger.md --\n# Bigger\n\n" + strings.Repeat("Very many words.\n", 40)
	return rigWith(archive, func(g *rig) {
		for range replies {
			g.model.Add(reply("so be it"))
		}
		check(g.t, g.store.Close())
		v, err := vault.Open(g.dir, vault.Options{MaxNote: 600})
		check(g.t, err)
		g.t.Cleanup(func() { _ = v.Close() })
		g.vault, g.large = v, chains.LargePolicy{AskAbove: 140}
		g.reopen()
	})
}

// TestAskAbove: above the price that is set enter asks once, says what weighs most;
// what was agreed to is not asked about again.
func TestAskAbove(t *testing.T) {
	playOn(t, 80, 24, largeRig(3), func(r *stage) {
		r.Ask("what is that?", "so be it") // a short turn is not asked about
		r.Ask("/add Big", "")
		r.Ask("/add Soil", "")
		r.Pass(time.Second)
		r.Ask("and these?", "")
		r.WaitFor("new tokens")
		r.Want("0.4 s of quiet")
		r.WantNot("enter sends")
		r.Pass(time.Second)
		r.Want("This turn reads about", "Big", "+114 tokens", "Soil", "everything else", "enter sends",
			"> and these?")
		if n := len(r.model.Requests()); n != 1 {
			r.Fatalf("%d requests, want 1", n)
		}
		r.Press("esc", "ctrl+u")
		r.Ask("/drop Big", "")
		r.Type("and these?")
		r.Pass(time.Second)
		r.WantNot("everything else", "+ Big +")
		r.Want("+ Soil +", "> and these?")
		r.Press("enter")
		r.WaitFor("Soil")
		r.Pass(time.Second)
		all := r.model.Requests()
		last := all[len(all)-1].Messages
		if text := last[len(last)-1].Content; len(all) != 2 || !strings.Contains(text, "Soil.md") ||
			strings.Contains(text, "Big.md") {
			r.Errorf("%d requests, the last: %s", len(all), text)
		}
	})
}
