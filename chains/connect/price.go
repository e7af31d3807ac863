package connect

import (
	"context"
	"iter"

	"ibid/chains"
	"ibid/context/tokens"
	"ibid/vault/routine"
)

// pricedModel is a model of a server that says what a request has cost where the server
// does not.
type pricedModel struct {
	chains.Model
	link *link
	name string
}

// modelNamed is the model of this name.
func (l *link) modelNamed(name string) *pricedModel {
	return &pricedModel{Model: l.server.Model(name), link: l, name: name}
}

// price is what a model costs: what the user says, else what the server's last list
// does, else what the catalogue has.
func (l *link) price(model string) chains.Price {
	if p := l.settings.Prices.price(); p.Known {
		return p
	}
	if info, _ := l.server.Known(model); info.Price.Known {
		return info.Price
	}
	return cataloguePrice(tokens.Lookup(l.provider.Name, model).Price)
}

// Price implements chains.Pricer.
func (m *pricedModel) Price() chains.Price { return m.link.price(m.name) }

// cataloguePrice is a price of the catalogue. What it does not say of cached tokens costs
// as much as others.
func cataloguePrice(p tokens.Price) chains.Price {
	or := func(price float64) float64 {
		if price < 0 {
			return p.Input
		}
		return price
	}
	if p.Input < 0 {
		return chains.Price{}
	}
	return chains.Price{Known: true, Input: p.Input, Cached: or(p.Cached), Written: or(p.Written), Output: p.Output}
}

// Stream implements chains.Model.
func (m *pricedModel) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		defer m.learnPrice(ctx)()
		for d, err := range m.Model.Stream(ctx, r) {
			if d.Usage != nil {
				u := *d.Usage
				u.Cost = m.Price().Of(u)
				d.Usage = &u
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// learnPrice asks for the list of a provider that names prices there, beside the first
// request to a model whose price is not known. The request does not wait for it: what
// it returns ends it.
func (m *pricedModel) learnPrice(ctx context.Context) (end func()) {
	if !m.link.provider.Prices || m.Price().Known {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var asking routine.Group
	asking.Go(func() {
		if _, err := m.link.server.Models(ctx); err != nil {
			m.link.of.Log.Debug("list models for their prices", "err", err)
		}
	})
	return func() {
		cancel()
		asking.Wait()
	}
}
