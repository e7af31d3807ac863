package chains_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// core makes a tool one of the core list.
func core(t *chaintest.Tool) *chaintest.Tool {
	t.ToolSpec.Core = true
	return t
}

func roofs() *chaintest.Tool {
	return core(chaintest.Reader("localSearch", "roof.md", "The roof is slate. Marker: heron."))
}

// inText makes the session's model write its calls into the reply.
func (r *rig) inText() *rig {
	return r.begin(func(o *chains.Options) {
		o.Tools.Calling = chains.CallsInText
		o.Instructions.NoNotes = false
	})
}

const roofCall = "<use_tool name=\"localSearch\">\n{\"query\":\"roof\"}\n</use_tool>"

// TestTextCalls: a model that takes no list of tools is told of them in the system
// message, and calls them in its text, of which nothing is shown, saved or sent
// again. What goes over the wire is a golden.
func TestTextCalls(t *testing.T) {
	r, server := newLoopSession(
		t, []chains.Tool{roofs(), chaintest.Texts("aList", "not of the core")},
		chaintest.Answer{Text: "Let me see.\n\n" + roofCall + "\n<use_tool name=\"getMoon\">\n{}\n</use_tool>", Chunk: 3},
		answer("It is slate [^1]."), answer("You are welcome."),
		answer("Again.\n"+roofCall), answer("No."),
	)
	r.inText().begin(func(o *chains.Options) {
		o.Layout = prompt.Append
		o.Now = func() time.Time { return time.Date(2026, 3, 14, 8, 0, 0, 0, time.UTC) }
	})
	h := r.say("What is the roof?", note("beds.md"))
	is(t, h.text(), "Let me see.\n\nIt is slate [^1].")
	if got, want := h.did(),
		"start 1.1 localSearch\nstart 1.2 getMoon\nerror 1.2 \ndone 1.1 1 note: roof.md"; got != want {
		t.Errorf("did\n%s\nwant\n%s", got, want)
	}
	one, tools := onWire(t, server, 0)
	two, _ := onWire(t, server, 1)
	if tools != "" || len(two) != len(one)+2 || strings.Join(two[:len(one)], "\n") != strings.Join(one, "\n") {
		t.Errorf("tools %s, and round 2 does not begin with round 1:\n%q\n%q", tools, one, two)
	}
	r.lacks(one[0], "aList")
	r.holds("u What is the roof?", "a Let me see.\n\nIt is slate [^1].\n\n#### Sources:\n\n[^1]: [[roof]]",
		`n looked up: localSearch "roof" → roof.md`)

	r.say("Thanks")
	r.apply(chains.Change{Chain: chains.Chat{}})
	r.send(chains.Input{Text: "And the barn?"})
	three, _ := onWire(t, server, 2)
	r.lacks(strings.Join(three[1:], "\n"), "heron", "use_tool")
	five, _ := onWire(t, server, 4)
	if four, _ := onWire(t, server, 3); one[0] != three[0] || one[0] != four[0] || one[0] != five[0] {
		t.Error("the system message changed, though nothing has")
	}
	r.wants(five[len(five)-1], "not run: tools are not used in this chain")
	golden.RequireEqual(t, strings.Join(two, "\n\n=== \n\n"))
}

// TestInventedResults: a model that goes on behind its call, as if it had the result, is
// stopped there. Nothing of what it made up is shown, saved, run or sent back.
func TestInventedResults(t *testing.T) {
	t.Parallel()
	const invented = "\n<tool_result>\nThe roof is gold [^1].\n</tool_result>\n\nIt is gold [^1].\n<use_tool name=\"localSearch\">\n{\"query\":\"gold\"}\n</use_tool>\n"
	for name, text := range map[string]string{
		"closed":        roofCall + invented,
		"not closed":    strings.TrimSuffix(roofCall, "</use_tool>") + invented,
		"prose":         roofCall + "\n\nThe notes say gold [^1]." + invented,
		"another form":  "<tool_call>{\"name\":\"localSearch\",\"arguments\":{\"query\":\"roof\"}}</tool_call>" + invented,
		"two calls":     roofCall + "\n\n" + strings.Replace(roofCall, "localSearch", "getMoon", 1) + invented,
		"bare":          "{\"name\":\"localSearch\",\"arguments\":{\"query\":\"roof\"}}" + invented,
		"by the server": strings.TrimSuffix(roofCall, "</use_tool>"),
	} {
		t.Run(name, func(t *testing.T) {
			tool := roofs()
			first := chaintest.Answer{Text: "Let me see.\n" + text, Chunk: 4}
			if name != "by the server" {
				first.Text += strings.Repeat("It is gold. ", 8_000) // a reply that nobody waits for
			}
			r, server := newLoopSession(t, []chains.Tool{tool}, first, answer("It is slate [^1]."))
			h := r.inText().say("What is the roof?")
			is(t, h.text(), "Let me see.\n\nIt is slate [^1].")
			if got := tool.Calls(); len(got) != 1 || got[0] != `{"query":"roof"}` {
				t.Errorf("calls %q", got)
			}
			r.lacks(r.file(), "gold", "tool_result", "use_tool")
			two, _ := onWire(t, server, 1)
			r.lacks(strings.Join(two, "\n"), "gold", "<tool_result>")
			r.wants(two[len(two)-2], "assistant: Let me see.\n"+roofCall)
			var sent struct{ Stop []string }
			if err := json.Unmarshal(server.Completions()[0].Body, &sent); err != nil || len(sent.Stop) > 4 ||
				!slices.Contains(sent.Stop, "</use_tool>") || !slices.Contains(sent.Stop, "<tool_result>") {
				t.Errorf("stops at %q", sent.Stop)
			}
		})
	}
}

// TestStops: texts to stop at go along where calls are text, unless the server refuses
// them, or stops a model with them that has not said anything yet.
func TestStops(t *testing.T) {
	empty := chaintest.Answer{Body: "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}
	refused := chaintest.Answer{
		Status: 400,
		Body:   `{"error":{"message":"Unsupported parameter: 'stop' is not supported with this model.","param":"stop"}}`,
	}
	for name, tt := range map[string]struct {
		answers []chaintest.Answer
		native  bool
		want    string
	}{
		"sent":    {[]chaintest.Answer{{Text: "One."}, {Text: "Two."}}, false, "yes yes"},
		"native":  {[]chaintest.Answer{{Text: "One."}, {Text: "Two."}}, true, "no no"},
		"refused": {[]chaintest.Answer{refused, {Text: "One."}, {Text: "Two."}}, false, "yes no no"},
		"stopped": {[]chaintest.Answer{empty, {Text: "One."}, {Text: "Two."}}, false, "yes no no"},
	} {
		r, server := newLoopSession(t, []chains.Tool{roofs()}, tt.answers...)
		if !tt.native {
			r.inText()
		}
		r.say("one").ended(chains.FinishStop)
		r.say("two").ended(chains.FinishStop)
		var got []string
		for _, c := range server.Completions() {
			got = append(got, map[bool]string{true: "yes", false: "no"}[strings.Contains(string(c.Body), `"stop":[`)])
		}
		is(t, strings.Join(got, " "), tt.want, name, got)
	}
}

// TestToolsRefused: a turn whose server takes no tools goes on in text, which is said
// once and remembered; a chat with that model begins so.
func TestToolsRefused(t *testing.T) {
	tool := roofs()
	r, server := newLoopSession(
		t, []chains.Tool{tool}, chaintest.NoTools("gemma"),
		answer(roofCall), answer("Slate."), answer("Bye."),
	)
	refused := 0
	r.begin(func(o *chains.Options) { o.Tools.Refused = func() { refused++ } })
	h := r.say("What is the roof?")
	if len(h.notices("tools")) != 1 || refused != 1 || len(tool.Calls()) != 1 || h.text() != "Slate." {
		t.Errorf("%d refusals, calls %q\n%s", refused, tool.Calls(), h)
	}
	if h := r.say("Thanks"); len(h.notices("tools")) != 0 {
		t.Errorf("said again:\n%s", h)
	}
	for n, want := range []bool{true, false, false, false} {
		if _, tools := onWire(t, server, n); (tools != "") != want {
			t.Errorf("request %d has the tools %s", n, tools)
		}
	}
	if e := r.requests(); e[1].Epoch.N != 1 || e[3].Epoch.N != 1 {
		t.Errorf("epochs %+v, %+v", e[1].Epoch, e[3].Epoch)
	}

	again, server := newLoopSession(t, []chains.Tool{roofs()}, chaintest.NoTools("gemma"), answer("Hello."))
	again.begin(func(o *chains.Options) { o.Chain = chains.Chat{} })
	again.send(chains.Input{Text: "Hi"}).ended(chains.FinishError) // nothing was offered: it means something else
	is(t, len(server.Completions()), 1)
}

// TestToolsRefusedElsewhere: what one chat has found out, the next one knows.
func TestToolsRefusedElsewhere(t *testing.T) {
	r, server := newLoopSession(t, []chains.Tool{roofs()}, chaintest.NoTools("gemma"), answer("One."),
		answer("Two."))
	refused := false
	options := func(o *chains.Options) {
		o.Tools.Refused, o.Tools.Refuses = func() { refused = true }, func() bool { return refused }
	}
	r.begin(options).say("one")
	r.begin(options).say("two").ended(chains.FinishStop)
	for n, want := range []bool{true, false, false} {
		if _, tools := onWire(t, server, n); (tools != "") != want {
			t.Errorf("request %d has the tools %s", n, tools)
		}
	}
}

// TestToolsRefusedLater: a server that takes the list and refuses what was called
// gets the rounds so far as text, and nothing is called again for it.
func TestToolsRefusedLater(t *testing.T) {
	tool := roofs()
	r, server := newLoopSession(
		t, []chains.Tool{tool},
		chaintest.Answer{
			Text:      "Let me see.",
			ToolCalls: []prompt.ToolCall{{ID: "a", Name: "localSearch", Arguments: `{"query":"roof"}`}},
		},
		chaintest.NoTools("gemma"), answer("It is slate [^1]."), answer("Bye."),
	)
	h := r.say("What is the roof?").ended(chains.FinishStop)
	if got := h.text(); got != "Let me see.\n\nIt is slate [^1]." || len(h.notices("tools")) != 1 ||
		len(tool.Calls()) != 1 {
		t.Errorf("shown %q, calls %q\n%s", got, tool.Calls(), h)
	}
	three, tools := onWire(t, server, 2)
	n := len(three)
	if tools != "" || n < 3 {
		t.Fatalf("tools %s in\n%q", tools, three)
	}
	r.wants(three[0], "<use_tool")
	r.wants(three[n-2], "assistant: Let me see.\n"+roofCall)
	r.wants(three[n-1], "heron", "What is the roof?")
	r.say("Thanks").ended(chains.FinishStop)
	four, _ := onWire(t, server, 3)
	r.lacks(strings.Join(four[1:], "\n"), "heron", "use_tool")
}

// TestTextCallCancelled: a reply that is stopped in the middle of a call leaves
// nothing of the call, and nothing runs.
func TestTextCallCancelled(t *testing.T) {
	tool := roofs()
	r, _ := newLoopSession(t, []chains.Tool{tool},
		chaintest.Answer{
			Text: "Let me see.\n" + roofCall + strings.Repeat("\n", 2000), Chunk: 12,
			Delay: 5 * time.Millisecond,
		})
	r.inText()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	var events []chains.Event
	for e := range eventsOf(t, r.session.Send(ctx, chains.Input{Text: "What is the roof?"})) {
		events = append(events, e)
		if d, ok := e.(chains.TextDelta); ok && strings.Contains(d.Text, "see") {
			time.AfterFunc(20*time.Millisecond, cancel)
		}
	}
	h := turnResult{TB: t, events: events}
	h.ended(chains.FinishCancelled)
	if got := strings.TrimSpace(h.text()); got != "Let me see." || len(tool.Calls()) != 0 {
		t.Errorf("shown %q, calls %q", got, tool.Calls())
	}
	r.lacks(r.file(), "use_tool")
}

// TestCallsOfOtherModels: a model that calls natively gets the list, and one that does not the
// guide, in the same conversation.
func TestCallsOfOtherModels(t *testing.T) {
	r, server := newLoopSession(t, []chains.Tool{roofs()}, answer("One."),
		answer(roofCall), answer("Two."), answer("Three."))
	r.say("one")
	for i, calling := range []chains.CallingMode{chains.CallsInText, chains.CallsNatively} {
		o := r.opts
		o.ModelName, o.Tools.Calling = fmt.Sprint("other", i), calling
		r.apply(chains.Change{Model: &o})
		r.say("next")
	}
	for n, text := range []bool{false, true, true, false} {
		messages, tools := onWire(t, server, n)
		if strings.Contains(messages[0], "<use_tool") != text || (tools == "") != text {
			t.Errorf("request %d: in text %v, tools %s", n, text, tools)
		}
	}
	if e := r.requests()[1]; e.Epoch.Cause != prompt.CauseL1 {
		t.Errorf("epoch %+v", e.Epoch)
	}
}

// requests returns the requests of the session.
func (r *rig) requests() []prompt.Envelope {
	r.Helper()
	all := value(r.session.Requests())(r)
	return all
}
