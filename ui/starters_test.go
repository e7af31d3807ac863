package ui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains/chaintest"
	"ibid/chains/offline"
	"ibid/ui"
)

// TestQuestions: the questions of the first page are chosen by their number or with a
// click, and enter asks. What a person wrote is left alone.
func TestQuestions(t *testing.T) {
	onSizes(t, sizes[:4], func(t *testing.T, w, h int) {
		playOn(t, w, h, rigWith(band, func(g *rig) {
			g.firstRun()
			g.change(func(o *ui.Options) {
				o.FirstRun.Questions = []string{"How many songs?", "what does @Setlist say?", "when is the rehearsal?"}
			})
		}, chaintest.Reply{Text: "Five."}), func(r *stage) {
			r.Pass(time.Second)
			r.Press("alt+2")
			r.Want("> what does @Setlist say?")
			golden.RequireEqual(r.T, r.Screen())
			r.Press("alt+3")
			r.Want("> when is the rehearsal?")
			r.Click(r.Find("what does @Setlist"))
			r.Want("> what does @Setlist say?")
			r.Type(" really")
			r.Press("alt+1")
			r.Want("say? really")
			for range len(" really") {
				r.Press("backspace")
			}
			r.Press("alt+1", "enter")
			r.WaitFor("Five.")
			if sent := r.model.Requests(); len(sent) == 0 ||
				!strings.Contains(sent[0].Messages[len(sent[0].Messages)-1].Content, "How many songs?") {
				r.Errorf("sent %+v", sent)
			}
		})
	})
}

// TestWelcomeLow: on a low screen what can be asked comes before what was found, of which
// only what is missing is left.
func TestWelcomeLow(t *testing.T) {
	for _, size := range []struct {
		name string
		w, h int
	}{{"40x10", 40, 10}, {"40x12", 40, 12}, {"40x18", 40, 18}, {"40x24", 40, 24}, {"60x14", 60, 14}, {"72x18", 72, 18}} {
		t.Run(size.name, func(t *testing.T) {
			playOn(t, size.w, size.h, rigWith(band, func(g *rig) {
				g.store, g.desk = g.open(g.t, offline.New(offline.Options{}), offline.Name)
				g.firstRun()
				g.change(func(o *ui.Options) {
					o.OfflineModel = offline.Name
					o.FirstRun.Vault, o.FirstRun.Provider = "/home/ada/documents/notes/band", "none: the offline model answers"
					o.Notices = []string{"No language model is connected: the offline model can only quote. `ibid doctor` says what it finds."}
				})
			}), func(r *stage) {
				r.Pass(time.Second)
				r.Want("/provider adds one", "Ask anything", "attach a note", "Nothing leaves ", "press enter.",
					"! No language model")
				golden.RequireEqual(r.T, r.Screen())
			})
		})
	}
}
