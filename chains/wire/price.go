package wire

import "ibid/chains"

const (
	million  = 1e6
	maxPrice = 10_000 // dollars per million tokens; anything above is in another unit
)

// readPrice returns the price of a model, unknown unless the list gives it without doubt. OpenRouter, and others
// with its format, have prompt and completion, in dollars per token; Vercel's gateway has input and output as
// strings, in dollars per token, too; Together has them as numbers, in dollars per million tokens.
func readPrice(o Fields) chains.Price {
	// A price per request, or per hour for a rented machine.
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
	if rented || min(p.Input, p.Output) < 0 || max(p.Input, p.Output, p.Written) > maxPrice {
		return chains.Price{}
	}
	return p
}
