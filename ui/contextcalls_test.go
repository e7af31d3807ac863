package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/ui/theme"
)

// TestF2WhileALoopRuns: F2 shows the newest request as soon as it is sent, and what
// was sent is counted over all rounds.
func TestF2WhileALoopRuns(t *testing.T) {
	replies := replies(
		calling("", toolCall("localSearch", 1, "Setlist")), calling("", toolCall("localSearch", 2, "Soil")),
		slow("It is the slow one that comes last."),
	)
	playTools(t, 120, 40, []chains.Tool{finder(2 * time.Second)}, replies, func(r *stage) {
		r.Begin("what is the encore?", "Searching for Setlist")
		r.Press("f2")
		r.WantNot("tool calls")
		r.WaitFor("result")
		r.Want("tool calls", "call", "localSearch")
		is(r, strings.Count(r.Screen(), "dropped with"), 1, r.Screen())
		r.Pass(2100 * time.Millisecond)
		is(r, strings.Count(r.Screen(), "dropped with"), 2, r.Screen())
		r.Press("esc")
		r.WaitFor("comes last.")
		r.Pass(2 * time.Second)
		sent, err := r.desk.Session().Requests()
		check(r, err)
		all := 0
		for _, env := range sent {
			all += env.Predicted.Prompt
		}
		r.Press("f2")
		r.Want(fmt.Sprintf("%s sent, estimated", theme.ShortCount(all)))
	})
}

// TestToolsInF2: a turn that called tools shows each call and result with its
// tokens and bytes; the next turn says what was dropped.
func TestToolsInF2(t *testing.T) {
	replies := replies(
		calling("Let me see.", toolCall("localSearch", 1, "Setlist"), toolCall("localSearch", 2, "Soil")),
		calling("", toolCall("localSearch", 3, "Bass tone")), reply("It is the slow one."),
	)
	onSizes(t, []size{{80, 24}, {120, 40}}, func(t *testing.T, w, h int) {
		script := func(r *stage) {
			r.Ask("what is the encore?", "slow one")
			r.Press("f2")
			r.Pass(time.Second)
			r.Press("G")
			r.Want("turn 1: 3 results, ")
			r.Press("left")
			r.Pass(time.Second)
			r.Want("tool calls", "list of tools", "result", "dropped with")
			all := r.Screen()
			r.Press("]", "]", "]", "]", "]", "]", "down", "down")
			r.Press("enter")
			all += "\n== bytes\n" + r.Screen()
			r.Want("found ", "here")
			golden.RequireEqual(r.T, all)
		}
		playTools(t, w, h, []chains.Tool{finder(0)}, replies, script)
	})
}
