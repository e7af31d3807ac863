package wire

import "ibid/chains"

const maxPrice = 10_000 // dollars per million tokens; anything above is in another unit

// readPrice returns the price of a model, unknown unless the list gives it without doubt, in OpenRouter's form: dollars
// per token.
func readPrice(o Fields) chains.Price {
	if o.Number("request").Value != 0 {
		return chains.Price{}
	}
	or := func(name string, instead float64) float64 {
		if n := o.Number(name); n.Set && n.Value >= 0 {
			return n.Value * 1e6
		}
		return instead
	}
	p := chains.Price{Known: true, Input: or("prompt", -1), Output: or("completion", -1)}
	p.Cached, p.Written = or("input_cache_read", p.Input), or("input_cache_write", p.Input)
	if min(p.Input, p.Output) < 0 || max(p.Input, p.Output, p.Written) > maxPrice {
		return chains.Price{}
	}
	return p
}
