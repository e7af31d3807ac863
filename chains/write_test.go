package chains_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault/edit"
)

// answerQuestions runs a turn, answers each question about a change, and returns the questions.
func answerQuestions(t *testing.T, r *rig, text string, answer func(chains.Asked) chains.Decision) (h turnResult,
	questions []chains.Asked,
) {
	t.Helper()
	h = turnResult{TB: t}
	for e, err := range r.session.Send(t.Context(), chains.Input{Text: text}) {
		if h.err = err; err != nil {
			break
		}
		h.events = append(h.events, e)
		if a, ok := e.(chains.Asked); ok {
			questions = append(questions, a)
			a.Answer(answer(a))
		}
	}
	return h, questions
}

// writer returns a tool that counts its approved changes.
func writer(name, path string, applied *int) *chaintest.Tool {
	return chaintest.Writer(name, path, "new", func(chains.Decision) (string, error) { *applied++; return "applied", nil })
}

func yes(chains.Asked) chains.Decision { return chains.Decision{Yes: true} }

// TestConflict: what no longer fits is shown again, and never written.
func TestConflict(t *testing.T) {
	again := &chains.Proposal{
		Path: "beds.md", Change: edit.Compare("old", "new"),
		Conflict: &chains.Conflict{Hunks: []int{0}},
	}
	tries := 0
	again.Apply = func(context.Context, chains.Decision) (chains.AppliedProposal, error) {
		tries++
		return chains.AppliedProposal{Text: "applied", Hunks: 1, Of: 1}, nil
	}
	first := &chains.Proposal{Path: "beds.md", Change: edit.Compare("a", "b")}
	first.Apply = func(context.Context, chains.Decision) (chains.AppliedProposal, error) {
		return chains.AppliedProposal{Again: again}, nil
	}
	tool := writer("edit", "beds.md", new(int))
	propose := tool.Func
	tool.Func = func(ctx context.Context, args json.RawMessage) (chains.ToolOutput, error) {
		out, err := propose(ctx, args)
		out.Propose = first
		return out, err
	}
	r, _ := newLoopSession(t, []chains.Tool{tool}, calls(call("edit", "{}", 1)), answer("Done."))
	r.session.Policy().Allow("beds.md")
	h, questions := answerQuestions(t, r, "Go", yes)
	if len(questions) != 1 || questions[0].Proposal.Conflict == nil || tries != 1 {
		t.Errorf("asked %d times, written %d\n%s", len(questions), tries, h.did())
	}
}

// TestChangesAtOnce: one yes makes the chosen changes of a list without a further question; the model hears of each,
// also of those that were struck out.
func TestChangesAtOnce(t *testing.T) {
	var made []string
	var tools []chains.Tool
	var all []prompt.ToolCall
	for i, path := range []string{"a.md", "b.md", "c.md", "d.md", "e.md"} {
		name := fmt.Sprintf("edit%d", i)
		tools = append(tools, chaintest.Writer(name, path, "new", func(d chains.Decision) (string, error) {
			if path == "d.md" {
				return "", errors.New("the disk is full")
			}
			made = append(made, path)
			return "applied", nil
		}))
		all = append(all, call(name, "{}", i))
	}
	r, server := newLoopSession(t, tools, calls(all...), answer("Done."))
	r.begin(func(*chains.Options) {})
	asked := 0
	var results []string
	for e := range eventsOf(t, r.session.Send(t.Context(), chains.Input{Text: "Go"})) {
		switch e := e.(type) {
		case chains.Asked:
			asked++
			if len(e.Batch) != 5 || len(e.Calls) != 5 || e.Calls[4].Name != "edit4" {
				t.Errorf("asked about %d changes of %v", len(e.Batch), e.Calls)
			}
			e.Answer(chains.Decision{Yes: true, All: true, Hunks: []int{0, 2, 3, 4}, Reason: "not b"})
		case chains.WriteResult:
			results = append(results, e.Path+" "+e.Decision())
		}
	}
	is(t, asked, 1)
	is(t, strings.Join(made, " "), "a.md c.md e.md")
	is(t, strings.Join(results, ", "), "a.md applied, c.md applied, d.md refused, e.md applied")
	two, _ := onWire(t, server, 1)
	text := strings.Join(two, "\n")
	for _, want := range []string{"refused by the person: not b", "the disk is full"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, short(text))
		}
	}
}

// TestCallsShareWalk: all reads of a reply share one walk of the vault; each write and the next reply make their own.
func TestCallsShareWalk(t *testing.T) {
	var looking sync.Mutex
	walks := map[string]int{} // by the tool that made them
	look := func(tool chains.Tool) chains.Tool {
		double := tool.(*chaintest.Tool)
		inner := double.Func
		double.Func = func(ctx context.Context, args json.RawMessage) (chains.ToolOutput, error) {
			_, err := chains.CallerOf(ctx).Walk.Make(func() error {
				looking.Lock()
				defer looking.Unlock()
				walks[double.ToolSpec.Name]++
				return nil
			}, func() uint64 { return 1 })
			out, callErr := inner(ctx, args)
			return out, errors.Join(err, callErr)
		}
		return double
	}
	applied := 0
	tools := []chains.Tool{
		look(chaintest.Reader("search", "beds.md", "Beds.")),
		look(writer("edit", "beds.md", &applied)),
	}
	var first, second []prompt.ToolCall
	for i := range 20 {
		first = append(first, call("search", fmt.Sprintf(`{"query":"a%d"}`, i), i))
	}
	for i := range 3 {
		second = append(second, call("search", fmt.Sprintf(`{"query":"b%d"}`, i), 30+i))
	}
	second = append(second, call("edit", `{"query":"x"}`, 40), call("edit", `{"query":"y"}`, 41))
	r, _ := newLoopSession(t, tools, calls(first...), calls(second...), answer("Done."))
	h, _ := answerQuestions(t, r, "Go", yes)
	h.ended(chains.FinishStop)
	is(t, applied, 2)
	is(t, walks["search"], 2, "one of each reply")
	is(t, walks["edit"], 2, "one of each write")
}
