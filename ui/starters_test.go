package ui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/uitest"
	"ibid/vault"
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
				if sent := g.model.Requests(); len(sent) == 0 || !strings.Contains(sent[0].Messages[len(sent[0].Messages)-1].Content, "How many songs?") {
					t.Errorf("sent %+v", sent)
				}
			})
		})
	}
}

// TestQuestionsSmall: a low screen shows the questions, where there is no room for what
// was found too.
func TestQuestionsSmall(t *testing.T) {
	playOn(t, 40, 12, func(t *testing.T) *rig {
		g := newRig(t, band)
		g.firstRun()
		first := g.change
		g.change = func(o *ui.Options) {
			first(o)
			o.FirstRun.Questions = []string{"How many songs?", "When is it?", "Who plays?"}
		}
		return g
	}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Pass(time.Second)
		want(t, r, "How many songs?", "When is it?", "Who plays?")
		r.Press("down", "down")
		want(t, r, "> When is it?")
	})
}

// TestStarterIsNoPrompt: the note that changed last is one to ask about, not a saved prompt,
// whose file Copilot writes whenever it is used.
func TestStarterIsNoPrompt(t *testing.T) {
	playWatched(t, nil, func(t *testing.T, r *uitest.Robot, g *rig) {
		writePrompts(t, g)
		g.batch <- vault.Batch{Paths: []vault.Path{"Prompts/Plan the gig.md", "Prompts/Rewrite.md", "Prompts/chats.md", "Prompts/Secret.md"}}
		r.Pass(time.Second)
		wantNot(t, r, "what does [[Rewrite]]", "what does [[Plan the gig]]", "what does [[chats]]")
		want(t, r, "what does [[")
	})
}
