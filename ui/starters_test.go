package ui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains/chaintest"
	"ibid/chains/offline"
	"ibid/ui"
	"ibid/ui/uitest"
)

// TestQuestions: the questions of the first page are chosen with the arrows, by their
// number or with a click, and enter asks. What a person wrote is left alone.
func TestQuestions(t *testing.T) {
	for _, size := range sizes[:4] {
		t.Run(size.name, func(t *testing.T) {
			playOn(t, size.w, size.h, func(t *testing.T) *rig {
				g := newRig(t, band, chaintest.Reply{Text: "Five."})
				g.firstRun()
				first := g.change
				g.change = func(o *ui.Options) {
					first(o)
					o.FirstRun.Questions = []string{"How many songs?", "what does @Setlist say?", "when is the rehearsal?"}
				}
				return g
			}, func(t *testing.T, r *uitest.Robot, g *rig) {
				r.Pass(time.Second)
				r.Press("down", "down")
				want(t, r, "> what does @Setlist say?")
				golden.RequireEqual(t, r.Screen())
				r.Press("up")
				want(t, r, "> How many songs?")
				r.Press("up")
				want(t, r, "Ask your vault")
				r.Press("alt+3")
				want(t, r, "> when is the rehearsal?")
				r.Click(at(t, r, "what does @Setlist"))
				want(t, r, "> what does @Setlist say?")
				r.Type(" really")
				r.Press("down", "alt+1")
				want(t, r, "say? really")
				for range len(" really") {
					r.Press("backspace")
				}
				r.Press("alt+1", "enter")
				r.WaitFor("Five.")
				if sent := g.model.Requests(); len(sent) == 0 ||
					!strings.Contains(sent[0].Messages[len(sent[0].Messages)-1].Content, "How many songs?") {
					t.Errorf("sent %+v", sent)
				}
			})
		})
	}
}

// TestWelcomeLow: on a low screen what can be asked comes before what was found, of which
// only what is missing is left.
func TestWelcomeLow(t *testing.T) {
	for _, size := range []struct {
		name string
		w, h int
	}{{"40x10", 40, 10}, {"40x12", 40, 12}, {"40x18", 40, 18}, {"40x24", 40, 24}, {"60x14", 60, 14}, {"72x18", 72, 18}} {
		t.Run(size.name, func(t *testing.T) {
			playOn(t, size.w, size.h, func(t *testing.T) *rig {
				g := newRig(t, band)
				g.store, g.desk = g.open(t, offline.New(offline.Options{}), offline.Name)
				g.firstRun()
				first := g.change
				g.change = func(o *ui.Options) {
					first(o)
					o.OfflineModel = offline.Name
					o.FirstRun.Vault, o.FirstRun.Provider = "/home/ada/documents/notes/band", "none: the offline model answers"
					o.Notices = []string{"No language model is connected: the offline model can only quote. `ibid doctor` says what it finds."}
				}
				return g
			}, func(t *testing.T, r *uitest.Robot, _ *rig) {
				r.Pass(time.Second)
				want(t, r, "/provider adds one", "Ask anything", "attach a note", "Nothing leaves ", "press enter.",
					"! No language model")
				golden.RequireEqual(t, r.Screen())
			})
		})
	}
}
