package ui_test

import (
	"testing"
	"time"

	"ibid/chains"
)

// TestLooksUp: that the model may look things up by itself is said before anything
// was sent, with the key that turns it off.
func TestLooksUp(t *testing.T) {
	for _, w := range []int{80, 100, 120} {
		for _, first := range []bool{true, false} {
			playOn(t, w, 30, rigWith(band, func(g *rig) {
				if first {
					g.firstRun()
				}
				check(g.t, g.desk.SetChain(chains.Agent{}))
			}), func(r *stage) {
				r.Pass(time.Second)
				r.WantNot("sends") // there is nothing to send
				r.Type("why?")
				r.Pass(time.Second)
				r.Want("sends ≥ ")
				if first {
					r.Want("agent                  the model may look up notes")
				}
				r.Press("shift+tab")
				r.Pass(time.Second)
				r.WantNot("may look up notes", "≥")
			})
		}
	}
}
