package ui_test

import (
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
	"ibid/vault"
	"ibid/vault/usage"
)

// suggesting returns a rig with notes to suggest besides the setlist.
func suggesting(t *testing.T) *rig {
	g := newRig(t, band, chaintest.Reply{Text: "One."}, chaintest.Reply{Text: "Two."}, chaintest.Reply{Text: "Three."})
	check(t, g.vault.Scan(t.Context()))
	g.usage = usage.NewFile(g.vault, g.state)
	for chat := range int64(3) {
		check(t, g.usage.Add(chat+1, []vault.Path{"Band/Setlist.md", "Band/Rehearsal.md"}, g.now()))
	}
	g.reopen()
	return g
}

// TestSuggest: notes are suggested while the prompt names none, a key attaches one, and
// what was sent twice without is not suggested any more. The layout stays as it is.
func TestSuggest(t *testing.T) {
	say := func(r *uitest.Robot, text, answer string) {
		r.Begin(text, answer)
		r.Pass(7 * time.Second)
	}
	playOn(t, 100, 30, suggesting, func(r *stage) {
		say(r.Robot, "/active Setlist", "active note")
		r.Want("alt+1 Rehearsal ≈ ", "with Setlist in 3 chats", "alt+2 Bass tone ≈ ", "linked from Setlist")
		golden.RequireEqual(r.T, r.Screen())
		r.Type("and what of it")
		r.Want("alt+1 Rehearsal")
		r.Type(" @Soil ")
		r.Pass(time.Second)
		r.WantNot("alt+1")
		r.Press("ctrl+u")
		r.Pass(time.Second)
		r.Click(r.Find("alt+2"))
		r.Pass(7 * time.Second)
		r.Want("alt+1 Rehearsal")
		r.WantNot("alt+2")
		r.Resize(80, 23)
		r.WantNot("alt+1")
		r.Resize(80, 24)
		r.Want("alt+1 Rehearsal")
		r.Resize(40, 12)
		r.WantNot("alt+1")
		r.Resize(100, 30)
		say(r.Robot, "first", "One.")
		r.Want("alt+1 Rehearsal")
		say(r.Robot, "second", "Two.")
		r.WantNot("alt+1")
	})
}
