package desk_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
	"ibid/vault/vectors"
)

const meant = `
-- Shed.md --
The engine wants oil.
-- Garden.md --
Slugs eat the lettuce.
-- Diary.md --
---
private: true
---
My physician says so.
`

// maker is a server of a fixed table of meanings (see vaulttest.Meaning) on this machine, or
// another, with what it was asked.
type maker struct {
	mu    sync.Mutex
	here  bool
	texts []string
	fails func(texts []string) error
}

func (m *maker) options(model string) desk.ServerOptions {
	return desk.ServerOptions{Vectors: model, Embedder: func(context.Context, string) (chains.Embedder, error) {
		return chains.Embedder{Here: m.here, Place: "far at https://far.example/v1", Price: chains.Price{Known: true, Input: 20_000}, Embed: func(_ context.Context, texts []string) (all [][]float32, err error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			if m.fails != nil {
				if err := m.fails(texts); err != nil {
					return nil, err
				}
			}
			m.texts = append(m.texts, texts...)
			for _, text := range texts {
				all = append(all, vaulttest.Meaning(text))
			}
			return all, nil
		}}, nil
	}}
}

func (m *maker) takeTexts() (texts []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	texts, m.texts = m.texts, nil
	slices.Sort(texts)
	return texts
}

// paths of the notes that a search of the desk finds.
func (r *rig) search(text string) (paths string) {
	r.t.Helper()
	for _, h := range value(r.desk.Searcher(r.t.Context()).Search(r.t.Context(), index.Query{Text: text}))(r.t) {
		paths += string(h.Path) + " "
	}
	return strings.TrimSpace(paths)
}

// answer runs a command.
func (r *rig) answer(line string) desk.Result {
	r.t.Helper()
	return value(r.desk.Command(r.t.Context(), line))(r.t)
}

// TestVectorsHere: a server of this machine gets the notes in the background, without a
// question, and what was not sent is found by what it means, but not while it is typed.
func TestVectorsHere(t *testing.T) {
	m := &maker{here: true}
	r := newRig(t, meant, chaintest.New())
	r.servers = m.options("box/m")
	r.openDesk(chaintest.New())
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		r.desk.Run(ctx, desk.Changes{}, func(desk.Update) {})
		close(done)
	}()
	for began := time.Now(); value(r.desk.Meaning().State(t.Context()))(t).Done < 2; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("nothing was asked for")
		}
	}
	stop()
	<-done
	is(t, m.takeTexts(), []string{"Garden\nSlugs eat the lettuce.", "Shed\nThe engine wants oil."}, "sent")
	is(t, r.search("automobile"), "Shed.md", "found")
	m.takeTexts()
	for _, text := range []string{"mollus", "mollusc"} {
		hits := value(r.desk.Search(t.Context(), index.Query{Text: text, Partial: true}))(t)
		r.desk.FitsTyped(t.Context(), text)
		preview := chains.Caller{Preview: true}.In(t.Context())
		if _, err := r.desk.Searcher(preview).Search(preview, index.Query{Text: text}); err != nil {
			t.Error(err)
		}
		if texts := m.takeTexts(); texts != nil || len(hits) > 0 {
			t.Errorf("%q was sent while it was typed; found %+v", texts, hits)
		}
	}
	text := r.answer("/index").Text
	if !strings.Contains(text, "box/m: vectors of 2 of 2 notes") {
		t.Error(text)
	}
}

// TestVectorsElsewhere: another machine gets nothing before the person agrees, whose answer
// is for that model at that address alone.
func TestVectorsElsewhere(t *testing.T) {
	m := &maker{}
	r := newRig(t, meant, chaintest.New())
	start := func(model string) {
		r.servers = m.options(model)
		r.openDesk(chaintest.New())
		check(t, r.vault.Scan(t.Context()))
		if !r.desk.Sync(t.Context()) {
			t.Fatal("no index")
		}
	}
	nothing := func(why string) {
		t.Helper()
		if err := r.desk.Meaning().Fill(t.Context()); !errors.Is(err, vectors.ErrNotAgreed) {
			t.Errorf("%s: %v", why, err)
		}
		r.search("automobile")
		if texts := m.takeTexts(); texts != nil {
			t.Errorf("%s: %q was sent", why, texts)
		}
	}
	start("far/m")
	nothing("unanswered")
	asked := r.answer("/index").Ask
	if asked == nil || asked.Line != "/index yes" || !strings.HasPrefix(asked.About, "2 notes, about 11 tokens, would go to far at https://far.example/v1, for the vectors of far/m, at about $0.22, ") {
		t.Errorf("the question is %+v", asked)
	}
	if !r.desk.Meaning().Unanswered(t.Context()) {
		t.Error("it is not known that the question is open")
	}
	r.answer("/index no")
	start("far/m")
	nothing("after a no")
	if said := r.answer("/index"); said.Ask != nil || !strings.Contains(said.Text, "/index yes agrees") || r.desk.Meaning().Unanswered(t.Context()) {
		t.Errorf("after a no: %+v", said)
	}
	r.answer("/index yes")
	start("far/m")
	check(t, r.desk.Meaning().Fill(t.Context()))
	if texts := m.takeTexts(); len(texts) != 2 || strings.Contains(strings.Join(texts, ""), "physician") {
		t.Errorf("after a yes: %q", texts)
	}
	is(t, r.search("automobile"), "Shed.md", "found")
	m.takeTexts()
	start("far/other")
	if err := r.desk.Meaning().Fill(t.Context()); !errors.Is(err, vectors.ErrNotAgreed) || m.takeTexts() != nil {
		t.Errorf("another model: %v", err)
	}
	if _, err := r.desk.Command(t.Context(), "/index maybe"); err == nil {
		t.Error("/index maybe is an answer")
	}
}

// TestVectorsWithoutRules: while it is not known what is excluded, no server gets anything, and words are searched.
func TestVectorsWithoutRules(t *testing.T) {
	m := &maker{here: true}
	r := newRig(t, meant+"-- .obsidian/app.json --\n{\"userIgnoreFilters\": [\"/(/\"]}\n", chaintest.New())
	r.servers = m.options("box/m")
	r.openDesk(chaintest.New())
	check(t, r.desk.UpdateIndex(t.Context()))
	is(t, r.search("lettuce"), "Garden.md", "found")
	is(t, m.takeTexts(), nil, "sent")
}

// TestVectorsRefused: what a server may say of one text costs that text, which /index counts; a failure that has
// nothing to do with texts does not.
func TestVectorsRefused(t *testing.T) {
	for _, row := range []struct {
		failed  chains.ProviderError
		refused bool
	}{
		{chains.ProviderError{Kind: chains.ErrContext, Status: 500}, true},
		{chains.ProviderError{Kind: chains.ErrContext, Status: 413}, true},
		{chains.ProviderError{Kind: chains.ErrServer, Status: 500}, true},
		{chains.ProviderError{Kind: chains.ErrConfig, Status: 400}, true},
		{chains.ProviderError{Kind: chains.ErrConfig, Status: 422}, true},
		{chains.ProviderError{Kind: chains.ErrConfig}, true}, // told in a reply of status 200
		{chains.ProviderError{Kind: chains.ErrBadReply}, true},
		{chains.ProviderError{Kind: chains.ErrAuth, Status: 401}, false},
		{chains.ProviderError{Kind: chains.ErrConfig, Status: 404}, false},
		{chains.ProviderError{Kind: chains.ErrQuota, Status: 402}, false},
		{chains.ProviderError{Kind: chains.ErrRate, Status: 429}, false},
		{chains.ProviderError{Kind: chains.ErrContext, Status: 429}, false},
		{chains.ProviderError{Kind: chains.ErrServer, Status: 503}, false},
		{chains.ProviderError{Kind: chains.ErrServer, Status: 502}, false},
		{chains.ProviderError{Kind: chains.ErrTimeout}, false},
		{chains.ProviderError{Kind: chains.ErrNetwork}, false},
	} {
		m := &maker{here: true, fails: func(texts []string) error {
			if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "Slugs") }) {
				return &row.failed
			}
			return nil
		}}
		r := newRig(t, meant, chaintest.New())
		r.servers = m.options("box/m")
		r.openDesk(chaintest.New())
		check(t, r.vault.Scan(t.Context()))
		err := r.desk.UpdateIndex(t.Context())
		said := r.answer("/index").Text
		counted := strings.Contains(said, "box/m: vectors of 2 of 2 notes, without 1 section that the server does not take")
		if (err == nil) != row.refused || counted != row.refused {
			t.Errorf("%+v: %v; %s", row.failed, err, said)
		}
		is(t, r.search("slugs"), "Garden.md", "found by its words")
	}
}
