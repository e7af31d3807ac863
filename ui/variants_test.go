package ui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/ui/uitest"
)

// TestVariants: the arrow keys go from one reply to another, and nothing is sent.
func TestVariants(t *testing.T) {
	cut := &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."}
	replies := []chaintest.Reply{
		reply("first"), reply("whole answer"), reply("other answer"),
		{Chunks: []string{"half a reply ", "lost"}, Err: cut, ErrAfter: 1},
		reply("on and on"),
	}
	play(t, 80, 40, replies, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "alpha", "first")
		ask(r, "beta", "whole answer")
		wantNot(t, r, "›")
		ask(r, "/retry", "other answer")
		want(t, r, "‹ 2/2 ›")
		ask(r, "/retry", "The connection broke.")
		want(t, r, "‹ 2/3 ›", "other answer")
		sent := len(g.model.Requests())
		r.Press("tab", "]", "right")
		r.WaitFor("‹ 3/3 ›")
		want(t, r, "half a reply", "interrupted here", "nothing is sent")
		wantNot(t, r, "other answer")
		r.Press("right")
		r.WaitFor("‹ 1/3 ›")
		want(t, r, "whole answer")
		r.Press("left", "left")
		r.WaitFor("‹ 2/3 ›")
		if n := len(g.model.Requests()); n != sent {
			t.Errorf("%d requests were sent", n-sent)
		}
		ask(r, "i/undo", "‹ 3/3 ›")
		ask(r, "/redo", "‹ 2/3 ›")
		ask(r, "/variants 1", "‹ 1/3 ›")
		ask(r, "gamma", "on and on")
		want(t, r, "‹ 1/3 ›")
		requests := g.model.Requests()
		last := requests[len(requests)-1].Messages
		var text strings.Builder
		for _, m := range last {
			text.WriteString(m.Content)
		}
		if s := text.String(); !strings.Contains(s, "whole answer") || strings.Contains(s, "other answer") {
			t.Errorf("sent\n%s", s)
		}
		r.Press("tab", "[", "[", "right")
		want(t, r, "Go on from another reply?", "reply 2 of turn 2")
		r.Press("enter")
		r.WaitFor("‹ 2/3 ›")
		want(t, r, "other answer")
		wantNot(t, r, "on and on")
		if all, err := g.store.List(t.Context()); err != nil || len(all) != 2 {
			t.Errorf("%d chats (%v), want the old one and the branch", len(all), err)
		}
		r.Press("ctrl+x", "]") // with the cursor in the prompt too
		r.WaitFor("‹ 3/3 ›")
		r.Press("ctrl+x", "[", "ctrl+s")
		r.WaitFor("→ alpha")
		r.Press("tab")
		r.WaitFor("1 branch")
		wantNot(t, r, "→ alpha")
		r.Press("tab")
		r.WaitFor("→ alpha")
		r.Press("down", "tab") // on the branch: its chat, where the cursor is then
		wantNot(t, r, "→ alpha")
		r.Press("tab")
		want(t, r, "→ alpha")
		r.Press("ctrl+s")
		r.WaitFor("→ alpha") // the branch stands below the chat that it comes from
		if before, _, _ := strings.Cut(r.Screen(), "→ alpha"); !strings.Contains(before, "alpha") {
			t.Errorf("the list is\n%s", r.Screen())
		}
	})
}

// TestVariantsByMouse: the arrows can be clicked.
func TestVariantsByMouse(t *testing.T) {
	play(t, 80, 30, []chaintest.Reply{reply("one"), reply("two")}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		ask(r, "alpha", "one")
		ask(r, "/retry", "two")
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
			t.Errorf("the header does not name the model: %q", header())
		}
		click("›")
		r.WaitFor("‹ 2/2 ›")
		want(t, r, "two")
	})
}

// TestEditKeepsReply: an edited message has the old one, with its reply, beside it,
// also when the chat is opened again.
func TestEditKeepsReply(t *testing.T) {
	play(t, 80, 30, []chaintest.Reply{reply("first answer"), reply("second answer")},
		func(t *testing.T, r *uitest.Robot, g *rig) {
			ask(r, "alpha", "first answer")
			r.Press("tab", "[", "e")
			r.WaitFor("> alpha")
			ask(r, " and beta", "second answer")
			want(t, r, "alpha and beta", "‹ 2/2 ›")
			path := g.desk.Session().Snapshot().Path
			ask(r, "/new", "Ask anything")
			ask(r, "/open "+path, "‹ 2/2 ›")
			r.Pass(7 * time.Second)
			ask(r, "/variants 1", "‹ 1/2 ›")
			want(t, r, "first answer")
			wantNot(t, r, "beta")
		})
}

// TestVariantLines: a reply that is shown again has the line of how long was thought
// before it, and that of its dead links.
func TestVariantLines(t *testing.T) {
	think := chaintest.Reply{Reasoning: "Let me see.", Text: "See [[Nothing]].", Split: 4, Delay: 500 * time.Millisecond}
	play(t, 80, 30, []chaintest.Reply{think, reply("two")}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		ask(r, "alpha", "leads nowhere: [[Nothing]]")
		line := ""
		for row := range strings.Lines(r.Screen()) {
			if strings.Contains(row, "thought for") {
				line = strings.TrimSpace(row)
			}
		}
		ask(r, "/retry", "two")
		wantNot(t, r, "leads nowhere")
		r.Press("ctrl+x", "[")
		r.WaitFor("‹ 1/2 ›")
		if line == "" {
			t.Fatal("no line says how long was thought")
		}
		want(t, r, line, "links: 1 of 1 leads nowhere: [[Nothing]]")
	})
}

// TestCompare: another model answers the last question; both replies stand beside each
// other, or below each other on a narrow screen, and one of them is gone on from.
func TestCompare(t *testing.T) {
	for _, width := range []int{80, 140} {
		playOn(t, width, 30, func(t *testing.T) *rig {
			g := newRig(t, band, reply("the first answer"), reply("the second answer"))
			g.desk = desk.New(desk.Options{
				Vault: g.vault, Gather: g.gather, Store: g.store, StateDir: g.state,
				Session: g.session(g.store, g.model, "first-model"),
				Prompts: desk.PromptOptions{Model: func(_ context.Context, _, name string) (chains.Options, error) {
					return g.session(g.store, g.model, name), nil
				}},
			})
			return g
		}, func(t *testing.T, r *uitest.Robot, _ *rig) {
			ask(r, "which?", "the first answer")
			ask(r, "/compare", "the last turn has one reply")
			ask(r, "/compare second-model", "Replies of the last turn")
			want(t, r, "1 · first-model", "2 · second-model · shown", "the first answer", "the second answer")
			beside := false
			for line := range strings.Lines(r.Screen()) {
				beside = beside || strings.Contains(line, "the first answer") && strings.Contains(line, "the second answer")
			}
			if beside != (width > 100) {
				t.Errorf("beside each other on %d columns: %v\n%s", width, beside, r.Screen())
			}
			r.Press("1")
			r.WaitFor("‹ 1/2 ›")
			want(t, r, "first-model")
			wantNot(t, r, "the second answer", "Replies of the last turn")
		})
	}
}
