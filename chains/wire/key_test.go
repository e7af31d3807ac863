package wire_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"ibid/chains"
	"ibid/chains/anthropic"
	"ibid/chains/gemini"
	"ibid/chains/ollama"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/prompt"
	"ibid/vault/ownfile"
)

const (
	oldKey = "sk-old-0123456789abcdef"
	newKey = "sk-new-fedcba9876543210"
)

// locked is a server of any protocol that answers only whoever has the key, in the
// header that the protocol has for it.
type locked struct {
	header, answer string
	asked          atomic.Int64
}

func (s *locked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	if got := strings.TrimPrefix(r.Header.Get(s.header), "Bearer "); got != newKey {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"the key %s has expired"}}`, got)
		return
	}
	fmt.Fprint(w, s.answer)
}

// say asks a model for a word.
func say(ctx context.Context, m chains.Model, name string) error {
	for _, err := range m.Stream(ctx,
		chains.Request{Model: name, Messages: []prompt.Message{{Role: prompt.User, Content: "Say four."}}}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// keyed are the requests that have a key: its header, an answer, and the function that makes
// the request.
var keyed = []struct {
	name, header, answer string
	send                 func(ctx context.Context, o wire.Options) error
}{
	{
		"chat completions", "Authorization", `{"choices":[{"message":{"content":"four"},"finish_reason":"stop"}]}`,
		func(ctx context.Context, o wire.Options) error {
			c, err := openai.New(openai.Options{Options: o})
			return errors.Join(err, say(ctx, c, "m"))
		},
	},
	{
		"responses", "Authorization",
		`{"object":"response","status":"completed","output":[{"type":"message","content":[{"text":"four"}]}]}`,
		func(ctx context.Context, o wire.Options) error {
			c, err := openai.New(openai.Options{Options: o, Protocol: openai.Responses})
			return errors.Join(err, say(ctx, c, "m"))
		},
	},
	{
		"an Azure deployment", "Api-Key", `{"choices":[{"message":{"content":"four"},"finish_reason":"stop"}]}`,
		func(ctx context.Context, o wire.Options) error {
			c, err := openai.New(openai.Options{Options: o, AzureVersion: "2024-10-21"})
			return errors.Join(err, say(ctx, c, "m"))
		},
	},
	{
		"a list of models", "Authorization", `{"data":[{"id":"m"}]}`,
		func(ctx context.Context, o wire.Options) error {
			c, err := openai.New(openai.Options{Options: o})
			_, listed := c.Models(ctx)
			return errors.Join(err, listed)
		},
	},
	{
		"messages", "X-Api-Key", `{"type":"message","content":[{"type":"text","text":"four"}],"stop_reason":"end_turn"}`,
		func(ctx context.Context, o wire.Options) error {
			c, err := anthropic.New(anthropic.Options{Options: o})
			return errors.Join(err, say(ctx, c, "m"))
		},
	},
	{
		"a list of Claude's", "X-Api-Key", `{"data":[{"id":"m"}]}`,
		func(ctx context.Context, o wire.Options) error {
			c, err := anthropic.New(anthropic.Options{Options: o})
			_, listed := c.Models(ctx)
			return errors.Join(err, listed)
		},
	},
	{
		"ollama", "Authorization", `{"message":{"content":"four"},"done":true,"done_reason":"stop"}`,
		func(ctx context.Context, o wire.Options) error {
			c, err := ollama.New(ollama.Options{
				Options: o, Count: func(string) int { return 1 }, Budget: func(_ string, window int) int { return window },
			})
			return errors.Join(err, say(ctx, c, "m"))
		},
	},
	{
		"a kept prompt", "X-Goog-Api-Key", `{"name":"cachedContents/a"}`,
		func(ctx context.Context, o wire.Options) error {
			before, query, some := strings.Cut(o.BaseURL, "?")
			if o.BaseURL = before + "/openai"; some {
				o.BaseURL += "?" + query
			}
			c, err := gemini.New(gemini.Options{
				Options: o, Count: func(string) int { return 5000 }, Least: func(string) int { return 0 },
			})
			r := chains.Request{
				Model: "m", Prefix: "p", CacheKey: "chat",
				Messages: []prompt.Message{{Role: prompt.System, Content: "S"}},
			}
			if c.Keep(ctx, r, func(string) {}) == "" {
				err = errors.Join(err, errors.New("nothing is kept"))
			}
			return err
		},
	},
}

// TestKeyAskedAgain: a key that the server refuses is asked for once more, and the
// request goes again with it, whatever the protocol.
func TestKeyAskedAgain(t *testing.T) {
	for _, row := range keyed {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			server := &locked{header: row.header, answer: row.answer}
			at := httptest.NewServer(server)
			defer at.Close()
			var asked atomic.Int64
			folder := filepath.Join(t.TempDir(), "wire")
			recorder, err := wire.NewRecorder(folder)
			check(t, err)
			o := wire.Options{
				BaseURL: at.URL, Key: oldKey, Recorder: recorder,
				Transport: &http.Transport{DisableKeepAlives: true}, NewKey: func(ctx context.Context) (string, error) {
					if _, limited := ctx.Deadline(); !limited {
						t.Error("it may take for ever")
					}
					asked.Add(1)
					return " " + newKey + "\n", nil
				},
			}
			check(t, row.send(t.Context(), o))
			if asked.Load() != 1 {
				t.Errorf("asked for the key %d times", asked.Load())
			}
			files, err := filepath.Glob(filepath.Join(folder, "*"))
			check(t, err)
			for _, name := range files {
				packed, err := os.ReadFile(name)
				check(t, err)
				if text, err := ownfile.Unpack(packed); err != nil || strings.Contains(string(text), newKey) ||
					strings.Contains(string(text), oldKey) {
					t.Errorf("%s: %s, %v", name, text, err)
				}
			}
		})
	}
}

// TestKeyRefusedAgain: the second refusal is the error, and shows no key; a failure to
// get another is said.
func TestKeyRefusedAgain(t *testing.T) {
	rows := []struct {
		name  string
		key   func(context.Context) (string, error)
		asked int64
		says  string
	}{
		{"another that is wrong too", func(context.Context) (string, error) {
			return "sk-other-0011223344556677", nil
		}, 2, "refused the key (401). Checked: key_command."},
		{"the same", func(context.Context) (string, error) {
			return oldKey, nil
		}, 1, "refused the key (401). Checked: key_command."},
		{"none", func(context.Context) (string, error) { return "", nil }, 1, "refused the key (401). Checked: key_command."},
		{"a failure", func(context.Context) (string, error) {
			return "", errors.New("pass: no tty")
		}, 1, "refused the key (401), and there is no other: pass: no tty."},
	}
	for _, row := range rows {
		server := &locked{header: "Authorization"}
		at := httptest.NewServer(server)
		c, err := openai.New(openai.Options{Options: wire.Options{
			BaseURL: at.URL + "/v1", Name: "gate",
			Key: oldKey, KeySource: "key_command", NewKey: row.key, Transport: &http.Transport{DisableKeepAlives: true},
		}})
		check(t, err)
		var failed *chains.ProviderError
		if err = say(t.Context(), c, "m"); !errors.As(err, &failed) || failed.Kind != chains.ErrAuth ||
			failed.Status != 401 || !strings.Contains(failed.Message, row.says) {
			t.Errorf("%s: %v", row.name, err)
		}
		if said := fmt.Sprint(err, errors.Unwrap(err)); strings.Contains(said, oldKey) || strings.Contains(said, "sk-other") {
			t.Errorf("%s: shows a key: %s", row.name, said)
		}
		if got := server.asked.Load(); got != row.asked {
			t.Errorf("%s: %d requests", row.name, got)
		}
		at.Close()
	}
}

// TestKeyAskedOnce: requests that are refused at the same time share one new key, and
// those after them go with it at once.
func TestKeyAskedOnce(t *testing.T) {
	server := &locked{header: "Authorization", answer: `{}`}
	at := httptest.NewServer(server)
	defer at.Close()
	var asked atomic.Int64
	c, err := wire.New(wire.Options{
		BaseURL: at.URL, Key: oldKey,
		Transport: &http.Transport{DisableKeepAlives: true}, NewKey: func(context.Context) (string, error) {
			asked.Add(1)
			return newKey, nil
		},
	})
	check(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := c.GetJSON(t.Context(), at.URL, nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	before := server.asked.Load()
	if err := c.GetJSON(t.Context(), at.URL, nil, nil); err != nil || server.asked.Load() != before+1 {
		t.Errorf("%v after %d more requests", err, server.asked.Load()-before)
	}
	if asked.Load() != 1 {
		t.Errorf("asked for the key %d times", asked.Load())
	}
}
