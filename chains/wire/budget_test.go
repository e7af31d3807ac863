package wire_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// endless is a connection to a server that sends the same frame again and again.
type endless struct {
	frame string
	every time.Duration
	left  string
}

func (e *endless) RoundTrip(r *http.Request) (*http.Response, error) {
	context := r.Context()
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{},
		Body: io.NopCloser(readFunc(func(p []byte) (int, error) {
			time.Sleep(e.every)
			n := 0
			for ok := true; ok && n < len(p); ok = e.every == 0 {
				if e.left == "" {
					e.left = e.frame
				}
				some := copy(p[n:], e.left)
				e.left, n = e.left[some:], n+some
			}
			return n, context.Err()
		})),
	}, nil
}

type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// calling is a protocol whose frames are deltas with calls.
type calling struct{ calls []prompt.ToolCall }

func (c *calling) Chunk(in *wire.IncomingReply, raw []byte) (d chains.Delta) {
	wire.Decode(raw, &d)
	for _, call := range d.ToolCalls {
		if in.Call() {
			call.TooLong = in.Argument(len(call.Arguments))
			c.calls = append(c.calls, call)
		}
	}
	d.ToolCalls = nil
	return d
}

func (c *calling) End(in *wire.IncomingReply, last wire.Frame) (chains.Delta, error) {
	if last.Kind == wire.EndFull {
		return chains.Delta{ToolCalls: c.calls, Finish: chains.FinishLength}, nil
	}
	return chains.Delta{}, in.Unfinished(last)
}

// read returns the deltas of an endless reply as one.
func (e *endless) read(t *testing.T) (whole chains.Delta, err error) {
	t.Helper()
	c, err := wire.New(wire.Options{BaseURL: "http://127.0.0.1/v1", Transport: e})
	check(t, err)
	var said, thought strings.Builder
	out := outgoing()
	out.Yield = func(d chains.Delta) bool {
		said.WriteString(d.Text)
		thought.WriteString(d.Reasoning)
		whole = d
		return true
	}
	err = c.Exchange(t.Context(), "http://127.0.0.1/v1/words", nil, nil, "", out, &calling{})
	whole.Text, whole.Reasoning = said.String(), thought.String()
	return whole, err
}

// TestBudget: any endless reply is ended, and its size has a limit.
func TestBudget(t *testing.T) {
	event := func(d chains.Delta) string {
		doc, err := json.Marshal(map[string]any{"Text": d.Text, "Reasoning": d.Reasoning, "ToolCalls": d.ToolCalls})
		check(t, err)
		return "data: " + string(doc) + "\n\n"
	}
	words := strings.Repeat("Zwölf Boxkämpfer jagen Viktor. ", 1000)
	call := func(arguments string) string {
		return event(chains.Delta{ToolCalls: []prompt.ToolCall{{Name: "look", Arguments: arguments}}})
	}
	rows := []struct {
		name, frame   string
		text, thought int
		calls         int
		said          string // in the notice, or in the error
	}{
		{"text", event(chains.Delta{Text: words}), chains.MaxText, 0, 0, "The reply was ended after 4 MB of text."},
		{
			"thinking", event(chains.Delta{Reasoning: words}), 0, chains.MaxText, 0,
			"The reply was ended after 4 MB of thinking.",
		},
		{
			"arguments", call(`{"q":"` + strings.Repeat("x", 99<<10) + `"}`), 0, 0, 11,
			"The reply was ended after 1 MB of arguments.",
		},
		{
			"calls", call("{}") + ": " + strings.Repeat("x", 1<<20) + "\n\n", 0, 0, chains.MaxCalls,
			" more calls were not read.",
		},
		{"comments", ": " + strings.Repeat("x", 1<<20) + "\n\n", 0, 0, 0, "256 MB brought nothing"},
		{"blank lines", strings.Repeat("\n", 1<<16), 0, 0, 0, "larger than 8 MB"},
		{"one event", "data: " + strings.Repeat("x", 1<<16), 0, 0, 0, "larger than 8 MB"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := (&endless{frame: row.frame}).read(t)
			said := got.Notice
			if err != nil {
				said = err.Error()
			}
			if !strings.Contains(said, row.said) || row.text > 0 && err != nil {
				t.Errorf("said %q, error %v", said, err)
			}
			for _, part := range []struct {
				text string
				want int
			}{{got.Text, row.text}, {got.Reasoning, row.thought}} {
				if n := len(part.text); n > part.want || n < part.want-2 || strings.ContainsRune(part.text, '\uFFFD') {
					t.Errorf("%d bytes, want %d", n, part.want)
				}
			}
			if len(got.ToolCalls) != row.calls {
				t.Errorf("%d calls, want %d", len(got.ToolCalls), row.calls)
			}
			for i, c := range got.ToolCalls {
				if last := row.name == "arguments" && i == row.calls-1; c.TooLong != last || last && c.Arguments != "{}" {
					t.Errorf("call %d is %+v", i, c)
				}
			}
		})
	}
}

// TestSignsOfLife: a server that only keeps the connection alive is given up after an hour.
func TestSignsOfLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := (&endless{frame: ":\n\n", every: time.Minute}).read(t)
		var failed *chains.ProviderError
		if took := time.Since(began); !errors.As(err, &failed) || failed.Kind != chains.ErrTimeout ||
			took < time.Hour || took > 64*time.Minute {
			t.Errorf("it ended after %s with %v", took, err)
		}
	})
}

// TestSplitLinear: splitting thinking from text takes time in proportion to the length, for
// pieces of any size.
func TestSplitLinear(t *testing.T) {
	for _, piece := range []string{"\n", " word", "<|end|>", "`</think>`", "<think>\n"} {
		cost := func(n int) uint64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := wire.ThinkSplitter{Bare: true}
			for range n {
				s.Add(piece)
			}
			s.Close()
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		if few, many := cost(4000), cost(32000); many > 16*few+(1<<20) {
			t.Errorf("%q: 4,000 pieces allocate %d bytes, 32,000 allocate %d", piece, few, many)
		}
	}
}
