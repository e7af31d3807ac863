package connect

import (
	"context"
	"iter"
	"testing"

	"ibid/chains"
	"ibid/chains/wire"
)

// dealer is a server whose last list names a price.
type dealer struct{ fakeServer }

func (d *dealer) Model(string) chains.Model { return reports{} }

// fresh is a server that was asked nothing yet.
type fresh struct{ fakeServer }

func (fresh) Known(string) (info chains.ModelInfo, ok bool) { return info, false }

// reports is a model that reports the usage of a request and not its price.
type reports struct{}

func (reports) Stream(context.Context, chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		yield(chains.Delta{Usage: &chains.Usage{Prompt: 1_000_000, Cached: 500_000, CacheWrite: -1, Completion: 100_000, Cost: -1}}, nil)
	}
}

// TestPriceOfLastList: the price of a model is in the last list of its server, also at the next start.
func TestPriceOfLastList(t *testing.T) {
	a := newTestProviders(t, Config{}, nil, Flags{})
	e := &endpoint{base: "https://models.example/v1", provider: wire.Provider{Name: "models"}}
	server := &dealer{fakeServer{name: "models"}}
	l := &link{of: a, endpoint: e, server: server}
	if p := l.modelNamed("m").Price(); p.Known {
		t.Fatalf("%+v is known before anything was asked", p)
	}
	server.info = chains.ModelInfo{ID: "m", Price: chains.Price{Known: true, Input: 3, Cached: 0.3, Written: 3.75, Output: 15}}
	for d, err := range l.modelNamed("m").Stream(t.Context(), chains.Request{}) {
		if want := 1.5 + 0.15 + 1.5; err != nil || d.Usage.Cost != want {
			t.Errorf("%+v %v, want it to cost %g", d.Usage, err, want)
		}
	}
	keepList(a.Hints, e.base, []chains.ModelInfo{server.info})
	again, err := a.open(*e)
	noError(t, err)
	if got, want := again.modelNamed("m").Price().PerMillion(), "$3 in ($0.3 cached), $15 out a million tokens"; got != want {
		t.Errorf("a later start knows %q, want %q", got, want)
	}
	if p := again.modelNamed("another").Price(); p.Known {
		t.Errorf("%+v is the price of a model that no list has", p)
	}
	cached := 1.0
	again.settings.Prices = &Prices{Input: 2, Cached: &cached, Output: 4}
	if p, want := again.modelNamed("m").Price(), (chains.Price{Known: true, Input: 2, Cached: 1, Written: 2, Output: 4}); p != want {
		t.Errorf("%+v, want what the person says: %+v", p, want)
	}
}
