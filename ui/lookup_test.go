package ui_test

import (
	"testing"
	"time"

	"ibid/chains"
	"ibid/ui/uitest"
)

// TestLooksUp: that the model may look things up by itself is said before anything
// was sent, with the key that turns it off.
func TestLooksUp(t *testing.T) {
	for _, w := range []int{80, 100, 120} {
		for _, first := range []bool{true, false} {
			playOn(t, w, 30, func(t *testing.T) *rig {
				g := newRig(t, band)
				if first {
					g.firstRun()
				}
				if err := g.desk.SetChain(chains.Agent{}); err != nil {
					t.Fatal(err)
				}
				return g
			}, func(t *testing.T, r *uitest.Robot, _ *rig) {
				r.Pass(time.Second)
				wantNot(t, r, "sends") // there is nothing to send
				r.Type("why?")
				r.Pass(time.Second)
				want(t, r, "sends ≥ ")
				switch {
				case first:
					want(t, r, "agent                  the model may look up notes")
				case w >= 100:
					want(t, r, "agent may look up notes, shift+tab: off")
				}
				r.Press("shift+tab")
				r.Pass(time.Second)
				wantNot(t, r, "may look up notes", "≥")
			})
		}
	}
}
