package connect

import (
	"context"

	"ibid/chains"
	"ibid/context/tokens"
	"ibid/vault/routine"
)

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

// learnPrice asks for the list of a provider that names prices there, beside the first
// request to a model whose price is not known. The request does not wait for it: what
// it returns ends it.
func (l *link) learnPrice(ctx context.Context, model string) (end func()) {
	if !l.provider.Prices || l.price(model).Known {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var asking routine.Group
	asking.Go(func() {
		if _, err := l.server.Models(ctx); err != nil {
			l.of.Log.Debug("list models for their prices", "err", err)
		}
	})
	return func() {
		cancel()
		asking.Wait()
	}
}
