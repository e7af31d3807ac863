package connect

import (
	"context"

	"ibid/chains"
	"ibid/context/tokens"
	"ibid/vault/routine"
)

// price returns the price of a model from the settings, else the last list of the server, else the catalogue.
func (l *link) price(model string) chains.Price {
	if p := l.settings.Prices.price(); p.Known {
		return p
	}
	if info, _ := l.server.Known(model); info.Price.Known {
		return info.Price
	}
	return chains.Price(tokens.Lookup(l.provider.Name, model).Price)
}

// learnPrice requests the list of models in the background if it will tell the unknown price of a model. A reply does
// not wait for it: the caller ends it with end.
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
