package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
)

// TestSmallWelcome: what the page of an empty chat says of what leaves the machine, and
// of the first keys, is broken into rows where it has room for a few words.
func TestSmallWelcome(t *testing.T) {
	for _, archive := range []string{band, ""} {
		playOn(t, 40, 20, rigOn(archive), func(r *stage) {
			r.Pass(time.Second)
			words := strings.Join(strings.Fields(r.Screen()), " ")
			if !strings.Contains(words, "Nothing leaves this machine until you press enter.") ||
				archive == "" && !strings.Contains(words, "and what is cached") {
				r.Errorf("a sentence is cut:\n%s", r.Screen())
			}
		})
	}
}

// TestSmallWaiting: a narrow screen says why nothing comes, and when it is tried again.
func TestSmallWaiting(t *testing.T) {
	for _, h := range []int{12, 10} {
		refused := chaintest.Reply{
			Text:   "late",
			Notice: "The model is busy or the limit is reached (429), again in 30 s, 2 of 3.", Wait: 30 * time.Second,
			Delay: 40 * time.Second,
		}
		playAt(t, 40, h, replies(refused), func(r *stage) {
			r.Type("go")
			r.Press("enter")
			r.Pass(2500 * time.Millisecond)
			said := strings.Join(strings.Fields(r.Screen()), " ")
			for _, text := range []string{"The model is busy or the limit is reached (429), again in 28 s, 2 of 3.", "esc stop"} {
				if !strings.Contains(said, text) {
					r.Errorf("%q is not on the screen:\n%s", text, r.Screen())
				}
			}
		})
	}
}
