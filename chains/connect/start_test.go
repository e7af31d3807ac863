package connect

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// silentServer accepts and says nothing until release.
func silentServer(t *testing.T) (url string, release func()) {
	t.Helper()
	s := chaintest.NewServer(t, chaintest.Options{Models: []chaintest.Model{{ID: "listed"}}})
	gate := make(chan struct{})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
		case <-r.Context().Done():
			return
		}
		body, _ := io.ReadAll(r.Body)
		again, _ := http.NewRequestWithContext(r.Context(), r.Method, s.Host()+r.URL.Path, strings.NewReader(string(body)))
		again.Header = r.Header
		resp, err := http.DefaultClient.Do(again)
		if err != nil {
			return
		}
		defer resp.Body.Close()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body) // the test fails without it
	}))
	t.Cleanup(front.Close)
	t.Cleanup(front.CloseClientConnections)
	return front.URL + "/v1", func() { close(gate) }
}

// TestStartWaitsForNobody: whatever servers do, a start is over at once, with a model if
// one is named, and nothing keeps the end of the program.
func TestStartWaitsForNobody(t *testing.T) {
	silent, _ := silentServer(t)
	drops, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { _ = drops.Close() })
	go func() {
		for c, err := drops.Accept(); err == nil; c, err = drops.Accept() {
			_ = c.Close()
		}
	}()
	const quick = 10 * patience // on a machine at rest it is hardly more than patience; a server is waited for three times as long
	for name, tt := range map[string]struct {
		config Config
		env    map[string]string
		model  string
	}{
		"silent":                  {config: Config{BaseURL: silent}},
		"silent, a model":         {config: Config{BaseURL: silent, Model: "m"}, model: "m"},
		"silent Ollama":           {config: Config{Provider: "ollama"}, env: map[string]string{"OLLAMA_HOST": strings.TrimPrefix(strings.TrimSuffix(silent, "/v1"), "http://")}},
		"silent, of this machine": {env: map[string]string{"OLLAMA_HOST": strings.TrimPrefix(strings.TrimSuffix(silent, "/v1"), "http://")}, model: "offline"},
		"a command for the key":   {config: Config{Provider: "work", Model: "m", Providers: map[string]Settings{"work": {BaseURL: silent, KeyCommand: "sleep 20"}}}, model: "m"},
		"drops":                   {config: Config{BaseURL: "http://" + drops.Addr().String() + "/v1", Model: "m"}, model: "m"},
		"refuses":                 {config: Config{BaseURL: "http://127.0.0.1:1/v1", Model: "m"}, model: "m"},
	} {
		t.Run(name, func(t *testing.T) {
			least := time.Hour
			for range 3 { // other tests may have the machine
				all := newTestProviders(t, tt.config, tt.env, Flags{})
				all.Screen = true
				began := time.Now()
				c, err := all.Choose(t.Context(), true)
				all.Close(t.Context())
				least = min(least, time.Since(began))
				if err != nil || c.Options.ModelName != tt.model {
					t.Fatalf("%q answers, %v", c.Options.ModelName, err)
				}
			}
			if least > quick {
				t.Errorf("it took %v", least)
			}
		})
	}
}

// TestTurnWaitsForStart: the turn that needs a server waits for what the start asked it,
// says so, and goes on with what is known then.
func TestTurnWaitsForStart(t *testing.T) {
	t.Parallel()
	silent, release := silentServer(t)
	all := newTestProviders(t, Config{BaseURL: silent}, nil, Flags{})
	c, err := all.Choose(t.Context(), true)
	noError(t, err)
	defer all.Close(t.Context())
	var said []string
	var found *chains.Options
	for d, err := range c.Options.Model.Stream(t.Context(), chains.Request{Messages: []prompt.Message{{Role: prompt.User, Content: "One."}}}) {
		noError(t, err)
		if d.Notice != "" {
			if said = append(said, d.Notice); len(said) == 1 {
				release()
			}
		}
		if d.Model != nil {
			found = d.Model
		}
	}
	if found == nil || found.ModelName != "listed" {
		t.Errorf("%+v", found)
	}
	if len(said) != 2 || !strings.HasPrefix(said[0], "waiting for "+strings.TrimSuffix(strings.TrimPrefix(silent, "http://"), "/v1")) || !strings.HasPrefix(said[1], "answering with listed") {
		t.Errorf("%q", said)
	}
}

// TestTurnNeedsNoList: with a model named the turn waits for no list, and a turn that is
// stopped while it waits ends.
func TestTurnNeedsNoList(t *testing.T) {
	s := chaintest.NewServer(t, chaintest.Options{})
	lists := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && !strings.HasSuffix(r.URL.Path, "/version") {
			<-r.Context().Done() // its lists are silent
			return
		}
		http.Redirect(w, r, s.Host()+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(lists.Close)
	t.Cleanup(lists.CloseClientConnections)
	all := newTestProviders(t, Config{BaseURL: lists.URL + "/v1", Model: "test-model"}, nil, Flags{})
	c, err := all.Choose(t.Context(), true)
	noError(t, err)
	defer all.Close(t.Context())
	began := time.Now()
	for _, err := range c.Options.Model.Stream(t.Context(), chains.Request{Messages: []prompt.Message{{Role: prompt.User, Content: "One."}}}) {
		var moved *chains.ProviderError
		if err != nil && !errors.As(err, &moved) { // it was asked: another host gets no key
			t.Error(err)
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it waited %v for a list", took)
	}
}

// TestFound: what a start went on without is told once it is known, with its window and
// what there is to say about it, which the first turn does not say again.
func TestFound(t *testing.T) {
	silent, release := silentServer(t)
	all := newTestProviders(t, Config{BaseURL: silent}, nil, Flags{})
	all.Screen = true
	guess, err := all.Choose(t.Context(), true)
	if err != nil || !guess.Searching || guess.Options.ModelName != "" {
		t.Fatalf("%+v, %v", guess, err)
	}
	defer all.Close(t.Context())
	ended, end := context.WithCancel(t.Context())
	end()
	if _, ok := all.Found(ended); ok {
		t.Error("something was found while the server was silent")
	}
	release()
	c, ok := all.Found(t.Context())
	if !ok || c.Options.ModelName != "listed" || len(c.Notices) != 1 || !strings.HasPrefix(c.Notices[0], "answering with listed") {
		t.Errorf("%+v, %v", c, ok)
	}
	for d, err := range guess.Options.Model.Stream(t.Context(), chains.Request{Messages: []prompt.Message{{Role: prompt.User, Content: "One."}}}) {
		if err != nil || d.Notice != "" {
			t.Errorf("the turn said %q, %v", d.Notice, err)
		}
	}
}
