package gemini_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/gemini"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

const (
	key   = "AIza-for-tests"
	model = "gemini-2.5-flash"
)

// clock is a clock that tests set.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)} }

func (c *clock) time() time.Time { return c.now }

// newServer starts a server whose contents expire by the time of a clock.
func newServer(t *testing.T) (*clock, *chaintest.Server) {
	t.Helper()
	at := newClock()
	return at, chaintest.NewServer(t, chaintest.Options{Gemini: true, Key: key, Now: at.time})
}

// process is one run of a program that uses Gemini.
type process struct {
	keeps *gemini.Cache
	model chains.Model
}

func start(t *testing.T, srv *chaintest.Server, at *clock) process {
	t.Helper()
	return startOver(t, srv, at, nil)
}

func startOver(t *testing.T, srv *chaintest.Server, at *clock, transport http.RoundTripper) process {
	t.Helper()
	to := wire.Options{
		Transport: transport, BaseURL: srv.Host() + "/v1beta/openai", Key: key, Name: "gemini",
		Jitter: func() float64 { return 0 }, Log: slog.New(slog.DiscardHandler),
		Extra: map[string]any{"extra_body": map[string]any{"google": map[string]any{"safety": "off"}, "other": 1}},
	}
	keeps, err := gemini.New(gemini.Options{
		Options: to, Count: func(s string) int {
			return len(s) / 4
		}, Least: func(string) int { return 1024 }, Now: at.time,
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := openai.New(openai.Options{Options: to, Model: model, Keeper: keeps})
	if err != nil {
		t.Fatal(err)
	}
	return process{keeps, c.Model(model)}
}

// turn returns a request of a chat with this library.
func turn(chat, library, question string) chains.Request {
	system := strings.Repeat("Instructions that stay. ", 200) + library
	return chains.Request{
		Model: model, CacheKey: chat, Prefix: chat + "l1" + library,
		Messages: []prompt.Message{{Role: prompt.System, Content: system}, {Role: prompt.User, Content: question}},
		Tools: []chains.ToolSpec{{
			Name: "readNote", Description: "Reads a note.",
			Schema: `{"type":"object","properties":{}}`,
		}},
	}
}

// ask sends a request and returns its notices and the number of cached tokens.
func (p process) ask(t *testing.T, r chains.Request) (told string, cached int) {
	t.Helper()
	for d, err := range p.model.Stream(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		told += d.Notice
		if d.Usage != nil {
			cached = d.Usage.Cached
		}
	}
	return told, cached
}

// last returns the name of the content in the last completion, and whether the completion has a
// system message and tools.
func last(t *testing.T, srv *chaintest.Server) (name string, whole bool) {
	t.Helper()
	all := srv.Completions()
	return named(t, all[len(all)-1])
}

// named returns the name of the content in a completion, and whether the completion has a
// system message and tools.
func named(t *testing.T, r chaintest.RecordedRequest) (name string, whole bool) {
	t.Helper()
	var body struct {
		Messages []struct{ Role string }
		Tools    json.RawMessage
		Extra    struct {
			Google struct {
				Content string `json:"cached_content"`
			}
		} `json:"extra_body"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		t.Fatal(err)
	}
	return body.Extra.Google.Content, body.Messages[0].Role == "system" && body.Tools != nil
}

// count returns the number of requests of this method for contents.
func count(srv *chaintest.Server, method string) (n int) {
	for _, r := range srv.Requests() {
		if r.Method == method && strings.Contains(r.Path, "/cachedContents") {
			n++
		}
	}
	return n
}

// TestExplicitCache (S0-40): the first turn creates a content for 3,600 s, and the second names
// it. One with a larger library creates another, and the old one is deleted.
func TestExplicitCache(t *testing.T) {
	at, srv := newServer(t)
	p := start(t, srv, at)
	told, cached := p.ask(t, turn("ibid-1", "", "One?"))
	if name, whole := last(t, srv); name != "cachedContents/content1" || whole {
		t.Errorf("the first turn names %q; whole: %v", name, whole)
	}
	const extra = `"extra_body":{"google":{"cached_content":"cachedContents/content1","safety":"off"},"other":1}`
	if body := string(srv.Completions()[0].Body); !strings.Contains(body, extra) {
		t.Errorf("the fields of the options are not merged: %s", body)
	}
	if want := "gemini is to keep 1,213 tokens of instructions and notes for an hour, for $0.0012"; told != want {
		t.Errorf("told %q", told)
	}
	if cached < 1200 {
		t.Errorf("%d tokens were cached", cached)
	}
	for _, r := range srv.Requests() {
		if r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/cachedContents") &&
			!strings.Contains(string(r.Body), `"ttl":"3600s"`) {
			t.Errorf("created with %s", r.Body)
		}
		if strings.Contains(r.Path, key) {
			t.Error("the key is in an address")
		}
	}
	if told, _ = p.ask(t, turn("ibid-1", "", "Two?")); told != "" || count(srv, http.MethodPost) != 1 {
		t.Errorf("the second turn says %q and %d were created", told, count(srv, http.MethodPost))
	}
	p.ask(t, turn("ibid-1", "A note.", "Three?"))
	if name, _ := last(t, srv); name != "cachedContents/content2" {
		t.Errorf("after the library grew %q is named", name)
	}
	if all := srv.Contents(); len(all) != 1 || all[0].Name != "cachedContents/content2" ||
		!strings.Contains(all[0].System, "A note.") || !strings.Contains(string(all[0].Tools), "readNote") {
		t.Errorf("it keeps %+v", all)
	}
	if p.keeps.Close(t.Context()); len(srv.Contents()) != 0 {
		t.Errorf("after the end it keeps %d", len(srv.Contents()))
	}
}

// TestExplicitCacheAfterKill: the content of a killed process stays until it expires. The next process creates its own,
// and leaves those of others alone.
func TestExplicitCacheAfterKill(t *testing.T) {
	at, srv := newServer(t)
	start(t, srv, at).ask(t, turn("ibid-1", "", "One?"))
	p := start(t, srv, at)
	p.ask(t, turn("ibid-1", "", "Two?"))
	if name, _ := last(t, srv); name != "cachedContents/content2" || count(srv, http.MethodPost) != 2 {
		t.Errorf("%q is named, %d were created", name, count(srv, http.MethodPost))
	}
	p.keeps.Close(t.Context())
	if all := srv.Contents(); len(all) != 1 || all[0].Name != "cachedContents/content1" {
		t.Errorf("it keeps %+v", all)
	}
}

// TestExplicitCacheTime: a content in use is kept alive, and an expired one is never named.
func TestExplicitCacheTime(t *testing.T) {
	at, srv := newServer(t)
	p := start(t, srv, at)
	p.ask(t, turn("ibid-1", "", "One?"))
	for range 4 {
		at.now = at.now.Add(40 * time.Minute)
		p.ask(t, turn("ibid-1", "", "Still?"))
	}
	if name, _ := last(t, srv); name != "cachedContents/content1" || count(srv, http.MethodPatch) != 4 {
		t.Errorf("%q after %d extensions", name, count(srv, http.MethodPatch))
	}
	at.now = at.now.Add(59*time.Minute + 30*time.Second) // the clock here may be behind
	p.ask(t, turn("ibid-1", "", "Much later?"))
	if name, _ := last(t, srv); name != "cachedContents/content2" {
		t.Errorf("%q is named at the end of its time", name)
	}
	at.now = at.now.Add(2 * time.Hour)
	if p.ask(t, turn("ibid-1", "", "The day after?")); len(srv.Contents()) != 1 || len(srv.Completions()) != 7 {
		t.Errorf("%d contents, %d completions", len(srv.Contents()), len(srv.Completions()))
	}
}

// TestExplicitCacheFails: if a content cannot be created, or the server has lost it, the
// request is sent whole, with one notice.
func TestExplicitCacheFails(t *testing.T) {
	at := newClock()
	srv := chaintest.NewServer(t,
		chaintest.Options{
			Gemini: true, Key: key, Now: at.time,
			Creates: []chaintest.Answer{{
				Status: http.StatusTooManyRequests,
				Body:   `{"error":{"message":"Quota exceeded for metric TotalCachedContentStorageTokensPerModel"}}`,
			}},
		})
	p := start(t, srv, at)
	told, _ := p.ask(t, turn("ibid-1", "", "One?"))
	if _, whole := last(t, srv); !whole || strings.Count(told, "goes out whole") != 1 ||
		!strings.Contains(told, "Quota exceeded") {
		t.Errorf("whole: %v, told %q", whole, told)
	}
	if told, _ = p.ask(t, turn("ibid-1", "", "Two?")); told != "" || count(srv, http.MethodPost) != 1 {
		t.Errorf("then told %q, asked %d times", told, count(srv, http.MethodPost))
	}
	p.ask(t, turn("ibid-1", "A note.", "Three?"))
	if name, _ := last(t, srv); name == "" {
		t.Error("another prefix is not tried")
	}
	at.now = at.now.Add(time.Minute)
	for _, c := range srv.Contents() { // behind our back
		req, err := http.NewRequest(http.MethodDelete, srv.Host()+"/v1beta/"+c.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Goog-Api-Key", key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	told, _ = p.ask(t, turn("ibid-1", "A note.", "Four?"))
	if _, whole := last(t, srv); !whole || !strings.Contains(told, "does not have what it kept") {
		t.Errorf("whole: %v, told %q", whole, told)
	}
	small := turn("ibid-3", "", "Short?")
	small.Messages[0].Content = "Be brief."
	if told, _ := p.ask(t, small); told != "" {
		t.Errorf("a short prompt: %q", told)
	}
	aside := turn("", "", "A title?")
	aside.Prefix = ""
	if p.ask(t, aside); count(srv, http.MethodPost) != 2 {
		t.Error("what is no turn is kept")
	}
}

// TestExplicitCacheInChat: in a chat that gets more and more notes, every request that names a
// content is a turn with the instructions and the library of that content.
func TestExplicitCacheInChat(t *testing.T) {
	var archive strings.Builder
	for i := range 3 {
		fmt.Fprintf(&archive, "-- Bed %d.md --\n# Bed %d\n\n%s\n", i, i,
			strings.Repeat(fmt.Sprintf("Row %d of the bed holds tulips and a label. ", i), 150))
	}
	at, srv := newServer(t)
	p := start(t, srv, at)
	s := chains.NewSession(chains.Options{
		Model: p.model, ModelName: model, Layout: prompt.Strict,
		Gather: gather.New(vaulttest.New(t, archive.String()), gather.Options{}), Window: 200_000,
	})
	for n := range 5 {
		in := chains.Input{Text: fmt.Sprintf("Question %d?", n)}
		if n < 3 {
			in.Attach = []prompt.Ref{{Kind: prompt.Note, ID: fmt.Sprintf("Bed %d.md", n)}}
		}
		for e, err := range s.Send(t.Context(), in) {
			if done, ok := e.(chains.Done); err != nil || ok && done.Err != nil {
				t.Fatal(err, done.Err)
			}
		}
	}
	var names []string
	for _, r := range srv.Completions() {
		name, _ := named(t, r)
		names = append(names, strings.TrimPrefix(name, "cachedContents/content"))
	}
	if got := strings.Join(names, " "); got != " 1 2 3 3" || len(srv.Contents()) != 1 {
		t.Errorf("the turns name %q, %d are kept", got, len(srv.Contents()))
	}
	if p.keeps.Close(t.Context()); len(srv.Contents()) != 0 {
		t.Error("the chat leaves a content")
	}
}

// TestExplicitCacheStops: if the user stops at the notice about costs, nothing is created or
// sent. If a turn is stopped while its content is created, the content is created later.
func TestExplicitCacheStops(t *testing.T) {
	at, srv := newServer(t)
	p := start(t, srv, at)
	for d := range p.model.Stream(t.Context(), turn("ibid-1", "", "One?")) {
		if d.Notice != "" {
			break
		}
	}
	if len(srv.Completions()) != 0 || count(srv, http.MethodPost) != 0 {
		t.Errorf("%d requests, %d creations", len(srv.Completions()), count(srv, http.MethodPost))
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for d, err := range p.model.Stream(ctx, turn("ibid-1", "", "One?")) {
		if stop(); d.Notice != "" && !strings.Contains(d.Notice, "is to keep") || err != nil &&
			!errors.Is(err, context.Canceled) {
			t.Errorf("told %q, %v", d.Notice, err)
		}
	}
	p.ask(t, turn("ibid-1", "", "Two?"))
	if name, _ := last(t, srv); name == "" || len(srv.Contents()) != 1 {
		t.Errorf("%q is named, %d are kept", name, len(srv.Contents()))
	}
}

// lateAnswer is a transport on which the answer to the first creation never arrives.
type lateAnswer struct{ made chan struct{} }

// RoundTrip implements http.RoundTripper.
func (l *lateAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	select {
	case <-l.made:
	default:
		if req.Method != http.MethodPost || !strings.HasSuffix(req.URL.Path, "/cachedContents") {
			break
		}
		resp, err := http.DefaultTransport.RoundTrip(req.Clone(context.WithoutCancel(req.Context())))
		if err != nil {
			return nil, err
		}
		resp.Body.Close()
		close(l.made)
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	return http.DefaultTransport.RoundTrip(req)
}

// TestExplicitCacheHangs: a creation that hangs does not delay other chats. After its turn is
// stopped, the chat creates another.
func TestExplicitCacheHangs(t *testing.T) {
	at, srv := newServer(t)
	slow := &lateAnswer{make(chan struct{})}
	p := startOver(t, srv, at, slow)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var hangs sync.WaitGroup
	hangs.Go(func() {
		for _, err := range p.model.Stream(ctx, turn("ibid-1", "", "One?")) {
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
	})
	<-slow.made
	p.ask(t, turn("ibid-2", "", "Another chat?"))
	if name, _ := last(t, srv); name != "cachedContents/content2" {
		t.Errorf("the other chat names %q", name)
	}
	hangs.Go(func() { // a title of the same chat
		for _, err := range p.model.Stream(t.Context(), turn("ibid-1", "", "A title?")) {
			if err != nil {
				t.Error(err)
			}
		}
	})
	stop()
	hangs.Wait()
	p.ask(t, turn("ibid-1", "", "Two?"))
	if name, _ := last(t, srv); name != "cachedContents/content3" || count(srv, http.MethodPost) != 3 {
		t.Errorf("%q is named, %d were created", name, count(srv, http.MethodPost))
	}
}

func TestNewExplicitCache(t *testing.T) {
	if _, err := gemini.New(
		gemini.Options{Options: wire.Options{BaseURL: "https://models.example.com/v1"}}); err == nil ||
		!strings.Contains(err.Error(), "/openai") {
		t.Error(err)
	}
}

// TestExplicitCacheDrop: when a chat is left its content is deleted, and no other.
func TestExplicitCacheDrop(t *testing.T) {
	at, srv := newServer(t)
	p := start(t, srv, at)
	p.ask(t, turn("ibid-1", "", "One?"))
	p.ask(t, turn("ibid-12", "", "Another chat?"))
	p.keeps.Drop(t.Context(), "ibid-1")
	if all := srv.Contents(); len(all) != 1 || all[0].Name != "cachedContents/content2" {
		t.Errorf("it keeps %+v", all)
	}
	p.ask(t, turn("ibid-1", "", "Two?"))
	if name, _ := last(t, srv); name != "cachedContents/content3" {
		t.Errorf("the chat that goes on names %q", name)
	}
	if p.keeps.Close(t.Context()); len(srv.Contents()) != 0 {
		t.Errorf("after the end it keeps %d", len(srv.Contents()))
	}
}
