package openai

import (
	"encoding/json"

	"ibid/chains"
	"ibid/chains/wire"
)

// listedPrice is what lists of models say about prices. OpenRouter, and what follows
// it, have prompt and completion, in dollars a token; Vercel's gateway has input and
// output, as text, in dollars a token too; Together has them as numbers, in dollars a
// million tokens.
type listedPrice struct {
	Prompt     number          `json:"prompt"`
	Completion number          `json:"completion"`
	Input      json.RawMessage `json:"input"`
	Output     json.RawMessage `json:"output"`
	CacheRead  number          `json:"input_cache_read"`
	CacheWrite number          `json:"input_cache_write"`
	CachedIn   number          `json:"cached_input"` // Together

	Request number `json:"request"` // what every request costs besides
	Hourly  number `json:"hourly"`  // what a machine costs that was rented for the model
}

const (
	million = 1e6
	highest = 10_000 // dollars a million tokens: what is above is no price of that unit
)

// priceIn is the price in what a list says of a model.
func priceIn(entry []byte) chains.Price {
	var l struct {
		Pricing json.RawMessage `json:"pricing"`
	}
	wire.Decode(entry, &l)
	return readPrice(l.Pricing)
}

// readPrice is the price of a model, not known if the list does not say it in a way
// that leaves no doubt.
func readPrice(raw json.RawMessage) chains.Price {
	var l listedPrice
	if !wire.Decode(raw, &l) || l.Request.value != 0 || l.Hourly.value != 0 {
		return chains.Price{}
	}
	unit, cached := million, l.CacheRead
	if !l.Prompt.set && !l.Completion.set {
		_ = l.Prompt.UnmarshalJSON(l.Input) // which never fails
		_ = l.Completion.UnmarshalJSON(l.Output)
		if !quoted(l.Input) && !quoted(l.Output) {
			if unit, cached = 1, l.CachedIn; l.Prompt.value+l.Completion.value == 0 {
				return chains.Price{} // of a model that must be rented
			}
		}
	}
	or := func(n number, instead float64) float64 {
		if n.set && n.value >= 0 {
			return n.value * unit
		}
		return instead
	}
	p := chains.Price{Known: l.Prompt.set && l.Completion.set, Input: or(l.Prompt, -1), Output: or(l.Completion, -1)}
	p.Cached, p.Written = or(cached, p.Input), or(l.CacheWrite, p.Input)
	if !p.Known || min(p.Input, p.Output) < 0 || max(p.Input, p.Output, p.Written) > highest {
		return chains.Price{}
	}
	return p
}

// quoted says that a value is text.
func quoted(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }
