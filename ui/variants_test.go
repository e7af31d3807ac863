package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
)

// TestVariants: the arrow keys go from one reply to another, and nothing is sent.
func TestVariants(t *testing.T) {
	cut := &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."}
	replies := []chaintest.Reply{
		reply("first"), reply("whole answer"), reply("other answer"),
		{Chunks: []string{"half a reply ", "lost"}, Err: cut, ErrAfter: 1},
		reply("on and on"),
	}
	playAt(t, 80, 40, replies, func(r *stage) {
		r.Ask("alpha", "first")
		r.Ask("beta", "whole answer")
		r.WantNot("›")
		r.Ask("/retry", "other answer")
		r.Want("‹ 2/2 ›")
		r.Ask("/retry", "The connection broke.")
		r.Want("‹ 2/3 ›", "other answer")
		sent := len(r.model.Requests())
		r.Press("tab", "]", "right")
		r.WaitFor("‹ 3/3 ›")
		r.Want("half a reply", "interrupted here", "nothing is sent")
		r.WantNot("other answer")
		r.Press("right")
		r.WaitFor("‹ 1/3 ›")
		r.Want("whole answer")
		r.Press("left", "left")
		r.WaitFor("‹ 2/3 ›")
		if n := len(r.model.Requests()); n != sent {
			r.Errorf("%d requests were sent", n-sent)
		}
		r.Ask("i/undo", "‹ 3/3 ›")
		r.Ask("/redo", "‹ 2/3 ›")
		r.Ask("/variants 1", "‹ 1/3 ›")
		r.Ask("gamma", "on and on")
		r.Want("‹ 1/3 ›")
		requests := r.model.Requests()
		last := requests[len(requests)-1].Messages
		var text strings.Builder
		for _, m := range last {
			text.WriteString(m.Content)
		}
		if s := text.String(); !strings.Contains(s, "whole answer") || strings.Contains(s, "other answer") {
			r.Errorf("sent\n%s", s)
		}
		r.Press("tab", "[", "[", "right")
		r.Want("not the last turn")
		r.Ask("i/branch 4", "‹ 1/3 ›")
		r.WantNot("on and on")
		r.Press("tab", "]", "right")
		r.WaitFor("‹ 2/3 ›")
		r.Want("other answer")
		r.WantNot("on and on")
		if all, err := r.store.List(r.Context()); err != nil || len(all) != 2 {
			r.Errorf("%d chats (%v), want the old one and the branch", len(all), err)
		}
		r.Press("ctrl+x", "]") // with the cursor in the prompt too
		r.WaitFor("‹ 3/3 ›")
		r.Press("ctrl+x", "[", "ctrl+s")
		r.WaitFor("→ alpha")
		r.Press("tab")
		r.WaitFor("1 branch")
		r.WantNot("→ alpha")
		r.Press("tab")
		r.WaitFor("→ alpha")
		r.Press("down", "tab") // on the branch: its chat, where the cursor is then
		r.WantNot("→ alpha")
		r.Press("tab")
		r.Want("→ alpha")
		r.Press("ctrl+s")
		r.WaitFor("→ alpha") // the branch stands below the chat that it comes from
		if before, _, _ := strings.Cut(r.Screen(), "→ alpha"); !strings.Contains(before, "alpha") {
			r.Errorf("the list is\n%s", r.Screen())
		}
	})
}

// TestVariantsByMouse: the arrows can be clicked.
func TestVariantsByMouse(t *testing.T) {
	playAt(t, 80, 30, replies(reply("one"), reply("two")), func(r *stage) {
		r.Ask("alpha", "one")
		r.Ask("/retry", "two")
		click := func(sign string) {
			for y, line := range strings.Split(r.Screen(), "\n") {
				if before, _, ok := strings.Cut(line, sign); ok && strings.Contains(line, "/2") {
					r.Click(len([]rune(before)), y)
				}
			}
		}
		click("‹")
		r.WaitFor("‹ 1/2 ›")
		header := func() (line string) {
			for line = range strings.Lines(r.Screen()) {
				if strings.Contains(line, "assistant") {
					return line
				}
			}
			return ""
		}
		if !strings.Contains(header(), "test-model") {
			r.Errorf("the header does not name the model: %q", header())
		}
		click("›")
		r.WaitFor("‹ 2/2 ›")
		r.Want("two")
	})
}

// TestEditKeepsReply: an edited message has the old one, with its reply, beside it,
// also when the chat is opened again.
func TestEditKeepsReply(t *testing.T) {
	playAt(t, 80, 30, replies(reply("first answer"), reply("second answer")),
		func(r *stage) {
			r.Ask("alpha", "first answer")
			r.Press("tab", "[", "e")
			r.WaitFor("> alpha")
			r.Ask(" and beta", "second answer")
			r.Want("alpha and beta", "‹ 2/2 ›")
			path := r.desk.Session().Snapshot().Path
			r.Ask("/new", "Ask anything")
			r.Ask("/open "+path, "‹ 2/2 ›")
			r.Pass(7 * time.Second)
			r.Ask("/variants 1", "‹ 1/2 ›")
			r.Want("first answer")
			r.WantNot("beta")
		})
}

// TestCompare: another model answers the last question; both replies stand below each other, and
// one of them is gone on from.
func TestCompare(t *testing.T) {
	playOn(t, 80, 30, rigWith(band, func(g *rig) {
		g.deskWith(func(o *desk.Options) { o.Session.ModelName, o.Prompts.Model = "first-model", g.named })
	}, reply("the first answer"), reply("the second answer")), func(r *stage) {
		r.Ask("which?", "the first answer")
		r.Ask("/compare", "the last turn has one reply")
		r.Ask("/compare second-model", "Replies of the last turn")
		r.Want("1 · first-model", "2 · second-model · shown", "the first answer", "the second answer")
		r.Press("1")
		r.WaitFor("‹ 1/2 ›")
		r.Want("first-model")
		r.WantNot("the second answer", "Replies of the last turn")
	})
}
