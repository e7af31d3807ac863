package connect

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/vault/vaulttest"
)

// TestEmbedder: vectors are asked for at both kinds of server, whose answers are of a fixed
// table of meanings, with the key and the model of the table of the provider.
func TestEmbedder(t *testing.T) {
	open := chaintest.NewServer(t, chaintest.Options{Key: "key-open"})
	box := chaintest.NewServer(t, chaintest.Options{Ollama: true})
	claude := chaintest.NewServer(t, chaintest.Options{})
	all := newTestProviders(t, Config{Providers: map[string]Settings{
		"work": {BaseURL: open.URL(), KeyEnv: "WORK_KEY"}, "box": {Kind: "ollama", BaseURL: box.URL()}, "claude": {Kind: "anthropic", BaseURL: claude.URL()},
	}}, map[string]string{"WORK_KEY": "key-open", "OLLAMA_HOST": strings.TrimSuffix(box.URL(), "/v1")}, Flags{})
	for name, want := range map[string]string{"work/small": "/v1/embeddings", "box/nomic": "/api/embed", "ollama/nomic": "/api/embed"} {
		e, err := all.Embedder(t.Context(), name)
		if err != nil || !e.Here || e.Price.Known {
			t.Errorf("%s: %+v, %v", name, e, err)
			continue
		}
		vectors, err := e.Embed(t.Context(), []string{"a car", "some broth"})
		if err != nil || len(vectors) != 2 || !slices.Equal(vectors[0], vaulttest.Meaning("a car")) || !slices.Equal(vectors[1], vaulttest.Meaning("some broth")) {
			t.Errorf("%s: %v, %v", name, vectors, err)
		}
		server := map[bool]*chaintest.Server{true: open, false: box}[name == "work/small"]
		last := server.Requests()[len(server.Requests())-1]
		if _, model, _ := strings.Cut(name, "/"); last.Path != want || !strings.Contains(string(last.Body), `"model":"`+model+`"`) {
			t.Errorf("%s: %s %s", name, last.Path, last.Body)
		}
	}
	if e, err := all.Embedder(t.Context(), "openai/text-embedding-3-small"); err != nil || e.Here || e.Price.Input != 0.02 {
		t.Errorf("of another machine: %+v, %v", e, err)
	}
	if _, err := all.Embedder(t.Context(), "nobody/x"); err == nil || !strings.Contains(err.Error(), "no provider nobody") {
		t.Error(err)
	}
	if e, err := all.Embedder(t.Context(), "claude/x"); err != nil {
		t.Error(err)
	} else if _, err = e.Embed(t.Context(), []string{"car"}); err == nil || !strings.Contains(err.Error(), "makes no vectors") {
		t.Error(err)
	}
	all.Flags.Offline = true
	if _, err := all.Embedder(t.Context(), "box/nomic"); err == nil {
		t.Error("asked for, offline")
	}
}

// TestLocalEmbedder: a model that makes vectors is known where a server of this machine has
// listed it.
func TestLocalEmbedder(t *testing.T) {
	box := chaintest.NewServer(t, chaintest.Options{Ollama: true, Models: []chaintest.Model{{ID: "oak:8b"}, {ID: "nomic-embed-text:latest", Embeds: true}}})
	all := newTestProviders(t, Config{}, map[string]string{"OLLAMA_HOST": strings.TrimSuffix(box.URL(), "/v1")}, Flags{})
	if got := all.LocalEmbedder(nil); got != "" {
		t.Errorf("%q is known before anybody asked", got)
	}
	if got := all.LocalEmbedder(all.Discover(t.Context())); got != "ollama/nomic-embed-text" {
		t.Errorf("found %q", got)
	}
}

// TestEmbedderFails: a server that has too much to do is asked again when it says so, and
// what is wrong otherwise is said.
func TestEmbedderFails(t *testing.T) {
	later := chaintest.Answer{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"1"}}, Body: `{"error":{"message":"slow down"}}`}
	bad := chaintest.Answer{Body: "<html>log in first</html>"}
	for _, ollama := range []bool{false, true} {
		s := chaintest.NewServer(t, chaintest.Options{Ollama: ollama, Embeds: []chaintest.Answer{later, {}, bad}})
		all := newTestProviders(t, Config{Providers: map[string]Settings{"box": {Kind: map[bool]string{true: "ollama", false: "openai"}[ollama], BaseURL: s.URL()}}}, nil, Flags{})
		e, err := all.Embedder(t.Context(), "box/m")
		noError(t, err)
		began := time.Now()
		if v, err := e.Embed(t.Context(), []string{"car"}); err != nil || len(v) != 1 || time.Since(began) < time.Second {
			t.Errorf("%v, %v after %v", v, err, time.Since(began))
		}
		var failed *chains.ProviderError
		if _, err := e.Embed(t.Context(), []string{"car"}); !errors.As(err, &failed) || failed.Kind != chains.ErrBadReply {
			t.Errorf("a page: %v", err)
		}
		s.Close()
		if _, err := e.Embed(t.Context(), []string{"car"}); !errors.As(err, &failed) || failed.Kind != chains.ErrNetwork {
			t.Errorf("a dead server: %v", err)
		}
	}
}
