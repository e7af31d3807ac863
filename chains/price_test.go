package chains_test

import (
	"math"
	"testing"

	"ibid/chains"
	"ibid/context/prompt"
)

// TestPriceOf: what a provider reports wins; else its tokens are counted, cached and
// written ones at their own price; what is not known has no price.
func TestPriceOf(t *testing.T) {
	p := chains.Price{Known: true, Input: 3, Cached: 0.3, Written: 3.75, Output: 15}
	for name, tt := range map[string]struct {
		price chains.Price
		usage chains.Usage
		want  float64
	}{
		"by tokens": {
			p,
			chains.Usage{Prompt: 1_000_000, Cached: 400_000, CacheWrite: 100_000, Completion: 10_000, Cost: -1},
			1.5 + 0.12 + 0.375 + 0.15,
		},
		"cache not reported": {p, chains.Usage{Prompt: 1000, Cached: -1, CacheWrite: -1, Completion: 0, Cost: -1}, 0.003},
		"reported":           {p, chains.Usage{Prompt: 1000, Completion: 1000, Cost: 0.5}, 0.5},
		"reported as free":   {p, chains.Usage{Prompt: 1000, Completion: 1000}, 0},
		"free":               {chains.Price{Known: true}, chains.Usage{Prompt: 1000, Completion: 1000, Cost: -1}, 0},
		"no price":           {chains.Price{}, chains.Usage{Prompt: 1000, Completion: 1000, Cost: -1}, -1},
		"no tokens":          {p, chains.Usage{Prompt: -1, Completion: 10, Cost: -1}, -1},
	} {
		if got := tt.price.Of(tt.usage); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", name, got, tt.want)
		}
	}
	r := prompt.Prediction{Prompt: 10_000, Cached: 8000}
	if got := p.Sending(r); math.Abs(got-(2000*3.75+8000*0.3)/1e6) > 1e-12 {
		t.Errorf("sending costs %g", got)
	}
	if got := (chains.Price{}).Sending(r); got >= 0 {
		t.Errorf("sending costs %g without a price", got)
	}
	for amount, want := range map[float64]string{
		0: "", -1: "", math.NaN(): "", 0.000_01: "< $0.0001", 0.000_4: "$0.0004", 0.0031: "$0.0031",
		0.0412: "$0.041", 0.5: "$0.500", 12.345: "$12.35", 1234: "$1234.00",
	} {
		is(t, chains.Dollars(amount), want, amount)
	}
	for want, p := range map[string]chains.Price{
		"": {}, "free": {Known: true}, "$3 in, $15 out": p,
		"$0.075 in, $0.3 out": {Known: true, Input: 0.075, Output: 0.3},
	} {
		is(t, p.String(), want)
	}
}
