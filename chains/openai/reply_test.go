package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hi is a stream that says "Hi there" and ends well.
var hi = events(
	piece(map[string]any{"role": "assistant", "content": "Hi"}),
	piece(map[string]any{"content": " there"}),
	ends("stop"),
)

// TestShapes is one row per shape in which servers are known to answer.
func TestShapes(t *testing.T) {
	html := map[string]string{"Content-Type": "text/html; charset=utf-8"}
	plain := map[string]string{"Content-Type": "application/json"}
	word := func(content string) string {
		return `data: {"choices":[{"index":0,"delta":{"content":` + content + `}}]}` + "\n\n"
	}
	rows := []struct {
		name   string
		answer answer
		text   string
		think  string
		finish chains.Finish
		kind   chains.ErrorKind // of the error, "" for none
		says   string           // in the error
	}{
		{name: "CRLF", answer: answer{body: strings.ReplaceAll(hi+done, "\n", "\r\n")}, text: "Hi there", finish: "stop"},
		{name: "CR only", answer: answer{body: strings.ReplaceAll(hi+done, "\n", "\r")}, text: "Hi there", finish: "stop"},
		{name: "no space after data", answer: answer{body: strings.ReplaceAll(hi+done, "data: ", "data:")}, text: "Hi there", finish: "stop"},
		{name: "byte order mark", answer: answer{body: "\ufeff" + hi + done}, text: "Hi there", finish: "stop"},
		{name: "500 comments", answer: answer{body: strings.Repeat(": wait\n\n", 500) + hi + done}, text: "Hi there", finish: "stop"},
		{name: "empty data as keep-alive", answer: answer{body: "data:\n\n" + hi + "data: \n\n" + done}, text: "Hi there", finish: "stop"},
		{name: "one event over several data lines", answer: answer{body: "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"Hi\"},\ndata: \"finish_reason\":\"stop\"}]}\n\n"}, text: "Hi", finish: "stop"},
		{name: "no blank lines", answer: answer{body: strings.ReplaceAll(hi+done, "\n\n", "\n")}, text: "Hi there", finish: "stop"},
		{name: "no [DONE]", answer: answer{body: hi}, text: "Hi there", finish: "stop"},
		{name: "[DONE] in quotes", answer: answer{body: word(`"Hi"`) + "data: \"[DONE]\"\n\n"}, text: "Hi", finish: "stop"},
		{name: "text in place of a delta", answer: answer{body: `data: {"choices":[{"index":0,"text":"Hi"}]}` + "\n\n" + `data: {"choices":[{"index":0,"text":" you","finish_reason":"stop"}]}` + "\n\n" + done}, text: "Hi you", finish: "stop"},
		{name: "text and delta", answer: answer{body: `data: {"choices":[{"text":"Hi","delta":{"content":"Hi"},"finish_reason":"stop"}]}` + "\n\n" + done}, text: "Hi", finish: "stop"},
		{name: "no finish reason", answer: answer{body: word(`"Hi"`) + done}, text: "Hi", finish: "stop"},
		{name: "neither", answer: answer{body: word(`"Hi you"`)}, text: "Hi you", kind: chains.ErrCutOff, says: "cut off after 2 words"},
		{name: "last line without newline", answer: answer{body: strings.TrimRight(hi, "\n")}, text: "Hi there", finish: "stop"},
		{name: "event and id fields", answer: answer{body: "retry: 5\n" + strings.ReplaceAll(hi, "data:", "id: 7\nevent: message\ndata:") + done}, text: "Hi there", finish: "stop"},
		{name: "plain text type", answer: answer{header: map[string]string{"Content-Type": "text/plain"}, body: hi + done}, text: "Hi there", finish: "stop"},
		{name: "chunks that are no chunks", answer: answer{body: "event: ping\ndata: {\"type\":\"ping\"}\n\ndata: ping\n\n" + hi + done}, text: "Hi there", finish: "stop"},
		{name: "long line", answer: answer{body: word(`"`+strings.Repeat("x", 1<<20)+`"`) + done}, text: strings.Repeat("x", 1<<20), finish: "stop"},
		{name: "too long line", answer: answer{body: word(`"Hi"`) + "data: " + strings.Repeat("x", 9<<20)}, text: "Hi", kind: chains.ErrCutOff, says: "larger than 8 MB"},
		{name: "whole JSON", answer: answer{header: plain, body: `{"choices":[{"message":{"content":"Hi","reasoning_content":"hm"},"finish_reason":"stop"}]}` + "\n"}, text: "Hi", think: "hm", finish: "stop"},
		{name: "whole JSON called a stream", answer: answer{body: "{\n \"choices\":[{\"message\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}"}, text: "Hi", finish: "stop"},
		{name: "error with 200", answer: answer{header: plain, body: `{"error":{"message":"no such tenant","type":"bad"}}`}, kind: chains.ErrConfig, says: "no such tenant"},
		{name: "error string with 200", answer: answer{body: `{"error":"model is on fire"}`}, kind: chains.ErrConfig, says: "on fire"},
		{name: "error array", answer: answer{header: plain, body: `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`}, kind: chains.ErrAuth, says: "key"},
		{name: "login page", answer: answer{header: html, body: "<!doctype html><html><title>Sign in to Proxy</title><body>…</body>"}, kind: chains.ErrBadReply, says: "Sign in to Proxy"},
		{name: "words", answer: answer{header: map[string]string{"Content-Type": "text/plain"}, body: "upstream gone"}, kind: chains.ErrBadReply, says: "upstream gone"},
		{name: "other JSON", answer: answer{header: plain, body: `{"hello":"world"}`}, kind: chains.ErrBadReply, says: "hello"},
		{name: "error frame", answer: answer{body: word(`"Hi"`) + `data: {"error":{"message":"Token limit reached"}}` + "\n\n"}, text: "Hi", kind: chains.ErrServer, says: "stopped the reply: Token limit reached. Text kept."},
		{name: "error frame after comment", answer: answer{body: ": hm\n\n" + word(`"Hi"`) + ": hm\n\nevent: error\ndata: { \"error\": {\"message\":\"worn out\"}}\n\n" + done}, text: "Hi", kind: chains.ErrServer, says: "worn out"},
		{name: "error beside choices", answer: answer{body: word(`"Hi"`) + `data: {"choices":[{"delta":{"content":"!"},"finish_reason":"error"}],"error":{"code":502,"message":"upstream died"}}` + "\n\n" + done}, text: "Hi!", kind: chains.ErrServer, says: "upstream died"},
		{name: "finish reason error", answer: answer{body: word(`"Hi"`) + "data: " + ends("error") + "\n\n" + done}, text: "Hi", kind: chains.ErrServer, says: "stopped the reply"},
		{name: "error field", answer: answer{body: word(`"Hi"`) + "error: {\"message\":\"no GPU left\"}\n\n"}, text: "Hi", kind: chains.ErrServer, says: "no GPU left"},
		{name: "bare JSON in a stream", answer: answer{body: word(`"Hi"`) + `{"error":{"message":"no memory"}}` + "\n"}, text: "Hi", kind: chains.ErrServer, says: "no memory"},
		{name: "error that is none", answer: answer{body: `data: {"error":"","choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}` + "\n\n"}, text: "Hi", finish: "stop"},
		{name: "content array", answer: answer{body: word(`[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"Hi"}]`) + word(`" there"`) + done}, text: "Hi there", think: "hm", finish: "stop"},
		{name: "surprising types", answer: answer{body: `data: {"id":7,"created":1.5e9,"choices":[{"index":0.0,"logprobs":[],"delta":{"role":5,"content":"Hi","tool_calls":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":"12"}}` + "\n\n" + done}, text: "Hi", finish: "stop"},
		{name: "reasoning twice", answer: answer{body: `data: {"choices":[{"delta":{"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm"}]}}]}` + "\n\n" + hi + done}, text: "Hi there", think: "hm", finish: "stop"},
		{name: "reasoning repeated in details", answer: answer{body: `data: {"choices":[{"delta":{"reasoning":"h"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"reasoning":"m"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"reasoning_details":[{"text":"hm"}]}}]}` + "\n\n" + hi + done}, text: "Hi there", think: "hm", finish: "stop"},
		{name: "reasoning in details only", answer: answer{body: `data: {"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.summary","summary":"hm"},{"type":"reasoning.encrypted","data":"x"}]}}]}` + "\n\n" + hi + done}, text: "Hi there", think: "hm", finish: "stop"},
		{name: "refusal", answer: answer{body: `data: {"choices":[{"delta":{"refusal":"I cannot."},"finish_reason":"stop"}]}` + "\n\n" + done}, text: "I cannot.", finish: "stop"},
		{name: "delta and cumulative message", answer: answer{body: `data: {"choices":[{"delta":{"content":"Hi"},"message":{"content":"Hi"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"content":" you"},"message":{"content":"Hi you"},"finish_reason":"stop"}]}` + "\n\n"}, text: "Hi you", finish: "stop"},
		{name: "second choice", answer: answer{body: `data: {"choices":[{"index":1,"delta":{"content":"No"}},{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}` + "\n\n"}, text: "Hi", finish: "stop"},
		{name: "length", answer: answer{body: word(`"Hi"`) + "data: " + ends("max_tokens") + "\n\n"}, text: "Hi", finish: "length"},
		{name: "filter", answer: answer{body: word(`"Hi"`) + "data: " + ends("SAFETY") + "\n\n"}, text: "Hi", finish: "content_filter"},
		{name: "empty", answer: stream(ends("stop")), kind: chains.ErrBadReply, says: "sent no text (finish: stop)"},
		{name: "only [DONE]", answer: stream(), kind: chains.ErrBadReply, says: "empty reply"},
		{name: "all thinking", answer: stream(piece(map[string]any{"reasoning": "hm"}), ends("length"), counts(9, 0, 128)), think: "hm", kind: chains.ErrBadReply, says: "all 128 tokens went into thinking"},
		{name: "withheld", answer: stream(ends("content_filter")), kind: chains.ErrBadReply, says: "withheld"},
		{name: "torn down", answer: answer{body: hi, cut: len(hi) / 2}, text: "Hi", kind: chains.ErrCutOff, says: "cut off after 1 word ("},
		{name: "torn down after the finish", answer: answer{body: hi + "data: {", cut: len(hi) + 4}, text: "Hi there", finish: "stop"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, row.answer)
			o := ask(t, srv.client())
			if o.Text != row.text || o.Reasoning != row.think || o.Finish != row.finish {
				t.Errorf("text %.60q reasoning %q finish %q, want %.60q %q %q", o.Text, o.Reasoning, o.Finish, row.text, row.think, row.finish)
			}
			if row.kind == "" {
				if o.Err != nil {
					t.Errorf("error %v", o.Err)
				}
				return
			}
			e := providerError(t, o.Err)
			if e.Kind != row.kind || !strings.Contains(e.Message, row.says) || strings.ContainsAny(e.Message, "\n\x1b") {
				t.Errorf("error %q %q, want %q with %q on one line", e.Kind, e.Message, row.kind, row.says)
			}
		})
	}
}

// TestToolCalls is one row per way to send calls (S0-59).
func TestToolCalls(t *testing.T) {
	calls := func(raw string) string { return `{"choices":[{"delta":{"tool_calls":` + raw + `}}]}` }
	rows := []struct {
		name   string
		chunks []string
		want   []prompt.ToolCall
	}{
		{"one, in pieces", []string{
			calls(`[{"index":0,"id":"a","type":"function","function":{"name":"look","arguments":""}}]`),
			calls(`[{"index":0,"function":{"arguments":"{\"q\":"}}]`), calls(`[{"index":0,"function":{"arguments":"1}"}}]`),
		}, []prompt.ToolCall{{ID: "a", Name: "look", Arguments: `{"q":1}`}}},
		{"two, interleaved", []string{
			calls(`[{"index":0,"id":"a","function":{"name":"look"}},{"index":1,"id":"b","function":{"name":"hear"}}]`),
			calls(`[{"index":1,"function":{"arguments":"{}"}}]`), calls(`[{"index":0,"function":{"arguments":"[]"}}]`),
		}, []prompt.ToolCall{{ID: "a", Name: "look", Arguments: `[]`}, {ID: "b", Name: "hear", Arguments: `{}`}}},
		{"one index for two ids", []string{
			calls(`[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"n\":1}"}}]`),
			calls(`[{"index":0,"id":"b","function":{"name":"look","arguments":"{\"n\":2}"}}]`),
		}, []prompt.ToolCall{{ID: "a", Name: "look", Arguments: `{"n":1}`}, {ID: "b", Name: "look", Arguments: `{"n":2}`}}},
		{"ids without index", []string{
			calls(`[{"id":"a","function":{"name":"look","arguments":"{\"n\":"}},{"id":"b","function":{"name":"hear","arguments":"{}"}}]`),
			calls(`[{"id":"a","function":{"arguments":"1}"}}]`),
		}, []prompt.ToolCall{{ID: "a", Name: "look", Arguments: `{"n":1}`}, {ID: "b", Name: "hear", Arguments: `{}`}}},
		{"neither, whole calls", []string{
			calls(`[{"function":{"name":"look","arguments":"{\"n\":1}"}}]`), calls(`[{"function":{"name":"look","arguments":"{\"n\":2}"}}]`),
		}, []prompt.ToolCall{{Name: "look", Arguments: `{"n":1}`}, {Name: "look", Arguments: `{"n":2}`}}},
		{"neither, in pieces", []string{
			calls(`[{"function":{"name":"look","arguments":"{\"n\""}}]`), calls(`[{"function":{"arguments":":1}"}}]`),
		}, []prompt.ToolCall{{Name: "look", Arguments: `{"n":1}`}}},
		{"arguments as an object", []string{calls(`[{"id":"a","function":{"name":"look","arguments":{"n": 1}}}]`)}, []prompt.ToolCall{{ID: "a", Name: "look", Arguments: `{"n": 1}`}}},
		{"no arguments", []string{calls(`{"id":"a","function":{"name":"look"}}`)}, []prompt.ToolCall{{ID: "a", Name: "look", Arguments: `{}`}}},
		{"the call again at the end", []string{
			calls(`[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"n\":1}"}}]`), calls(`[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"n\":1}"}}]`),
		}, []prompt.ToolCall{{ID: "a", Name: "look", Arguments: `{"n":1}`}}},
		{"the old field", []string{
			`{"choices":[{"delta":{"function_call":{"name":"look","arguments":"{\"n\""}}}]}`, `{"choices":[{"delta":{"function_call":{"arguments":":1}"}}}]}`,
		}, []prompt.ToolCall{{Name: "look", Arguments: `{"n":1}`}}},
		{"one id for two calls", []string{
			calls(`[{"id":"call_0","function":{"name":"look","arguments":"{\"n\":1}"}}]`), calls(`[{"id":"call_0","function":{"name":"look","arguments":"{\"n\":2}"}}]`),
		}, []prompt.ToolCall{{ID: "call_0", Name: "look", Arguments: `{"n":1}`}, {ID: "call_0", Name: "look", Arguments: `{"n":2}`}}},
		{"one id at two numbers", []string{
			calls(`[{"index":0,"id":"x","function":{"name":"look","arguments":"{}"}},{"index":1,"id":"x","function":{"name":"look","arguments":"{}"}}]`),
		}, []prompt.ToolCall{{ID: "x", Name: "look", Arguments: `{}`}, {ID: "x", Name: "look", Arguments: `{}`}}},
		{"one number for two whole calls", []string{
			calls(`[{"index":0,"function":{"name":"look","arguments":"{\"n\":1}"}}]`), calls(`[{"index":0,"function":{"name":"hear","arguments":"{\"n\":1}"}}]`),
		}, []prompt.ToolCall{{Name: "look", Arguments: `{"n":1}`}, {Name: "hear", Arguments: `{"n":1}`}}},
		{"nameless", []string{calls(`[{"index":0,"function":{"arguments":"{}"}}]`), calls(`[{"index":1,"id":"b","function":{"name":"hear","arguments":"{}"}}]`)}, []prompt.ToolCall{{ID: "b", Name: "hear", Arguments: `{}`}}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, stream(append(row.chunks, ends("stop"))...))
			o := ask(t, srv.client())
			if d := cmp.Diff(row.want, o.Calls); d != "" || o.Err != nil || o.Finish != chains.FinishTools {
				t.Errorf("%s error %v, finish %q", d, o.Err, o.Finish)
			}
		})
	}
}

// TestUsage is one row per way to report tokens (S0-39).
func TestUsage(t *testing.T) {
	rows := []struct {
		name  string
		extra string // further fields of the last chunk
		want  *chains.Usage
	}{
		{"none", ``, nil},
		{"null", `,"usage":null`, nil},
		{"details", `,"usage":{"prompt_tokens":2000,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":1024,"cache_write_tokens":5},"completion_tokens_details":{"reasoning_tokens":4}}`, &chains.Usage{Prompt: 2000, Cached: 1024, CacheWrite: 5, Completion: 9, Reasoning: 4, Cost: -1}},
		{"hit tokens", `,"usage":{"prompt_tokens":368,"completion_tokens":9,"prompt_cache_hit_tokens":256}`, &chains.Usage{Prompt: 368, Cached: 256, CacheWrite: -1, Completion: 9, Reasoning: -1, Cost: -1}},
		{"top-level cached", `,"usage":{"prompt_tokens":368,"completion_tokens":9,"cached_tokens":7}`, &chains.Usage{Prompt: 368, Cached: 7, CacheWrite: -1, Completion: 9, Reasoning: -1, Cost: -1}},
		{"read and creation", `,"usage":{"prompt_tokens":368,"completion_tokens":9,"cache_read_input_tokens":300,"cache_creation_input_tokens":68}`, &chains.Usage{Prompt: 368, Cached: 300, CacheWrite: 68, Completion: 9, Reasoning: -1, Cost: -1}},
		{"Groq's own", `,"x_groq":{"usage":{"prompt_tokens":5,"completion_tokens":2}}`, &chains.Usage{Prompt: 5, Cached: -1, CacheWrite: -1, Completion: 2, Reasoning: -1, Cost: -1}},
		{"timings", `,"usage":{"prompt_tokens":84,"completion_tokens":2},"timings":{"cache_n":83}`, &chains.Usage{Prompt: 84, Cached: 83, CacheWrite: -1, Completion: 2, Reasoning: -1, Cost: -1}},
		{"more cached than sent", `,"usage":{"prompt_tokens":7,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":161}}`, &chains.Usage{Prompt: 7, Cached: 7, CacheWrite: -1, Completion: 2, Reasoning: -1, Cost: -1}},
		{"thinking outside of completion", `,"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":42,"completion_tokens_details":{"reasoning_tokens":30},"cost_in_usd_ticks":25000000}`, &chains.Usage{Prompt: 10, Cached: -1, CacheWrite: -1, Completion: 32, Reasoning: 30, Cost: 0.0025}},
		{"cost", `,"usage":{"prompt_tokens":10,"completion_tokens":2,"cost":0.5}`, &chains.Usage{Prompt: 10, Cached: -1, CacheWrite: -1, Completion: 2, Reasoning: -1, Cost: 0.5}},
		{"cost as an object", `,"usage":{"prompt_tokens":10.0,"completion_tokens":"2","cost":{"usd":1}}`, &chains.Usage{Prompt: 10, Cached: -1, CacheWrite: -1, Completion: 2, Reasoning: -1, Cost: -1}},
		{"nonsense", `,"usage":{"prompt_tokens":-4,"completion_tokens":1e300}`, &chains.Usage{Prompt: -1, Cached: -1, CacheWrite: -1, Completion: 1 << 40, Reasoning: -1, Cost: -1}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			body := `data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}` + "\n\n" + `data: {"choices":[]` + row.extra + "}\n\n"
			if row.want == nil {
				body = strings.Replace(body, `,"usage":{"prompt_tokens":1}`, "", 1)
			}
			srv := newServer(t, answer{body: body + done})
			o := ask(t, srv.client())
			if d := cmp.Diff(row.want, o.Usage); d != "" || o.Err != nil {
				t.Errorf("%s error %v", d, o.Err)
			}
			if !strings.Contains(srv.got()[0].body, `"stream_options":{"include_usage":true}`) {
				t.Errorf("the request does not ask for usage: %s", srv.got()[0].body)
			}
		})
	}
}

// TestKeepAliveIsANotice: a comment says once that the request is queueing.
func TestKeepAliveIsANotice(t *testing.T) {
	srv := newServer(t, answer{body: strings.Repeat(": PROCESSING\x1b[2J\n\n", 9) + hi + done})
	o := ask(t, clientOf(t, wire.Options{BaseURL: srv.url, Name: "router"}))
	if want := []string{"router is queueing the request (PROCESSING[2J)."}; !cmp.Equal(want, o.Notices) {
		t.Errorf("notices = %q, want %q", o.Notices, want)
	}
}

// TestCancel ends a reply in the middle; TestMain sees to it that nothing runs on.
func TestCancel(t *testing.T) {
	srv := newServer(t, answer{body: hi, hold: true}, answer{wait: time.Minute})
	c := srv.client()
	ctx, cancel := context.WithCancel(t.Context())
	var last error
	for d, err := range c.Stream(ctx, question("?")) {
		if d.Text != "" {
			cancel()
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("in the middle: %v, want context.Canceled", last)
	}
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if o := collect(short, c, question("?")); !errors.Is(o.Err, context.DeadlineExceeded) {
		t.Errorf("before the reply: %v, want context.DeadlineExceeded", o.Err)
	}
}

// TestLoopEndsEarly: leaving the loop ends the request at the server.
func TestLoopEndsEarly(t *testing.T) {
	left := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, hi)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			close(left)
		case <-t.Context().Done():
		}
	}))
	defer srv.Close()
	seen := false
	for d := range clientOf(t, wire.Options{BaseURL: srv.URL}).Stream(t.Context(), question("?")) {
		if seen = strings.HasPrefix(d.Text, "Hi"); seen {
			break
		}
	}
	if !seen {
		t.Fatal("no text came")
	}
	select {
	case <-left:
	case <-time.After(5 * time.Second):
		t.Error("the server was not told")
	}
}

// TestConnectionServesTheNextTurn: a reply that ended well leaves its
// connection usable.
func TestConnectionServesTheNextTurn(t *testing.T) {
	srv := newServer(t, says("one"), says("two"))
	c := srv.client()
	for range 2 {
		if o := ask(t, c); o.Err != nil {
			t.Fatal(o.Err)
		}
	}
	ports := map[string]bool{}
	for _, r := range srv.got() {
		ports[r.from] = true
	}
	if len(ports) != 1 {
		t.Errorf("two turns used %d connections", len(ports))
	}
}

// TestBodyIsValidJSON whatever is in it, with the fields that go-openai lacks.
func TestBodyIsValidJSON(t *testing.T) {
	srv := newServer(t, says("ok"))
	r := question("bad \xff utf-8, <tags> & \u2028")
	r.MaxTokens = 7
	if o := collect(t.Context(), clientOf(t, wire.Options{BaseURL: srv.url, Extra: map[string]any{"temperature": 0}}), r); o.Err != nil {
		t.Fatal(o.Err)
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(srv.got()[0].body), &body); err != nil {
		t.Fatal(err)
	}
	if body["max_tokens"] != 7.0 || body["temperature"] != 0.0 || body["model"] != "test-model" || body["stream"] != true {
		t.Errorf("body = %v", body)
	}
}
