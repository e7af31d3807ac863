package chaintest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"ibid/chains"
	"ibid/context/prompt"
)

// TestMain fails the package if a server leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client returns a client that keeps no connection open, so that goleak finds none.
func client(t *testing.T) *http.Client {
	t.Helper()
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
}

// chat sends messages, role and text in turn, and returns the response with its body open.
func chat(t *testing.T, s *Server, messages ...string) *http.Response {
	t.Helper()
	body := object{"model": "test-model", "stream": true, "stream_options": object{"include_usage": true}}
	var list []object
	for pair := range slices.Chunk(messages, 2) {
		list = append(list, object{"role": pair[0], "content": pair[1]})
	}
	body["messages"] = list
	return post(t, s, string(encode(body)))
}

func post(t *testing.T, s *Server, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer right")
	resp, err := client(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// receivedReply is a reply as a client reads it.
type receivedReply struct {
	Text, Reasoning, Finish string
	Calls                   []prompt.ToolCall
	Prompt, Cached          int
	Done                    bool
}

// listen reads a stream as a simple client would.
func listen(t *testing.T, body io.Reader) (h receivedReply) {
	t.Helper()
	h.Cached = -1
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			h.Done = true
			continue
		}
		var chunk struct {
			Choices []struct {
				Delta struct {
					Content          string
					ReasoningContent string `json:"reasoning_content"`
					ToolCalls        []struct {
						Index    int
						ID       string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
				FinishReason string `json:"finish_reason"`
			}
			Usage *struct {
				PromptTokens int `json:"prompt_tokens"`
				Details      struct {
					Cached *int `json:"cached_tokens"`
				} `json:"prompt_tokens_details"`
			}
		}
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			t.Fatalf("frame %q: %v", data, err)
		}
		for _, c := range chunk.Choices {
			h.Text += c.Delta.Content
			h.Reasoning += c.Delta.ReasoningContent
			h.Finish += c.FinishReason
			for _, call := range c.Delta.ToolCalls {
				if call.Index == len(h.Calls) {
					h.Calls = append(h.Calls, prompt.ToolCall{ID: call.ID, Name: call.Function.Name})
				}
				h.Calls[call.Index].Arguments += call.Function.Arguments
			}
		}
		if u := chunk.Usage; u != nil {
			h.Prompt = u.PromptTokens
			if u.Details.Cached != nil {
				h.Cached = *u.Details.Cached
			}
		}
	}
	return h
}

func TestStream(t *testing.T) {
	calls := []prompt.ToolCall{{ID: "c1", Name: "open", Arguments: `{"path":"Beds/Südbeet.md"}`}, {ID: "c2", Name: "today", Arguments: "{}"}}
	tests := []struct {
		name   string
		answer Answer
		want   receivedReply
	}{
		{"text", Answer{Text: "Tomaten brauchen Wärme. 🍅"}, receivedReply{Text: "Tomaten brauchen Wärme. 🍅", Finish: "stop", Prompt: 3, Done: true}},
		{"reasoning", Answer{Reasoning: "Let me see.", Text: "Yes.", Chunk: 1}, receivedReply{Reasoning: "Let me see.", Text: "Yes.", Finish: "stop", Prompt: 3, Done: true}},
		{"calls", Answer{ToolCalls: calls, Chunk: 3}, receivedReply{Calls: calls, Finish: "tool_calls", Prompt: 3, Done: true}},
		{"finish", Answer{Text: "And then", Finish: "length"}, receivedReply{Text: "And then", Finish: "length", Prompt: 3, Done: true}},
		{"usage", Answer{Text: "Yes.", Usage: &chains.Usage{Prompt: 900, Cached: 300, Reasoning: -1}}, receivedReply{Text: "Yes.", Finish: "stop", Prompt: 900, Cached: 300, Done: true}},
		{"error frame", Answer{Text: "Yes, b", ErrorFrame: `{"message":"overloaded"}`}, receivedReply{Text: "Yes, b", Cached: -1}},
		{"echo", Answer{}, receivedReply{Text: "Reply 1 to: Is it warm?", Finish: "stop", Prompt: 3, Done: true}},
	}
	for _, tt := range tests {
		for _, size := range []int{0, 1, 7, 777} {
			s := NewServer(t, Options{Answers: []Answer{tt.answer}})
			tt.answer.Split = size
			s.answers[0].Split = size
			resp := chat(t, s, "user", "Is it warm?")
			is(t, resp.Header.Get("Content-Type"), "text/event-stream", tt.name)
			is(t, listen(t, resp.Body), tt.want, tt.name, size)
		}
	}
}

func TestFailures(t *testing.T) {
	tests := []struct {
		name   string
		answer Answer
		status int
		header string // Retry-After
		kind   string // Content-Type begins with it
		body   string // is in the body
	}{
		{"key", RefuseKey(), 401, "", "application/json", `"invalid_api_key"`},
		{"model", NoModel("tulip-7b"), 404, "", "application/json", "tulip-7b"},
		{"window", TooLong(8192, 9001), 400, "", "application/json", "maximum context length is 8192 tokens"},
		{"rate", Answer{Status: 429, Header: http.Header{"Retry-After": {"7"}}, Body: `{"error":"slow"}`}, 429, "7", "application/json", "slow"},
		{"down", Answer{Status: 503, Body: `{"error":"down"}`}, 503, "", "application/json", "down"},
		{"sign in", SignIn(), 200, "", "text/html", "guest network"},
		{"JSON with 200", Answer{Body: `{"error":"busy"}`}, 200, "", "application/json", "busy"},
		{"empty", Answer{Status: 502}, 502, "", "", ""},
	}
	for _, tt := range tests {
		s := NewServer(t, Options{Answers: []Answer{tt.answer}})
		resp := chat(t, s, "user", "Is it warm?")
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if resp.StatusCode != tt.status || resp.Header.Get("Retry-After") != tt.header ||
			!strings.HasPrefix(resp.Header.Get("Content-Type"), tt.kind) || !strings.Contains(string(body), tt.body) {
			t.Errorf("%s: %s %v %s", tt.name, resp.Status, resp.Header, body)
		}
	}
}

func TestCutAfter(t *testing.T) {
	for _, n := range []int{1, 100, 400} {
		s := NewServer(t, Options{Answers: []Answer{{Text: strings.Repeat("word ", 200), CutAfter: n}}})
		got, err := io.ReadAll(chat(t, s, "user", "Is it warm?").Body)
		if len(got) != n || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut after %d bytes: %d came, error %v", n, len(got), err)
		}
	}
}

func TestKey(t *testing.T) {
	s := NewServer(t, Options{Key: "right"})
	if resp := chat(t, s, "user", "Is it warm?"); resp.StatusCode != 200 {
		t.Errorf("the right key: %s", resp.Status)
	}
	for _, auth := range []string{"", "Bearer wrong", "right"} {
		for _, path := range []string{"/models", "/chat/completions"} {
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL()+path, nil)
			req.Header.Set("Authorization", auth)
			resp, err := client(t).Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			is(t, resp.StatusCode, 401, path, auth)
		}
	}
}

func TestRequests(t *testing.T) {
	s := NewServer(t, Options{})
	body := `{"model":"oak","messages":[{"role":"user","content":"Is it warm?"}],"stream":true}`
	post(t, s, body)
	for _, bad := range []string{"", "{", "[]", `{"model":"oak"}`, `{"model":"oak","messages":[],"stream":true}`, `{"messages":[{"role":"user","content":"Is it warm?"}]}`} {
		is(t, post(t, s, bad).StatusCode, 400, bad)
	}
	rec := s.Completions()[0]
	if string(rec.Body) != body || rec.Method != "POST" || rec.Path != "/v1/chat/completions" || rec.Header.Get("Authorization") != "Bearer right" {
		t.Errorf("recorded %+v", rec)
	}
	resp, err := client(t).Get(s.Host() + "/v2/nothing?q=1")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	is(t, resp.StatusCode, 404, "an unknown path")
	all := s.Requests()
	if last := all[len(all)-1]; last.Path != "/v2/nothing?q=1" || len(s.Completions()) != len(all)-1 {
		t.Errorf("recorded last: %+v", last)
	}
}

func TestCached(t *testing.T) {
	sys, q1, a1, q2 := strings.Repeat("note ", 80), "Is it warm?", "Reply 1 to: Is it warm?", "And dry?"
	first, second := []string{"system", sys, "user", q1}, []string{"system", sys, "user", q1, "assistant", a1, "user", q2}
	other := []string{"system", sys + "more", "user", q1}
	const sysTokens, q1Tokens = 100, 3
	tests := []struct {
		name  string
		turns [][]string
		want  []int
	}{
		{"the first request is new, the next shares it", [][]string{first, second, second}, []int{0, sysTokens + q1Tokens, sysTokens + q1Tokens + 6 + 2}},
		{"in the middle of a message", [][]string{first, other}, []int{0, sysTokens}},
		{"any earlier request counts", [][]string{first, {"system", "x"}, second}, []int{0, 0, sysTokens + q1Tokens}},
		{"roles differ", [][]string{{"system", sys}, {"user", sys}}, []int{0, 0}},
	}
	for _, tt := range tests {
		s := NewServer(t, Options{})
		for i, messages := range tt.turns {
			if got := listen(t, chat(t, s, messages...).Body); got.Cached != tt.want[i] {
				t.Errorf("%s: request %d: %d of %d tokens cached, want %d", tt.name, i+1, got.Cached, got.Prompt, tt.want[i])
			}
		}
	}
}

// TestCachedRefused: a request that the server refused is not in its cache.
func TestCachedRefused(t *testing.T) {
	s := NewServer(t, Options{Answers: []Answer{RefuseKey(), {Status: 500}}})
	for i, want := range []int{-1, -1, 0, 3} {
		is(t, listen(t, chat(t, s, "user", "Is it warm?").Body).Cached, want, "request", i+1)
	}
}

// TestEcho sends a series of messages: each reply differs from the others, and the same series
// gets the same replies.
func TestEcho(t *testing.T) {
	talk := func() (texts []string) {
		s := NewServer(t, Options{})
		messages := []string{"system", "Be brief."}
		for _, q := range []string{"Is it warm?", "[context]\n\nAnd dry?", strings.Repeat("why ", 100)} {
			messages = append(messages, "user", q)
			h := listen(t, chat(t, s, messages...).Body)
			messages = append(messages, "assistant", h.Text)
			texts = append(texts, h.Text)
		}
		return texts
	}
	got := talk()
	if got[1] != "Reply 2 to: And dry?" || !strings.HasPrefix(got[2], "Reply 3 to: why why") || len(got[2]) > 300 {
		t.Errorf("%q", got)
	}
	is(t, talk(), got)
}

func TestModels(t *testing.T) {
	models := []Model{{ID: "oak", Window: 32768, Loaded: 4096}, {ID: "elm", Window: 8192, Images: true}}
	tests := []struct {
		path, body string
		want       []string // in the reply
	}{
		{"/v1/models", "", []string{`"id":"oak"`, `"id":"elm"`, `"object":"list"`}},
		{"/api/v1/models", "", []string{`"id":"oak"`}},
		{"/openai/v1/models", "", []string{`"id":"oak"`}},
		{"/api/ps", "", []string{`"models":[{"context_length":4096,"model":"oak"`}},
		{"/api/tags", "", []string{`"name":"oak"`, `"name":"elm"`}},
		{"/api/version", "", []string{`"version"`}},
		{"/api/show", `{"model":"oak"}`, []string{`"test.context_length":32768`, `["completion","tools"]`}},
		{"/api/show", `{"model":"elm"}`, []string{`"vision"`}},
		{"/api/show", `{"model":"ash"}`, []string{`model 'ash' not found`}},
	}
	s := NewServer(t, Options{Models: models, Ollama: true})
	for _, tt := range tests {
		var resp *http.Response
		var err error
		if tt.body == "" {
			resp, err = client(t).Get(s.Host() + tt.path)
		} else {
			resp, err = client(t).Post(s.Host()+tt.path, "application/json", strings.NewReader(tt.body))
		}
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		for _, want := range tt.want {
			if !strings.Contains(string(body), want) || !json.Valid(body) {
				t.Errorf("%s%s: no %s in %s", tt.path, tt.body, want, body)
			}
		}
	}
}

// TestClose ends a reply that would take an hour, and one whose client has disconnected.
func TestClose(t *testing.T) {
	s := NewServer(t, Options{Answers: []Answer{{Text: "Once upon a time", Chunk: 1, Delay: time.Hour}, {Text: "Once", Delay: time.Hour}}})
	ctx, cancel := context.WithCancel(t.Context())
	body := `{"messages":[{"role":"user","content":"A story"}],"stream":true}`
	c := client(t)
	gone := make(chan error, 1)
	go func() {
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.URL()+"/chat/completions", strings.NewReader(body))
		resp, err := c.Do(req)
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		gone <- err
	}()
	for len(s.Requests()) == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("a client that left: %v", err)
	}
	resp := post(t, s, body)
	s.Close()
	s.Close()
	if _, err := io.ReadAll(resp.Body); err == nil {
		t.Error("a reply that was broken off looks complete")
	}
	if _, err := c.Get(s.Host()); err == nil {
		t.Error("it still answers")
	}
}

// TestParallel: many clients at once each get their answer.
func TestParallel(t *testing.T) {
	s := NewServer(t, Options{})
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			word := strings.Repeat("x", i+1)
			c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			resp, err := c.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"`+word+`"}]}`))
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			is(t, listen(t, resp.Body).Text, "Reply 1 to: "+word, word)
		})
	}
	wg.Wait()
	if n := len(s.Completions()); n != 16 {
		t.Errorf("%d requests recorded", n)
	}
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
