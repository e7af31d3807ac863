package connect

import (
	"context"
	"iter"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
)

// dealer is a server whose list names prices, once it was asked for.
type dealer struct {
	fakeServer
	asked chan struct{}
}

func (d *dealer) Models(context.Context) ([]chains.ModelInfo, error) {
	d.info.Price = chains.Price{Known: true, Input: 3, Cached: 0.3, Written: 3.75, Output: 15}
	close(d.asked)
	return nil, nil
}

func (d *dealer) Known(string) (chains.ModelInfo, bool) { return d.info, true }

func (d *dealer) Model(string) chains.Model { return reports{d.asked} }

// reports is a model that says what a request used, and not what it has cost.
type reports struct{ after chan struct{} }

func (m reports) Stream(context.Context, chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		<-m.after
		yield(chains.Delta{Usage: &chains.Usage{Prompt: 1_000_000, Cached: 500_000, CacheWrite: -1, Completion: 100_000, Cost: -1}}, nil)
	}
}

// TestPriceIsLearned: the list is asked for beside the first request of a provider that
// names prices there and not before; what it said is known for a week.
func TestPriceIsLearned(t *testing.T) {
	a := made(t, Config{}, nil, Flags{})
	l := &link{
		of: a, endpoint: &endpoint{base: "https://models.example/v1", provider: wire.Provider{Name: "models", Prices: true}},
		server: &dealer{fakeServer: fakeServer{name: "models"}, asked: make(chan struct{})},
	}
	if p := l.modelNamed("m").Price(); p.Known {
		t.Fatalf("%+v is known before anything was asked", p)
	}
	for d, err := range l.modelNamed("m").Stream(t.Context(), chains.Request{}) {
		if want := 1.5 + 0.15 + 1.5; err != nil || d.Usage.Cost != want {
			t.Errorf("%+v %v, want it to cost %g", d.Usage, err, want)
		}
	}
	again := &link{of: a, endpoint: &endpoint{base: l.base}, server: fakeServer{name: "models"}}
	if got, want := again.modelNamed("m").Price().PerMillion(), "$3 in ($0.3 cached), $15 out a million tokens"; got != want {
		t.Errorf("a later start knows %q, want %q", got, want)
	}
	if lines := a.Learned(); len(lines) != 1 || lines[0] != "m at https://models.example/v1 costs $3 in ($0.3 cached), $15 out a million tokens" {
		t.Errorf("%q", lines)
	}
	cached := 1.0
	again.settings.Prices = &Prices{Input: 2, Cached: &cached, Output: 4}
	if p, want := again.modelNamed("m").Price(), (chains.Price{Known: true, Input: 2, Cached: 1, Written: 2, Output: 4}); p != want {
		t.Errorf("%+v, want what the person says: %+v", p, want)
	}
	long := l.learned()
	a.Hints.Set(learnedFile, long.key("m", pricedAs), time.Now().Add(-8*24*time.Hour).UTC().Format(time.DateOnly)+" 3/0.3/3.75/15")
	if p := (&link{of: a, endpoint: &endpoint{base: l.base}, server: fakeServer{name: "models"}}).modelNamed("m").Price(); p.Known {
		t.Errorf("%+v is known after a week", p)
	}
}
