package connect

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/connect/keystore"
	"ibid/chains/wire"
	"ibid/context/prompt"
	"ibid/context/tokens"
	"ibid/vault/ownfile"
)

// providersFromFile makes providers from a configuration file, which may change while they are
// in use.
func providersFromFile(t *testing.T, config string, env map[string]string, flags Flags) (file string, all *Providers) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "config.toml")
	noError(t, os.WriteFile(file, []byte(config), 0o600))
	read := func() (c Config) {
		if _, err := toml.DecodeFile(file, &c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	all = newTestProviders(t, read(), env, flags)
	all.Reload = func() (map[string]Settings, error) { return read().Providers, nil }
	e, named, err := all.selection(t.Context()).pick()
	noError(t, err)
	if named && e.base != "" {
		if _, err := all.Choose(t.Context(), true); err != nil {
			t.Fatal(err)
		}
	}
	return file, all
}

// newTestProviders makes providers with nothing but these settings, and no keyring.
func newTestProviders(t *testing.T, c Config, env map[string]string, flags Flags) *Providers {
	t.Helper()
	dir := t.TempDir()
	c.Discover = true
	return New(Options{
		Config: c, Flags: flags, Getenv: func(name string) string { return env[name] }, Hints: ownfile.Hints(dir),
		Keys: keystore.Store{File: filepath.Join(dir, "keys.toml"), NoRing: true}, Path: func(name string) string { return name },
	})
}

// ask sends a question to a model.
func ask(t *testing.T, o chains.Options) {
	t.Helper()
	for _, err := range o.Model.Stream(t.Context(), chains.Request{Messages: []prompt.Message{{Role: prompt.System, Content: "Be brief."}, {Role: prompt.User, Content: "One."}}, Model: o.ModelName}) {
		noError(t, err)
	}
}

// TestSwitchProvider goes on with models of providers that speak three protocols, in
// one run: each request arrives where it should, with what its table says.
func TestSwitchProvider(t *testing.T) {
	open := chaintest.NewServer(t, chaintest.Options{Key: "key-open", Models: []chaintest.Model{{ID: "same", Window: 32768}, {ID: "claude/odd"}}})
	claude := chaintest.NewServer(t, chaintest.Options{Key: "key-claude", Models: []chaintest.Model{{ID: "same"}, {ID: "claude-opus-5"}}})
	box := chaintest.NewServer(t, chaintest.Options{Ollama: true, Models: []chaintest.Model{{ID: "ash:4b", Window: 65536}}})
	config := `
[providers.work]
base_url = "` + open.URL() + `"
key_env = "WORK_KEY"
temperature = 0
max_tokens = 77
headers = { X-Team = "notes" }
extra = { top_p = 0.5 }
[providers.claude]
base_url = "` + claude.URL() + `"
key_env = "CLAUDE_KEY"
max_tokens = 9000
effort = "low"
window = 50000
marks = false
[providers.box]
base_url = "` + box.URL() + `"
temperature = 0.5
window = 16384
[providers.gone]
base_url = "http://127.0.0.1:1/v1"
`
	_, all := providersFromFile(t, config, map[string]string{"WORK_KEY": "key-open", "CLAUDE_KEY": "key-claude"}, Flags{Model: "work/same"})
	step := func(at, name string) chains.Options {
		t.Helper()
		o, err := all.Model(t.Context(), at, name)
		if err != nil {
			t.Fatal(name, err)
		}
		ask(t, o)
		return o
	}
	first := step("", "same")
	second := step("work", "claude/same")
	third := step("claude", "box/ash:4b")
	step("work", "claude/odd") // a model that the provider of the chat has
	if o := step("claude", "claude-opus-5"); o.ModelName != "claude-opus-5" || o.Cache.At != "claude" {
		t.Errorf("%s at %s", o.ModelName, o.Cache.At)
	}

	var body struct {
		Model       string
		TopP        *float64 `json:"top_p"`
		Temperature *float64
		MaxTokens   int `json:"max_tokens"`
		Thinking    any
		Options     struct {
			Temperature *float64
			Context     int `json:"num_ctx"`
		}
	}
	read := func(s *chaintest.Server, n int) chaintest.RecordedRequest {
		t.Helper()
		got := s.Completions()
		if len(got) <= n {
			t.Fatalf("%d requests", len(got))
		}
		body.Thinking, body.TopP, body.Temperature = nil, nil, nil
		noError(t, json.Unmarshal(got[n].Body, &body))
		return got[n]
	}
	r := read(open, 0)
	if body.Model != "same" || body.TopP == nil || *body.TopP != 0.5 || body.Temperature == nil || *body.Temperature != 0 || body.MaxTokens != 77 || r.Header.Get("X-Team") != "notes" {
		t.Errorf("%s %s", r.Path, r.Body)
	}
	r = read(claude, 0)
	if body.Model != "same" || body.MaxTokens != 9000 || body.Thinking == nil || r.Header.Get("X-Api-Key") != "key-claude" || r.Header.Get("X-Team") != "" || strings.Contains(string(r.Body), "cache_control") {
		t.Errorf("%s %s", r.Path, r.Body)
	}
	r = read(box, 0)
	if body.Model != "ash:4b" || body.Options.Temperature == nil || *body.Options.Temperature != 0.5 || body.Options.Context == 0 || body.Options.Context > 16384 || r.Header.Get("Authorization") != "" {
		t.Errorf("%s %s", r.Path, r.Body)
	}
	if r = read(open, 1); body.Model != "claude/odd" {
		t.Errorf("%s %s", r.Path, r.Body)
	}
	if second.Window != 50000 || first.ModelName != second.ModelName || first.Cache.At == second.Cache.At || third.Cache.Kind != prompt.CacheSlot {
		t.Errorf("window %d, caches at %s and %s, %s", second.Window, first.Cache.At, second.Cache.At, third.Cache.Kind)
	}
	if last := all.Hints.Read(providersFile)[lastProvider]; last != "claude" {
		t.Errorf("%s answered last", last)
	}

	offers := map[string]chains.Offer{}
	for o := range all.Offers(t.Context()) {
		offers[o.Provider] = o
	}
	if len(offers) != 4 || !offers["claude"].Now || offers["gone"].Err == nil || !slices.Equal(offers["work"].Names(), []string{"work/same", "work/claude/odd"}) || !slices.Equal(offers["box"].Names(), []string{"box/ash:4b"}) {
		t.Errorf("%+v", offers)
	}
	names, err := all.names(t.Context())
	if want := []string{"same", "claude-opus-5", "box/ash:4b", "work/claude/odd", "work/same"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v", names, err)
	}
}

// TestOffersOfSilent: of a provider that does not answer the models of its last list can be
// chosen, else the catalogue's choice.
func TestOffersOfSilent(t *testing.T) {
	answers := true
	box := chaintest.NewServer(t, chaintest.Options{})
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answers {
			http.Error(w, "down", http.StatusForbidden)
			return
		}
		fmt.Fprint(w, `{"data":[{"id":"a"},{"id":"text-embedding-b"}]}`)
	}))
	t.Cleanup(at.Close)
	_, all := providersFromFile(t, "[providers.box]\nbase_url = \""+box.URL()+"\"\n[providers.work]\nbase_url = \""+at.URL+"/v1\"\nkind = \"openai\"\n", nil, Flags{Model: "box/test-model"})
	for range all.Offers(t.Context()) {
	}
	answers = false
	for o := range all.Offers(t.Context()) {
		if o.Provider == "work" && (o.Err == nil || !slices.Equal(o.Names(), []string{"work/a"})) {
			t.Errorf("%+v", o)
		}
	}
	openai, _ := wire.FindProvider("openai")
	l := &link{endpoint: &endpoint{base: openai.BaseURL, provider: openai}, of: all}
	if list := l.lastList(); len(list) != 1 || list[0].ID != tokens.Default("openai") || !list[0].Chat {
		t.Errorf("%+v", list)
	}
}

// TestOffersEnd: whoever stops listening does not wait for a provider that is silent.
func TestOffersEnd(t *testing.T) {
	quick := chaintest.NewServer(t, chaintest.Options{})
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(release) })
	_, all := providersFromFile(t, "[providers.a]\nbase_url = \""+quick.URL()+"\"\n[providers.b]\nbase_url = \""+slow.URL+"/v1\"\nkind = \"openai\"\n", nil, Flags{Model: "a/test-model"})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for o := range all.Offers(ctx) {
		if o.Provider != "a" || len(o.Models) != 1 {
			t.Errorf("%+v", o)
		}
		break
	}
	if ctx.Err() != nil {
		t.Error("it waited")
	}
}

// TestChosenProvider: where a person chose the provider, a model may be called like
// another one of it.
func TestChosenProvider(t *testing.T) {
	router := chaintest.NewServer(t, chaintest.Options{Models: []chaintest.Model{{ID: "other/listed"}}})
	other := chaintest.NewServer(t, chaintest.Options{Models: []chaintest.Model{{ID: "listed"}, {ID: "mine"}}})
	config := "provider = \"router\"\n[providers.router]\nbase_url = \"" + router.URL() + "\"\n[providers.other]\nbase_url = \"" + other.URL() + "\"\n"
	_, all := providersFromFile(t, config, nil, Flags{})
	for range all.Offers(t.Context()) { // the last list says so
	}
	asked := len(router.Requests()) + len(other.Requests())
	for name, want := range map[string]string{"other/listed": "router/other/listed", "other/unknown": "other/unknown", "other/mine": "other/mine", "new": "router/new", "nobody/m": "router/nobody/m"} {
		l, model, err := all.find(t.Context(), "router", name)
		if err != nil || l.name+"/"+model != want {
			t.Errorf("%s: %s of %s, %v", name, model, l.name, err)
		}
	}
	if n := len(router.Requests()) + len(other.Requests()); n > asked+1 { // whether the other is Ollama
		t.Errorf("%d requests for names", n-asked)
	}
}

// TestNobodyConnected: a provider that is added while the program runs can be chosen.
func TestNobodyConnected(t *testing.T) {
	file, all := providersFromFile(t, "", nil, Flags{})
	if names, err := all.names(t.Context()); len(names) > 0 || err != nil {
		t.Error(names, err)
	}
	if _, err := all.Model(t.Context(), "", "m"); err == nil || !strings.HasPrefix(err.Error(), "no provider is connected") {
		t.Error(err)
	}
	if _, err := all.Effort("", "", "low"); err == nil {
		t.Error("nobody thinks")
	}
	s := chaintest.NewServer(t, chaintest.Options{})
	noError(t, os.WriteFile(file, []byte("[providers.late]\nbase_url = \""+s.URL()+"\"\n"), 0o600))
	o, err := all.Model(t.Context(), "", "late/test-model")
	noError(t, err)
	ask(t, o)
	if len(s.Completions()) != 1 {
		t.Error("it was not asked")
	}
}

// TestSwitchToOffline: the name of the offline model means that model, whatever provider
// answers, nothing is sent then, and the next model is the provider's again. A model of
// that name is reached by its provider.
func TestSwitchToOffline(t *testing.T) {
	s := chaintest.NewServer(t, chaintest.Options{Models: []chaintest.Model{{ID: "offline"}, {ID: "m"}}})
	config := "[chats]\ntitle_model = \"m\"\n[providers.work]\nbase_url = \"" + s.URL() + "\"\n"
	_, all := providersFromFile(t, config, nil, Flags{Model: "work/m"})
	all.Screen = true
	for what, by := range map[string]func(context.Context, string, string) (chains.Options, error){"goes on": all.Model, "once": all.Once} {
		o, err := by(t.Context(), "work", "offline")
		if err != nil || o.ModelName != "offline" || o.Cache.At != "" || o.Background.Titles.Ask {
			t.Fatalf("%s: %q of %q, %v", what, o.ModelName, o.Cache.At, err)
		}
		ask(t, o)
	}
	if _, err := all.Effort("", "offline", "low"); err == nil {
		t.Error("the offline model thinks")
	}
	if sent := s.Completions(); len(sent) > 0 || all.Hints.Read("models.json")[s.URL()] == "offline" {
		t.Errorf("%d requests, %q answered last", len(sent), all.Hints.Read("models.json")[s.URL()])
	}
	for _, name := range []string{"m", "work/offline"} {
		o, err := all.Model(t.Context(), "", name)
		if err != nil || o.Cache.At != "work" || !strings.HasSuffix(name, o.ModelName) || !o.Background.Titles.Ask {
			t.Fatalf("%s: %q of %q, %v", name, o.ModelName, o.Cache.At, err)
		}
		ask(t, o)
	}
	if n := len(s.Completions()); n != 2 {
		t.Errorf("%d requests", n)
	}
}

// TestKeptOnce: providers whose models are listed again and again keep prompts in one
// place.
func TestKeptOnce(t *testing.T) {
	s := chaintest.NewServer(t, chaintest.Options{})
	config := "[providers.work]\nbase_url = \"" + s.URL() + "\"\n[providers.keeps]\nkind = \"openai\"\nexplicit_cache = true\nbase_url = \"" + s.URL() + "/openai\"\nkey_env = \"KEEPS_KEY\"\n"
	env := map[string]string{"KEEPS_KEY": "k"}
	_, all := providersFromFile(t, config, env, Flags{Model: "work/m"})
	for range 3 {
		if _, _, err := all.Models(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := all.Model(t.Context(), "work", "keeps/m"); err != nil {
			t.Fatal(err)
		}
	}
	if len(all.pool.kept) != 1 {
		t.Errorf("%d caches of one provider", len(all.pool.kept))
	}
	env["KEEPS_KEY"] = "another"
	if _, err := all.Model(t.Context(), "work", "keeps/m"); err != nil || len(all.pool.kept) != 2 {
		t.Errorf("%d caches of two keys, %v", len(all.pool.kept), err)
	}
}

// TestAuthority: a server whose certificate a company signed is trusted by its file.
func TestAuthority(t *testing.T) {
	plain := chaintest.NewServer(t, chaintest.Options{})
	at, err := url.Parse(plain.Host())
	noError(t, err)
	secure := httptest.NewUnstartedServer(httputil.NewSingleHostReverseProxy(at))
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	for ca, want := range map[string]string{file: "", "": "not trusted", "none.pem": "ca_file of x: ", os.Args[0]: "holds no certificate"} {
		all := newTestProviders(t, Config{Providers: map[string]Settings{"x": {BaseURL: secure.URL + "/v1", CAFile: ca}}}, nil, Flags{})
		from := all.selection(t.Context())
		e := from.withKey("x", from.config.Providers["x"])
		server, err := all.server(&e)
		if err == nil {
			_, err = server.Models(t.Context())
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", ca, err, want)
		}
	}
}

// names lists the models that can be chosen, those of the provider that was chosen
// last first.
func (p *Providers) names(ctx context.Context) ([]string, error) {
	var names, others []string
	var failed error
	for o := range p.Offers(ctx) {
		switch {
		case o.Err != nil && (o.Now || failed == nil):
			failed = o.Err
		case o.Now:
			names = o.Names()
		default:
			others = append(others, o.Names()...)
		}
	}
	slices.SortFunc(others, strings.Compare)
	if names = append(names, others...); len(names) > 0 {
		return names, nil
	}
	return nil, failed
}

// TestKeyCommandFails: a command that prints no key is an error, whatever other keys
// there are, and nothing is sent; once it prints one, that is taken.
func TestKeyCommandFails(t *testing.T) {
	s := chaintest.NewServer(t, chaintest.Options{})
	config := "[providers.work]\nbase_url = \"" + s.URL() + "\"\nkey_command = \"no-such-program-471 show\"\n"
	file, all := providersFromFile(t, config, map[string]string{"OPENAI_API_KEY": "key-of-another"}, Flags{Model: "work/test-model"})
	if _, err := all.Keys.Put(t.Context(), "work", "key-kept"); err != nil {
		t.Fatal(err)
	}
	l := all.at("work")
	o := l.options("test-model")
	var failed error
	for _, err := range o.Model.Stream(t.Context(), chains.Request{Model: "test-model", Messages: []prompt.Message{{Role: prompt.User, Content: "One."}}}) {
		failed = err
	}
	_, listed := l.server.Models(t.Context())
	for _, err := range []error{failed, listed} {
		var told *chains.ProviderError
		if !errors.As(err, &told) || told.Kind != chains.ErrAuth || !strings.HasPrefix(told.Message, "No key for work: run key_command no-such-program-471: ") {
			t.Error(err)
		}
	}
	for _, r := range s.Requests() { // it was asked whether it is Ollama
		if r.Path != "/api/version" || r.Header.Get("Authorization") != "" {
			t.Errorf("%s %s", r.Path, r.Header)
		}
	}
	printing := strings.Replace(config, "no-such-program-471 show", "echo key-printed", 1)
	noError(t, os.WriteFile(file, []byte(printing), 0o600))
	o, err := all.Model(t.Context(), "work", "work/test-model")
	noError(t, err)
	ask(t, o)
	if sent := s.Completions(); len(sent) != 1 || sent[0].Header.Get("Authorization") != "Bearer key-printed" {
		t.Errorf("%+v", sent)
	}
}

// TestProviderOfChat: titles and the models of saved prompts are asked of the provider
// of the chat, whichever was chosen last.
func TestProviderOfChat(t *testing.T) {
	work := chaintest.NewServer(t, chaintest.Options{Models: []chaintest.Model{{ID: "big"}, {ID: "small"}}})
	home := chaintest.NewServer(t, chaintest.Options{Models: []chaintest.Model{{ID: "small"}, {ID: "own"}}})
	config := "[chats]\ntitles = true\ntitle_model = \"big\"\n[providers.work]\nbase_url = \"" + work.URL() + "\"\n[providers.home]\nbase_url = \"" + home.URL() + "\"\n"
	_, all := providersFromFile(t, config, nil, Flags{Model: "work/big"})
	all.Screen = true
	if title := all.at("work").options("small").Background.Titles; title.Name != "big" || title.Model == nil {
		t.Errorf("%+v", title)
	}
	o, err := all.Model(t.Context(), "work", "home/own")
	if err != nil || o.Background.Titles.Model != nil || !o.Background.Titles.Ask {
		t.Errorf("%+v, %v", o.Background.Titles, err)
	}
	for at, s := range map[string]*chaintest.Server{"work": work, "home": home} {
		o, err := all.Once(t.Context(), at, "small")
		noError(t, err)
		if ask(t, o); len(s.Completions()) != 1 {
			t.Errorf("%s was not asked", at)
		}
	}
}

// TestOnceNeedsNoList: a saved prompt asks for no list where one is known, which decides,
// or where the catalogue has the model.
func TestOnceNeedsNoList(t *testing.T) {
	s := chaintest.NewServer(t, chaintest.Options{Models: []chaintest.Model{{ID: "Big"}}})
	_, all := providersFromFile(t, "[providers.work]\nbase_url = \""+s.URL()+"\"\n", nil, Flags{Model: "work/Big"})
	before := len(s.Requests())
	if o, err := all.Once(t.Context(), "work", "big"); err != nil || o.ModelName != "Big" {
		t.Errorf("%q, %v", o.ModelName, err)
	}
	if _, err := all.Once(t.Context(), "work", "nobody"); err == nil || !strings.Contains(err.Error(), "none of that name") {
		t.Errorf("a model that the list has not: %v", err)
	}
	if n := len(s.Requests()) - before; n > 0 {
		t.Errorf("%d requests for a list that is known", n)
	}
}

// TestSideBySide: chats that work side by side choose models, say how much they are to
// think, and answer over one link.
func TestSideBySide(t *testing.T) {
	srv := chaintest.NewServer(t, chaintest.Options{Models: []chaintest.Model{{ID: "ash"}, {ID: "elm"}}})
	_, all := providersFromFile(t, "[providers.work]\nbase_url = \""+srv.URL()+"\"\neffort = \"low\"\n", nil, Flags{Provider: "work"})
	is, err := all.Effort("work", "ash", "")
	now := is.Options
	noError(t, err)
	var chats sync.WaitGroup
	for range 2 {
		chats.Go(func() {
			for _, err := range now.Model.Stream(t.Context(), chains.Request{Model: "ash", Messages: []prompt.Message{{Role: prompt.User, Content: "One."}}}) {
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	chats.Go(func() {
		if o, err := all.Model(t.Context(), "work", "elm"); err != nil || o.ModelName != "elm" {
			t.Error(o.ModelName, err)
		}
	})
	chats.Go(func() {
		if is, err := all.Effort("work", "ash", "high"); err != nil || is.Now != "high" {
			t.Error(is.Now, err)
		}
	})
	chats.Wait()
}
