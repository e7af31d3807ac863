package connect

import (
	"strings"
	"testing"

	"ibid/chains/chaintest"
	"ibid/chains/ollama"
	"ibid/chains/openai"
	"ibid/chains/wire"
)

// TestOllamaAddress reads OLLAMA_HOST as Ollama's own programs do.
func TestOllamaAddress(t *testing.T) {
	for said, want := range map[string]string{
		"":                              "http://127.0.0.1:11434/v1",
		"gpu":                           "http://gpu:11434",
		" 'gpu:80' ":                    "http://gpu:80",
		":5000":                         "http://127.0.0.1:5000",
		"0.0.0.0":                       "http://127.0.0.1:11434",
		"0.0.0.0:5000":                  "http://127.0.0.1:5000",
		"[::]:5000":                     "http://127.0.0.1:5000",
		"::1":                           "http://[::1]:11434",
		"[::1]":                         "http://[::1]:11434",
		"http://gpu.lan":                "http://gpu.lan:80",
		"https://models.example/ollama": "https://models.example:443/ollama",
		"http://gpu.lan:11434/":         "http://gpu.lan:11434",
	} {
		if got := ollama.Address(func(string) string { return said }); got != want {
			t.Errorf("OLLAMA_HOST=%s: %s, want %s", said, got, want)
		}
	}
}

// TestKnown: an address of this machine that answers as Ollama does is Ollama, and
// gets no key.
func TestKnown(t *testing.T) {
	is, other := chaintest.NewServer(t, chaintest.Options{Ollama: true}), chaintest.NewServer(t, chaintest.Options{})
	a := newTestProviders(t, Config{}, nil, Flags{})
	for name, tt := range map[string]struct {
		named, base string
		native      bool
	}{
		"by its answer":          {"", is.URL(), true},
		"whatever it is called":  {"openai", is.URL(), true},
		"another server":         {"", other.URL(), false},
		"another one, so called": {"ollama", other.URL(), false},
		"not started yet":        {"ollama", "http://127.0.0.1:1/v1", true},
		"nobody":                 {"", "http://127.0.0.1:1/v1", false},
		"far away":               {"", "https://models.example/v1", false},
	} {
		e := completeEndpoint(t.Context(), endpoint{base: tt.base, provider: wire.ProviderAt(tt.named, tt.base), key: "k"})
		s, err := a.server(&e)
		noError(t, err)
		_, native := s.(*ollama.Client)
		if _, chat := s.(*openai.Client); native != tt.native || native == chat || native && (e.key != "" || s.Name() != "ollama") {
			t.Errorf("%s: %T, %+v", name, s, e)
		}
	}
	if e := completeEndpoint(t.Context(), endpoint{base: is.URL(), speaks: "openai"}); e.speaks != "openai" {
		t.Errorf("%+v: what a person said does not count", e)
	}
}

// TestLook: what is found at an address, and what to do about a server without
// models.
func TestLook(t *testing.T) {
	l := newTestProviders(t, Config{}, nil, Flags{})
	vllm, _ := wire.FindProvider("vllm")
	has := chaintest.NewServer(t, chaintest.Options{Ollama: true})
	none := chaintest.NewServer(t, chaintest.Options{Ollama: true, Models: []chaintest.Model{}})
	other := chaintest.NewServer(t, chaintest.Options{})
	var all []Server
	for _, base := range []string{none.URL(), "http://127.0.0.1:1/v1", has.URL(), other.URL()} {
		if s := l.look(t.Context(), vllm, base); s.Name != "" {
			all = append(all, s)
		}
	}
	if len(all) != 3 || all[0].None == nil || len(all[1].Models) != 1 || all[1].at.speaks != "ollama" ||
		all[2].at.speaks != "" || all[2].Name != "vllm" {
		t.Fatalf("%+v", all)
	}
	if e, why := chooseServer(all); e.base != has.URL() || why != "" {
		t.Errorf("%+v %s", e, why)
	}
	if e, why := chooseServer(all[:1]); e.base != "" || !strings.Contains(why, "ibid models pull NAME") {
		t.Errorf("%+v %s", e, why)
	}
}
