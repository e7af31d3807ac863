package anthropic_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ibid/chains"
	"ibid/chains/anthropic"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// service answers each request with the next of these bodies, in pieces of split bytes, and
// records the requests.
type service struct {
	url    string
	status int
	bodies []string
	split  int
	got    []string
	header http.Header
	path   string
}

func serve(t testing.TB, bodies ...string) *service {
	t.Helper()
	s := &service{bodies: bodies}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		doc, _ := io.ReadAll(r.Body)
		s.got, s.header, s.path = append(s.got, string(doc)), r.Header.Clone(), r.URL.Path
		body := ""
		if len(s.bodies) > 0 {
			body, s.bodies = s.bodies[0], s.bodies[1:]
		}
		if strings.HasPrefix(body, "{") {
			w.Header().Set("Content-Type", "application/json")
		} else {
			w.Header().Set("Content-Type", "text/event-stream")
		}
		if s.status != 0 {
			w.WriteHeader(s.status)
			s.status = 0
		}
		for piece := range slices.Chunk([]byte(body), max(1, s.split)) {
			if s.split == 0 {
				piece = []byte(body)
			}
			_, _ = w.Write(piece)
			_ = http.NewResponseController(w).Flush()
			if s.split == 0 {
				return
			}
		}
	}))
	t.Cleanup(h.Close)
	s.url = h.URL
	return s
}

func client(t testing.TB, o anthropic.Options) *anthropic.Client {
	t.Helper()
	o.Jitter = func() float64 { return 0 }
	c, err := anthropic.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdle)
	return c
}

// outcome is the reply to a request: everything that the stream yielded.
type outcome struct {
	Text, Reasoning, Echo string
	Calls                 []prompt.ToolCall
	Usage                 chains.Usage
	Finish                chains.Finish
	Notices               []string
	Err                   *chains.ProviderError
}

func ask(t testing.TB, c *anthropic.Client, r chains.Request) (o outcome) {
	t.Helper()
	for d, err := range c.Model("claude-test").Stream(t.Context(), r) {
		if err != nil {
			o.Err, _ = err.(*chains.ProviderError)
			if o.Err == nil {
				t.Fatalf("%T: %v", err, err)
			}
			continue
		}
		o.Text, o.Reasoning = o.Text+d.Text, o.Reasoning+d.Reasoning
		o.Calls = append(o.Calls, d.ToolCalls...)
		if d.Usage != nil {
			o.Usage = *d.Usage
		}
		if d.Notice != "" {
			o.Notices = append(o.Notices, d.Notice)
		}
		o.Echo, o.Finish = o.Echo+d.Echo, max(o.Finish, d.Finish)
	}
	return o
}

func question(text string) chains.Request {
	return chains.Request{Messages: []prompt.Message{{Role: prompt.User, Content: text}}}
}

// events returns a stream of these objects.
func events(objects ...string) string {
	var b strings.Builder
	for _, o := range objects {
		var e struct{ Type string }
		_ = json.Unmarshal([]byte(o), &e)
		b.WriteString("event: " + e.Type + "\ndata: " + o + "\n\n")
	}
	return b.String()
}

const (
	start   = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"claude-test","stop_reason":null,"usage":{"input_tokens":7,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":1}}}`
	stop    = `{"type":"message_stop"}`
	ping    = `{"type":"ping"}`
	textOn  = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	textOff = `{"type":"content_block_stop","index":0}`
)

func piece(text string) string {
	doc, _ := json.Marshal(text)
	return `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + string(doc) + `}}`
}

func ended(reason string) string {
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason +
		`","stop_sequence":null},"usage":{"output_tokens":15}}`
}

func TestReplies(t *testing.T) {
	usage := chains.Usage{Prompt: 127, Cached: 100, CacheWrite: 20, Completion: 15, Reasoning: -1, Cost: -1}
	thinks := []string{
		start, ping,
		`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Sheds "}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"first."}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"c2VjcmV0"}}`,
		`{"type":"content_block_stop","index":1}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"I look."}}`,
		`{"type":"content_block_stop","index":2}`,
		`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_1","name":"localSearch","input":{}}}`,
		`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":""}}`,
		`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"query\": \"sp"}}`,
		`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"ade\"}"}}`,
		`{"type":"content_block_stop","index":3}`,
		`{"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"toolu_2","name":"getCurrentTime","input":{}}}`,
		`{"type":"content_block_stop","index":4}`,
		ended("tool_use"), stop,
	}
	for name, tt := range map[string]struct {
		body string
		want outcome
	}{
		"text": {
			events(start, textOn, ping, piece("The spade "), piece("hängt 🪏."), textOff, ended("end_turn"), stop),
			outcome{Text: "The spade hängt 🪏.", Usage: usage, Finish: chains.FinishStop},
		},
		"thinking and calls": {
			events(thinks...),
			outcome{
				Text: "I look.", Reasoning: "Sheds first.", Usage: usage, Finish: chains.FinishTools,
				Echo: `{"thinking":[{"signature":"c2ln","thinking":"Sheds first.","type":"thinking"},{"data":"c2VjcmV0","type":"redacted_thinking"}]}`,
				Calls: []prompt.ToolCall{
					{ID: "toolu_1", Name: "localSearch", Arguments: `{"query": "spade"}`},
					{ID: "toolu_2", Name: "getCurrentTime", Arguments: "{}"},
				},
			},
		},
		"cut at the limit in the middle of a call": {
			events(start, textOn, piece("So"), textOff,
				`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"localSearch","input":{}}}`,
				`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"query\": \"sp"}}`,
				ended("max_tokens"), stop),
			outcome{Text: "So", Usage: usage, Finish: chains.FinishLength},
		},
		"refused after some words": {
			events(start, textOn, piece("I "), textOff, ended("refusal"), stop),
			outcome{Text: "I ", Usage: usage, Finish: chains.FinishFilter},
		},
		"window full": {
			events(start, textOn, piece("Long"), textOff, ended("model_context_window_exceeded"), stop),
			outcome{Text: "Long", Usage: usage, Finish: chains.FinishLength},
		},
		"not streamed": {
			`{"type":"message","role":"assistant","content":[{"type":"text","text":"In the shed."}],"stop_reason":"end_turn","usage":{"input_tokens":5,"output_tokens":3}}`,
			outcome{
				Text: "In the shed.", Usage: chains.Usage{Prompt: 5, Completion: 3, Reasoning: -1, Cost: -1},
				Finish: chains.FinishStop,
			},
		},
		"usage in pieces": {
			events(`{"type":"message_start","message":{"usage":{"input_tokens":1,"output_tokens":1}}}`, textOn,
				piece("So."), textOff,
				`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}`,
				`{"type":"message_delta","delta":{"stop_reason":null},"usage":{"input_tokens":7,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":15}}`),
			outcome{Text: "So.", Usage: usage, Finish: chains.FinishStop},
		},
		"a field of another type": {
			events(`{"type":"message_start","message":{"usage":{"input_tokens":7.0,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":1}}}`,
				textOn,
				`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"So.","thinking":[]}}`,
				ended("end_turn"), stop),
			outcome{Text: "So.", Usage: usage, Finish: chains.FinishStop},
		},
		"a block and a delta of a kind that came later": {
			events(start, `{"type":"content_block_start","index":0,"content_block":{"type":"fallback","x":[1]}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"fallback_delta","y":1}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"message_note","z":{}}`, strings.ReplaceAll(textOn, ":0", ":1"),
				strings.ReplaceAll(piece("Here."), ":0", ":1"), ended("end_turn"), stop),
			outcome{Text: "Here.", Usage: usage, Finish: chains.FinishStop},
		},
	} {
		for _, split := range []int{0, 1, 7, 777} {
			s := serve(t, tt.body)
			s.split = split
			got := ask(t, client(t, anthropic.Options{Options: wire.Options{BaseURL: s.url}}), question("?"))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s, in pieces of %d (-want +got)\n%s", name, split, diff)
			}
		}
	}
}

func TestFailures(t *testing.T) {
	fails := func(kind, message string) string {
		return `{"type":"error","error":{"type":"` + kind + `","message":"` + message + `"},"request_id":"req_1"}`
	}
	for name, tt := range map[string]struct {
		status int
		body   string
		kind   chains.ErrorKind
		text   string // that came before
		words  string
	}{
		"no such key": {
			401, fails("authentication_error", "invalid x-api-key"), chains.ErrAuth, "",
			"refused the key (401)",
		},
		"not allowed": {
			403, fails("permission_error", "Your API key does not have permission"),
			chains.ErrAuth, "", "(403)",
		},
		"no credit": {
			400,
			fails("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
			chains.ErrQuota, "", "Out of credit",
		},
		"billing": {
			402, fails("billing_error", "There is an issue with your billing"),
			chains.ErrQuota, "", "Out of credit",
		},
		"no such model": {
			404, fails("not_found_error", "model: claude-test"), chains.ErrConfig, "",
			`Model \"claude-test\" not found`,
		},
		"too long": {
			400,
			fails("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"), chains.ErrContext,
			"", "208,310 of 200,000 tokens",
		},
		"too long for both": {400, fails("invalid_request_error", "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again"), chains.ErrContext, "", "Too long"},
		"too many bytes": {
			413, fails("request_too_large", "Request exceeds the maximum size"),
			chains.ErrContext, "", "Too long",
		},
		"wrong field": {
			400,
			fails("invalid_request_error", "top_k: Input should be a valid integer"), chains.ErrConfig, "", "top_k",
		},
		"overloaded inside": {
			200,
			events(start, textOn, piece("Half")) + "event: error\ndata: " +
				fails("overloaded_error", "Overloaded") + "\n\n", chains.ErrServer, "Half", "stopped the reply: Overloaded",
		},
		"cut off": {
			200, events(start, textOn, piece("Half a word")), chains.ErrCutOff,
			"Half a word", "Reply cut off after 3 words",
		},
		"nothing said": {200, events(start, ended("end_turn"), stop), chains.ErrBadReply, "", "sent no text"},
		"refused": {
			200, events(start, ended("refusal"), stop), chains.ErrBadReply, "",
			"withheld the reply",
		},
		"only a page": {200, "<html><title>Sign in</title></html>", chains.ErrBadReply, "", "no chat reply"},
		"chat completions": {
			200,
			"data: {\"object\":\"chat.completion.chunk\",\"choices\":[]}\n\ndata: [DONE]\n\n", chains.ErrBadReply,
			"", "no chat reply",
		},
		"an error with nothing else": {200, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"invalid x-api-key\"}}\n\n", chains.ErrAuth, "", "refused the key"},
		"no tokens left inside": {
			200,
			events(start, textOn, piece("Half")) + "event: error\ndata: " +
				fails("rate_limit_error", "Number of tokens has exceeded your rate limit") +
				"\n\n", chains.ErrRate, "Half", "stopped the reply: Number of",
		},
		"an image too large": {
			400,
			fails("invalid_request_error",
				"messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes"), chains.ErrConfig, "", "image exceeds 5 MB",
		},
		"an error as stream": {
			200, events(fails("invalid_request_error", "messages: roles must alternate")),
			chains.ErrConfig, "", "roles must alternate",
		},
	} {
		s := serve(t, tt.body)
		s.status = tt.status
		got := ask(t,
			client(t,
				anthropic.Options{Options: wire.Options{
					BaseURL: s.url, Key: "sk-ant-1234567890",
					Name: "anthropic",
				}}), question("?"))
		if got.Err == nil || got.Err.Kind != tt.kind ||
			!strings.Contains(got.Err.Message, strings.ReplaceAll(tt.words, `\`, "")) || got.Text != tt.text {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestOverloaded: an overloaded server gets the request again.
func TestOverloaded(t *testing.T) {
	s := serve(t, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
		events(start, textOn, piece("Yes."), ended("end_turn"), stop))
	s.status = 529
	got := ask(t, client(t, anthropic.Options{Options: wire.Options{BaseURL: s.url}}), question("?"))
	if got.Err != nil || got.Text != "Yes." || len(got.Notices) != 1 || !strings.Contains(got.Notices[0], "529") {
		t.Errorf("%+v", got)
	}
}

// TestPause: a reply that the server pauses is continued, and its usage is counted once.
func TestPause(t *testing.T) {
	s := serve(t, events(start, textOn, piece("First, "), textOff, ended("pause_turn"), stop),
		events(start, textOn, piece("then."), textOff, ended("end_turn"), stop))
	got := ask(t, client(t, anthropic.Options{Options: wire.Options{BaseURL: s.url}}), question("?"))
	if got.Err != nil || got.Text != "First, then." || got.Finish != chains.FinishStop ||
		got.Usage.Completion != 30 || got.Usage.Prompt != 254 {
		t.Errorf("%+v", got)
	}
	if want := `{"role":"assistant","content":[{"text":"First, ","type":"text"}]}]`; len(s.got) != 2 ||
		!strings.Contains(s.got[1], want) {
		t.Errorf("%q", s.got)
	}
	always := make([]string, 12)
	for i := range always {
		always[i] = events(start, textOn, piece("On. "), textOff, ended("pause_turn"), stop)
	}
	s = serve(t, always...)
	got = ask(t, client(t, anthropic.Options{Options: wire.Options{BaseURL: s.url}}), question("?"))
	if got.Err != nil || got.Finish != chains.FinishLength || len(s.got) != 5 {
		t.Errorf("%d requests, %+v", len(s.got), got)
	}
}

func TestAddresses(t *testing.T) {
	for _, end := range []string{"", "/", "/v1", "/v1/", "/v1/messages"} {
		s := serve(t, events(start, textOn, piece("Yes."), ended("end_turn"), stop))
		c := client(t, anthropic.Options{Options: wire.Options{BaseURL: s.url + end, Key: "sk-ant-12345678"}})
		if got := ask(t, c, question("?")); got.Text != "Yes." || s.path != "/v1/messages" {
			t.Errorf("%q: %s, %+v", end, s.path, got)
		}
		if s.header.Get("X-Api-Key") != "sk-ant-12345678" || s.header.Get("Anthropic-Version") != "2023-06-01" ||
			s.header.Get("Authorization") != "" {
			t.Errorf("headers %v", s.header)
		}
	}
}

func TestModels(t *testing.T) {
	s := serve(t, `{"data":[{"type":"model","id":"claude-b","display_name":"B","max_input_tokens":200000,"max_tokens":64000},{"type":"model","id":"claude-a"}],"has_more":false}`)
	c := client(t, anthropic.Options{Model: "claude-a", Options: wire.Options{BaseURL: s.url}})
	list, err := c.Models(t.Context())
	want := []chains.ModelInfo{
		{ID: "claude-b", Window: 200000, MaxOutput: 64000, Chat: true},
		{ID: "claude-a", Chat: true},
	}
	if diff := cmp.Diff(want, list); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if m, ok := c.Known("claude-b"); !ok || m.Window != 200000 {
		t.Errorf("%+v %v", m, ok)
	}
	if m, ok := c.Known(""); !ok || m.ID != "claude-a" {
		t.Errorf("%+v %v", m, ok)
	}
	if _, err := c.Models(t.Context()); err == nil {
		t.Error("an empty page is a list of models")
	}
}

// TestMarksRefused: a server that refuses marks gets the request again without them, and no
// marks later.
func TestMarksRefused(t *testing.T) {
	yes := events(start, textOn, piece("Yes."), ended("end_turn"), stop)
	s := serve(t, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.0.content.0.cache_control: Extra inputs are not permitted"}}`, yes, yes)
	s.status = 400
	c := client(t, anthropic.Options{Options: wire.Options{BaseURL: s.url}, Marks: true})
	r := question("What is where?")
	r.Messages[0].Parts = []prompt.Part{{End: 4, Mark: true}}
	for range 2 {
		if got := ask(t, c, r); got.Err != nil || got.Text != "Yes." {
			t.Errorf("%+v", got)
		}
	}
	if len(s.got) != 3 || !strings.Contains(s.got[0], "cache_control") ||
		strings.Contains(s.got[1]+s.got[2], "cache_control") {
		t.Errorf("%q", s.got)
	}
}

func TestCancel(t *testing.T) {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, events(start, textOn, piece("One ")))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer h.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := client(t, anthropic.Options{Options: wire.Options{BaseURL: h.URL}})
	var last error
	for d, err := range c.Model("m").Stream(ctx, question("?")) {
		if last = err; d.Text != "" {
			time.AfterFunc(5*time.Millisecond, cancel)
		}
	}
	if last != context.Canceled {
		t.Errorf("%v", last)
	}
}
