package openai_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ibid/chains"
	"ibid/chains/openai"
	"ibid/chains/wire"
)

// transportFunc is a server without a network, for tests in a bubble.
type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func readAll(r io.Reader) string {
	b, _ := io.ReadAll(r)
	return string(b)
}

// respond returns a response with this body.
func respond(status int, body string, header ...string) *http.Response {
	h := http.Header{"Content-Type": {"text/event-stream"}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

// silence is a body that says what it has and then nothing, until ctx ends.
type silence struct {
	ctx context.Context
	has *strings.Reader
}

func (s silence) Read(p []byte) (int, error) {
	if s.has.Len() > 0 {
		return s.has.Read(p)
	}
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func (s silence) Close() error { return nil }

// play answers with the steps in turn, inside a bubble, and gives the outcome
// and the time that it took.
func play(t *testing.T, o openai.Options, steps ...transportFunc) (out outcome, took time.Duration, asked int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o.BaseURL = "https://api.groq.com/openai/v1"
		o.Key = "gsk-1234567890"
		o.Jitter = func() float64 { return 0 }
		o.Transport = transportFunc(func(r *http.Request) (*http.Response, error) {
			if asked++; asked > len(steps) {
				t.Fatalf("asked %d times", asked)
			}
			return steps[asked-1](r)
		})
		c, err := openai.New(o)
		check(t, err)
		began := time.Now()
		out = ask(t, c)
		took = time.Since(began)
	})
	return out, took, asked
}

func always(status int, body string, header ...string) transportFunc {
	return func(*http.Request) (*http.Response, error) { return respond(status, body, header...), nil }
}

func broken(err error) transportFunc {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

func TestRetry(t *testing.T) {
	good := always(200, hi+done)
	rate := `{"error":{"message":"Rate limit reached","type":"tokens","code":"rate_limit_exceeded"}}`
	reset := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	loading := always(503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`)
	rows := []struct {
		name    string
		steps   []transportFunc
		took    time.Duration
		notices []string
		kind    chains.ErrorKind // of the end, "" for success
	}{
		{
			"busy once",
			[]transportFunc{always(503, "down"), good},
			time.Second,
			[]string{"No answer yet from groq (503), again in 1 s, 1 of 3."},
			"",
		},
		{
			"rate limited",
			[]transportFunc{always(429, rate, "Retry-After", "7"), good},
			7 * time.Second,
			[]string{"Rate limited by groq, again in 7 s, 1 of 3."},
			"",
		},
		{
			"in milliseconds",
			[]transportFunc{always(429, rate, "Retry-After-Ms", "1500"), good},
			1500 * time.Millisecond,
			[]string{"Rate limited by groq, again in 2 s, 1 of 3."},
			"",
		},
		{
			"as a date",
			[]transportFunc{always(429, rate, "Retry-After", "Sat, 01 Jan 2000 00:00:20 GMT"), good},
			20 * time.Second,
			[]string{"Rate limited by groq, again in 20 s, 1 of 3."},
			"",
		},
		{
			"reset in epoch milliseconds",
			[]transportFunc{always(429, rate, "X-RateLimit-Reset", "946684810000"), good},
			10 * time.Second,
			[]string{"Rate limited by groq, again in 10 s, 1 of 3."},
			"",
		},
		{
			"reset as a duration",
			[]transportFunc{always(429, rate, "x-ratelimit-reset-requests", "4s"), good},
			4 * time.Second,
			[]string{"Rate limited by groq, again in 4 s, 1 of 3."},
			"",
		},
		{"reset in the body", []transportFunc{always(429, `[{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"3s"}]}}]`), good}, 3 * time.Second, []string{"Rate limited by groq, again in 3 s, 1 of 3."}, ""},
		{
			"connection reset",
			[]transportFunc{broken(reset), good},
			time.Second,
			[]string{"No connection to groq, again in 1 s, 1 of 3."},
			"",
		},
		{
			"closed before a word",
			[]transportFunc{always(200, ": hm\n\n"), good},
			time.Second,
			[]string{"groq is queueing the request (hm).", "No connection to groq, again in 1 s, 1 of 3."},
			"",
		},
		{
			"error frame before a word",
			[]transportFunc{always(200, "data: {\"error\":{\"code\":502,\"message\":\"upstream\"}}\n\n"), good},
			time.Second,
			[]string{"No answer yet from groq (502), again in 1 s, 1 of 3."},
			"",
		},
		{
			"three times and no more",
			[]transportFunc{always(529, ""), always(500, ""), always(502, ""), always(503, "")},
			7 * time.Second,
			[]string{
				"No answer yet from groq (529), again in 1 s, 1 of 3.",
				"No answer yet from groq (500), again in 2 s, 2 of 3.", "No answer yet from groq (502), again in 4 s, 3 of 3.",
			},
			chains.ErrServer,
		},
		{
			"a model that loads",
			[]transportFunc{loading, loading, loading, loading, loading, good},
			10 * time.Second,
			[]string{"groq loads the model: waiting for it."},
			"",
		},
		{"asked to wait too long", []transportFunc{always(429, rate, "Retry-After", "300")}, 0, nil, chains.ErrRate},
		{
			"out of credit",
			[]transportFunc{always(429,
				`{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`)},
			0, nil, chains.ErrQuota,
		},
		{"wrong key", []transportFunc{always(401, "")}, 0, nil, chains.ErrAuth},
		{
			"too long",
			[]transportFunc{always(429,
				`{"error":{"message":"Request too large for model x on tokens per minute"}}`)},
			0, nil, chains.ErrRate,
		},
		{"after the first word", []transportFunc{always(200, strings.SplitAfter(hi, "\n\n")[0])}, 0, nil, chains.ErrCutOff},
		{
			"after the first thought",
			[]transportFunc{always(200, events(piece(map[string]any{"reasoning": "hm"})))},
			0, nil, chains.ErrCutOff,
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			o, took, asked := play(t, openai.Options{}, row.steps...)
			if took != row.took || asked != len(row.steps) || !cmp.Equal(row.notices, o.Notices) {
				t.Errorf("took %v, asked %d times, notices %q", took, asked, o.Notices)
			}
			if row.kind == "" {
				if o.Err != nil || o.Text != "Hi there" {
					t.Errorf("%+v", o)
				}
				return
			}
			if e := providerError(t, o.Err); e.Kind != row.kind {
				t.Errorf("error %q %q, want %q", e.Kind, e.Message, row.kind)
			}
		})
	}
}

// TestSilence: how long a server may say nothing, and what ends the waiting.
func TestSilence(t *testing.T) {
	quiet := func(has string) transportFunc {
		return func(r *http.Request) (*http.Response, error) {
			resp := respond(200, "")
			resp.Body = silence{r.Context(), strings.NewReader(has)}
			return resp, nil
		}
	}
	dead := transportFunc(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	one := strings.SplitAfter(hi, "\n\n")[0]
	rows := []struct {
		name string
		step transportFunc
		took time.Duration
		kind chains.ErrorKind
		says string
	}{
		{"no status", dead, 120 * time.Second, chains.ErrTimeout, "did not answer within 2 min"},
		{"no first byte", quiet(""), 120 * time.Second, chains.ErrTimeout, "no data for 2 min"},
		{"comments only", quiet(": hm\n\n"), 120 * time.Second, chains.ErrTimeout, "no data for 2 min"},
		{
			"in the middle", quiet(one), 5 * time.Minute, chains.ErrCutOff,
			"cut off after 1 word (no data for 5 min). Text kept.",
		},
		{"after the finish reason", quiet(hi), 10 * time.Second, "", ""},
		{"after [DONE]", quiet(hi + done), 50 * time.Millisecond, "", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			o, took, _ := play(t, openai.Options{}, row.step)
			if took != row.took {
				t.Errorf("took %v, want %v", took, row.took)
			}
			if row.kind == "" {
				if o.Err != nil {
					t.Error(o.Err)
				}
				return
			}
			if e := providerError(t, o.Err); e.Kind != row.kind || !strings.Contains(e.Message, row.says) {
				t.Errorf("error %q %q, want %q %q", e.Kind, e.Message, row.kind, row.says)
			}
		})
	}
}

// TestThinkingTakesTime: a model that thinks may be silent for longer before its
// reply, and what keeps the connection alive counts.
func TestThinkingTakesTime(t *testing.T) {
	dead := transportFunc(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	thinks := wire.Options{Facts: func(model string) wire.Facts { return wire.Facts{Thinks: model == "test-model"} }}
	o, took, _ := play(t, openai.Options{Options: thinks}, dead)
	if e := providerError(t, o.Err); took != 10*time.Minute ||
		!strings.Contains(e.Message, "did not answer within 10 min") {
		t.Errorf("after %v: %s", took, e.Message)
	}
	thinks.Timeouts.FirstByte = time.Minute // a person's word counts for all
	if _, took, _ := play(t, openai.Options{Options: thinks}, dead); took != time.Minute {
		t.Errorf("after %v", took)
	}
	synctest.Test(t, func(t *testing.T) {
		alive := transportFunc(func(*http.Request) (*http.Response, error) {
			resp, pieces := respond(200, ""),
				&slowLines{lines{strings.SplitAfter(strings.Repeat(": wait\n\n", 20)+hi+done, "\n\n")}}
			resp.Body = io.NopCloser(pieces)
			return resp, nil
		})
		c, err := openai.New(openai.Options{Options: wire.Options{BaseURL: "https://models.example/v1", Transport: alive}})
		check(t, err)
		if o := ask(t, c); o.Err != nil || o.Text != "Hi there" {
			t.Errorf("%+v", o)
		}
	})
}

// slowLines is a body that gives a line every 100 seconds.
type slowLines struct{ lines }

func (l *slowLines) Read(p []byte) (int, error) {
	time.Sleep(100 * time.Second)
	return l.lines.Read(p)
}

// TestLocalServersMayLoad: a server of this machine may take its time before
// the first word, and is not waited for forever after it.
func TestLocalServersMayLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := transportFunc(func(r *http.Request) (*http.Response, error) {
			time.Sleep(20 * time.Minute)
			return respond(200, hi+done), nil
		})
		c, err := openai.New(openai.Options{Options: wire.Options{BaseURL: "http://192.168.1.7:8080/v1", Transport: rt}})
		check(t, err)
		if o := ask(t, c); o.Err != nil || o.Text != "Hi there" {
			t.Errorf("%+v", o)
		}
	})
}

// lines is a body that gives one line at a time.
type lines struct{ rest []string }

func (l *lines) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, l.rest[0])
	l.rest = l.rest[1:]
	return n, nil
}

// TestSlowReader: the time that whoever reads the reply takes is not the
// server's silence.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := transportFunc(func(r *http.Request) (*http.Response, error) {
			resp := respond(200, "")
			resp.Body = io.NopCloser(&lines{strings.SplitAfter(hi+done, "\n\n")})
			return resp, nil
		})
		c, err := openai.New(openai.Options{Options: wire.Options{BaseURL: "http://localhost:9/v1", Transport: rt}})
		check(t, err)
		text := ""
		for d, err := range c.Stream(t.Context(), question("?")) {
			if text += d.Text; err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Minute)
		}
		if text != "Hi there" {
			t.Errorf("text %q", text)
		}
	})
}

// TestCancelWhileWaiting ends the wait before the next attempt.
func TestCancelWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := openai.New(openai.Options{Options: wire.Options{
			BaseURL:   "http://localhost:9/v1",
			Transport: always(503, ""),
		}})
		check(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last error
		for d, err := range c.Stream(ctx, question("?")) {
			if d.Notice != "" {
				cancel()
			}
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("error %v", last)
		}
	})
}

// TestModelsWhileLoading: the list is waited for as long as it may take.
func TestModelsWhileLoading(t *testing.T) {
	loading := always(503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`)
	for after, want := range map[time.Duration]int{3 * time.Second: 1, time.Hour: 0} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			c, err := openai.New(openai.Options{Options: wire.Options{
				BaseURL: "https://models.example/v1",
				Transport: transportFunc(func(r *http.Request) (*http.Response, error) {
					if time.Since(began) < after {
						return loading(r)
					}
					return always(200, `{"data":[{"id":"gguf"}]}`)(r)
				}),
			}})
			check(t, err)
			list, err := c.Models(t.Context())
			if len(list) != want || (err == nil) != (want > 0) || time.Since(began) > 16*time.Second {
				t.Errorf("%v, error %v, after %v", list, err, time.Since(began))
			}
		})
	}
}
