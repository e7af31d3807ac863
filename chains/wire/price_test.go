package wire

import (
	"testing"

	"ibid/chains"
)

// TestListedPrices: the forms in which lists name prices; what could mean something
// else is no price.
func TestListedPrices(t *testing.T) {
	for _, tt := range []struct {
		name, pricing string
		want          chains.Price
	}{
		{"OpenRouter", `{"prompt":"0.000003","completion":"0.000015","request":"0","image":"0.0048","web_search":"0","input_cache_read":"0.0000003","input_cache_write":"0.00000375"}`, chains.Price{Known: true, Input: 3, Cached: 0.3, Written: 3.75, Output: 15}},
		{
			"no cache", `{"prompt":"0.000001","completion":"0.000002"}`,
			chains.Price{Known: true, Input: 1, Cached: 1, Written: 1, Output: 2},
		},
		{"free", `{"prompt":"0","completion":"0"}`, chains.Price{Known: true}},
		{"another form", `{"hourly":0,"input":0.88,"output":0.9,"base":0}`, chains.Price{}},
		{"varies", `{"prompt":"-1","completion":"-1"}`, chains.Price{}},
		{"half", `{"prompt":"0.000001"}`, chains.Price{}},
		{"and each request", `{"prompt":"0.000001","completion":"0.000002","request":"0.005"}`, chains.Price{}},
		{"another unit", `{"prompt":"3","completion":"15"}`, chains.Price{}},
		{"words", `"ask us"`, chains.Price{}},
		{"nothing", ``, chains.Price{}},
	} {
		got := readPrice(parseFields([]byte(tt.pricing)))
		for _, n := range []*float64{&got.Input, &got.Cached, &got.Written, &got.Output} {
			*n = float64(int(*n*1e6+0.5)) / 1e6
		}
		if got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	list, ok := readModels(
		[]byte(`{"data":[{"id":"a/b","pricing":{"prompt":"0.000001","completion":"0.000002"}},{"id":"c"}]}`))
	if !ok || len(list) != 2 || !list[0].Price.Known || list[1].Price.Known {
		t.Errorf("%+v", list)
	}
}
