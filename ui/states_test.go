package ui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/uitest"
)

// TestStates compares screens that ask, wait or show a failure with golden files, at three
// sizes.
func TestStates(t *testing.T) {
	type state struct {
		name string
		on   func(*testing.T) *rig
		run  func(r *uitest.Robot)
	}
	var states []state
	for _, p := range pageTests() {
		if slices.Contains([]string{
			"approval", "changePage", "batchPage", "fit.question", "leaveQuestion",
			"offerUnsaved",
		}, p.name) {
			states = append(states, state{p.name + ": " + p.open, p.rig("", false), func(r *uitest.Robot) {
				if p.first != nil {
					p.first(r)
				}
				playKeys(r, p.open)
				r.Pass(time.Second)
			}})
		}
	}
	refused := chaintest.Reply{
		Text:   "late",
		Notice: "The model is busy or the limit is reached (429), again in 30 s, 2 of 3.", Wait: 30 * time.Second,
		Delay: 40 * time.Second,
	}
	words := slow(strings.Repeat("word ", 300))
	states = append(states, []state{
		{"inline", rigWithOptions(band, func(o *ui.Options) {
			o.Terminal.Inline = true
		}, reply(plan), words), func(r *uitest.Robot) {
			r.Ask("plan it", "")
			r.Begin("more", "word")
			r.Pass(2 * time.Second)
		}},
		{"waiting", rigWithOptions(band, func(*ui.Options) {}, refused), func(r *uitest.Robot) {
			playKeys(r, "'go enter wait wait")
		}},
		{"failed while one waits", rigWithOptions(band, func(*ui.Options) {}, broken(), words), func(r *uitest.Robot) {
			playKeys(r, "'go enter 'and_then? enter")
			r.Pass(3 * time.Second)
		}},
	}...)
	onSizes(t, []size{{40, 12}, {80, 24}, {160, 42}}, func(t *testing.T, w, h int) {
		var all []string
		for _, s := range states {
			playOn(t, w, h, s.on, func(r *stage) {
				s.run(r.Robot)
				all = append(all, "== "+s.name+"\n"+r.Screen())
			})
		}
		golden.RequireEqual(t, strings.Join(all, "\n"))
	})
}

// broken returns a reply that breaks off after two seconds.
func broken() chaintest.Reply {
	return chaintest.Reply{
		Chunks: []string{"half ", "a reply"}, Delay: 2 * time.Second, ErrAfter: 1,
		Err: &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."},
	}
}

// TestChatsHaveSigns: every size shows the state of other chats in words, and the list shows it
// as signs. The order of chats depends on the times of files, so this has no golden file.
func TestChatsHaveSigns(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {160, 42}} {
		playAt(t, size[0], size[1], replies(slow(strings.Repeat("word ", 300)), reply("Done."), broken()),
			func(r *stage) {
				r.Begin("a long one", "word")
				r.Press("ctrl+n")
				r.Ask("a short one", "Done.")
				r.Press("ctrl+n")
				r.Begin("one that fails", "esc stop")
				r.Press("ctrl+n")
				r.Pass(10 * time.Second)
				r.Want("1 writing")
				if size[0] >= 80 {
					r.Want("1 writing, 1 failed")
				}
				r.Press("ctrl+s")
				r.Pass(time.Second)
				r.Want("a long one", "a short one", "one that fails")
				if rows := strings.Split(r.Screen(), "\n"); !slices.ContainsFunc(rows, func(row string) bool {
					return strings.Contains(row, "a long one") && strings.ContainsAny(row, "◐◓◑◒")
				}) {
					r.Errorf("the one that is written has no sign:\n%s", r.Screen())
				}
			})
	}
}
