package openai_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/prompt"
	"ibid/context/tokens"
)

// atOpenAI returns options for a server that counts as OpenAI's own.
func atOpenAI(url string, facts wire.Facts) openai.Options {
	own, _ := wire.FindProvider("openai")
	return openai.Options{SendCacheKey: true, Options: wire.Options{
		BaseURL: url, Provider: own, Name: "openai", Key: "key-for-tests",
		Facts: func(string) wire.Facts { return facts },
	}}
}

// TestResponsesBody compares a request byte for byte.
func TestResponsesBody(t *testing.T) {
	srv := newServer(t,
		answer{body: events(`{"type":"response.output_text.delta","delta":"ok"}`,
			`{"type":"response.completed","response":{"status":"completed"}}`)})
	r := conversation()
	r.Effort, r.CacheKey = "high", "talk-1"
	facts := wire.Facts{Thinks: true, Efforts: []string{"none", "low", "high"}, Marks: openai.MarkBreakpoint}
	o := atOpenAI(srv.url, facts)
	o.Extra = map[string]any{"temperature": 0.2, "text": map[string]any{"verbosity": "low"}, "max_output_tokens": 9}
	if out := collect(t.Context(), newClient(t, o), r); out.Err != nil {
		t.Fatal(out.Err)
	}
	want := `{"include":["reasoning.encrypted_content"],"input":[` +
		`{"type":"message","role":"developer","content":[{"type":"input_text","text":"rules|","prompt_cache_breakpoint":{"mode":"explicit"}},{"type":"input_text","text":"notes A|"},{"type":"input_text","text":"notes B","prompt_cache_breakpoint":{"mode":"explicit"}}]},` +
		`{"type":"message","role":"user","content":[{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,cG5n"},{"type":"input_image","detail":"auto","image_url":"https://example.org/a.jpg"},{"type":"input_text","text":"look","prompt_cache_breakpoint":{"mode":"explicit"}}]},` +
		`{"type":"function_call","call_id":"a","name":"zoom","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"a","output":"(no output)"},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"(no reply)"}]},` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"why \u003cso\u003e?"}]}],` +
		`"max_output_tokens":9,"model":"vendor/model-1","prompt_cache_key":"talk-1","reasoning":{"effort":"high","summary":"auto"},"store":false,"stream":true,"text":{"verbosity":"low"},"tools":[` +
		`{"name":"alter","description":"","parameters":{"type":"object"},"strict":false,"type":"function"},` +
		`{"name":"zoom","description":"Look closer.","parameters":{"type":"object","properties":{}},"strict":false,"type":"function"}]}`
	got := srv.got()[0]
	if d := cmp.Diff(canonical(t, want), canonical(t, got.body)); d != "" {
		t.Errorf("body (-want +got): %s", d)
	}
	if got.path != "/v1/responses" || got.header.Get("Authorization") != "Bearer key-for-tests" {
		t.Errorf("path %q, authorization %q", got.path, got.header.Get("Authorization"))
	}
}

// canonical returns the values of a JSON document.
func canonical(t *testing.T, doc string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatalf("%v: %s", err, doc)
	}
	return v
}

// TestResponsesLoop asks a question with tools at every effort, on a server with OpenAI's
// refusals: the model thinks, calls, and gets its reasoning back.
func TestResponsesLoop(t *testing.T) {
	for _, model := range []string{"gpt-6.1-sol", "gpt-6-astra", "gpt-5.6-sol", "gpt-5.6-luna", "gpt-5.5"} {
		facts := tokens.Lookup("openai", model)
		if len(facts.Efforts) < 3 {
			t.Fatalf("%s: efforts %q", model, facts.Efforts)
		}
		for _, effort := range append(facts.Levels(), "") {
			responsesLoop(t, model, effort, facts.Efforts)
		}
	}
}

// responsesLoop runs a question with tools for a model at an effort, and the turn after it.
func responsesLoop(t *testing.T, model, effort string, efforts []string) {
	t.Helper()
	call := []prompt.ToolCall{{ID: "call_1", Name: "zoom", Arguments: `{"at":"beam"}`}}
	srv := chaintest.NewServer(t, chaintest.Options{
		Models: []chaintest.Model{{ID: model, Efforts: efforts}},
		Answers: []chaintest.Answer{
			{Reasoning: "Look closer.\n\nAt the beam.", ToolCalls: call},
			{Reasoning: "Three.", Text: "Three beams."},
			{Text: "As before."},
		},
	})
	c := newClient(t, atOpenAI(srv.URL(), wire.Facts{Thinks: true, Responses: true, Efforts: efforts}))
	r := conversation()
	r.Model, r.Effort = model, effort
	first := collect(t.Context(), c, r)
	if first.Err != nil || first.Finish != chains.FinishTools || first.Echo == "" ||
		first.Reasoning != "Look closer.\n\nAt the beam." {
		t.Fatalf("%s, %q: %+v", model, effort, first)
	}
	asked := r.Messages
	r.Messages = append(slices.Clone(asked),
		prompt.Message{Role: prompt.Assistant, ToolCalls: first.Calls, Echo: first.Echo},
		prompt.Message{Role: prompt.ToolRole, ToolCallID: "call_1", Content: "a beam"})
	if second := collect(t.Context(), c, r); second.Err != nil || second.Text != "Three beams." {
		t.Fatalf("%s, %q: %+v", model, effort, second)
	}
	// The next turn has the words of the reply, and no reasoning.
	r.Messages = append(slices.Clone(asked), prompt.Message{Role: prompt.Assistant, Content: "Three beams."},
		prompt.Message{Role: prompt.User, Content: "And then?"})
	if third := collect(t.Context(), c, r); third.Err != nil || third.Text != "As before." {
		t.Fatalf("%s, %q: %+v", model, effort, third)
	}
	for i, got := range srv.Completions() {
		if wants := i == 1; wants != strings.Contains(string(got.Body), `"encrypted_content":"`) ||
			got.Path != "/v1/responses" {
			t.Errorf("%s, %q: request %d to %s: %s", model, effort, i, got.Path, got.Body)
		}
	}
}

// TestOtherProtocol: a server that wants the other protocol is spoken to in that from
// then on, also by the next client.
func TestOtherProtocol(t *testing.T) {
	efforts := []string{"none", "low", "high"}
	for name, row := range map[string]struct {
		server chaintest.Options
		facts  wire.Facts
		openai bool
		paths  []string
	}{
		"a gateway to models that take tools over responses": {
			chaintest.Options{Models: []chaintest.Model{{ID: "vendor/model-1", Efforts: efforts}}},
			wire.Facts{},
			false,
			[]string{"/v1/chat/completions", "/v1/responses", "/v1/responses"},
		},
		"a server in place of OpenAI that has only chat completions": {
			chaintest.Options{NoResponses: true},
			wire.Facts{Thinks: true},
			true,
			[]string{"/v1/responses", "/v1/chat/completions", "/v1/chat/completions"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			srv := chaintest.NewServer(t, row.server)
			o := openai.Options{Options: wire.Options{BaseURL: srv.URL(), Name: "somewhere"}}
			if row.openai {
				o = atOpenAI(srv.URL(), row.facts)
			}
			o.Refusals = refusals{}
			for range 2 {
				if out := collect(t.Context(), newClient(t, o), conversation()); out.Err != nil || out.Text == "" {
					t.Fatalf("%+v", out)
				}
			}
			var paths []string
			for _, got := range srv.Completions() {
				paths = append(paths, got.Path)
			}
			if d := cmp.Diff(row.paths, paths); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestForcedChat: where a person wants chat completions, OpenAI's models have tools
// there without thinking, which is said once, or not at all.
func TestForcedChat(t *testing.T) {
	for _, efforts := range [][]string{{"none", "low"}, {"low"}} {
		srv := chaintest.NewServer(t, chaintest.Options{Models: []chaintest.Model{{ID: "vendor/model-1", Efforts: efforts}}})
		o := atOpenAI(srv.URL(), wire.Facts{Thinks: true, Responses: true, Efforts: efforts})
		o.Protocol = openai.ChatCompletions
		c := newClient(t, o)
		out := collect(t.Context(), c, conversation())
		if len(efforts) == 1 {
			if e := providerError(t, out.Err); !strings.Contains(e.Message, "protocol") || len(srv.Completions()) > 0 {
				t.Errorf("%s", e.Message)
			}
			continue
		}
		again := collect(t.Context(), c, conversation())
		if out.Err != nil || len(out.Notices) != 1 || !strings.Contains(out.Notices[0], "does not think") ||
			again.Err != nil || len(again.Notices) > 0 {
			t.Errorf("%+v, then %+v", out, again)
		}
	}
}

// TestResponsesCut: a reply that is cut anywhere is a part of the whole one and an error,
// and never whole; in whatever pieces it comes, it is the same.
func TestResponsesCut(t *testing.T) {
	body := events(
		`{"type":"response.created","response":{"status":"in_progress"}}`,
		`{"type":"response.reasoning_summary_text.delta","delta":"Count – 数."}`,
		`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1","encrypted_content":"sealed"}}`,
		`{"type":"response.output_text.delta","output_index":1,"delta":"Three \u00b7 beams."}`,
		`{"type":"response.rare.event","delta":{"at":1}}`,
		`{"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","call_id":"call_a","name":"zoom","arguments":""}}`,
		`{"type":"response.function_call_arguments.delta","output_index":2,"delta":"{\"at\":"}`,
		`{"type":"response.function_call_arguments.delta","output_index":2,"delta":"\"beam\"}"}`,
		`{"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","call_id":"call_a","name":"zoom","arguments":"{\"at\":\"beam\"}"}}`,
		`{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":90,"input_tokens_details":{"cached_tokens":40,"cache_write_tokens":30},"output_tokens":12}}}`,
	)
	said := ""
	c := newClient(t,
		openai.Options{
			Protocol: openai.Responses,
			Options: wire.Options{BaseURL: "http://localhost/v1", Jitter: func() float64 {
				return 0
			}, Transport: transportFunc(func(*http.Request) (*http.Response, error) {
				return respond(200, said), nil
			})},
		})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	read := func(reply string) (text, thought string, calls int, finish chains.Finish, failed error) {
		said = reply
		for d, err := range c.Stream(ctx, conversation()) {
			if d.Wait > 0 { // it would be asked again
				return text, thought, calls, finish, &chains.ProviderError{Kind: chains.ErrNetwork}
			}
			text, thought, calls, failed = text+d.Text, thought+d.Reasoning, calls+len(d.ToolCalls), err
			if finish += d.Finish; d.Finish != "" &&
				(d.Usage == nil || d.Usage.Cached != 40 || d.Usage.CacheWrite != 30 || d.Echo == "") {
				t.Errorf("%+v", d)
			}
		}
		return text, thought, calls, finish, failed
	}
	whole, thoughts, calls, finish, err := read(body)
	if whole != "Three · beams." || thoughts != "Count – 数." || calls != 1 || finish != chains.FinishTools || err != nil {
		t.Fatalf("%q %q %d %s %v", whole, thoughts, calls, finish, err)
	}
	end := strings.LastIndex(body, "}}}") + len("}}}")
	for at := range end {
		text, thought, calls, finish, err := read(body[:at])
		if err == nil || finish != "" || calls > 0 || !strings.HasPrefix(whole, text) ||
			!strings.HasPrefix(thoughts, thought) {
			t.Fatalf("cut at %d of %d: %q, %q, %d calls, %s, %v", at, end, text, thought, calls, finish, err)
		}
	}
	for _, piece := range []int{1, 2, 3, 7, 64, 777} {
		srv := newServer(t, answer{body: body, piece: piece})
		out := collect(t.Context(), newClient(t, atOpenAI(srv.url, wire.Facts{})), conversation())
		if out.Text != whole || out.Reasoning != thoughts || len(out.Calls) != 1 ||
			out.Finish != chains.FinishTools || out.Err != nil {
			t.Errorf("in pieces of %d: %+v", piece, out)
		}
	}
}

// TestOnlyThere: the words and the statuses with which servers say that a model is spoken
// to in the other protocol.
func TestOnlyThere(t *testing.T) {
	there := events(`{"type":"response.output_text.delta","delta":"ok"}`,
		`{"type":"response.completed","response":{"status":"completed"}}`)
	for _, row := range []struct {
		status   int
		said     string
		atOpenAI bool
		path     string
		answer   string
	}{
		{
			404,
			`{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions."}}`,
			false, "/v1/responses", there,
		},
		{400, `{"error":{"message":"m is only available via the Responses API."}}`, false, "/v1/responses", there},
		{405, `{"detail":"Method Not Allowed"}`, true, "/v1/chat/completions", hi + done},
		{404, `404 page not found`, true, "/v1/chat/completions", hi + done},
	} {
		srv := newServer(t, answer{status: row.status, body: row.said}, answer{body: row.answer}, answer{body: row.answer})
		o := openai.Options{Options: wire.Options{BaseURL: srv.url, Name: "somewhere"}}
		if row.atOpenAI {
			o = atOpenAI(srv.url, wire.Facts{})
		}
		o.Refusals = refusals{}
		for range 2 {
			if out := collect(t.Context(), newClient(t, o), conversation()); out.Err != nil {
				t.Errorf("%s: %v", row.said, out.Err)
			}
		}
		if got := srv.got(); len(got) != 3 || got[0].path == got[1].path || got[1].path != row.path ||
			got[2].path != row.path {
			t.Errorf("%s: %d requests, %+v", row.said, len(got), got[1:])
		}
	}
}
