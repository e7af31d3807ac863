package chains_test

import (
	"context"
	"encoding/json"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/vault/routine"
)

// brokenTool panics.
func brokenTool(context.Context, json.RawMessage) (chains.ToolOutput, error) { panic("oh") }

// TestToolFaultInTheLog: the panic of a tool is the result of its call, and its stack is
// in the log.
func TestToolFaultInTheLog(t *testing.T) {
	var log strings.Builder
	broken := &chaintest.Tool{ToolSpec: chains.ToolSpec{Name: "broken", Schema: `{}`}, Func: brokenTool}
	r, server := newLoopSession(t, []chains.Tool{broken}, calls(call("broken", "{}", 1)), answer("So be it."))
	r.begin(func(o *chains.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	r.say("Go").ended(chains.FinishStop)
	two, _ := onWire(t, server, 1)
	r.wants(two[3], "the tool broke: oh")
	r.wants(log.String(), "level=ERROR msg=tool-panic name=broken stack=", "chains_test.brokenTool")
	r.wants(r.file(), "So be it.")
}

// TestPlannedToolFault: so it is with one that the planner has run.
func TestPlannedToolFault(t *testing.T) {
	var log strings.Builder
	r, tool := newPlanSession(t, textReplies(`[{"tool":"localSearch","args":{"query":"spade"}}]`, "Nowhere.")...)
	tool.Func = brokenTool
	r.begin(func(o *chains.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	r.say("Where is the spade?").ended(chains.FinishStop)
	r.wants(log.String(), "msg=tool-panic name=localSearch", "chains_test.brokenTool")
	r.wants(r.file(), "Nowhere.")
}

// TestToolFaultElsewhere: so it is with what a goroutine of the tool panics with.
func TestToolFaultElsewhere(t *testing.T) {
	broken := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "broken", Schema: `{}`},
		Func: func(ctx context.Context, args json.RawMessage) (out chains.ToolOutput, err error) {
			var g routine.Group
			g.Go(func() { out, err = brokenTool(ctx, args) })
			g.Wait()
			return out, err
		},
	}
	r, server := newLoopSession(t, []chains.Tool{broken}, calls(call("broken", "{}", 1)), answer("So be it."))
	r.say("Go").ended(chains.FinishStop)
	two, _ := onWire(t, server, 1)
	if !strings.Contains(two[3], "the tool broke: oh") || strings.Contains(two[3], "goroutine") {
		t.Errorf("the result is %q", two[3])
	}
}

// faultyModel panics behind a reply, before that ends.
type faultyModel struct{ chains.Model }

func (m faultyModel) Stream(ctx context.Context, req chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		m.Model.Stream(ctx, req)(yield)
		panic("oh")
	}
}

// TestModelFault: what came of a reply before the model panicked is in the chat, marked,
// the panic goes on, and the session can be closed and goes on where it was.
func TestModelFault(t *testing.T) {
	r := newRig(t, garden, textReplies("In the shed.", "As I said.")...)
	whole := r.opts.Model
	r.begin(func(o *chains.Options) { o.Model = faultyModel{whole} })
	late := false
	p := routine.Call(func() {
		for e, err := range r.session.Send(t.Context(), chains.Input{Text: "Where is the spade?"}) {
			_, done := e.(chains.Done)
			late = late || err != nil || done
		}
	})
	if p == nil || p.Value != "oh" || !strings.Contains(string(p.Stack), "faultyModel") || late {
		t.Errorf("the turn panicked with %v; its end was told: %v", p, late)
	}
	r.holds("u Where is the spade?", "a In the shed. (cut)")
	if err := r.session.Close(); err != nil {
		t.Error(err)
	}
}

// TestSummaryFault: a panic in the background costs the summary.
func TestSummaryFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		r := newLadderSession(t, chaintest.Reply{Func: func(chains.Request) chaintest.Reply { panic("oh") }})
		r.begin(func(o *chains.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		r.wants(r.climb().envelope().Shortened[0].How, "left out")
		r.wants(log.String(), "msg=summary-panic stack=", "TestSummaryFault")
		if err := r.session.Close(); err != nil {
			t.Error(err)
		}
	})
}
