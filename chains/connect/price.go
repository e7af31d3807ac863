package connect

import (
	"ibid/chains"
	"ibid/context/tokens"
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
