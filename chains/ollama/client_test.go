package ollama_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/ollama"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client returns a client of s, or of the server in the options.
func client(t testing.TB, s *chaintest.Server, o ollama.Options) *ollama.Client {
	t.Helper()
	if s != nil {
		o.BaseURL = s.URL()
	}
	o.Name, o.Jitter = "ollama", func() float64 { return 0 }
	o.Count = func(text string) int { return (len(text) + 3) / 4 }
	o.Budget = func(_ string, window int) int { return window - window*3/10 }
	c, err := ollama.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdle)
	return c
}

// outcome is a reply put together.
type outcome struct {
	Text, Reasoning string
	Calls           []prompt.ToolCall
	Echo            string
	Finish          chains.Finish
	Usage           *chains.Usage
	Notices         []string
	Err             *chains.ProviderError
}

func collect(t testing.TB, m chains.Model, r chains.Request) (o outcome) {
	t.Helper()
	for d, err := range m.Stream(t.Context(), r) {
		if err != nil {
			if !errors.As(err, &o.Err) {
				t.Fatalf("no ProviderError: %v", err)
			}
			break
		}
		o.Text, o.Reasoning, o.Calls = o.Text+d.Text, o.Reasoning+d.Reasoning, append(o.Calls, d.ToolCalls...)
		o.Echo, o.Finish = o.Echo+d.Echo, o.Finish+d.Finish
		if d.Usage != nil {
			o.Usage = d.Usage
		}
		if d.Notice != "" {
			o.Notices = append(o.Notices, d.Notice)
		}
	}
	return o
}

// ask returns a request of so many tokens, each of four bytes.
func ask(tokens int, chat string) chains.Request {
	return chains.Request{
		Model: "oak:8b", CacheKey: chat,
		Messages: []prompt.Message{{Role: prompt.User, Content: strings.Repeat("oak ", tokens-4)}},
	}
}

func oak(more ...func(*chaintest.Options)) chaintest.Options {
	o := chaintest.Options{Ollama: true, Models: []chaintest.Model{{ID: "oak:8b", Window: 131072}}}
	for _, f := range more {
		f(&o)
	}
	return o
}

// TestStreams reads replies of every kind, however they are cut.
func TestStreams(t *testing.T) {
	counted := &chains.Usage{Prompt: 412, Cached: -1, CacheWrite: -1, Completion: 9, Reasoning: -1, Cost: -1}
	with := func(change func(*chains.Usage)) *chains.Usage {
		u := *counted
		change(&u)
		return &u
	}
	for name, want := range map[string]outcome{
		"text.ndjson": {Text: "Der Apfel ist reif 🍎.\n", Finish: "stop", Usage: counted},
		"thinking.ndjson": {
			Text: "The pear.", Reasoning: "Which tree is it?", Finish: "stop",
			Usage: with(func(u *chains.Usage) { u.Completion = 31 }),
		},
		"calls.ndjson": {
			Text: "I look.", Reasoning: "Look it up.", Finish: "tool_calls", Usage: counted, Echo: `{"thinking":"Look it up."}`,
			Calls: []prompt.ToolCall{
				{Name: "localSearch", Arguments: `{"query":"pear","limit":3}`},
				{ID: "call_x1", Name: "readNote", Arguments: "{}"},
			},
		},
		"string-arguments.ndjson": {
			Finish: "tool_calls", Usage: counted,
			Calls: []prompt.ToolCall{{Name: "readNote", Arguments: `{"path":"A.md"}`}},
		},
		"length.ndjson": {Text: "One, two, th", Finish: "length", Usage: counted},
		"cached.ndjson": {Text: "Again.", Finish: "stop", Usage: with(func(u *chains.Usage) { u.Prompt = -1 })},
		"whole.json":    {Text: "All at once.", Finish: "stop", Usage: counted},
		"error.ndjson": {
			Text: "Half a ",
			Err: &chains.ProviderError{
				Kind:    chains.ErrServer,
				Message: "ollama stopped the reply: an error was encountered while running the model: unexpected EOF. Text kept.",
			},
		},
		"empty.ndjson": {
			Usage: counted,
			Err:   &chains.ProviderError{Kind: chains.ErrBadReply, Message: "The model sent no text (finish: stop)."},
		},
	} {
		body, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, split := range []int{0, 1, 7, 777} {
			s := chaintest.NewServer(t,
				oak(func(o *chaintest.Options) { o.Answers = []chaintest.Answer{{Body: string(body), Split: split}} }))
			got := collect(t, client(t, s, ollama.Options{}), ask(100, "a"))
			got.Notices = nil
			if got.Err != nil {
				got.Err = &chains.ProviderError{Kind: got.Err.Kind, Message: got.Err.Message}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s cut at %d: %s", name, split, d)
			}
		}
	}
}

// TestTorn: a reply that ends before its end is an error, wherever that is, and what
// came of it stays.
func TestTorn(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("testdata", "calls.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	last := strings.LastIndex(strings.TrimSpace(string(body)), "\n") + 1
	var answers []chaintest.Answer
	var ends []int
	for end := last - 1; end > 0; end -= 41 {
		ends = append(ends, end)
		answers = append(answers, chaintest.Answer{Body: string(body[:end])},
			chaintest.Answer{Body: string(body), CutAfter: end})
	}
	s := chaintest.NewServer(t, oak(func(o *chaintest.Options) { o.Answers = answers }))
	c := client(t, s, ollama.Options{Options: wire.Options{Transport: nil}})
	for _, end := range ends {
		for _, how := range []string{"ended", "torn"} {
			ctx, cancel := context.WithCancel(t.Context())
			text, finish, failed := "", chains.Finish(""), error(nil)
			for d, err := range c.Stream(ctx, ask(100, "a")) {
				text, finish = text+d.Text, finish+d.Finish
				if failed = err; strings.Contains(d.Notice, ", again in ") { // nothing came: it would be tried again
					failed = errors.New(d.Notice)
					break
				}
			}
			cancel()
			if finish != "" || failed == nil || text != "" && text != "I look." {
				t.Errorf("%s at %d: %q, finish %q, error %v", how, end, text, finish, failed)
			}
		}
	}
}

// TestRequest compares the bytes of a request with all its fields.
func TestRequest(t *testing.T) {
	s := chaintest.NewServer(t, oak(func(o *chaintest.Options) { o.Models[0].Thinks, o.Models[0].Images = true, true }))
	c := client(t, s,
		ollama.Options{Options: wire.Options{Extra: map[string]any{
			"format": "json", "temperature": 0.2,
			"options": map[string]any{"top_k": 7},
		}}})
	r := chains.Request{
		Model: "oak:8b", MaxTokens: 50, Effort: "low",
		Tools: []chains.ToolSpec{{Name: "readNote", Description: "Reads.", Schema: `{"type":"object"}`}},
		Messages: []prompt.Message{
			{Role: prompt.System, Content: "Rules."},
			{
				Role: prompt.User, Content: "See <this>",
				Images: []prompt.Image{{Data: []byte("\x89PNG")}, {URL: "https://example.org/x.png"}},
			},
			{
				Role: prompt.Assistant, Echo: `{"thinking":"Hm."}`,
				ToolCalls: []prompt.ToolCall{
					{ID: "c1", Name: "readNote", Arguments: `{"path":"A.md"}`},
					{ID: "c2", Name: "readNote", Arguments: "no"},
				},
			},
			{Role: prompt.ToolRole, ToolCallID: "c1", Content: "Text."},
			{Role: prompt.Assistant, Echo: `{"thinking":[{"type":"thinking"}]}`, Content: "Well."},
		},
	}
	o := collect(t, c, r)
	if o.Err != nil ||
		!strings.Contains(strings.Join(o.Notices, "\n"), "Images on the web are not sent: ollama fetches none.") {
		t.Fatalf("%+v", o)
	}
	want := `{"format":"json","keep_alive":"30m0s","messages":[{"role":"system","content":"Rules."},` +
		`{"role":"user","content":"See \u003cthis\u003e","images":["iVBORw=="]},` +
		`{"role":"assistant","content":"","thinking":"Hm.","tool_calls":[{"function":{"name":"readNote","arguments":{"path":"A.md"}}},{"function":{"name":"readNote","arguments":{}}}]},` +
		`{"role":"tool","content":"Text.","tool_name":"readNote"},{"role":"assistant","content":"Well."}],` +
		`"model":"oak:8b","options":{"num_ctx":8192,"num_predict":50,"temperature":0.2,"top_k":7},"shift":false,"stream":true,"think":true,` +
		`"tools":[{"type":"function","function":{"name":"readNote","description":"Reads.","parameters":{"type":"object"}}}],"truncate":false}`
	sent := s.Completions()
	if d := cmp.Diff(want, string(sent[0].Body)); d != "" {
		t.Error(d)
	}
}

// windowsOf returns the windows of the requests.
func windowsOf(t testing.TB, s *chaintest.Server) (all []int) {
	t.Helper()
	for _, r := range s.Completions() {
		var body struct {
			Options struct {
				Window int `json:"num_ctx"`
			} `json:"options"`
		}
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		all = append(all, body.Options.Window)
	}
	return all
}

// TestWindow: the smallest step that holds the prompt and the reply, never down
// within a chat, at most what is allowed and what the model was trained for.
func TestWindow(t *testing.T) {
	type turn struct {
		tokens int
		chat   string
	}
	for name, tt := range map[string]struct {
		server chaintest.Options
		most   int
		turns  []turn
		want   []int
	}{
		"steps": {
			oak(), 131072,
			[]turn{{100, "a"}, {5700, "a"}, {5800, "a"}, {30000, "a"}, {50000, "a"}},
			[]int{8192, 8192, 16384, 65536, 131072},
		},
		"never down":    {oak(), 0, []turn{{12000, "a"}, {100, "a"}, {100, ""}}, []int{32768, 32768, 32768}},
		"another chat":  {oak(), 0, []turn{{100, "a"}, {12000, "b"}}, []int{8192, 32768}},
		"32k at most":   {oak(), 0, []turn{{31000, "a"}}, []int{32768}},
		"as configured": {oak(), 10000, []turn{{100, "a"}, {9000, "a"}}, []int{8192, 10000}},
		"as trained": {
			oak(func(o *chaintest.Options) { o.Models[0].Window = 4096 }), 0,
			[]turn{{3000, "a"}},
			[]int{4096},
		},
		"in memory": {
			oak(func(o *chaintest.Options) { o.Models[0].Loaded = 16384 }), 0,
			[]turn{{100, "a"}},
			[]int{16384},
		},
		"too large there": {
			oak(func(o *chaintest.Options) { o.Models[0].Loaded = 65536 }), 0,
			[]turn{{100, "a"}},
			[]int{8192},
		},
		"too small there": {
			oak(func(o *chaintest.Options) { o.Models[0].Loaded = 4096 }), 0,
			[]turn{{100, "a"}},
			[]int{8192},
		},
		"counted too low": {oak(), 0, []turn{{8190, "a"}}, []int{16384}},
		"memory: one step": {
			oak(func(o *chaintest.Options) { o.Memory = 16384 }), 0,
			[]turn{{12000, "a"}, {12000, "a"}},
			[]int{32768, 16384, 16384},
		},
	} {
		s := chaintest.NewServer(t, tt.server)
		c := client(t, s, ollama.Options{Window: tt.most})
		for _, turn := range tt.turns {
			if o := collect(t, c, ask(turn.tokens, turn.chat)); o.Err != nil {
				t.Errorf("%s: %v", name, o.Err)
			}
		}
		if d := cmp.Diff(tt.want, windowsOf(t, s)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestWindowOfTurn: all rounds of a turn have one window, which has room for what the
// tools bring; only what does not fit into it gets a larger one.
func TestWindowOfTurn(t *testing.T) {
	s := chaintest.NewServer(t, oak())
	c := client(t, s, ollama.Options{})
	r := ask(3000, "a")
	r.Tools = []chains.ToolSpec{{Name: "search"}}
	for round, tokens := range []int{0, 2500, 1300, 9500} {
		if round > 0 {
			id := fmt.Sprint(round)
			r.Messages = append(r.Messages,
				prompt.Message{Role: prompt.Assistant, ToolCalls: []prompt.ToolCall{{ID: id, Name: "search", Arguments: "{}"}}},
				prompt.Message{Role: prompt.ToolRole, ToolCallID: id, Content: strings.Repeat("oak ", tokens)})
		}
		if o := collect(t, c, r); o.Err != nil {
			t.Fatal(o.Err)
		}
	}
	if d := cmp.Diff([]int{16384, 16384, 16384, 32768}, windowsOf(t, s)); d != "" {
		t.Error(d)
	}
}

// TestWindowCap: who meets the limit of the window reads which setting raises it.
func TestWindowCap(t *testing.T) {
	for most, says := range map[int]string{
		0:     "The window ends at 32k tokens: tokens in [window] raises that.",
		10240: "The window ends at 10k tokens: tokens in [window] raises that.",
	} {
		o := collect(t, client(t, chaintest.NewServer(t, oak()), ollama.Options{Window: most}), ask(40000, "a"))
		if o.Err == nil || o.Err.Kind != chains.ErrContext || !strings.Contains(o.Err.Message, says) {
			t.Errorf("%d: %+v", most, o.Err)
		}
	}
	trained := oak(func(o *chaintest.Options) { o.Models[0].Window = 32768 })
	if o := collect(t, client(t, chaintest.NewServer(t, trained), ollama.Options{}),
		ask(40000, "a")); o.Err == nil || strings.Contains(o.Err.Message, "raises") {
		t.Errorf("no setting raises what the model was trained for: %+v", o.Err)
	}
}

// TestWindowSaid: that a model gets a smaller window than it needs is said.
func TestWindowSaid(t *testing.T) {
	s := chaintest.NewServer(t, oak(func(o *chaintest.Options) { o.Memory = 16384 }))
	c := client(t, s, ollama.Options{})
	var said []string
	for _, tokens := range []int{100, 200, 12000, 12100} {
		said = append(said, strings.Join(collect(t, c, ask(tokens, "a")).Notices, " "))
	}
	want := []string{
		"", "",
		"ollama ran out of memory with a window of 32k tokens for oak:8b: going on with 16k.", "",
	}
	if d := cmp.Diff(want, said); d != "" {
		t.Error(d)
	}
	if info, _ := c.Known("oak:8b"); info.Window != 16384 {
		t.Errorf("%+v: the window is not the one in force", info)
	}
}

// TestTooLong: what memory has no room for is shortened by the session, and a second
// step down is not made.
func TestTooLong(t *testing.T) {
	s := chaintest.NewServer(t, oak(func(o *chaintest.Options) { o.Memory = 16384 }))
	o := collect(t, client(t, s, ollama.Options{}), ask(20000, "a"))
	if o.Err == nil || o.Err.Kind != chains.ErrContext || o.Err.Window != 16384 || o.Err.Retryable {
		t.Errorf("%+v", o.Err)
	}
	s = chaintest.NewServer(t, oak(func(o *chaintest.Options) { o.Memory = 8192 }))
	o = collect(t, client(t, s, ollama.Options{}), ask(12000, "a"))
	want := "Out of memory at ollama: there is no room for oak:8b with a window of 16k tokens. Choose a smaller model, or end what else is in memory. It said: model requires more system memory (9.8 GiB) than is available (7.1 GiB)."
	if o.Err == nil || o.Err.Message != want || o.Err.Code != ollama.OutOfMemory || len(s.Completions()) != 2 {
		t.Errorf("%+v after %v", o.Err, windowsOf(t, s))
	}
	// More than the largest window: the server says so, and cuts nothing.
	s = chaintest.NewServer(t, oak())
	if o = collect(t, client(t, s, ollama.Options{}), ask(40000, "a")); o.Err == nil || o.Err.Kind != chains.ErrContext {
		t.Errorf("%+v", o.Err)
	}
}

// TestInForce: a server that gives less than was asked for is believed.
func TestInForce(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("testdata", "text.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/chat", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
	mux.HandleFunc("/api/ps", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"models":[{"name":"oak:8b","context_length":4096}]}`)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	c := client(t, nil, ollama.Options{Options: wire.Options{BaseURL: s.URL}})
	defer c.CloseIdle()
	o := collect(t, c, ask(100, "a"))
	want := "ollama gave oak:8b a window of 4k tokens, not of 8k: longer prompts are shortened from here on."
	if len(o.Notices) != 1 || o.Notices[0] != want || o.Err != nil {
		t.Errorf("%+v", o)
	}
	if o = collect(t, c, ask(5000, "a")); o.Err == nil || o.Err.Kind != chains.ErrContext || o.Err.Window != 4096 {
		t.Errorf("%+v", o)
	}
}

// TestThink: who can be told to think is told, once refused never again.
func TestThink(t *testing.T) {
	for want, o := range map[string]struct {
		thinks bool
		think  string
	}{"": {false, "high"}, `"think":true`: {true, ""}, `"think":false`: {true, "off"}} {
		s := chaintest.NewServer(t, oak(func(c *chaintest.Options) { c.Models[0].Thinks = o.thinks }))
		r := ask(100, "a")
		r.Effort = o.think
		collect(t, client(t, s, ollama.Options{}), r)
		if body := string(s.Completions()[0].Body); !strings.Contains(body, want) || want == "" &&
			strings.Contains(body, "think") {
			t.Errorf("%+v: %s", o, body)
		}
	}
	no := chaintest.Answer{Status: 400, Body: `{"error":"\"oak:8b\" does not support thinking"}`}
	s := chaintest.NewServer(t,
		oak(func(o *chaintest.Options) { o.Models[0].Thinks, o.Answers = true, []chaintest.Answer{no, {}, {}} }))
	c := client(t, s, ollama.Options{})
	for range 2 {
		if o := collect(t, c, ask(100, "a")); o.Err != nil {
			t.Errorf("%+v", o)
		}
	}
	if sent := s.Completions(); len(sent) != 3 || strings.Contains(string(sent[1].Body)+string(sent[2].Body), "think") {
		t.Errorf("%d requests", len(sent))
	}
}

// TestFailures: what only this server says, by name and not tried again.
func TestFailures(t *testing.T) {
	for said, want := range map[string]struct {
		status int
		code   string
		words  string
	}{
		"llama runner process has terminated: cudaMalloc failed: out of memory": {
			500,
			ollama.OutOfMemory, "Out of memory at ollama",
		},
		"llama runner process has terminated: error loading model: unable to allocate CUDA0 buffer": {
			500,
			ollama.OutOfMemory, "Out of memory at ollama",
		},
		"model requires more system memory (8.4 GiB) than is available (2.3 GiB)": {
			500,
			ollama.OutOfMemory, "Out of memory at ollama",
		},
		"llama runner process has terminated: exit status 2": {
			500,
			ollama.RunnerDied, "The runner of oak:8b failed at ollama",
		},
		"llama runner process no longer running: -1": {
			500,
			ollama.RunnerDied, "The runner of oak:8b failed",
		},
		"timed out waiting for llama runner to start - progress 0.00 - ": {
			500,
			ollama.RunnerDied, "The runner of oak:8b failed",
		},
		"model runner has unexpectedly stopped, this may be due to resource limitations; check logs": {
			500,
			ollama.RunnerDied, "The runner of oak:8b failed",
		},
		"unable to load model: /models/blobs/sha256-00":        {500, ollama.RunnerDied, "The runner of oak:8b failed"},
		"CUDA error: an illegal memory access was encountered": {500, ollama.RunnerDied, "The runner of oak:8b failed"},
		"oak:8b does not support tools":                        {400, chains.NoTools, "takes no tools"},
		"model \\\"oak:8b\\\" not found, try pulling it first": {
			404, wire.NoSuchModel,
			"oak:8b is not pulled at ollama. `/model pull oak:8b` or `ibid models pull oak:8b` pulls it.",
		},
		"unauthorized": {401, "", "`ollama signin`"},
	} {
		s := chaintest.NewServer(t, oak(func(o *chaintest.Options) {
			o.Models = append(o.Models, chaintest.Model{ID: "elm"})
			o.Answers = []chaintest.Answer{{Status: want.status, Body: `{"error":"` + said + `"}`}}
		}))
		o := collect(t, client(t, s, ollama.Options{}), ask(100, "a"))
		if e := o.Err; e == nil || e.Code != want.code || e.Retryable || !strings.Contains(e.Message, want.words) ||
			len(s.Completions()) != 1 {
			t.Errorf("%s: %d requests, %+v", said, len(s.Completions()), e)
		} else if code, text := want.code, strings.ReplaceAll(said, `\"`, `"`); code != "" &&
			!strings.Contains(e.Message, strings.TrimRight(text, "- ")) {
			t.Errorf("%s: its words are missing: %s", said, e.Message)
		}
	}
}

func TestModels(t *testing.T) {
	s := chaintest.NewServer(t, chaintest.Options{Ollama: true, Models: []chaintest.Model{
		{ID: "nomic-embed-text:latest", Window: 2048, NoTools: true},
		{ID: "oak:8b", Window: 131072, Thinks: true},
		{ID: "elm", Window: 8192, Loaded: 4096, Images: true, NoTools: true},
	}})
	for _, end := range []string{"", "/v1", "/v1/", "/api", "/api/chat", "/v1/chat/completions"} {
		c := client(t, nil, ollama.Options{Options: wire.Options{BaseURL: s.Host() + end}, Model: "elm"})
		got, err := c.Models(t.Context())
		want := []chains.ModelInfo{
			{ID: "nomic-embed-text:latest", Window: 2048, Chat: true, NoTools: true},
			{ID: "oak:8b", Window: 32768, Chat: true, Tools: true, Thinks: true},
			{ID: "elm", Window: 8192, Chat: true, Images: true, NoTools: true, Loaded: true},
		}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %s %v", end, d, err)
		}
		for name, want := range map[string]string{
			"": "elm", "oak:8b": "oak:8b",
			"nomic-embed-text": "nomic-embed-text:latest", "ash": "",
		} {
			if info, ok := c.Known(name); ok != (want != "") || info.ID != want {
				t.Errorf("Known(%q) = %+v %v", name, info, ok)
			}
		}
	}
	none := chaintest.NewServer(t, chaintest.Options{Ollama: true, Models: []chaintest.Model{}})
	_, err := client(t, none, ollama.Options{}).Models(t.Context())
	if err == nil || err.Error() != "No model is pulled at ollama: `ibid models pull NAME` pulls one, such as qwen3:8b; ollama.com/library lists what there is." {
		t.Error(err)
	}
	if _, err := client(t, chaintest.NewServer(t, chaintest.Options{}), ollama.Options{}).Models(t.Context()); err == nil {
		t.Error("a server that is none has models")
	}
}

// TestLoadedOnly: a reply that says no more than that the model was loaded, or left
// memory, is asked for again.
func TestLoadedOnly(t *testing.T) {
	for _, reason := range []string{"load", "unload"} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel() // a second passes before the next request
			only := chaintest.Answer{Body: `{"model":"oak:8b","message":{"role":"assistant","content":""},"done":true,"done_reason":"` + reason + `"}` + "\n"}
			s := chaintest.NewServer(t, oak(func(o *chaintest.Options) { o.Answers = []chaintest.Answer{only, {}} }))
			o := collect(t, client(t, s, ollama.Options{}), ask(100, "a"))
			if o.Err != nil || o.Text == "" || len(s.Completions()) != 2 {
				t.Errorf("%d requests, %+v", len(s.Completions()), o)
			}
		})
	}
}

// TestAddresses: every form of the address leads to the native protocol, and a name
// without a tag means the latest.
func TestAddresses(t *testing.T) {
	for _, end := range []string{"", "/", "/v1", "/v1/", "/api", "/api/chat", "/v1/chat/completions"} {
		s := chaintest.NewServer(t,
			chaintest.Options{Ollama: true, Models: []chaintest.Model{{ID: "oak:latest", Window: 131072, Loaded: 16384}}})
		c := client(t, nil, ollama.Options{Options: wire.Options{BaseURL: s.Host() + end}})
		r := ask(100, "a")
		r.Model = "oak"
		o := collect(t, c, r)
		if o.Err != nil || o.Text == "" || len(o.Notices) != 0 || s.Completions()[0].Path != "/api/chat" ||
			!cmp.Equal(windowsOf(t, s), []int{16384}) {
			t.Errorf("%q: %+v to %s", end, o, s.Completions()[0].Path)
		}
	}
}

// TestAt: Ollama is recognized, and other servers are not.
func TestAt(t *testing.T) {
	if is, err := ollama.AnswersAt(t.Context(), wire.Options{BaseURL: "http://127.0.0.1:1/v1"}); is || err == nil {
		t.Errorf("nobody: %v, error %v", is, err)
	}
	for _, is := range []bool{true, false} {
		s := chaintest.NewServer(t, chaintest.Options{Ollama: is, Key: map[bool]string{false: "k"}[is]})
		if got, err := ollama.AnswersAt(t.Context(), wire.Options{BaseURL: s.URL(), Key: "secret"}); got != is || err != nil {
			t.Errorf("At = %v, want %v; error %v", got, is, err)
		}
		if got := s.Requests(); len(got) != 1 || got[0].Path != "/api/version" || got[0].Header.Get("Authorization") != "" {
			t.Errorf("%+v", got)
		}
	}
}

// pull fetches a model: the lines, and how it ended.
func pull(ctx context.Context, c *ollama.Client, name string) (lines []string, err error) {
	for p, e := range c.Pull(ctx, name) {
		if err = e; e == nil {
			lines = append(lines, p.String())
		}
	}
	return lines, err
}

func TestPull(t *testing.T) {
	for _, split := range []int{0, 1, 100} {
		s := chaintest.NewServer(t, oak(func(o *chaintest.Options) {
			o.Library = []chaintest.Model{{ID: "ash:4b", Window: 8192}}
			o.Pulls = []chaintest.Answer{{Split: split}}
		}))
		c := client(t, s, ollama.Options{})
		lines, err := pull(t.Context(), c, "ash:4b")
		want := []string{
			"pulling manifest", "0 % of 4.3 GB", "25 % of 4.3 GB", "50 % of 4.3 GB", "75 % of 4.3 GB",
			"100 % of 4.3 GB", "100 % of 4.3 GB", "100 % of 4.3 GB",
		}
		if d := cmp.Diff(want, lines); d != "" || err != nil {
			t.Errorf("%s %v", d, err)
		}
		r := ask(100, "a")
		r.Model = "ash:4b"
		if o := collect(t, c, r); o.Err != nil {
			t.Error(o.Err)
		}
		_, err = pull(t.Context(), c, "elder")
		if err == nil || err.Error() != "Ollama's library has no elder: ollama.com/library lists what there is. ollama said: pull model manifest: file does not exist." {
			t.Error(err)
		}
		for range c.Pull(t.Context(), "ash:4b") {
			break // no error, no goroutine left
		}
	}
	s := chaintest.NewServer(t, oak(func(o *chaintest.Options) {
		o.Library = []chaintest.Model{{ID: "ash:4b"}}
		o.Pulls = []chaintest.Answer{
			{CutAfter: 200},
			{Status: 500, Body: `{"error":"no space left on device"}`},
			{Body: "<html>Sign in</html>"},
		}
	}))
	c := client(t, s, ollama.Options{})
	for _, want := range []string{
		"The pull broke off. What came is kept: pull again to go on.",
		"no space left on device", "Sign in",
	} {
		if _, err := pull(t.Context(), c, "ash:4b"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pull(ctx, c, "ash:4b"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []ollama.Options{
		{},
		{Options: wire.Options{BaseURL: "localhost:11434"}},
	} {
		if _, err := ollama.New(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if o := collect(t, client(t, nil, ollama.Options{Options: wire.Options{BaseURL: "http://127.0.0.1:1"}}),
		chains.Request{}); o.Err == nil || !strings.Contains(o.Err.Message, "No model chosen") {
		t.Error(o.Err)
	}
	if o := collect(t, client(t, nil, ollama.Options{Options: wire.Options{BaseURL: "http://127.0.0.1:1"}}),
		ask(100, "")); o.Err == nil || o.Err.Message != "Nothing answers at 127.0.0.1:1. Is Ollama running?" {
		t.Error(o.Err)
	}
}

func Example() {
	s := chaintest.Start(chaintest.Options{Ollama: true, Models: []chaintest.Model{{ID: "oak:8b", Window: 40960}}})
	defer s.Close()
	c, err := ollama.New(ollama.Options{
		Options: wire.Options{BaseURL: s.URL(), Name: "ollama"},
		Count:   utf8.RuneCountInString,
		Budget:  func(_ string, window int) int { return window },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.CloseIdle()
	question := []prompt.Message{{Role: prompt.User, Content: "Which tree is that?"}}
	for d, err := range c.Model("oak:8b").Stream(context.Background(), chains.Request{Messages: question}) {
		if err != nil || d.Notice != "" {
			fmt.Println(d.Notice, err)
		}
		fmt.Print(d.Text)
	}
	// Output:
	// Reply 1 to: Which tree is that?
}
