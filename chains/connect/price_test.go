package connect

import (
	"context"
	"iter"
	"testing"

	"ibid/chains"
	"ibid/chains/wire"
)

// dealer is a server whose list names prices, once it was asked for.
type dealer struct {
	fakeServer
	asked chan struct{}
}

func (d *dealer) Models(context.Context) ([]chains.ModelInfo, error) {
	d.info = chains.ModelInfo{ID: "m", Price: chains.Price{Known: true, Input: 3, Cached: 0.3, Written: 3.75, Output: 15}}
	close(d.asked)
	return []chains.ModelInfo{d.info}, nil
}

func (d *dealer) Known(string) (chains.ModelInfo, bool) { return d.info, true }

func (d *dealer) Model(string) chains.Model { return reports{d.asked} }

// fresh is a server that was asked nothing yet.
type fresh struct{ fakeServer }

func (fresh) Known(string) (info chains.ModelInfo, ok bool) { return info, false }

// reports is a model that reports the usage of a request and not its price.
type reports struct{ after chan struct{} }

func (m reports) Stream(context.Context, chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		<-m.after
		yield(chains.Delta{Usage: &chains.Usage{Prompt: 1_000_000, Cached: 500_000, CacheWrite: -1, Completion: 100_000, Cost: -1}}, nil)
	}
}

// TestPriceOfLastList: the list is asked for beside the first request of a provider that
// names prices there and not before; what it said is known at the next start.
func TestPriceOfLastList(t *testing.T) {
	a := newTestProviders(t, Config{}, nil, Flags{})
	e := &endpoint{base: "https://models.example/v1", provider: wire.Provider{Name: "models", Prices: true}}
	l := &link{of: a, endpoint: e, server: &dealer{fakeServer: fakeServer{name: "models"}, asked: make(chan struct{})}}
	if p := l.modelNamed("m").Price(); p.Known {
		t.Fatalf("%+v is known before anything was asked", p)
	}
	for d, err := range l.modelNamed("m").Stream(t.Context(), chains.Request{}) {
		if want := 1.5 + 0.15 + 1.5; err != nil || d.Usage.Cost != want {
			t.Errorf("%+v %v, want it to cost %g", d.Usage, err, want)
		}
	}
	keepList(a.Hints, e.base, []chains.ModelInfo{l.server.(*dealer).info})
	again, err := a.open(*e)
	noError(t, err)
	if got, want := again.modelNamed("m").Price().PerMillion(), "$3 in ($0.3 cached), $15 out a million tokens"; got != want {
		t.Errorf("a later start knows %q, want %q", got, want)
	}
	if p := again.modelNamed("another").Price(); p.Known {
		t.Errorf("%+v is the price of a model that no list has", p)
	}
	cached := 1.0
	if again.misses("m") || !again.misses("another") {
		t.Error("what the list has and what it lacks")
	}
	again.settings.Prices = &Prices{Input: 2, Cached: &cached, Output: 4}
	if p, want := again.modelNamed("m").Price(), (chains.Price{Known: true, Input: 2, Cached: 1, Written: 2, Output: 4}); p != want {
		t.Errorf("%+v, want what the person says: %+v", p, want)
	}
}
