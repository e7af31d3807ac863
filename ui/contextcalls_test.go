package ui_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestToolsInF2: a turn that called tools shows each call and result with its
// tokens and bytes; the next turn says what was dropped.
func TestToolsInF2(t *testing.T) {
	replies := []chaintest.Reply{
		calling("Let me see.", toolCall("localSearch", 1, "Setlist"), toolCall("localSearch", 2, "Soil")),
		calling("", toolCall("localSearch", 3, "Bass tone")), reply("It is the slow one."),
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		script := func(t *testing.T, r *uitest.Robot, _ *rig) {
			ask(r, "what is the encore?", "slow one")
			r.Press("f2")
			r.Pass(time.Second)
			r.Press("G")
			want(t, r, "turn 1: 3 results, ")
			r.Press("left")
			r.Pass(time.Second)
			want(t, r, "Tool calls", "Tool list", "result", "dropped with")
			all := r.Screen()
			r.Press("]", "]", "]", "]", "]", "]", "down", "down")
			r.Press("enter")
			all += "\n== bytes\n" + r.Screen()
			want(t, r, "found ", "here")
			golden.RequireEqual(t, all)
		}
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			playTools(t, size[0], size[1], []chains.Tool{finder(0)}, replies, script)
		})
	}
}
