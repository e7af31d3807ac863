package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ibid/chains"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// reply is a reply of a server, with the outcome at the client.
type reply struct {
	File     string
	Provider string
	HTTP     struct {
		Status      int
		ContentType string  `json:"content_type"`
		RetryAfter  *string `json:"retry_after"`
	}
	Expected struct {
		Text            string
		Reasoning       string
		ToolCalls       []struct{ ID, Name, Arguments string } `json:"tool_calls"`
		FinishReason    *string                                `json:"finish_reason"`
		Usage           *recordedUsage
		Error           *struct{ Message string }
		Category        string
		Message         string
		MessageContains string  `json:"message_contains"`
		Limit           int     `json:"limit"`
		RetryAfter      float64 `json:"retry_after_s"`
		TimingsCache    *int    `json:"timings_cache_n"`
	}
}

type recordedUsage struct {
	Prompt, Completion int
	Cached, Reasoning  *int
	CacheWrite         *int `json:"cache_write"`
	Cost               *float64
}

// replies returns the replies in the files of a pattern: those of testdata, and recorded ones
// in the shared folder, if there is one.
func replies(t *testing.T, pattern string) (all []reply) {
	t.Helper()
	for i, dir := range []string{filepath.Join("testdata", "streams"), vaulttest.Shared(t, "streams")} {
		if dir == "" {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
		check(t, err)
		var m struct{ Items []reply }
		check(t, json.Unmarshal(raw, &m))
		before := len(all)
		for _, item := range m.Items {
			if ok, err := filepath.Match(pattern, item.File); err != nil {
				t.Fatal(err)
			} else if ok {
				item.File = filepath.Join(dir, item.File)
				all = append(all, item)
			}
		}
		if len(all) == before {
			t.Fatalf("%s: no %s", dir, pattern)
		}
		if i > 0 {
			t.Logf("shared: %d replies %s", len(all)-before, pattern)
		}
	}
	return all
}

// replay returns the reply in a file as an answer, in pieces of so many bytes.
func replay(t testing.TB, file string, piece int) answer {
	t.Helper()
	body, err := os.ReadFile(file)
	check(t, err)
	return answer{body: string(body), piece: piece}
}

// outcome is everything that a stream gave.
type outcome struct {
	Text, Reasoning string
	Calls           []prompt.ToolCall
	Echo            string
	Usage           *chains.Usage
	Finish          chains.Finish
	Notices         []string
	Deltas          int
	Err             error
}

func collect(ctx context.Context, m chains.Model, r chains.Request) outcome {
	var o outcome
	for d, err := range m.Stream(ctx, r) {
		if err != nil {
			o.Err = err
			continue
		}
		o.Deltas++
		o.Text += d.Text
		o.Reasoning += d.Reasoning
		o.Calls = append(o.Calls, d.ToolCalls...)
		o.Echo += d.Echo
		if d.Usage != nil {
			o.Usage = d.Usage
		}
		if d.Finish != "" {
			o.Finish = d.Finish
		}
		if d.Notice != "" {
			o.Notices = append(o.Notices, d.Notice)
		}
	}
	return o
}

func newClient(t testing.TB, o openai.Options) *openai.Client {
	t.Helper()
	c, err := openai.New(o)
	check(t, err)
	t.Cleanup(c.CloseIdle)
	return c
}

// clientOf speaks chat completions to a server, as it does by default.
func clientOf(t testing.TB, o wire.Options) *openai.Client {
	t.Helper()
	return newClient(t, openai.Options{Options: o})
}

// ask sends a question to a model.
func ask(t *testing.T, m chains.Model) outcome {
	t.Helper()
	return collect(t.Context(), m, question("?"))
}

// failure returns the error of a model's answer to a question.
func failure(t *testing.T, m chains.Model) *chains.ProviderError {
	t.Helper()
	return providerError(t, ask(t, m).Err)
}

func question(text string) chains.Request {
	return chains.Request{Model: "test-model", Messages: []prompt.Message{{Role: prompt.User, Content: text}}}
}

func providerError(t *testing.T, err error) *chains.ProviderError {
	t.Helper()
	var e *chains.ProviderError
	if !errors.As(err, &e) {
		t.Fatalf("error = %v (%T), want a ProviderError", err, err)
	}
	return e
}

// TestRecordedStreams replays streams in every shape that servers send (S0-59).
func TestRecordedStreams(t *testing.T) {
	for _, item := range replies(t, "*.sse") {
		for _, size := range []int{1, 7, 777, 0} {
			t.Run(filepath.Base(item.File)+"/"+sizeName(size), func(t *testing.T) {
				t.Parallel()
				srv := newServer(t, replay(t, item.File, size))
				o := ask(t, srv.client())
				want := item.Expected
				if d := cmp.Diff(want.Text, o.Text); d != "" {
					t.Errorf("text: %s", d)
				}
				if d := cmp.Diff(want.Reasoning, o.Reasoning); d != "" {
					t.Errorf("reasoning: %s", d)
				}
				var calls []prompt.ToolCall
				for _, c := range want.ToolCalls {
					calls = append(calls, prompt.ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments})
				}
				if d := cmp.Diff(calls, o.Calls); d != "" {
					t.Errorf("calls: %s", d)
				}
				checkUsage(t, want.Usage, want.TimingsCache, o.Usage)
				if want.Error == nil {
					if o.Err != nil || want.FinishReason == nil || string(o.Finish) != *want.FinishReason {
						t.Errorf("finish = %q, error %v, want %v", o.Finish, o.Err, want.FinishReason)
					}
					return
				}
				e := providerError(t, o.Err)
				if !strings.Contains(e.Message, want.Error.Message[:60]) {
					t.Errorf("error = %q, want it to hold %q", e.Message, want.Error.Message)
				}
			})
		}
	}
}

func sizeName(piece int) string {
	return map[int]string{1: "bytes", 7: "sevens", 777: "blocks", 0: "whole"}[piece]
}

func checkUsage(t *testing.T, want *recordedUsage, timings *int, got *chains.Usage) {
	t.Helper()
	if want == nil {
		if got != nil {
			t.Errorf("usage = %+v, want none", got)
		}
		return
	}
	or := func(p *int) int {
		if p == nil {
			return -1
		}
		return *p
	}
	u := chains.Usage{
		Prompt: want.Prompt, Completion: want.Completion, Cached: or(want.Cached),
		CacheWrite: or(want.CacheWrite), Reasoning: or(want.Reasoning), Cost: -1,
	}
	if timings != nil {
		u.Cached = *timings
	}
	if want.Cost != nil {
		u.Cost = *want.Cost
	}
	if d := cmp.Diff(&u, got); d != "" {
		t.Errorf("usage: %s", d)
	}
}

// TestRecordedErrors replays error bodies as servers send them.
func TestRecordedErrors(t *testing.T) {
	kinds := map[string]chains.ErrorKind{
		"auth": chains.ErrAuth, "context_length": chains.ErrContext,
		"rate_limit": chains.ErrRate,
	}
	for _, item := range replies(t, "err-*") {
		t.Run(filepath.Base(item.File), func(t *testing.T) {
			a := replay(t, item.File, 0)
			a.status, a.header = item.HTTP.Status, map[string]string{"Content-Type": item.HTTP.ContentType}
			if item.HTTP.RetryAfter != nil {
				a.header["Retry-After"] = "100" // too long to be waited for
			}
			srv := newServer(t, a)
			o := ask(t, clientOf(t, wire.Options{BaseURL: srv.url, Key: "some-key-value"}))
			e := providerError(t, o.Err)
			if want := kinds[item.Expected.Category]; e.Kind != want || e.Status != item.HTTP.Status {
				t.Errorf("kind %q status %d, want %q %d: %s", e.Kind, e.Status, want, item.HTTP.Status, e.Message)
			}
			if want := item.Expected.Limit; e.Window != want {
				t.Errorf("window = %d, want %d", e.Window, want)
			}
			said := e.Message
			if e.Err != nil {
				said += e.Err.Error()
			}
			if want := item.Expected.Message + item.Expected.MessageContains; !strings.Contains(said, want) {
				t.Errorf("error %q lacks %q", said, want)
			}
			t.Log(e.Message)
		})
	}
}
