package wire

import "ibid/chains"

const (
	million = 1e6
	highest = 10_000 // dollars a million tokens: what is above is no price of that unit
)

// readPrice is the price of a model, not known if its list does not say it in a way that
// leaves no doubt. OpenRouter, and what follows it, have prompt and completion, in dollars
// a token; Vercel's gateway has input and output, as text, in dollars a token too;
// Together has them as numbers, in dollars a million tokens.
func readPrice(o Fields) chains.Price {
	// What every request costs besides, and what a machine costs that was rented for the model.
	if o.Number("request").Value != 0 || o.Number("hourly").Value != 0 {
		return chains.Price{}
	}
	in, out, cached, unit := "prompt", "completion", "input_cache_read", million
	if o[in] == nil && o[out] == nil {
		in, out = "input", "output"
		if o.Text(in)+o.Text(out) == "" {
			unit, cached = 1, "cached_input"
		}
	}
	or := func(name string, instead float64) float64 {
		if n := o.Number(name); n.Set && n.Value >= 0 {
			return n.Value * unit
		}
		return instead
	}
	p := chains.Price{Known: true, Input: or(in, -1), Output: or(out, -1)}
	p.Cached, p.Written = or(cached, p.Input), or("input_cache_write", p.Input)
	rented := unit == 1 && p.Input+p.Output == 0
	if rented || min(p.Input, p.Output) < 0 || max(p.Input, p.Output, p.Written) > highest {
		return chains.Price{}
	}
	return p
}
