package connect

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/chains/openai"
	"ibid/context/prompt"
)

// silent is a server that never answers, or not after its first words.
type silent struct{ first string }

func (s silent) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.first == "" {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	body, w := io.Pipe()
	go func() {
		_, _ = io.WriteString(w, s.first) // the reader may be gone
		<-r.Context().Done()
		w.CloseWithError(r.Context().Err())
	}()
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body, Request: r}, nil
}

// TestPatienceOfTable: first_text and idle of a provider's table are how long it is
// waited for.
func TestPatienceOfTable(t *testing.T) {
	const begun = "data: {\"id\":\"r1\",\"choices\":[{\"delta\":{\"content\":\"Well\"}}]}\n\n"
	for name, row := range map[string]struct {
		keys   string
		server silent
		took   time.Duration
	}{
		"first_text":           {`first_text = "25s"`, silent{}, 25 * time.Second},
		"none of its own":      {"", silent{}, 2 * time.Minute},
		"idle":                 {`idle = "40s"`, silent{begun}, 40 * time.Second},
		"first_text, not idle": {`first_text = "25s"`, silent{begun}, 5 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			_, all := providersFromFile(t, "[providers.work]\nbase_url = \"https://models.example.com/v1\"\n"+row.keys+"\n", nil, Flags{Model: "work/m"})
			to, err := all.wire(all.at("work").endpoint)
			noError(t, err)
			to.Transport, to.Jitter = row.server, func() float64 { return 0 }
			synctest.Test(t, func(t *testing.T) {
				c, err := openai.New(openai.Options{Options: to, Model: "m"})
				noError(t, err)
				began, failed := time.Now(), error(nil)
				for _, err := range c.Model("m").Stream(t.Context(), chains.Request{Model: "m", Messages: []prompt.Message{{Role: prompt.User, Content: "One."}}}) {
					failed = err
				}
				if took := time.Since(began); failed == nil || took != row.took {
					t.Errorf("%v after %v", failed, took)
				}
			})
		})
	}
}

// TestAzureOfTable: a table of the kind azure sends what Azure takes, wherever it is.
func TestAzureOfTable(t *testing.T) {
	for name, row := range map[string]struct{ path, keys, want, header string }{
		"a version":    {"", `api_version = "2025-04-01-preview"`, "/openai/deployments/dep/chat/completions?api-version=2025-04-01-preview", "Api-Key"},
		"no version":   {"", "", "/openai/deployments/dep/chat/completions?api-version=2024-10-21", "Api-Key"},
		"its own path": {"/openai/v1", "", "/openai/v1/responses", "Authorization"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = append(got, r.URL.RequestURI()+" "+strings.TrimPrefix(r.Header.Get(row.header), "Bearer "))
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"Yes.\"},\"finish_reason\":\"stop\"}]}\n\n"+
					"data: {\"type\":\"response.output_text.delta\",\"delta\":\"Yes.\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\ndata: [DONE]\n\n") // the test fails without it
			}))
			t.Cleanup(s.Close)
			config := "[providers.cloud]\nkind = \"azure\"\nbase_url = \"" + s.URL + row.path + "\"\nmodel = \"dep\"\n" + row.keys + "\n"
			_, all := providersFromFile(t, config, map[string]string{"AZURE_OPENAI_API_KEY": "key-azure"}, Flags{})
			ask(t, all.at("cloud").options("dep"))
			if want := row.want + " key-azure"; len(got) != 1 || got[0] != want {
				t.Errorf("%q, not %q", got, want)
			}
		})
	}
}

// TestRequestIDLogged: the log has the id that a server gave to what it refused.
func TestRequestIDLogged(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "req-7731")
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(s.Close)
	all := newTestProviders(t, Config{Providers: map[string]Settings{"work": {BaseURL: s.URL + "/v1"}}}, nil, Flags{Provider: "work"})
	var log strings.Builder
	all.Log = slog.New(slog.NewTextHandler(&log, nil))
	if _, _, err := all.Models(t.Context()); err != nil || !strings.Contains(log.String(), "req-7731") {
		t.Errorf("%v, logged %q", err, log.String())
	}
}
