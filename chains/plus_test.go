package chains_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// in starts the session again with another chain.
func (r *rig) in(chain chains.Chain) *rig {
	return r.begin(func(o *chains.Options) { o.Chain = chain })
}

// TestPlus: the first request is that of agent; what it calls is one batch, and a
// call after it is answered once.
func TestPlus(t *testing.T) {
	search := func() []chains.Tool {
		return []chains.Tool{chaintest.Reader("localSearch", "roof.md", "Slate. Marker: heron.")}
	}
	again := calls(call("localSearch", `{"query":"gutter"}`, 2))
	first := calls(call("localSearch", `{"query":"roof"}`, 1))
	var bodies [][]byte
	for _, chain := range []chains.Chain{chains.Agent{}, chains.Plus{}, chains.Project{}} {
		r, server := newLoopSession(t, search(), first, answer("Slate [^1]."))
		r.in(chain).say("What is the roof?")
		bodies = append(bodies,
			bytes.ReplaceAll(server.Completions()[0].Body, []byte(fmt.Sprint(r.session.Snapshot().Epoch)), nil))
		two, _ := onWire(t, server, 1)
		is(t, strings.Contains(two[len(two)-1], "No more tool calls"), chain != chains.Agent{}, chain.Name(), two)
		is(t, len(server.Completions()), 2, chain.Name())
	}
	if !bytes.Equal(bodies[0], bodies[1]) || !bytes.Equal(bodies[0], bodies[2]) {
		t.Errorf("first requests differ:\n%s\n%s\n%s", bodies[0], bodies[1], bodies[2])
	}
	for _, last := range []chaintest.Answer{{Text: "Slate."}, {Text: "Hm.", ToolCalls: again.ToolCalls}} {
		r, server := newLoopSession(t, search(), first, again, last)
		finish := chains.FinishStop
		if len(last.ToolCalls) > 0 {
			finish = chains.FinishToolLimit
		}
		r.in(chains.Plus{}).send(chains.Input{Text: "What is the roof?"}).ended(finish)
		three, _ := onWire(t, server, 2)
		if m := three[len(three)-1]; !strings.Contains(m, "not run: ") || len(server.Completions()) != 3 {
			t.Errorf("the third request ends with %q", m)
		}
	}
}

// TestSameCall: the same call again is run again only if the notes have changed.
func TestSameCall(t *testing.T) {
	same := chaintest.Reply{ToolCalls: []prompt.ToolCall{call("reader", `{"query":"x"}`, 1)}}
	r := newRig(t, garden, same, same, same, reply("Well."))
	reader := chaintest.Reader("reader", "a.md", "x")
	version := uint64(0)
	r.begin(func(o *chains.Options) {
		o.Chain, o.Tools.List = chains.Agent{}, []chains.Tool{reader}
		o.Tools.Version = func() uint64 { version++; return version / 2 }
	})
	if got := r.say("x").did(); !slices.Equal(strings.Split(got, "\n"),
		[]string{
			"start 1.1 reader", "done 1.1 1 note: a.md", "start 2.2 reader", "done 2.2 1 note: a.md",
			"start 3.3 reader", "cached 3.3 same as call 2",
		}) {
		t.Errorf("did\n%s", got)
	}
}

// TestReading: a person may be asked before the model reads notes, once a
// conversation, and may forbid it.
func TestReading(t *testing.T) {
	clock := chaintest.Texts("clock", "noon")
	clock.ToolSpec.NoNotes = true
	reader := chaintest.Reader("reader", "a.md", "x")
	round := calls(call("clock", `{"query":"a"}`, 1), call("reader", `{"query":"a"}`, 2))
	r, server := newLoopSession(t, []chains.Tool{clock, reader}, round, answer("One."), round,
		answer("Two."), round, answer("Three."))
	r.begin(func(o *chains.Options) { o.Chain, o.Tools.Read = chains.Agent{}, chains.ReadAsk })
	asked := 0
	for n, yes := range []bool{false, true, false} {
		for e := range eventsOf(t, r.session.Send(t.Context(), chains.Input{Text: "Go"})) {
			if a, ok := e.(chains.Asked); ok {
				if asked++; a.Kind != chains.AccessRead || a.Call.Name != "reader" {
					t.Errorf("turn %d: asked %+v", n+1, a)
				}
				a.Answer(chains.Decision{Yes: yes})
			}
		}
	}
	if asked != 2 || len(reader.Calls()) != 2 || len(clock.Calls()) != 3 {
		t.Errorf("asked %d times, %d notes were read", asked, len(reader.Calls()))
	}
	two, _ := onWire(t, server, 1)
	r.wants(strings.Join(two, "\n"), "refused by the person", "noon")

	r, server = newLoopSession(t, []chains.Tool{reader}, answer("One."), answer("Two."))
	r.begin(func(o *chains.Options) { o.Chain, o.Tools.Read = chains.Agent{}, chains.ReadOff })
	r.say("Go")
	r.apply(chains.Change{Chain: chains.Plus{}})
	r.say("Go on")
	for n := range 2 {
		if _, tools := onWire(t, server, n); tools != "" {
			t.Errorf("request %d offers %s", n+1, tools)
		}
	}
}

// TestSmallWindow: where the window is small only the core is offered, also once an
// error has named it.
func TestSmallWindow(t *testing.T) {
	core, more := chaintest.Texts("core", "x"), chaintest.Texts("more", "x")
	core.ToolSpec.Core = true
	for window, want := range map[int]int{0: 2, 131072: 2, 16000: 1} {
		r, server := newLoopSession(t, []chains.Tool{core, more}, chaintest.TooLong(16000, 17000), answer("One."))
		r.begin(func(o *chains.Options) { o.Chain, o.Window = chains.Agent{}, window })
		h := r.send(chains.Input{Text: "Go"})
		if _, tools := onWire(t, server, 0); strings.Count(tools, `"name"`) != want {
			t.Errorf("window %d: %s", window, tools)
		}
		if window == 16000 {
			continue // there is nothing to learn
		}
		h.ended(chains.FinishStop)
		if _, tools := onWire(t, server, 1); strings.Count(tools, `"name"`) != 1 {
			t.Errorf("window %d, learned: %s", window, tools)
		}
	}
}
