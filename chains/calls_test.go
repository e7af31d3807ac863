package chains_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/history"
)

// TestFailureInWords: why a call failed is said to people in words.
func TestFailureInWords(t *testing.T) {
	r, _ := newLoopSession(
		t, []chains.Tool{chaintest.Texts("list", "tags")},
		calls(call("nothing", `{}`, 1), call("list", `{"query":""}`, 2)), answer("Fine."),
	)
	var said []string
	for _, e := range r.say("Go on").events {
		if d, ok := e.(chains.ToolDone); ok {
			said = append(said, d.Err)
		}
	}
	r.wants(strings.Join(said, "\n"), "Unknown tool: there is no tool called nothing\n", "query", "correct the arguments")
	r.lacks(strings.Join(said, "\n"), "{", "success")
}

// TestUsageOfRounds: each request says what it used, the turn what all did.
func TestUsageOfRounds(t *testing.T) {
	one, two := chaintest.Answer{}, answer("Fine.")
	one.ToolCalls = []prompt.ToolCall{call("list", `{"query":"a"}`, 1)}
	one.Usage = &chains.Usage{Prompt: 100, Cached: 10, CacheWrite: -1, Completion: 5, Reasoning: -1, Cost: -1}
	two.Usage = &chains.Usage{Prompt: 150, Cached: 100, CacheWrite: -1, Completion: 7, Reasoning: -1, Cost: -1}
	r, _ := newLoopSession(t, []chains.Tool{chaintest.Texts("list", "tags")}, one, two)
	var got []string
	for _, e := range r.say("Go on").events {
		switch e := e.(type) {
		case chains.UsageReported:
			got = append(got, fmt.Sprint(e.Turn, e.Usage.Prompt, e.Usage.Cached, e.Predicted.Prompt > 0))
		case chains.ToolStarted:
			got = append(got, fmt.Sprintf("round %d of %d", e.Round, e.Most))
		}
	}
	is(t, fmt.Sprint(got), "[false 100 10 true round 1 of 12 false 150 100 true true 250 110 false]")
}

// TestCallsInTheLog: a line a call, without a word of what was looked for.
func TestCallsInTheLog(t *testing.T) {
	var log strings.Builder
	r, _ := newLoopSession(t, []chains.Tool{chaintest.Texts("list", "oriole")},
		calls(call("list", `{"query":"finch"}`, 1)), answer("Fine."))
	o := r.session.Options()
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	r.session = chains.NewSession(o)
	r.say("Go on")
	r.wants(log.String(), "msg=tool source=tool conversation=", " name=list state=done round=1 ms=", " bytes=6 hash=")
	r.lacks(log.String(), "oriole", "finch")
}

// TestStoppedCallsAreKept: what ran in a round that was stopped is in the chat.
func TestStoppedCallsAreKept(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hang := &chaintest.Tool{
		ToolSpec: chains.ToolSpec{Name: "hang", Schema: chaintest.QuerySchema},
		Func: func(ctx context.Context, _ json.RawMessage) (chains.ToolOutput, error) {
			cancel()
			<-ctx.Done()
			return chains.ToolOutput{}, ctx.Err()
		},
	}
	r, _ := newLoopSession(
		t, []chains.Tool{chaintest.Texts("list", "tags"), hang},
		chaintest.Answer{
			Text:      "Let me see.",
			ToolCalls: []prompt.ToolCall{call("list", `{"query":"a"}`, 1), call("hang", `{"query":"a"}`, 2)},
		},
	)
	for range r.session.Send(ctx, chains.Input{Text: "Go on"}) { //nolint:revive // the events do not matter
	}
	chat := value(r.session.Chat())(t)
	last := chat.Messages[len(chat.Messages)-1]
	if last.Status != history.StatusCancelled || len(last.Meta.Tools) != 1 || last.Meta.Tools[0].Name != "list" {
		t.Errorf("%+v", last)
	}
}

// calledIn returns the recorded tools of each reply of a chat, one reply per line, with those
// of hidden variants in brackets.
func calledIn(c *history.Chat) string {
	var lines []string
	names := func(messages []history.Message) (all []string) {
		for i := range messages {
			for _, u := range messages[i].Meta.Tools {
				all = append(all, u.Name+u.Args)
			}
		}
		return all
	}
	for i := range c.Messages {
		if c.Messages[i].Role != history.User {
			continue
		}
		ends, shown := c.Ends(i)
		line := ""
		for k, v := range ends {
			if k == shown {
				line += fmt.Sprint(names(v.Messages))
			} else {
				line += fmt.Sprint("(", names(v.Messages), ")")
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestNamesOfTools: the namespaces that models put in front of the name of a tool mean nothing.
func TestNamesOfTools(t *testing.T) {
	r, _ := newLoopSession(
		t, []chains.Tool{chaintest.Texts("list", "tags")},
		calls(call("functions.list", `{"query":"a"}`, 1), call("default_api:list", `{"query":"b"}`, 2)), answer("Fine."),
	)
	h := r.say("Go on")
	r.wants(h.did(), "done 1.1", "done 1.2")
	r.lacks(h.did(), "error")
}

// TestBlankArguments: many blanks in arguments that are no JSON is refused in a
// pass; looking over them again from each one would take hours.
func TestBlankArguments(t *testing.T) {
	t.Parallel()
	r, _ := newLoopSession(
		t, []chains.Tool{chaintest.Texts("list", "tags")},
		calls(call("list", `{"query":`+strings.Repeat(" ", 300_000)+`“a”`, 1)), answer("Fine."),
	)
	h := r.say("Go on")
	r.wants(h.did(), "error 1.1")
}
