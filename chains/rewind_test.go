package chains_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

func (r *rig) retry() turnResult { r.Helper(); return collect(r, r.session.Retry(r.Context())) }

func (r *rig) undo() chains.UndoneStep {
	r.Helper()
	u, err := r.session.Undo(r.Context())
	check(r, err)
	return u
}

func (r *rig) redo() {
	r.Helper()
	check(r, r.session.Redo())
}

func (r *rig) apply(c chains.Change) {
	r.Helper()
	check(r, r.session.Apply(c))
}

// TestRetryFails: as long as nothing of a new reply has come, the old one stands:
// in memory, in what the engine knows, and in the file at every moment.
func TestRetryFails(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two. [NOTE TO SELF: second]")...)
	r.say("1", note("beds.md"))
	r.say("2", note("tools/rake.md"))
	before := r.file()
	r.model.Add(chaintest.Reply{Func: func(chains.Request) chaintest.Reply {
		is(t, r.file(), before)
		return chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrRate, Message: "Later."}}
	}})
	r.retry().ended(chains.FinishError)
	r.holds("u 1", "a One.", "u 2", "a Two.", "n second")
	for _, partial := range []chaintest.Reply{
		{},
		{Chunks: []string{"  "}, Err: &chains.ProviderError{Kind: chains.ErrCutOff, Message: "gone"}, ErrAfter: 1},
	} {
		r.model.Add(partial)
		if d := r.retry().done(); d.Finish == chains.FinishStop {
			t.Errorf("%+v", d)
		}
		is(t, r.file(), before)
	}
	r.model.Add(textReplies("Three.")...)
	h := r.say("3", note("beds.md"), note("tools/rake.md"))
	for _, a := range h.envelope().Attached {
		is(t, a.State, "known", a)
	}
	r.wants(r.sent(), "Two.", "second")
}

// TestRetryBreaksOff: a whole reply is shown until another is whole, while the new
// one streams and however it breaks off; one that had broken off itself makes way
// for what comes. The other is kept beside it.
func TestRetryBreaksOff(t *testing.T) {
	r := newRig(t, garden, textReplies("One. [NOTE TO SELF: kept]")...)
	r.say("1", note("beds.md"))
	whole := r.visible()
	gone := &chains.ProviderError{Kind: chains.ErrCutOff, Message: "gone"}
	for _, reply := range []chaintest.Reply{
		{Chunks: []string{"Better, ", "but"}}, // left by the person
		{Chunks: []string{"Better, "}, Err: gone, ErrAfter: 1},
	} {
		r.model.Add(reply)
		h := turnResult{TB: t}
		for e, err := range r.session.Retry(t.Context()) {
			h.events, h.err = append(h.events, e), err
			if _, ok := e.(chains.TextDelta); ok && reply.Err == nil {
				break
			}
			if r.visible() != whole {
				t.Fatalf("while the new reply comes, the file is\n%s", r.file())
			}
		}
		is(t, r.visible(), whole, r.file())
		r.holds("u 1", "a One.", "n kept")
		if reply.Err != nil {
			if d := h.ended(chains.FinishCutOff).done(); !d.Restored || len(h.notices("kept_reply")) != 1 {
				t.Errorf("nothing says that the old reply stays:\n%s", h)
			}
		}
	}
	r.model.Add(textReplies("More.")...)
	r.say("2")
	r.wants(r.sent(), "One.", "kept")
	r.lacks(r.sent(), "Better")
	r.turns("*1/One. 1/Better, (cancelled) 1/Better, (cut)", "*2/More.")

	r.model.Add(chaintest.Reply{Chunks: []string{"Half "}, Err: gone, ErrAfter: 1},
		chaintest.Reply{Chunks: []string{"Three quarters "}, Err: gone, ErrAfter: 1})
	r.send(chains.Input{Text: "3"}).ended(chains.FinishCutOff)
	if d := r.retry().ended(chains.FinishCutOff).done(); d.Restored {
		t.Error("half a reply came back")
	}
	r.holds("u 1", "a One.", "n kept", "u 2", "a More.", "u 3", "a Three quarters (cut)")
	r.turns("*1/One. 1/Better, (cancelled) 1/Better, (cut)", "*2/More.", "3/Half (cut) *3/Three quarters (cut)")
}

// TestRetrySlowly: a crash in the middle of a new reply finds the old one.
func TestRetrySlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden, textReplies("One.")...)
		r.say("1")
		whole := r.visible()
		r.model.Add(chaintest.Reply{Text: "slow words here", Split: 5, Delay: 2 * time.Second})
		for e := range eventsOf(t, r.session.Retry(t.Context())) {
			if _, ok := e.(chains.TextDelta); ok && r.visible() != whole {
				t.Errorf("after %v the file is\n%s", e, r.file())
			}
		}
		r.TB = t
		r.holds("u 1", "a slow words here")
		r.turns("1/One. *1/slow words here")
	})
}

// TestEditAndSendAgain (S0-65): a message that is taken back, edited and sent again has the
// same context; only the question in its request differs.
func TestEditAndSendAgain(t *testing.T) {
	for _, layout := range []prompt.Layout{prompt.Auto, prompt.Strict, prompt.Append} {
		r := newRig(t, garden, textReplies("One.", "Two.", "Three.")...).begin(func(o *chains.Options) { o.Layout = layout })
		r.say("1", note("beds.md"))
		before := r.say("2 of @tools/rake.md", note("tools/spade.md")).envelope()
		in := r.undo().Turn
		in.Text = strings.Replace(in.Text, "2", "another question", 1)
		after := r.send(in).ended(chains.FinishStop).envelope()
		for _, layer := range []string{"L1", "L2", "L3", "L4"} {
			is(t, before.Text(layer), after.Text(layer), layout, layer)
		}
		is(t, after.Text("L5"), in.Text, layout)
	}
}
