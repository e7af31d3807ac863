package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestSmallWelcome: what the page of an empty chat says of what leaves the machine, and
// of the first keys, is broken into rows where it has room for a few words.
func TestSmallWelcome(t *testing.T) {
	for _, archive := range []string{band, ""} {
		playOn(t, 40, 20, func(t *testing.T) *rig { return newRig(t, archive) }, func(t *testing.T, r *uitest.Robot, _ *rig) {
			r.Pass(time.Second)
			words := strings.Join(strings.Fields(r.Screen()), " ")
			if !strings.Contains(words, "Nothing leaves this machine until you press enter.") || archive == "" && !strings.Contains(words, "and what is cached") {
				t.Errorf("a sentence is cut:\n%s", r.Screen())
			}
		})
	}
}

// TestSmallWaiting: a narrow screen says when what failed is tried again.
func TestSmallWaiting(t *testing.T) {
	for _, h := range []int{12, 10} {
		refused := chaintest.Reply{Text: "late", Notice: "The model is busy or the limit is reached (429), trying again in 30 s (2/3).", Wait: 30 * time.Second, Delay: 40 * time.Second}
		play(t, 40, h, []chaintest.Reply{refused}, func(t *testing.T, r *uitest.Robot, _ *rig) {
			r.Type("go")
			r.Press("enter")
			r.WaitFor("again in 30 s (2/3)")
			r.Pass(1500 * time.Millisecond)
			want(t, r, "again in 29 s (2/3)", "esc stops")
		})
	}
}
