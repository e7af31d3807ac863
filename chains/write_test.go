package chains_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault/edit"
)

// asked runs a turn and answers each question about a change; the questions are
// returned.
func asked(t *testing.T, r *rig, text string, answer func(chains.Asked) chains.Decision) (h happened, questions []chains.Asked) {
	t.Helper()
	h = happened{TB: t}
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

// writer is a tool that counts what it was let do.
func writer(name, path string, applied *int) *chaintest.Tool {
	return chaintest.Writer(name, path, "new", func(chains.Decision) (string, error) { *applied++; return "applied", nil })
}

func yes(chains.Asked) chains.Decision { return chains.Decision{Yes: true} }

// TestPolicy: what was agreed to for a note is not asked about again, unless
// something came from the web; a chat that is read-only asks nothing.
func TestPolicy(t *testing.T) {
	applied := 0
	web := chaintest.Texts("web", "page")
	web.ToolSpec.Ask = chains.AccessWeb
	one := call("edit", "{}", 1)
	r, _ := looping(t, []chains.Tool{writer("edit", "beds.md", &applied), writer("other", "other.md", &applied), web},
		calls(one), chaintest.Answer{Text: "1"}, calls(one, call("other", "{}", 2)), chaintest.Answer{Text: "2"},
		calls(call("web", `{"query":"a"}`, 1)), calls(call("edit", `{"n":1}`, 2)), calls(call("web", `{"query":"b"}`, 3)), chaintest.Answer{Text: "3"},
		calls(one), chaintest.Answer{Text: "4"}, calls(one), chaintest.Answer{Text: "5"})
	policy := r.session.Policy()
	always := func(a chains.Asked) chains.Decision {
		return chains.Decision{Yes: true, Always: a.Proposal != nil && a.Proposal.Path == "beds.md"}
	}
	for i, want := range []struct {
		asked   int
		applied int
		mode    chains.Mode
	}{{1, 1, chains.ModeNote}, {1, 3, chains.ModeNote}, {3, 4, chains.ModeNote}, {0, 4, chains.ModeReadOnly}, {1, 5, chains.ModeAsk}} {
		switch i {
		case 3:
			policy.Set(true)
		case 4:
			policy.Set(false)
			always = yes
		}
		h, questions := asked(t, r, fmt.Sprint("Go ", i), always)
		h.ended(chains.FinishStop)
		if len(questions) != want.asked || applied != want.applied || policy.Mode() != want.mode {
			t.Errorf("turn %d: asked %d times, applied %d, mode %s\n%s", i+1, len(questions), applied, policy.Mode(), h.did())
		}
	}
}

// TestBatch: changes of many notes are a list first, from which the person chooses.
func TestBatch(t *testing.T) {
	for _, s := range []struct {
		name    string
		first   chains.Decision
		asked   int
		applied int
	}{
		{"no", chains.Decision{Reason: "too many"}, 1, 0},
		{"all", chains.Decision{Yes: true}, 5, 4},
		{"some", chains.Decision{Yes: true, Hunks: []int{1, 3}}, 3, 2},
	} {
		applied := 0
		var tools []chains.Tool
		var reply chaintest.Answer
		for i := range 4 {
			name := fmt.Sprint("write", i)
			tools = append(tools, writer(name, name+".md", &applied))
			reply.ToolCalls = append(reply.ToolCalls, call(name, "{}", i))
		}
		r, _ := looping(t, tools, reply, chaintest.Answer{Text: "Done."})
		h, questions := asked(t, r, "Go", func(a chains.Asked) chains.Decision {
			if a.Batch != nil {
				return s.first
			}
			return chains.Decision{Yes: true}
		})
		h.ended(chains.FinishStop)
		if len(questions) != s.asked || len(questions[0].Batch) != 4 || applied != s.applied {
			t.Errorf("%s: asked %d times, applied %d\n%s", s.name, len(questions), applied, h.did())
		}
		if n := strings.Count(h.did(), "refused 1."); n != 4-s.applied {
			t.Errorf("%s: %d refused\n%s", s.name, n, h.did())
		}
	}
}

// TestConflict: what no longer fits is shown again, and never written.
func TestConflict(t *testing.T) {
	again := &chains.Proposal{Path: "beds.md", Change: edit.Compare("old", "new"), Conflict: &chains.Conflict{Hunks: []int{0}}}
	tries := 0
	again.Apply = func(context.Context, chains.Decision) (chains.Applied, error) {
		tries++
		return chains.Applied{Text: "applied", Hunks: 1, Of: 1}, nil
	}
	first := &chains.Proposal{Path: "beds.md", Change: edit.Compare("a", "b")}
	first.Apply = func(context.Context, chains.Decision) (chains.Applied, error) {
		return chains.Applied{Again: again}, nil
	}
	tool := writer("edit", "beds.md", new(int))
	propose := tool.Func
	tool.Func = func(ctx context.Context, args json.RawMessage) (chains.ToolOutput, error) {
		out, err := propose(ctx, args)
		out.Propose = first
		return out, err
	}
	r, _ := looping(t, []chains.Tool{tool}, calls(call("edit", "{}", 1)), chaintest.Answer{Text: "Done."})
	r.session.Policy().Allow("beds.md")
	h, questions := asked(t, r, "Go", yes)
	if len(questions) != 1 || questions[0].Proposal.Conflict == nil || tries != 1 {
		t.Errorf("asked %d times, written %d\n%s", len(questions), tries, h.did())
	}
}

// TestActions: a block in a reply is a proposal once the reply has ended, in the
// chains that look things up, and stays in the text.
func TestActions(t *testing.T) {
	t.Parallel()
	const block = "<writeToFile>\n<path>beds.md</path>\n<content>\n# Beds\n</content>\n</writeToFile>\n"
	for _, s := range []struct {
		name, reply string
		chain       chains.Chain
		yes         bool
		asked       int
		notice      string
	}{
		{"agent", "Here:\n" + block + "Done.", chains.Agent{}, true, 1, ""},
		{"refused", "Here:\n" + block + "Done.", chains.Agent{}, false, 1, ""},
		{"plus", block, chains.Plus{}, true, 1, ""},
		{"chat", block, chains.Chat{}, true, 0, ""},
		{"vault", block, chains.Vault{}, true, 0, ""},
		{"in code", "```\n" + block + "```", chains.Agent{}, true, 0, ""},
		{"two", block + "and\n" + block, chains.Agent{}, true, 2, ""},
		{"open", "Here:\n" + strings.TrimSuffix(block, "</writeToFile>\n"), chains.Agent{}, true, 0, "The reply proposes to write beds.md, but the block is not closed: nothing is proposed."},
		{"attributes", "<writeFile path=\"beds.md\">\n<content>\nx\n</content>\n</writeFile>", chains.Agent{}, true, 0, "The reply proposes to write a note, but the block has attributes in its tag, and its path belongs into <path>: nothing is proposed."},
		{"no content", "<writeFile><path>beds.md</path></writeFile>", chains.Agent{}, true, 0, "The reply proposes to write beds.md, but the block has no content: nothing is proposed."},
	} {
		for _, size := range []int{1, 3, 0} {
			applied := 0
			r, _ := looping(t, []chains.Tool{writer("writeToFile", "beds.md", &applied)}, chaintest.Answer{Text: s.reply, Chunk: size})
			value(r.session.Apply(chains.Change{Chain: s.chain}))(t)
			h, questions := asked(t, r, "Go", func(chains.Asked) chains.Decision { return chains.Decision{Yes: s.yes} })
			h.ended(chains.FinishStop)
			want := 0
			if s.yes {
				want = s.asked
			}
			if len(questions) != s.asked || applied != want || h.text() != strings.TrimSpace(s.reply) {
				t.Errorf("%s: asked %d times, applied %d, text %q", s.name, len(questions), applied, h.text())
			}
			if got := h.notices("action"); s.notice == "" && len(got) > 0 || s.notice != "" && !slices.Equal(got, []string{s.notice}) {
				t.Errorf("%s: notices %q", s.name, got)
			}
			if len(questions) > 0 {
				at := slices.IndexFunc(h.events, func(e chains.Event) bool { _, ok := e.(chains.Asked); return ok })
				for _, e := range h.events[at:] {
					if _, ok := e.(chains.TextDelta); ok {
						t.Errorf("%s: asked before the reply ended", s.name)
					}
				}
			}
			chat, err := r.session.Chat()
			if err != nil || !strings.Contains(chat.Messages[len(chat.Messages)-1].Text+chat.Messages[max(len(chat.Messages)-2, 0)].Text, strings.TrimSpace(s.reply)) {
				t.Errorf("%s: the chat has %+v", s.name, chat.Messages)
			}
		}
	}
}

// TestRefusedBlock: with the next question the model learns that what it proposed was
// refused.
func TestRefusedBlock(t *testing.T) {
	const block = "<writeToFile>\n<path>beds.md</path>\n<content>\n# Beds\n</content>\n</writeToFile>\n"
	r, server := looping(t, []chains.Tool{writer("writeToFile", "beds.md", new(int))}, chaintest.Answer{Text: block}, chaintest.Answer{Text: "Done."})
	h, _ := asked(t, r, "Go", func(chains.Asked) chains.Decision { return chains.Decision{} })
	h.ended(chains.FinishStop)
	h, _ = asked(t, r, "On", yes)
	h.ended(chains.FinishStop)
	messages, _ := onWire(t, server, 1)
	r.wants(strings.Join(messages, "\n"), "refused: writeToFile beds.md")
}

// TestComposer: a model is told how to write a note where the person asks for it, once,
// and the word stays in the question.
func TestComposer(t *testing.T) {
	const text = "@composer rewrite the beds as a list"
	for _, s := range []struct {
		chain chains.Chain
		told  int
	}{{chains.Agent{}, 1}, {chains.Plus{}, 1}, {chains.Chat{}, 0}, {chains.Vault{}, 0}} {
		r, server := looping(t, []chains.Tool{writer("writeToFile", "beds.md", new(int))}, chaintest.Answer{Text: "Done."})
		value(r.session.Apply(chains.Change{Chain: s.chain}))(t)
		h, _ := asked(t, r, text, yes)
		h.ended(chains.FinishStop)
		messages, _ := onWire(t, server, 0)
		last := messages[len(messages)-1]
		if n := strings.Count(last, "To propose a note,"); n != s.told || strings.Count(last, "@composer") != 1 || !strings.HasSuffix(last, text) {
			t.Errorf("%s: told %d times: %q", s.chain.Name(), n, last)
		}
		if n := len(h.notices("missing_note")); n != 1-s.told {
			t.Errorf("%s: %q", s.chain.Name(), h.notices(""))
		}
	}
}

// TestMemoryDirective: where the model cannot change the memory note, it is said why,
// and the word stays in the question.
func TestMemoryDirective(t *testing.T) {
	const text = "@memory I drink tea"
	memory := writer(chains.MemoryTool, "Memory.md", new(int))
	for _, s := range []struct {
		chain chains.Chain
		tools []chains.Tool
		off   []string
		why   string
	}{
		{chains.Agent{}, []chains.Tool{memory}, nil, ""},
		{chains.Agent{}, nil, nil, "there is no memory note"},
		{chains.Chat{}, []chains.Tool{memory}, nil, "the chain chat writes no notes"},
		{chains.Agent{}, []chains.Tool{memory}, []string{chains.MemoryTool}, "off"},
	} {
		r, server := looping(t, s.tools, chaintest.Answer{Text: "Done."})
		value(r.session.Apply(chains.Change{Chain: s.chain, Off: s.off}))(t)
		h := r.send(chains.Input{Text: text, Attach: []prompt.Ref{chains.MemoryRef()}}).ended(chains.FinishStop)
		said := strings.Join(h.notices("missing_note"), "")
		if (s.why == "") != (said == "") || !strings.Contains(said, s.why) {
			t.Errorf("%s: said %q, want %q", s.chain.Name(), said, s.why)
		}
		messages, _ := onWire(t, server, 0)
		if last := messages[len(messages)-1]; !strings.HasSuffix(last, text) {
			t.Errorf("%s: the question is %q", s.chain.Name(), last)
		}
	}
}
