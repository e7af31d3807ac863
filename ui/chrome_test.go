package ui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/chains/chaintest"
)

// newCountingRig returns a rig in which tokens are counted by length, so that a request can be
// large.
func newCountingRig(t *testing.T, replies ...chaintest.Reply) *rig {
	t.Helper()
	g := newRig(t, band, replies...)
	g.runWith(func(o *chains.Options) { o.Count = func(s string) int { return len(s) / 4 } })
	return g
}

// rows returns a reply of n lines.
func rows(n int) string { return strings.Repeat("- a row of it\n", n) }

// TestChrome: of 24 rows 20 are the transcript's while one reads. From 4,000 tokens on
// the ribbon has a row, which what is typed does not take away.
func TestChrome(t *testing.T) {
	playOn(t, 80, 24, func(t *testing.T) *rig {
		return newCountingRig(t, reply(rows(80)), reply(rows(1200)))
	}, func(r *stage) {
		r.Ask("plan", "a row")
		is(r, strings.Count(r.Screen(), "• a row"), 20, r.Screen())
		r.WantNot("sends", "128k")
		r.Ask("more", "a row")
		r.Pass(2 * time.Second)
		r.Want("conversation █", "% of 128k")
		is(r, strings.Count(r.Screen(), "• a row"), 19, r.Screen())
		r.Type("why?")
		r.Pass(time.Second)
		r.Want("sends ", "conversation ")
	})
}

// TestChromeSizes compares a long chat with a chip in the prompt, at all sizes.
func TestChromeSizes(t *testing.T) {
	onSizes(t, []size{{40, 12}, {80, 24}, {120, 40}, {160, 42}, {200, 50}}, func(t *testing.T, w, h int) {
		playOn(t, w, h, func(t *testing.T) *rig {
			return newCountingRig(t, reply("Short."), reply(plan+rows(1200)+"\nDone."), slow("one two three four five six seven"))
		}, func(r *stage) {
			var all []string
			take := func(what string) { all = append(all, "== "+what+"\n"+r.Screen()) }
			r.Pass(time.Second)
			take("new")
			r.Ask("what about @soil", "")
			r.Press("enter")
			r.WaitFor("Short.")
			r.Pass(7 * time.Second)
			take("short")
			r.Ask("all of it", "Done.")
			r.Pass(7 * time.Second)
			take("long")
			r.Begin("slowly", "three")
			take("streaming")
			r.Pass(8 * time.Second)
			r.Type("and @bass")
			r.Press("enter")
			r.Pass(time.Second)
			take("chip")
			golden.RequireEqual(r.T, strings.Join(all, "\n"))
		})
	})
}
