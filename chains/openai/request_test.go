package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ibid/chains"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/prompt"
	"ibid/vault/ownfile"
)

// check fails the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// conversation returns messages of every kind.
func conversation() chains.Request {
	return chains.Request{
		Model:     "vendor/model-1",
		MaxTokens: 50,
		CacheKey:  "conversation-7",
		Tools: []chains.ToolSpec{
			{Name: "zoom", Description: "Look closer."},
			{Name: "alter", Schema: `{"type": "object"}`},
		},
		Messages: []prompt.Message{
			{
				Role: prompt.System, Content: "rules|notes A|notes B",
				Parts: []prompt.Part{{End: 6, Mark: true}, {End: 14}, {End: 21, Mark: true}},
			},
			{
				Role: prompt.User, Content: "look", Parts: []prompt.Part{{End: 4, Mark: true}},
				Images: []prompt.Image{
					{MIME: "image/png", Data: []byte("png")},
					{URL: "https://example.org/a.jpg"},
					{Name: "lost.png"},
				},
			},
			{Role: prompt.Assistant, ToolCalls: []prompt.ToolCall{{ID: "a", Name: "zoom"}}},
			{Role: prompt.ToolRole, ToolCallID: "a"},
			{Role: prompt.Assistant},
			{Role: prompt.User, Content: "why <so>?", Parts: []prompt.Part{{End: 9, Mark: true}}},
		},
	}
}

// send returns the request that the client sends for r.
func send(t *testing.T, o openai.Options, r chains.Request) receivedRequest {
	t.Helper()
	srv := newServer(t, textAnswer("ok"))
	o.BaseURL = srv.url
	if out := collect(t.Context(), newClient(t, o), r); out.Err != nil {
		t.Fatal(out.Err)
	}
	return srv.got()[0]
}

// TestPlainBody compares the request without options, byte for byte: it has no field of a
// single vendor (S0-03).
func TestPlainBody(t *testing.T) {
	want := `{"max_tokens":50,"messages":[` +
		`{"role":"system","content":"rules|notes A|notes B"},` +
		`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}},{"type":"image_url","image_url":{"url":"https://example.org/a.jpg"}},{"type":"text","text":"look"}]},` +
		`{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"zoom","arguments":"{}"}}]},` +
		`{"role":"tool","content":"(no output)","tool_call_id":"a"},` +
		`{"role":"assistant","content":"(no reply)"},` +
		`{"role":"user","content":"why \u003cso\u003e?"}],` +
		`"model":"vendor/model-1","stream":true,"stream_options":{"include_usage":true},"tools":[{"function":{"name":"alter","parameters":{"type":"object"}},"type":"function"},{"function":{"name":"zoom","description":"Look closer.","parameters":{"type":"object","properties":{}}},"type":"function"}]}`
	got := send(t, openai.Options{Options: wire.Options{Key: "key-for-tests"}}, conversation())
	if d := cmp.Diff(want, got.body); d != "" {
		t.Errorf("body (-want +got): %s", d)
	}
	if got.path != "/v1/chat/completions" || got.header.Get("Authorization") != "Bearer key-for-tests" {
		t.Errorf("path %q, authorization %q", got.path, got.header.Get("Authorization"))
	}
	again := send(t, openai.Options{}, conversation())
	if again.body != got.body {
		t.Error("the same request is other bytes the second time")
	}
}

// markedBy returns facts by which every model takes marks of one kind.
func markedBy(kind string) func(string) wire.Facts {
	return func(string) wire.Facts { return wire.Facts{Marks: kind} }
}

func marked(kind string) openai.Options {
	return openai.Options{Options: wire.Options{Facts: markedBy(kind)}}
}

// TestMarks: where the model takes marks, a message is sent in the parts that it
// is cut into, with marks where they stand; elsewhere it is one string. The latest
// message has no breakpoint: OpenAI sets one there by itself (S0-04, S0-41, P-20).
func TestMarks(t *testing.T) {
	plain := send(t, openai.Options{}, conversation()).body
	if without := send(t, marked(openai.MarkNone), conversation()).body; without != plain {
		t.Errorf("a model without marks: body %s", without)
	}
	for kind, field := range map[string]string{
		openai.MarkCacheControl: `,"cache_control":{"type":"ephemeral"}`,
		openai.MarkBreakpoint:   `,"prompt_cache_breakpoint":{"mode":"explicit"}`,
	} {
		latest := `[{"type":"text","text":"why \u003cso\u003e?"` + field + `}]`
		if kind == openai.MarkBreakpoint {
			latest = `"why \u003cso\u003e?"`
		}
		want := strings.NewReplacer(
			`"rules|notes A|notes B"`, `[{"type":"text","text":"rules|"`+field+
				`},{"type":"text","text":"notes A|"},{"type":"text","text":"notes B"`+field+`}]`,
			`"text":"look"`, `"text":"look"`+field,
			`"why \u003cso\u003e?"`, latest,
		).Replace(plain)
		if d := cmp.Diff(want, send(t, marked(kind), conversation()).body); d != "" {
			t.Errorf("%s (-want +got): %s", kind, d)
		}
	}
}

// TestFourMarks sends what the engine makes: four marks at most, whatever the size
// of the library and the layout, and with those of a loop; with breakpoints three,
// since the fourth is OpenAI's own.
func TestFourMarks(t *testing.T) {
	for items := 1; items <= 20; items++ {
		for _, layout := range []prompt.Layout{prompt.Auto, prompt.Strict, prompt.Append} {
			var c prompt.Conversation
			turn := prompt.Turn{Text: "why?", Settings: prompt.Settings{L1: "rules"}, Layout: layout}
			for i := range items {
				path := fmt.Sprintf("%d.md", i)
				turn.Attached = append(turn.Attached, prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: path}, path, path, "text"))
			}
			for n := range 3 {
				if n == 2 {
					turn.Tools = []prompt.ToolResult{{Name: "clock", Content: "noon"}}
				}
				env, err := c.Prepare(turn)
				check(t, err)
				c = env.Commit("because", "")
				if n == 2 {
					checkMarks(t, items, env)
					checkMarks(t, items,
						env.Extend(prompt.Message{ToolCalls: []prompt.ToolCall{{ID: "1", Name: "clock"}}},
							[]prompt.ToolResult{{Call: "1", Name: "clock", Content: "one"}}))
				}
			}
		}
	}
}

func checkMarks(t *testing.T, items int, env prompt.Envelope) {
	t.Helper()
	for kind, most := range map[string]int{openai.MarkCacheControl: 4, openai.MarkBreakpoint: 3} {
		body := send(t, marked(kind), chains.Request{Model: "m", Messages: env.Messages()}).body
		if n := strings.Count(body, string(kind)); n < 2 || n > most {
			t.Errorf("%s, %d items: %d marks", env.Layout, items, n)
		}
		if env.Layout == prompt.Strict && !strings.Contains(body, `\u003c/note_context\u003e","`+string(kind)) {
			t.Errorf("%d items: the end of the library is not marked: %s", items, body)
		}
		// the first has the heading in front
		if n := strings.Count(body, `{"type":"text","text":"\n\n\u003cnote_context`); env.Layout == prompt.Strict &&
			n != items-1 {
			t.Errorf("%d parts for a library of %d", n+1, items)
		}
	}
}

// TestCacheKey goes out when it is asked for, under the provider's name for it.
func TestCacheKey(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{"openai", "openrouter", "xai", "groq"} {
		p, _ := wire.FindProvider(name)
		rt := transportFunc(func(r *http.Request) (*http.Response, error) {
			var body map[string]any
			_ = json.NewDecoder(r.Body).Decode(&body)
			seen[name] = fmt.Sprintf("%v|%v|%s|%v|%v", body["prompt_cache_key"], body["session_id"],
				r.Header.Get("X-Grok-Conv-Id"), body["max_tokens"], body["max_output_tokens"])
			return respond(200, greeting(r)), nil
		})
		c := newClient(t,
			openai.Options{Options: wire.Options{BaseURL: p.BaseURL, Key: "k-1234567890", Transport: rt}, SendCacheKey: true})
		if o := collect(t.Context(), c, conversation()); o.Err != nil {
			t.Error(o.Err)
		}
	}
	want := map[string]string{
		"openai":     "conversation-7|<nil>||<nil>|50",
		"openrouter": "<nil>|conversation-7||50|<nil>",
		"xai":        "<nil>|<nil>|conversation-7|50|<nil>",
		"groq":       "<nil>|<nil>||50|<nil>",
	}
	if d := cmp.Diff(want, seen); d != "" {
		t.Error(d)
	}
}

// TestExtra: fields of one server come into the body, in place of ours where both
// name one, and every other value stays.
func TestExtra(t *testing.T) {
	extra := map[string]any{"temperature": 0, "max_tokens": 7, "stream_options": nil}
	var got, want map[string]json.RawMessage
	for body, into := range map[string]*map[string]json.RawMessage{
		send(t, openai.Options{Options: wire.Options{Extra: extra}}, conversation()).body: &got,
		send(t, openai.Options{}, conversation()).body:                                    &want,
	} {
		check(t, json.Unmarshal([]byte(body), into))
	}
	want["temperature"], want["max_tokens"], want["stream_options"] = json.RawMessage("0"), json.RawMessage("7"),
		json.RawMessage("null")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("body (-want +got): %s", d)
	}
	if len(extra) != 3 {
		t.Errorf("the options were changed: %v", extra)
	}
}

// TestLocalNamesakes: models of other servers may be called like OpenAI's
// without go-openai's checks getting in the way.
func TestLocalNamesakes(t *testing.T) {
	for _, model := range []string{"o3-mini-clone", "gpt-5-distilled", "gpt-6-sol", "davinci-002", "o1"} {
		r := conversation()
		r.Model = model
		if body := send(t, openai.Options{}, r).body; !strings.Contains(body, `"model":"`+model+`"`) {
			t.Errorf("%s: body %s", model, body)
		}
	}
}

// TestEcho: what a provider wants back with a call comes back with it.
func TestEcho(t *testing.T) {
	first := events(
		`{"id":"r1","choices":[{"delta":{"tool_calls":[{"id":"sig-1","function":{"name":"zoom","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]}}]}`,
		ends("tool_calls"),
	)
	srv := newServer(t, answer{body: first}, textAnswer("ok"))
	c := srv.client()
	o := ask(t, c)
	if len(o.Calls) != 1 {
		t.Fatal(o)
	}
	r := question("?")
	r.Messages = append(r.Messages, prompt.Message{Role: prompt.Assistant, ToolCalls: o.Calls, Echo: o.Echo},
		prompt.Message{Role: prompt.ToolRole, ToolCallID: "sig-1", Content: "far"})
	collect(t.Context(), c, r)
	if body := srv.got()[1].body; !strings.Contains(body,
		`"arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]`) {
		t.Errorf("body %s", body)
	}
}

// TestEchoReasoning: the thinking that led to a call goes back as it came, whatever the
// server is; a server that refuses it gets none, and one that wants it gets it always.
func TestEchoReasoning(t *testing.T) {
	for name, field := range map[string]string{
		"deepseek":   `"reasoning_content":"hm"`,
		"openrouter": `"reasoning_details":[{"type":"reasoning.text","text":"h"},{"type":"reasoning.text","text":"m"}]`,
		"groq":       `"reasoning":"hm"`,
	} {
		p, _ := wire.FindProvider(name)
		var bodies []string
		rt := transportFunc(func(r *http.Request) (*http.Response, error) {
			b := new(strings.Builder)
			_, _ = fmt.Fprint(b, readAll(r.Body))
			bodies = append(bodies, b.String())
			return respond(200,
				events(`{"choices":[{"delta":{`+field+
					`,"tool_calls":[{"id":"a","function":{"name":"zoom","arguments":"{}"}}]}}]}`, ends("tool_calls"))), nil
		})
		c := clientOf(t, wire.Options{BaseURL: p.BaseURL, Key: "k-1234567890", Transport: rt})
		o := ask(t, c)
		r := question("?")
		r.Messages = append(r.Messages, prompt.Message{Role: prompt.Assistant, ToolCalls: o.Calls, Echo: o.Echo})
		collect(t.Context(), c, r)
		if !strings.Contains(bodies[1], field) {
			t.Errorf("%s: body %s", name, bodies[1])
		}
	}
	r := question("?")
	r.Messages = append(r.Messages,
		prompt.Message{
			Role: prompt.Assistant, ToolCalls: []prompt.ToolCall{{ID: "a", Name: "zoom"}},
			Echo: `{"content":"hm"}`,
		},
		prompt.Message{Role: prompt.ToolRole, ToolCallID: "a", Content: "seen"})
	for said, row := range map[string]struct{ echo, want string }{
		`{"error":{"message":"Unsupported parameter: reasoning_content"}}`: {`{"content":"hm"}`, ""},
		`{"error":{"message":"The reasoning_content in the thinking mode must be passed back to the API."}}`: {
			"",
			`"reasoning_content":" "`,
		},
	} {
		srv := newServer(t, answer{status: 400, body: said}, textAnswer("ok"), textAnswer("ok"))
		c := srv.client()
		r.Messages[1].Echo = row.echo
		for range 2 {
			if o := collect(t.Context(), c, r); o.Err != nil || len(o.Notices) > 0 {
				t.Fatalf("%s: %+v", said, o)
			}
		}
		for _, got := range srv.got()[1:] {
			if has := strings.Contains(got.body, "reasoning_content"); has != (row.want != "") ||
				!strings.Contains(got.body, row.want) {
				t.Errorf("%s: body %s", said, got.body)
			}
		}
	}
}

// TestNoModel and other requests that cannot be sent.
func TestCannotBeSent(t *testing.T) {
	p, _ := wire.FindProvider("openrouter")
	none := transportFunc(func(*http.Request) (*http.Response, error) {
		t.Error("sent")
		return nil, http.ErrServerClosed
	})
	r := question("?")
	r.Model = ""
	e := providerError(t,
		collect(t.Context(), clientOf(t, wire.Options{BaseURL: "http://localhost:1/v1", Transport: none}), r).Err)
	if e.Kind != chains.ErrConfig || !strings.Contains(e.Message, "No model chosen") {
		t.Errorf("without a model: %+v", e)
	}
	e = failure(t, clientOf(t, wire.Options{BaseURL: p.BaseURL, Transport: none}))
	if e.Kind != chains.ErrAuth ||
		e.Message != "No key for openrouter. Set OPENROUTER_API_KEY or run `ibid provider add openrouter`." {
		t.Errorf("without a key: %+v", e)
	}
	r = question("?")
	r.Tools = []chains.ToolSpec{{Name: "zoom", Schema: "{"}}
	e = providerError(t,
		collect(t.Context(), clientOf(t, wire.Options{BaseURL: "http://localhost:1/v1", Transport: none}), r).Err)
	if e.Kind != chains.ErrConfig || !strings.Contains(e.Message, "zoom") {
		t.Errorf("with a broken tool: %+v", e)
	}
	for _, o := range []openai.Options{
		{},
		{Options: wire.Options{BaseURL: "localhost:8080"}},
		{Options: wire.Options{BaseURL: "ftp://host"}},
	} {
		if _, err := openai.New(o); err == nil {
			t.Errorf("New(%q) gave no error", o.BaseURL)
		}
	}
}

// TestRecorder writes what goes over the wire, without keys.
func TestRecorder(t *testing.T) {
	const key = "sk-test-abcdefghijklmnop"
	dir := filepath.Join(t.TempDir(), "records")
	rec, err := wire.NewRecorder(dir)
	check(t, err)
	srv := newServer(t, textAnswer("the key is "+key), answer{status: 401, body: `{"error":{"message":"bad key ` + key + `"}}`})
	c := clientOf(t, wire.Options{BaseURL: srv.url, Key: key, Recorder: rec})
	collect(t.Context(), c, question("my key is "+key))
	ask(t, c)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	var kinds []string
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err == nil {
			body, err = ownfile.Unpack(body)
		}
		check(t, err)
		if strings.Contains(string(body), key) || len(body) == 0 {
			t.Errorf("%s: %s", f, body)
		}
		name := filepath.Base(f)
		kinds = append(kinds, name[len("20060102-150405-"):])
	}
	if d := cmp.Diff([]string{
		"0001-reply.txt.gz", "0001-request.json.gz", "0002-error.txt.gz",
		"0002-request.json.gz",
	}, kinds); d != "" {
		t.Error(d)
	}
	if sent := srv.got()[0].body; !strings.Contains(sent, key) {
		t.Error("the request itself was changed by recording it")
	}
}

// TestOllamaEffort: behind its address for chat completions Ollama is told how much to
// think, in the levels that it has there.
func TestOllamaEffort(t *testing.T) {
	for effort, want := range map[string]string{
		chains.EffortOff: `"reasoning_effort":"none","stream":true,"stream_options":{"include_usage":true},"think":false`,
		"minimal":        `"reasoning_effort":"low","stream":true,"stream_options":{"include_usage":true},"think":true`,
		"medium":         `"reasoning_effort":"medium","stream":true,"stream_options":{"include_usage":true},"think":true`,
		"max":            `"reasoning_effort":"high","stream":true,"stream_options":{"include_usage":true},"think":true`,
		"":               `"stream":true,"stream_options":{"include_usage":true}}`,
	} {
		srv := newServer(t, textAnswer("ok"))
		p, _ := wire.FindProvider("ollama")
		c := clientOf(t, wire.Options{BaseURL: srv.url, Provider: p})
		r := question("?")
		r.Model, r.Effort = "m", effort
		if o := collect(t.Context(), c, r); o.Err != nil {
			t.Fatal(o.Err)
		}
		if body := srv.got()[0].body; !strings.Contains(body, want) || effort == "" && strings.Contains(body, "think") {
			t.Errorf("%q: %s", effort, body)
		}
	}
}

// TestNoSampling: beside thinking OpenAI takes no field that says how words are drawn,
// in neither protocol; without it they stay, and so do those for other servers.
func TestNoSampling(t *testing.T) {
	sampling := map[string]any{"temperature": 0.2, "top_p": 0.9}
	for _, row := range []struct {
		provider, effort string
		protocol         openai.Protocol
		thinks, stays    bool
	}{
		{"openai", "low", openai.ChatCompletions, true, false},
		{"openai", "", openai.Responses, true, false},
		{"openai", chains.EffortOff, openai.ChatCompletions, true, true},
		{"openai", chains.EffortOff, openai.Responses, true, true},
		{"openai", "", openai.ChatCompletions, false, true},
		{"groq", "low", openai.ChatCompletions, true, true},
	} {
		srv := newServer(t,
			answer{body: events(`{"type":"response.completed","response":{"status":"completed"}}`) + hi + done})
		p, _ := wire.FindProvider(row.provider)
		o := openai.Options{
			Protocol: row.protocol,
			Options: wire.Options{
				BaseURL: srv.url, Provider: p, Key: "key-for-tests", Extra: sampling,
				Facts: func(string) wire.Facts { return wire.Facts{Thinks: row.thinks} },
			},
		}
		r := question("?")
		r.Model, r.Effort = "m", row.effort
		collect(t.Context(), newClient(t, o), r)
		if body := srv.got()[0].body; strings.Contains(body, "temperature") != row.stays ||
			strings.Contains(body, "top_p") != row.stays {
			t.Errorf("%+v: %s", row, body)
		}
	}
}
