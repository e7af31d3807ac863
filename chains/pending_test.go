package chains_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// counting counts what a session asks of its gatherer.
type counting struct {
	chains.Gatherer
	gathered, looked int
}

func (c *counting) Gather(ctx context.Context, refs []prompt.Ref) ([]prompt.Item, []prompt.MissingRef, error) {
	c.gathered++
	return c.Gatherer.Gather(ctx, refs)
}

func (c *counting) Current(ctx context.Context, known []prompt.Item) (map[string]prompt.Current, []prompt.Move, error) {
	c.looked++
	return c.Gatherer.Current(ctx, known)
}

func (r *rig) prepare(in chains.Input) *chains.PendingTurn {
	r.Helper()
	p := value(r.session.Begin(r.Context(), in))(r)
	return p
}

func (r *rig) finish(p *chains.PendingTurn) turnResult {
	r.Helper()
	return collect(r, p.Send(r.Context()))
}

// TestGatheredOnce: what is previewed, asked about and sent is one object.
func TestGatheredOnce(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.", "Three.")...)
	c := &counting{Gatherer: r.opts.Gather}
	r.begin(func(o *chains.Options) { o.Gather = c })
	want := func(what string, gathered, looked int) {
		t.Helper()
		if c.gathered != gathered || c.looked != looked {
			t.Errorf("%s: gathered %d times and looked again %d times, want %d and %d", what, c.gathered, c.looked,
				gathered, looked)
		}
		c.gathered, c.looked = 0, 0
	}
	p := r.prepare(chains.Input{Text: "First?", Attach: []prompt.Ref{note("beds.md")}})
	want("begin", 1, 1)
	h := r.finish(p).ended(chains.FinishStop)
	want("send", 0, 1)
	is(t, h.envelope().Predicted, p.Envelope.Predicted)
	r.say("Second?", note("beds.md"))
	want("a turn that nobody asks about", 1, 1)
	collect(t, r.session.Retry(t.Context())).ended(chains.FinishStop)
	want("a retry", 1, 1)
	r.holds("u First?", "a One.", "u Second?", "a Three.")
}

// TestPendingIsADraft: a turn that is left before it is sent was never there.
func TestPendingIsADraft(t *testing.T) {
	r := newRig(t, garden, textReplies("Yes.")...)
	r.prepare(chains.Input{Text: "Never sent", Attach: []prompt.Ref{note("beds.md")}})
	if c := r.chat(); len(c.Messages) > 0 || c.Path != "" || r.disk.saves > 0 || r.model.Left() != 1 {
		t.Errorf("left behind: %+v, %d saves", c.Messages, r.disk.saves)
	}
	h := r.say("Sent", note("beds.md"))
	if at := h.envelope().Attached; len(at) != 1 || at[0].State != "new" {
		t.Errorf("attached %+v", at)
	}
	r.holds("u Sent", "a Yes.")
}

// TestPendingChanged: what changed between the forecast and the sending goes as
// it is now, and only a price that went up stops the turn.
func TestPendingChanged(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.", "Three.")...)
	in := chains.Input{Text: "Well?", Attach: []prompt.Ref{note("beds.md")}}

	p := r.prepare(in)
	vaulttest.Write(t, r.vault, "beds.md", "# Beds\n\nRoses. Marker: heron.\n")
	r.finish(p).ended(chains.FinishStop)
	r.wants(r.sent(), "heron")
	r.lacks(r.sent(), "oriole")
	r.holds("u Well?", "a One.")

	p = r.prepare(chains.Input{Text: "And now?", Attach: []prompt.Ref{note("tools/rake.md")}})
	// known, not attached: one line says that it changed
	vaulttest.Write(t, r.vault, "beds.md", "# Beds\n\n"+strings.Repeat("Many roses. ", 60))
	h := r.finish(p)
	if !errors.Is(h.err, chains.ErrPrice) {
		t.Fatalf("a turn that costs more was sent: %v\n%s", h.err, h)
	}
	if len(h.events) > 0 || len(r.model.Requests()) != 1 {
		t.Errorf("it began:\n%s", h)
	}
	r.holds("u Well?", "a One.")

	// Beginning again is agreeing.
	r.finish(r.prepare(in)).ended(chains.FinishStop)
	r.wants(r.sent(), "Many roses.")

	// What the session itself did in between counts too.
	p = r.prepare(chains.Input{Text: "Without?"})
	check(t, r.session.Apply(chains.Change{Forget: []prompt.Ref{note("beds.md")}}))
	h = r.finish(p)
	if h.err == nil {
		r.lacks(r.sent(), "Many roses.")
	} else if !errors.Is(h.err, chains.ErrPrice) {
		t.Error(h.err)
	}
}

// TestPendingTooLong: that a turn does not fit is known before anything is sent.
func TestPendingTooLong(t *testing.T) {
	r := newRig(t, "-- big.md --\n"+strings.Repeat("word ", 4000), textReplies("Hello.")...)
	r.begin(func(o *chains.Options) { o.Window = 1000 })
	p := r.prepare(chains.Input{Text: "Read this", Attach: []prompt.Ref{note("big.md")}})
	if p.TooLong == nil || p.TooLong.Limit != 1000 || p.TooLong.Largest[0].Ref != note("big.md") {
		t.Fatalf("too long: %+v", p.TooLong)
	}
	if len(r.chat().Messages) > 0 {
		t.Error("the message is in the chat")
	}
	r.say("Hello")
}

// TestBeginFails: a turn that cannot be prepared says why, and nothing changed.
func TestBeginFails(t *testing.T) {
	r := newRig(t, garden, reply("x"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.session.Begin(ctx,
		chains.Input{Text: "Hi", Attach: []prompt.Ref{note("beds.md")}}); !errors.Is(err, context.Canceled) {
		t.Errorf("begin: %v", err)
	}
	if len(r.chat().Messages) > 0 {
		t.Error("the message is in the chat")
	}
}
