package connect

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// serverFindings returns the findings about one server, one per line, and whether one of them is an
// error.
func serverFindings(t *testing.T, e endpoint, ask bool) (lines string, wrong bool) {
	t.Helper()
	var out strings.Builder
	d := &check{Providers: newTestProviders(t, Config{}, nil, Flags{}), CheckOptions: CheckOptions{Say: findingWriter(&out), Ask: ask}}
	d.server(t.Context(), e, "it answers")
	return out.String(), d.wrong
}

// findingWriter returns a function that writes findings, one per line.
func findingWriter(out *strings.Builder) func(Finding) {
	return func(f Finding) {
		fmt.Fprintf(out, "%-6s %-9s %s\n", map[string]string{StateOK: "ok", StateNote: "note", StateWrong: "WRONG"}[f.State], f.Field, f.Text)
		if f.Fix != "" {
			fmt.Fprintf(out, "       → %s\n", f.Fix)
		}
	}
}

// TestServerCheck: the findings about a provider, with and without requests to its model.
func TestServerCheck(t *testing.T) {
	called := chaintest.Answer{ToolCalls: []prompt.ToolCall{{ID: "a", Name: trialTool, Arguments: `{"word":"ready"}`}}}
	anthropic, _ := wire.FindProvider("anthropic")
	rows := map[string]struct {
		server chaintest.Options
		at     endpoint
		ask    bool
		says   []string
		never  string
		wrong  bool
		posts  int
	}{
		"nobody said yes": {
			chaintest.Options{},
			endpoint{},
			false,
			[]string{
				": it answers, in chat completions, without a key; it has 1 model",
				"ok     model     test-model answers: the first chat model",
				"note   reply     not tried: streaming, tools", "--ask-models",
			},
			"WRONG", false, 0,
		},
		"all works": {
			chaintest.Options{Answers: []chaintest.Answer{{Text: "Ready it is, and more of it."}, called}},
			endpoint{},
			true,
			[]string{"ok     streaming the first of ", "ok     tools     called when asked, with {\"word\":\"ready\"}", "ok     caching   "},
			"WRONG", false, 2,
		},
		"Anthropic": {
			chaintest.Options{Models: []chaintest.Model{{ID: "claude-opus-4.7"}}, Cache: prompt.Cache{Kind: prompt.CacheBlocks, Min: 1024}, Answers: []chaintest.Answer{{Text: "Ready it is."}, called}},
			endpoint{provider: anthropic, speaks: "anthropic", key: "key-for-tests", source: "env ANTHROPIC_API_KEY"},
			true,
			[]string{"in Anthropic Messages, with the key of ANTHROPIC_API_KEY in the environment", "tokens, as models of this name have", "marks are sent as cache_control", "ok     tools ", "ok     caching   "},
			"WRONG", false, 2,
		},
		"Ollama": {
			chaintest.Options{Ollama: true, Models: []chaintest.Model{{ID: "qwen3:8b", Window: 40960}}, Answers: []chaintest.Answer{{Text: "Ready it is."}, called}},
			endpoint{},
			true,
			[]string{"in Ollama's own protocol, without a key", "tokens, as the server says", "ok     tools ", "note   caching   the server does not report it"},
			"WRONG", false, 2,
		},
		"no call": {
			chaintest.Options{}, endpoint{}, true, []string{"note   tools     offered, and not called"}, "WRONG", false, 2,
		},
		"no tools": {
			chaintest.Options{Answers: []chaintest.Answer{{Status: 400, Body: `{"error":{"message":"tools are not supported by this model"}}`}}},
			endpoint{},
			true,
			[]string{"note   tools     127.0.0.1:", "takes no tools for this model", "ok     streaming ", "ok     caching "},
			"WRONG", false, 3,
		},
		"a reply that fails": {
			chaintest.Options{Answers: []chaintest.Answer{{Status: 402, Body: `{"error":{"message":"no credits left"}}`}}},
			endpoint{},
			true,
			[]string{"WRONG  reply     Out of credit at "},
			"streaming", true, 1,
		},
		"a wrong key": {
			chaintest.Options{Key: "another"},
			endpoint{key: "key-for-tests"},
			true,
			[]string{"WRONG  provider ", "refused the key (401)"},
			"key-for-tests", true, 0,
		},
		"no list": {
			chaintest.Options{Models: []chaintest.Model{}}, endpoint{}, true, []string{"it has 0 models", "note   model     none is named"}, "WRONG", false, 0,
		},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			srv := chaintest.NewServer(t, row.server)
			if row.at.base = srv.URL(); row.at.provider.Name == "" {
				row.at.provider = wire.ProviderAt("", srv.URL())
			}
			lines, wrong := serverFindings(t, row.at, row.ask)
			for _, says := range row.says {
				if !strings.Contains(lines, says) {
					t.Errorf("without %q:\n%s", says, lines)
				}
			}
			posts := 0
			for _, r := range srv.Completions() {
				if r.Method == http.MethodPost {
					posts++
				}
			}
			if strings.Contains(lines, row.never) || wrong != row.wrong || posts != row.posts {
				t.Errorf("wrong %v, %d requests, or with %q:\n%s", wrong, posts, row.never, lines)
			}
		})
	}
}

// TestFindingsSayOfWhom: each finding names its provider.
func TestFindingsSayOfWhom(t *testing.T) {
	srv := chaintest.NewServer(t, chaintest.Options{})
	var fields []string
	d := &check{Providers: newTestProviders(t, Config{}, nil, Flags{}), CheckOptions: CheckOptions{Say: func(f Finding) {
		if fields = append(fields, f.Field); f.Provider != "work" {
			t.Errorf("%+v", f)
		}
	}}}
	d.server(t.Context(), endpoint{name: "work", base: srv.URL(), provider: wire.ProviderAt("", srv.URL())}, "it answers")
	if d.about != "" || !slices.Contains(fields, "model") {
		t.Error(fields)
	}
}

// TestServerCheckNobody: without an answer there is no line about the network.
func TestServerCheckNobody(t *testing.T) {
	lines, wrong := serverFindings(t, endpoint{base: "http://127.0.0.1:1/v1", provider: wire.ProviderAt("", "http://127.0.0.1:1/v1")}, true)
	const nothing = "WRONG  provider  127.0.0.1:1 at http://127.0.0.1:1/v1: Nothing answers at 127.0.0.1:1."
	if !wrong || !strings.Contains(lines, nothing) {
		t.Error(lines)
	}
}

// TestProvidersCheck: all configured providers are checked, the one in use first, or only the
// one that a flag names.
func TestProvidersCheck(t *testing.T) {
	work := chaintest.NewServer(t, chaintest.Options{Key: "key-for-work", Models: []chaintest.Model{{ID: "claude-opus-4.7"}}})
	home := chaintest.NewServer(t, chaintest.Options{})
	cfg := Config{Provider: "work", Providers: map[string]Settings{
		"work": {Kind: "anthropic", BaseURL: work.URL(), KeyEnv: "WORK_KEY", Effort: "low", FirstText: time.Minute, Window: 1000, Prices: &Prices{Input: 3, Output: 15}},
		"home": {BaseURL: home.URL()},
	}}
	for _, named := range []string{"", "home"} {
		var out strings.Builder
		all := newTestProviders(t, cfg, map[string]string{"WORK_KEY": "key-for-work"}, Flags{Provider: named})
		all.Check(t.Context(), CheckOptions{Say: findingWriter(&out)})
		work := "work at " + work.URL() + ": it answers, in Anthropic Messages, with the key of WORK_KEY in the environment; it has 1 model\n"
		at, second := strings.Index(out.String(), work), strings.Index(out.String(), "home at "+home.URL())
		if strings.Contains(out.String(), "WRONG") || second < 0 || named == "" && (at < 0 || at > second) || named != "" && at >= 0 || strings.Contains(out.String(), "key-for-work") {
			t.Errorf("--provider %q: %s", named, out.String())
		}
		if uses := "1,000 tokens, as the settings say"; named == "" && !(strings.Contains(out.String(), "sends them; the provider may charge for them") && strings.Contains(out.String(), uses) && strings.Contains(out.String(), "effort    low\n")) {
			t.Errorf("without %q or the settings: %s", uses, out.String())
		}
	}
}

// TestCheckChoosesNoVendorsModel: the first model in a vendor's list is not named as the one in
// use.
func TestCheckChoosesNoVendorsModel(t *testing.T) {
	var out strings.Builder
	all := newTestProviders(t, Config{}, nil, Flags{})
	d := &check{Providers: all, CheckOptions: CheckOptions{Say: findingWriter(&out)}}
	mistral, _ := wire.FindProvider("mistral")
	e := &endpoint{name: "mistral", base: "https://api.mistral.ai/v1", provider: mistral}
	list := []chains.ModelInfo{{ID: "oldest", Chat: true}}
	if model := d.model(&link{of: all, endpoint: e, server: fresh{fakeServer{name: "mistral"}}}, list); model != "" || !strings.Contains(out.String(), "none is named") {
		t.Errorf("%q: %s", model, out.String())
	}
}
