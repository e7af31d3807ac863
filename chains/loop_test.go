package chains_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// call returns a call of a tool, with an id of its name and n.
func call(name, args string, n int) prompt.ToolCall {
	return prompt.ToolCall{ID: fmt.Sprintf("%s-%d", name, n), Name: name, Arguments: args}
}

func calls(all ...prompt.ToolCall) chaintest.Answer { return chaintest.Answer{ToolCalls: all} }

func answer(text string) chaintest.Answer { return chaintest.Answer{Text: text} }

// newLoopSession returns a session with a chain that loops, over HTTP.
func newLoopSession(t testing.TB, tools []chains.Tool, answers ...chaintest.Answer) (*rig, *chaintest.Server) {
	t.Helper()
	r := newRig(t, garden)
	server := chaintest.NewServer(t, chaintest.Options{Answers: answers})
	client := value(openai.New(openai.Options{Options: wire.Options{BaseURL: server.URL()}, Model: "test-model"}))(t)
	t.Cleanup(client.CloseIdle)
	r.begin(func(o *chains.Options) {
		o.Model, o.ModelName = client, "test-model"
		o.Chain, o.Tools.List = chains.Agent{}, tools
	})
	return r, server
}

// onWire returns the messages of the n-th request to a server, "role: content", and its tools.
func onWire(t testing.TB, s *chaintest.Server, n int) (messages []string, tools string) {
	t.Helper()
	all := s.Completions()
	if n >= len(all) {
		t.Fatalf("%d requests, no %d", len(all), n)
	}
	var body struct {
		Messages []struct {
			Role       string          `json:"role"`
			Content    any             `json:"content"`
			ToolCalls  json.RawMessage `json:"tool_calls"`
			ToolCallID string          `json:"tool_call_id"`
		} `json:"messages"`
		Tools json.RawMessage `json:"tools"`
	}
	check(t, json.Unmarshal(all[n].Body, &body))
	for _, m := range body.Messages {
		text, _ := m.Content.(string)
		messages = append(messages, m.Role+m.ToolCallID+": "+text+string(m.ToolCalls))
	}
	return messages, string(body.Tools)
}

// did returns the tool events of a turn, one per line.
func (h turnResult) did() string {
	var lines []string
	for _, e := range h.events {
		switch e := e.(type) {
		case chains.ToolStarted:
			lines = append(lines, fmt.Sprintf("start %d.%d %s", e.Round, e.N, e.Call.Name))
		case chains.ToolDone:
			lines = append(lines, fmt.Sprintf("%s %d.%d %s", e.State, e.Round, e.N, e.Note))
		}
	}
	return strings.Join(lines, "\n")
}

// TestLoop: the model looks something up, and answers. What was found is in the
// second request and in none of the next turn, which knows that it was looked up.
func TestLoop(t *testing.T) {
	search := chaintest.Reader("localSearch", "roof.md", "The roof is slate. Marker: heron.")
	r, server := newLoopSession(
		t, []chains.Tool{search, chaintest.Texts("aList", "tags")},
		chaintest.Answer{
			Text:      "Let me see.",
			ToolCalls: []prompt.ToolCall{call("local_search", `{"query":"roof","limit":"3"}`, 1)},
		},
		answer("It is slate [^1]."), answer("You are welcome."),
	)
	h := r.say("What is the roof?", note("beds.md"))
	if got, want := h.did(), "start 1.1 local_search\ndone 1.1 1 note: roof.md"; got != want {
		t.Errorf("events\n%s\nwant\n%s", got, want)
	}
	is(t, h.text(), "Let me see.\n\nIt is slate [^1].")
	one, tools := onWire(t, server, 0)
	two, again := onWire(t, server, 1)
	if tools != again || strings.Index(tools, "aList") > strings.Index(tools, "localSearch") {
		t.Errorf("lists of tools:\n%s\n%s", tools, again)
	}
	for i, m := range one {
		is(t, two[i], m)
	}
	if len(two) != len(one)+2 {
		t.Fatalf("round 2: %q", two)
	}
	r.wants(two[3], "tool", "<localSearch query=\"roof\">", "heron",
		"(limit was a number in quotes)\n\n[User query]:\nWhat is the roof?")
	r.holds("u What is the roof?", "a Let me see.\n\nIt is slate [^1].\n\n#### Sources:\n\n[^1]: [[roof]]",
		`n looked up: localSearch "roof" → roof.md`)

	r.say("Thanks")
	three, _ := onWire(t, server, 2)
	r.lacks(strings.Join(three, "\n"), "heron")
	r.wants(strings.Join(three, "\n"), "looked up: localSearch")
}

// TestLoopAtOnce: reads run together, a few at a time, results in call order.
func TestLoopAtOnce(t *testing.T) {
	var now, most atomic.Int32
	slow := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "slow", Schema: chaintest.QuerySchema},
		Func: func(ctx context.Context, args json.RawMessage) (chains.ToolOutput, error) {
			n := now.Add(1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			time.Sleep(20 * time.Millisecond)
			now.Add(-1)
			return chains.ToolOutput{Text: string(args)}, ctx.Err()
		},
	}
	var all []prompt.ToolCall
	for i := range 20 {
		all = append(all, call("slow", fmt.Sprintf(`{"query":"q%d"}`, i), i))
	}
	r, server := newLoopSession(t, []chains.Tool{slow}, calls(all...), answer("Done."))
	r.say("Go")
	is(t, most.Load(), 16)
	two, _ := onWire(t, server, 1)
	for i, m := range two[3:] {
		is(t, m, fmt.Sprintf("toolslow-%d: {\"query\":\"q%d\"}", i, i), i)
	}
}

// TestLoopFailures: what goes wrong with a call is a result that the model can act on.
func TestLoopFailures(t *testing.T) {
	broken := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "broken", Schema: `{}`},
		Func:     func(context.Context, json.RawMessage) (chains.ToolOutput, error) { panic("oh") },
	}
	failing := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "failing", Schema: `{}`},
		Func: func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			return chains.ToolOutput{}, errors.New("no disk")
		},
	}
	endless := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "endless", Schema: `{}`},
		Func: func(ctx context.Context, _ json.RawMessage) (chains.ToolOutput, error) {
			<-ctx.Done()
			return chains.ToolOutput{}, ctx.Err()
		},
	}
	reader := chaintest.Reader("reader", "a.md", "x")
	r, server := newLoopSession(
		t, []chains.Tool{broken, failing, endless, reader},
		calls(call("broken", "", 1), call("failing", "{}", 1), call("endless", "{}", 1), call("nobody", "{}", 1),
			call("reader", `{"limit":"few","query":"x"}`, 1)),
		calls(call("reader", `{"query":"x"}`, 1), call("reader", `{"query": "x"}`, 2)),
		answer("So be it."),
	)
	r.begin(func(o *chains.Options) { o.Tools.Limits.Tool = 30 * time.Millisecond })
	r.say("Go")
	two, _ := onWire(t, server, 1)
	for i, want := range []string{"the tool broke: oh", "no disk", `"Timeout"`, "no tool called nobody", "limit: type"} {
		if m := two[3+i]; !strings.Contains(m, want) || !strings.Contains(m, `"success":false`) {
			t.Errorf("result %d: %q, want %q", i, m, want)
		}
	}
	three, _ := onWire(t, server, 2)
	if last := three[len(three)-1]; !strings.Contains(last, "Same as call 6.") || len(reader.Calls()) != 1 {
		t.Errorf("the same call again: %q, %d calls", last, len(reader.Calls()))
	}
	if m := three[len(three)-3]; strings.Count(m, `"id":"reader-1"`) > 0 {
		t.Errorf("an id twice in a turn: %s", m)
	}
}

// TestWriteFails: a change that cannot be made after all is a result that says so.
func TestWriteFails(t *testing.T) {
	edit := chaintest.Writer("edit", "beds.md", "new", func(chains.Decision) (string, error) {
		return "", errors.New("changed meanwhile")
	})
	r, server := newLoopSession(t, []chains.Tool{edit}, calls(call("edit", "{}", 1)), answer("Done."))
	h, _ := answerQuestions(t, r, "Go", yes)
	two, _ := onWire(t, server, 1)
	r.wants(strings.Join(two, "\n"), "changed meanwhile")
	r.wants(h.ended(chains.FinishStop).did(), "error 1.1")
}

// TestLoopCancel: stopping ends the tools and the question at once, and leaves
// what the model has said.
func TestLoopCancel(t *testing.T) {
	stubborn := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "stubborn", Schema: `{}`},
		Func: func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			time.Sleep(time.Second)
			return chains.ToolOutput{}, nil
		},
	}
	edit := chaintest.Writer("edit", "beds.md", "new", func(chains.Decision) (string, error) {
		t.Error("written")
		return "", nil
	})
	for _, name := range []string{"stubborn", "edit"} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, garden, chaintest.Reply{Text: "Looking.", ToolCalls: []prompt.ToolCall{call(name, "{}", 1)}})
			r.begin(func(o *chains.Options) { o.Chain, o.Tools.List = chains.Agent{}, []chains.Tool{stubborn, edit} })
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var stopped time.Time
			var last chains.Event
			for e := range eventsOf(t, r.session.Send(ctx, chains.Input{Text: "Go", Attach: []prompt.Ref{note("beds.md")}})) {
				if last = e; fmt.Sprintf("%T", e) == "chains.ToolStarted" {
					time.AfterFunc(100*time.Millisecond, func() { stopped = time.Now(); cancel() })
				}
			}
			if d, ok := last.(chains.Done); !ok || d.Finish != chains.FinishCancelled ||
				time.Since(stopped) > 50*time.Millisecond {
				t.Errorf("%s: ended with %+v after %s", name, last, time.Since(stopped))
			}
			r.TB = t
			r.holds("u Go", "a Looking. (cancelled)")
			time.Sleep(time.Second) // the tool ends
		})
	}
}

// TestToolsStay: once offered, the list goes with every request, in every chain; a
// chain that calls none says so once.
func TestToolsStay(t *testing.T) {
	search := chaintest.Reader("search", "a.md", "x")
	r, server := newLoopSession(
		t, []chains.Tool{search}, answer("One."),
		calls(call("search", `{"query":"x"}`, 1)), answer("Two."),
		calls(call("search", `{"query":"x"}`, 1)),
		chaintest.Answer{Text: "Hm.", ToolCalls: []prompt.ToolCall{call("search", `{}`, 2)}},
	)
	r.say("First")
	check(t, r.session.Apply(chains.Change{Chain: chains.Chat{}}))
	h := r.say("Second")
	_, first := onWire(t, server, 0)
	two, second := onWire(t, server, 2)
	if first != second || first == "" || first == "null" {
		t.Errorf("the list changed: %s, then %s", first, second)
	}
	if !strings.Contains(two[len(two)-1], "not run") || len(search.Calls()) > 0 || h.envelope().Epoch.N != 1 {
		t.Errorf("the chain that calls nothing: %q", two)
	}
	r.send(chains.Input{Text: "Third"}).ended(chains.FinishToolLimit)
	r.holds("u First", "a One.", "u Second", "a Two.", "u Third", "a Hm.")
}

// TestOpener: what a chain looks up before its request is in the forecast, once.
func TestOpener(t *testing.T) {
	search := chaintest.Reader("search", "roof.md", "Slate. Marker: heron.")
	r := newRig(t, garden, textReplies("It is slate.", "Bye.")...)
	r.begin(func(o *chains.Options) { o.Chain = chaintest.Finding{Tool: search} })
	p := r.prepare(chains.Input{Text: "What roof?"})
	r.finish(p).ended(chains.FinishStop)
	if got := r.last()[1]; !strings.HasPrefix(got,
		"user: # Additional context:\n\n<search query=\"What roof?\">") ||
		!strings.HasSuffix(got, "[User query]:\nWhat roof?") {
		t.Errorf("sent %q", got)
	}
	if p.Envelope.Predicted.Prompt < 50 || len(search.Calls()) != 1 {
		t.Errorf("predicted %+v, %d calls", p.Envelope.Predicted, len(search.Calls()))
	}
	docs := r.model.Requests()[0].Documents
	if len(docs) != 1 || docs[0].Path != "roof.md" {
		t.Errorf("documents %+v", docs)
	}
	r.session.Apply(chains.Change{Chain: chains.Chat{}})
	r.say("Bye")
	r.lacks(r.sent(), "heron")
}

// TestCancelIsSoon: the model that streams, a tool that runs, and one that does not
// hear that its context has ended hold nobody up, by the clock on the wall. How long
// it took is logged; what fails is more than a busy machine explains.
func TestCancelIsSoon(t *testing.T) {
	running := make(chan struct{}, 1)
	waits := func(name string, deaf bool) *chaintest.Tool {
		tool := chaintest.Texts(name, "")
		tool.Func = func(ctx context.Context, _ json.RawMessage) (chains.ToolOutput, error) {
			running <- struct{}{}
			if !deaf {
				<-ctx.Done()
				return chains.ToolOutput{}, ctx.Err()
			}
			<-t.Context().Done()
			return chains.ToolOutput{}, nil
		}
		return tool
	}
	call := func(name string) chaintest.Answer {
		return chaintest.Answer{ToolCalls: []prompt.ToolCall{{ID: "a", Name: name, Arguments: `{"query":"x"}`}}}
	}
	for name, answer := range map[string]chaintest.Answer{
		"model":     {Text: strings.Repeat("and on it goes ", 4000), Chunk: 8, Delay: 5 * time.Millisecond},
		"tool":      call("aTool"),
		"deaf tool": call("deaf"),
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := newLoopSession(t, []chains.Tool{waits("aTool", false), waits("deaf", true)}, answer)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			began := make(chan time.Time, 1)
			stop := sync.OnceFunc(func() {
				began <- time.Now()
				cancel()
			})
			var events []chains.Event
			for e := range eventsOf(t, r.session.Send(ctx, chains.Input{Text: "go"})) {
				switch events = append(events, e); e.(type) {
				case chains.TextDelta:
					stop()
				case chains.ToolStarted:
					go func() {
						<-running
						stop()
					}()
				}
			}
			took := time.Since(<-began)
			t.Logf("ended after %v", took.Round(time.Millisecond))
			if took > 20*time.Second {
				t.Errorf("it took %v to end", took)
			}
			turnResult{TB: t, events: events}.ended(chains.FinishCancelled)
		})
	}
}
