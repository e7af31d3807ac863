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
	return chains.Price(tokens.Lookup(l.provider.Name, model).Price)
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
