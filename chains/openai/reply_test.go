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
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hi is a complete stream of "Hi there".
var hi = events(
	piece(map[string]any{"role": "assistant", "content": "Hi"}),
	piece(map[string]any{"content": " there"}),
	ends("stop"),
)

// TestShapes: replies that are too long or too damaged for testdata/replies.txt.
func TestShapes(t *testing.T) {
	word := func(content string) string { return events(piece(map[string]any{"content": content})) }
	long := strings.Repeat("x", 1<<20)
	for name, row := range map[string]struct {
		answer answer
		text   string
		kind   chains.ErrorKind // of the error, "" for none
		says   string           // in the error
	}{
		"500 comments": {answer{body: strings.Repeat(": wait\n\n", 500) + hi + done}, "Hi there", "", ""},
		"long line":    {answer{body: word(long) + events(ends("stop")) + done}, long, "", ""},
		"too long line": {
			answer{body: word("Hi") + "data: " + strings.Repeat(long, 9)},
			"Hi",
			chains.ErrCutOff, "larger than 8 MB",
		},
		"torn down":                  {answer{body: hi, cut: len(hi) / 2}, "Hi", chains.ErrCutOff, "cut off after 1 word ("},
		"torn down after the finish": {answer{body: hi + "data: {", cut: len(hi) + 4}, "Hi there", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := ask(t, newServer(t, row.answer).client())
			if e := wire.ErrorOf(o.Err); o.Text != row.text || e.Kind != row.kind ||
				!strings.Contains(e.Message, row.says) || (o.Finish == "") != (row.kind != "") {
				t.Errorf("text %.60q, finish %q, error %q %q", o.Text, o.Finish, e.Kind, e.Message)
			}
		})
	}
}

// TestKeepAliveIsANotice: comments in a stream give one notice that the request is queued.
func TestKeepAliveIsANotice(t *testing.T) {
	srv := newServer(t, answer{body: strings.Repeat(": PROCESSING\x1b[2J\n\n", 9) + hi + done})
	o := ask(t, clientOf(t, wire.Options{BaseURL: srv.url, Name: "router"}))
	if want := []string{"router is queueing the request (PROCESSING[2J)."}; !cmp.Equal(want, o.Notices) {
		t.Errorf("notices = %q, want %q", o.Notices, want)
	}
}

// TestCancel ends a reply in the middle; TestMain checks that no goroutine remains.
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

// TestConnectionServesTheNextTurn: the connection of a complete reply is used again.
func TestConnectionServesTheNextTurn(t *testing.T) {
	srv := newServer(t, textAnswer("one"), textAnswer("two"))
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

// TestBodyIsValidJSON: the body is valid JSON for any text, with the fields that go-openai
// lacks.
func TestBodyIsValidJSON(t *testing.T) {
	srv := newServer(t, textAnswer("ok"))
	r := question("bad \xff utf-8, <tags> & \u2028")
	r.MaxTokens = 7
	if o := collect(t.Context(),
		clientOf(t, wire.Options{BaseURL: srv.url, Extra: map[string]any{"temperature": 0}}), r); o.Err != nil {
		t.Fatal(o.Err)
	}
	var body map[string]any
	check(t, json.Unmarshal([]byte(srv.got()[0].body), &body))
	if body["max_tokens"] != 7.0 || body["temperature"] != 0.0 || body["model"] != "test-model" || body["stream"] != true {
		t.Errorf("body = %v", body)
	}
}
