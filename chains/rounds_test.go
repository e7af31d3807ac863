package chains_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault/md"
)

// wiretap returns the messages of the n-th request to a server, as they came, and its list of
// tools.
func wiretap(t testing.TB, s *chaintest.Server, n int) (messages []string, tools string) {
	t.Helper()
	var body struct {
		Messages []json.RawMessage
		Tools    json.RawMessage
		Choice   json.RawMessage `json:"tool_choice"`
	}
	check(t, json.Unmarshal(s.Completions()[n].Body, &body))
	if body.Choice != nil {
		t.Errorf("request %d has a tool_choice", n+1)
	}
	for _, m := range body.Messages {
		messages = append(messages, string(m))
	}
	return messages, string(body.Tools)
}

// TestTwelveTurns: a conversation that changes its chain begins one epoch for that. From then
// on the list of tools is the same bytes, each round begins with the bytes of the one before,
// the next turn has nothing of the tools' output, and the provider has nearly all of a
// following round in its cache.
func TestTwelveTurns(t *testing.T) {
	var answers []chaintest.Answer
	var plan []chains.Chain // of the requests
	turns := []chains.Chain{
		chains.Chat{},
		chains.Chat{},
		chains.Agent{},
		chains.Plus{},
		chains.Vault{},
		chains.Chat{},
		chains.Agent{},
		chains.Agent{},
		chains.Plus{},
		chains.Chat{},
		chains.Vault{},
		chains.Agent{},
	}
	id := 0
	looks := func(n int) chaintest.Answer {
		var all []prompt.ToolCall
		for range n {
			id++
			all = append(all, call("says", fmt.Sprintf(`{"query":"q%d"}`, id), id))
		}
		return calls(all...)
	}
	for n, chain := range turns {
		switch chain.(type) {
		case chains.Agent:
			answers = append(answers, looks(2), looks(1))
			plan = append(plan, chain, chain)
		case chains.Plus:
			answers = append(answers, looks(3))
			plan = append(plan, chain)
		}
		answers, plan = append(answers, chaintest.Answer{Text: fmt.Sprintf("Reply %d.", n+1)}), append(plan, chain)
	}
	r, server := newLoopSession(t, []chains.Tool{chaintest.Texts("says", "Marker: heron. "+strings.Repeat("a word ", 40))},
		answers...)
	r.begin(func(o *chains.Options) {
		o.Chain, o.Layout, o.Cache.Cache = chains.Chat{}, prompt.Append,
			prompt.Cache{Kind: prompt.CacheSteps, Min: 1, Step: 1, Read: 0.1, Write: 1}
	})
	later, cached, known := 0, 0, 0 // rounds that follow another, what of them was cached, and could be
	request, l1, before := 0, 0, 0
	for n, chain := range turns {
		r.apply(chains.Change{Chain: chain})
		first := request
		for _, e := range r.say(fmt.Sprintf("Question %d", n+1), note("beds.md")).events {
			switch e := e.(type) {
			case chains.ContextReady:
				if !e.Follows && e.Envelope.Epoch.New && e.Envelope.Epoch.Cause == prompt.CauseL1 {
					l1++
				}
			case chains.UsageReported:
				if e.Turn {
					break
				}
				if request++; request-first > 1 {
					later, cached, known = later+1, cached+e.Usage.Cached, known+before
				}
				before = e.Usage.Prompt
			}
		}
		if messages, _ := wiretap(t, server, first); strings.Contains(strings.Join(messages, ""), "heron") {
			t.Errorf("turn %d begins with what an earlier one has found", n+1)
		}
		for i := first + 1; i < request; i++ {
			before, _ := wiretap(t, server, i-1)
			now, _ := wiretap(t, server, i)
			if len(now) <= len(before) || strings.Join(now[:len(before)], "\n") != strings.Join(before, "\n") {
				t.Errorf("request %d does not begin with the one before", i+1)
			}
		}
	}
	if l1 > 1 || request != len(plan) {
		t.Errorf("%d epochs for L1, %d requests of %d", l1, request, len(plan))
	}
	var list string
	for i := range plan {
		if _, tools := wiretap(t, server, i); i < 2 && tools != "" {
			t.Errorf("request %d has tools before a chain has offered any", i+1)
		} else if i >= 2 && list == "" {
			list = tools
		} else {
			is(t, tools, list, "tools of request", i+1)
		}
	}
	if later != 10 || cached < known*95/100 {
		t.Errorf("%d later rounds: %d tokens cached of %d that the rounds before them had", later, cached, known)
	}
}

// TestManyCalls: of hundreds of calls in one reply, at most a hundred are read, and only those
// run for which the turn has room. The others are in no request, and one line names them.
func TestManyCalls(t *testing.T) {
	t.Parallel()
	all := func(name string, n int) (all []prompt.ToolCall) {
		for i := range n {
			all = append(all, call(name, fmt.Sprintf(`{"query":"q%d"}`, i), i))
		}
		return all
	}
	for name, tt := range map[string]struct {
		calls  []prompt.ToolCall
		limits chains.Limits
		run    int
		said   string
		last   bool
	}{
		"as many as fit":   {all("says", 300), chains.Limits{}, 40, "60 of the 100 calls of this reply were not run", false},
		"calls of a turn":  {all("says", 30), chains.Limits{Calls: 20}, 20, "10 of the 30 calls", true},
		"changes":          {append(all("edit", 70), all("says", 3)...), chains.Limits{}, 3, "20 of the 73 calls", false},
		"all of them":      {all("says", 40), chains.Limits{}, 40, "", false},
		"ten thousand":     {all("says", 10_000), chains.Limits{}, 40, "60 of the 100 calls", false},
		"room for nothing": {all("says", 3), chains.Limits{Tokens: 100}, 1, "2 of the 3 calls", true},
	} {
		t.Run(name, func(t *testing.T) {
			says, edits := chaintest.Texts("says", "ok"), 0
			edit := chaintest.Writer("edit", "beds.md", "new", func(chains.Decision) (string, error) { return "applied", nil })
			edit.ToolSpec.Schema = chaintest.QuerySchema
			r, server := newLoopSession(t, []chains.Tool{says, edit}, calls(tt.calls...), answer("Done."))
			r.begin(func(o *chains.Options) { o.Tools.Limits = tt.limits })
			h := turnResult{TB: t}
			for e := range eventsOf(t, r.session.Send(t.Context(), chains.Input{Text: "Go"})) {
				h.events = append(h.events, e)
				if a, ok := e.(chains.Asked); ok {
					if a.Answer(chains.Decision{Yes: true}); a.Batch == nil {
						edits++
					}
				}
			}
			if n := len(says.Calls()); n != tt.run || name == "changes" && edits != 50 {
				t.Errorf("%d calls and %d changes were run", n, edits)
			}
			two, _ := onWire(t, server, 1)
			text, said := strings.Join(two, "\n"), strings.Join(h.notices("calls"), "\n")
			if !strings.HasPrefix(said, tt.said) || (said == "") != (tt.said == "") ||
				!strings.Contains(text, tt.said) || strings.Contains(text, "No more tool calls") != tt.last {
				t.Errorf("said %q in\n%s", said, short(text))
			}
			is(t, strings.Count(text, "\ntool"), tt.run+edits)
		})
	}
}

// TestFairShares: the calls of a reply share the rest of the turn's tokens, also with an
// unknown window. The part that one call does not need goes to the others. No result is refused
// for its size.
func TestFairShares(t *testing.T) {
	text := func(n int) string {
		return strings.Repeat(strings.Repeat("word ", 40)+"\n\n", n)
	}
	page := func(text string) string {
		doc, _ := json.Marshal(map[string]any{"success": true, "data": map[string]any{"id": "a.md", "content": text}})
		return string(doc)
	}
	hits := `{"success":true,"data":{"hits":[` +
		strings.TrimSuffix(strings.Repeat(`{"id":"Barn.md","snippet":"slate"},`, 2000), ",") + `]}}`
	long := &chaintest.Tool{ToolSpec: chains.ToolSpec{Name: "long", Schema: chaintest.QuerySchema}}
	long.Func = func(_ context.Context, args json.RawMessage) (chains.ToolOutput, error) {
		out := chains.ToolOutput{Text: page(text(100)), Rest: func(shown int) string {
			return fmt.Sprintf("chunk %d", shown)
		}}
		if strings.Contains(string(args), "list") {
			out.Text = hits
		}
		return out, nil
	}
	tools := []chains.Tool{
		long, chaintest.Texts("short", "ok"), chaintest.Texts("text", text(100)),
		chaintest.Reader("search", "roof.md", text(100)),
	}
	var eight []prompt.ToolCall
	for i := range 8 {
		eight = append(eight, call("long", fmt.Sprintf(`{"query":"q%d"}`, i), i))
	}
	eight[7].Name = "short"
	r, server := newLoopSession(
		t, tools, calls(call("search", `{"query":"roof"}`, 1)), calls(eight...),
		answer("Done."),
		calls(call("text", `{"query":"a"}`, 1), call("long", `{"query":"list"}`, 2)), answer("Done."),
	)
	r.say("Go").ended(chains.FinishStop)
	two, _ := onWire(t, server, 1)
	if m := two[len(two)-1]; len(m) < 10_000 || len(m) > 20_000 || !strings.Contains(m, "more characters]") ||
		!strings.Contains(m, "the results of a turn have 8,192 tokens in all") {
		t.Errorf("one search took all: %d bytes, %s", len(m), short(m))
	}
	three, _ := onWire(t, server, 2)
	for i, m := range three[len(two)+1:] {
		if i == 7 {
			r.wants(m, "ok")
			continue
		}
		m = m[strings.Index(m, "{") : strings.LastIndex(m, "}")+1]
		var page struct{ Data struct{ Content string } }
		if err := json.Unmarshal([]byte(m), &page); err != nil {
			t.Fatalf("%v: %s", err, short(m))
		}
		kept, mark, _ := strings.Cut(page.Data.Content, "\n\n[… ")
		if len(kept) < 1500 || !strings.HasPrefix(text(100), kept) || !strings.HasSuffix(kept, "word ") &&
			!strings.HasSuffix(kept, "word") {
			t.Errorf("result %d has %d bytes", i, len(kept))
		}
		is(t, mark, fmt.Sprintf("%s more characters: chunk %d]", md.Thousands(len(text(100))-len(kept)), len(kept)), i)
	}
	r.say("Go on").ended(chains.FinishStop)
	four, _ := onWire(t, server, 4)
	r.lacks(strings.Join(four, "\n"), "too_large", `"success":false`)
	if m := four[len(four)-1]; strings.Contains(m, `"hits":[]`) || !strings.Contains(m, `"hits":[{`) ||
		!strings.Contains(m, "(cut: ") {
		t.Errorf("a list: %s", short(m))
	}
}

// TestRoundThatFillsTheWindow: if a round would not fit the window, its request is the last
// one, with the latest results cut to fit. Earlier bytes stay the same.
func TestRoundThatFillsTheWindow(t *testing.T) {
	r, server := newLoopSession(
		t, []chains.Tool{core(chaintest.Texts("says", strings.Repeat("word ", 8000)))},
		calls(call("says", `{"query":"a"}`, 1)), calls(call("says", `{"query":"b"}`, 2)),
		calls(call("says", `{"query":"c"}`, 3)),
	)
	r.begin(func(o *chains.Options) {
		o.Window, o.Reserve = 10_000, 2000
	})
	long := strings.Repeat("question ", 2500)
	h := r.send(chains.Input{Text: long}).ended(chains.FinishToolLimit)
	all := server.Completions()
	last, _ := onWire(t, server, len(all)-1)
	before, _ := onWire(t, server, len(all)-2)
	is(t, strings.Join(last[:len(before)], "\n"), strings.Join(before, "\n"))
	r.wants(last[len(last)-1], "more characters]", "No more tool calls in this turn")
	for _, e := range h.events {
		if e, ok := e.(chains.ContextReady); ok && e.Envelope.Predicted.Prompt > 8000 {
			t.Errorf("a request of %d tokens", e.Envelope.Predicted.Prompt)
		}
	}
	if said := h.notices("tool_limit"); len(said) != 1 || !strings.Contains(said[0], "the window of the model") {
		t.Errorf("said %q", said)
	}
	r.wants(h.text(), "the window of the model", `Done: looked up: says "a"`, "Not run: says ")
	r.wants(r.file(), "**ai**: The model went on calling tools")
}

// TestOnTheWire: split arguments, calls with missing or equal ids, unknown tools and invalid
// JSON, in pieces of any size.
func TestOnTheWire(t *testing.T) {
	reply := func(calls string) chaintest.Answer {
		return chaintest.Answer{Body: `data: {"choices":[{"delta":{` + calls +
			"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"}
	}
	for name, tt := range map[string]struct {
		answer chaintest.Answer
		want   []string // of the second request
	}{
		"split": {
			chaintest.Answer{ToolCalls: []prompt.ToolCall{
				call("says", `{"query":"a long one"}`, 1),
				call("says", `{"query":"another"}`, 2),
			}, Chunk: 1, Split: 3},
			[]string{`toolsays-1: ok`, `toolsays-2: ok`},
		},
		"no JSON": {
			chaintest.Answer{ToolCalls: []prompt.ToolCall{call("says", `{"query":"a`, 1)}},
			[]string{`the arguments are not JSON`},
		},
		"unknown tool": {
			chaintest.Answer{ToolCalls: []prompt.ToolCall{call("nobody", `{}`, 1)}},
			[]string{`there is no tool called nobody`},
		},
		"one id twice": {
			reply(`"tool_calls":[{"index":0,"id":"x","function":{"name":"says","arguments":"{\"query\":\"a\"}"}},{"index":1,"id":"x","function":{"name":"says","arguments":"{\"query\":\"b\"}"}}]`),
			[]string{`toolx: ok`},
		},
		"a thought that is signed": {
			reply(`"tool_calls":[{"index":0,"id":"x","function":{"name":"says","arguments":"{\"query\":\"a\"}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]`),
			[]string{`"extra_content":{"google":{"thought_signature":"c2ln"}}`},
		},
		"reasoning in parts": {
			reply(`"reasoning_details":[{"type":"reasoning.encrypted","data":"c2ln"}],"tool_calls":[{"index":0,"id":"x","function":{"name":"says","arguments":"{\"query\":\"a\"}"}}]`),
			[]string{`toolx: ok`},
		},
	} {
		r, server := newLoopSession(t, []chains.Tool{chaintest.Texts("says", "ok")}, tt.answer, answer("Well."))
		r.in(chains.Agent{}).say("Go")
		two, _ := onWire(t, server, 1)
		for _, want := range tt.want {
			if text := strings.Join(two, "\n"); !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(`"id":"([^"]*)"`).FindAllStringSubmatch(strings.Join(two, ""), -1) {
			// Mistral takes no other
			if ids[m[1]] || !strings.HasPrefix(m[1], "x") && strings.Count(m[1], "-") == 0 && len(m[1]) != 9 {
				t.Errorf("%s: the id %q", name, m[1])
			}
			ids[m[1]] = true
		}
		r.say("And now?")
		three, _ := wiretap(t, server, 2)
		r.lacks(strings.Join(three, "\n"), "c2ln", "tool_call_id")
	}
}

// TestEmptyAnswer: after an empty answer to the results of tools the request is sent once more.
// A second empty answer is an error, and the earlier text is kept.
func TestEmptyAnswer(t *testing.T) {
	empty := chaintest.Answer{Body: "data: {\"choices\":[{\"delta\":{\"content\":\"\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}
	first := chaintest.Answer{Text: "I look.", ToolCalls: []prompt.ToolCall{call("says", `{"query":"a"}`, 1)}}
	r, server := newLoopSession(t, []chains.Tool{chaintest.Texts("says", "ok")}, first, empty,
		answer("So."), first, empty, empty)
	r.in(chains.Agent{}).say("Go")
	two, _ := wiretap(t, server, 1)
	three, _ := wiretap(t, server, 2)
	is(t, strings.Join(two, ""), strings.Join(three, ""))
	d := r.send(chains.Input{Text: "Again"}).ended(chains.FinishError).done()
	if d.Err.Kind != chains.ErrBadReply || len(server.Completions()) != 6 {
		t.Errorf("%+v, %d requests", d.Err, len(server.Completions()))
	}
}

// TestBrokenRounds: after a reply that ends in the middle of arguments no tool runs. After a
// round that fails, also after a failed tool, only the text is kept.
func TestBrokenRounds(t *testing.T) {
	fails := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "fails", Schema: `{}`},
		Func: func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			return chains.ToolOutput{}, fmt.Errorf("no disk")
		},
	}
	says := chaintest.Texts("says", "Marker: heron.")
	long := call("says", `{"query":"`+strings.Repeat("word ", 300)+`"}`, 1)
	r, server := newLoopSession(
		t, []chains.Tool{says, fails},
		chaintest.Answer{Text: "I look.", ToolCalls: []prompt.ToolCall{long}, CutAfter: 1500},
		chaintest.Answer{Text: "I look.", ToolCalls: []prompt.ToolCall{call("fails", `{}`, 1)}},
		chaintest.Answer{Status: 400, Body: `{"error":{"message":"bad request"}}`},
		answer("Fine."),
	)
	r.in(chains.Agent{}).send(chains.Input{Text: "One"}).ended(chains.FinishCutOff)
	if len(says.Calls()) > 0 {
		t.Error("a call of which half came was run")
	}
	h := r.send(chains.Input{Text: "Two"}).ended(chains.FinishError)
	if !strings.Contains(h.did(), "error 1.1") || h.text() != "I look." {
		t.Errorf("did\n%s\n%q", h.did(), h.text())
	}
	r.say("Three")
	all := server.Completions()
	last, _ := wiretap(t, server, len(all)-1)
	r.lacks(strings.Join(last, "\n"), "tool_call", "no disk")
	r.holds("u One", "a I look. (cut)", "u Two", "a I look. (error:config)", "u Three", "a Fine.")
}

// TestCancelRounds: a turn can be stopped in every phase, within a moment, and leaves no
// goroutine.
func TestCancelRounds(t *testing.T) {
	slow := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "slow", Schema: `{}`},
		Func: func(ctx context.Context, _ json.RawMessage) (chains.ToolOutput, error) {
			<-ctx.Done()
			return chains.ToolOutput{}, ctx.Err()
		},
	}
	asks := chaintest.Texts("asks", "ok")
	asks.ToolSpec.Ask = chains.AccessWeb
	says := chaintest.Texts("says", "ok")
	words := chaintest.Answer{Text: strings.Repeat("word ", 3000), Delay: 5 * time.Millisecond}
	for phase, tt := range map[string]struct {
		answers []chaintest.Answer
		at      func(chains.Event) bool
	}{
		"first reply": {[]chaintest.Answer{words}, func(e chains.Event) bool { _, ok := e.(chains.TextDelta); return ok }},
		"a tool": {[]chaintest.Answer{calls(call("slow", "{}", 1))}, func(e chains.Event) bool {
			_, ok := e.(chains.ToolStarted)
			return ok
		}},
		"a question": {[]chaintest.Answer{calls(call("asks", `{"query":"a"}`, 1))}, func(e chains.Event) bool {
			_, ok := e.(chains.Asked)
			return ok
		}},
		"after a tool": {
			[]chaintest.Answer{calls(call("says", `{"query":"a"}`, 1)), words},
			func(e chains.Event) bool { _, ok := e.(chains.ToolDone); return ok },
		},
		"second reply": {
			[]chaintest.Answer{calls(call("says", `{"query":"a"}`, 1)), words},
			func(e chains.Event) bool { _, ok := e.(chains.TextDelta); return ok },
		},
	} {
		t.Run(phase, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			t.Cleanup(func() { goleak.VerifyNone(t, before) })
			r, _ := newLoopSession(t, []chains.Tool{slow, asks, says}, tt.answers...)
			r.in(chains.Agent{})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var stopped time.Time
			var last chains.Event
			for e := range eventsOf(t, r.session.Send(ctx, chains.Input{Text: "Go"})) {
				if last = e; stopped.IsZero() && tt.at(e) {
					time.AfterFunc(10*time.Millisecond, cancel)
					stopped = time.Now().Add(10 * time.Millisecond)
				}
			}
			if d, ok := last.(chains.Done); !ok || d.Finish != chains.FinishCancelled {
				t.Errorf("ended with %+v", last)
			}
			if took := time.Since(stopped); took > 20*time.Second { // 50 ms where nothing else runs: see TestLoopCancel
				t.Errorf("stopped after %s", took)
			}
		})
	}
}
