package tokens

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"
)

// vendors are the providers that serve models of their own; Alibaba also others'.
var vendors = []string{"openai", "anthropic", "gemini", "deepseek", "xai", "zai", "moonshot", "minimax", "alibaba"}

// TestCatalogue: the file is charm's catalogue.
func TestCatalogue(t *testing.T) {
	at, anywhere, lines := map[string]map[string]catwalk.Model{}, map[string]catwalk.Model{}, []string{}
	for _, p := range embedded.GetAll() {
		id, here := strings.TrimSuffix(string(p.ID), "-singapore"), map[string]catwalk.Model{}
		at[id] = here
		lines = append(lines, id+" "+defaultName+" "+p.DefaultLargeModelID)
		for _, m := range p.Models {
			here[strings.ToLower(m.ID)] = m
			if was, ok := anywhere[normalise(m.ID)]; !ok || m.ContextWindow < was.ContextWindow {
				anywhere[normalise(m.ID)] = m
			}
		}
	}
	for _, id := range slices.Backward(vendors) {
		for _, name := range slices.Sorted(maps.Keys(at[id])) {
			anywhere[normalise(name)] = at[id][name]
		}
	}
	add := func(provider, name string, m catwalk.Model, p Price) {
		can := ""
		if m.SupportsImages {
			can += "i"
		}
		if m.CanReason {
			can += "r"
		}
		price := "- - - -"
		if p.Known {
			price = fmt.Sprint(p.Input, p.Cached, p.Written, p.Output)
		}
		lines = append(lines,
			fmt.Sprint(provider, " ", name, " ", m.ContextWindow, " ", m.DefaultMaxTokens, " ", cmp.Or(can, "-"), " ",
				cmp.Or(strings.Join(m.ReasoningLevels, ","), "-"), " ", price))
	}
	for id, here := range at {
		for name, m := range here {
			add(id, name, m, priceOf(&m))
		}
	}
	for name, m := range anywhere {
		add("", name, m, Price{})
	}
	slices.Sort(lines)
	compareGenerated(t, "catalogue.txt", strings.Join(lines, "\n")+"\n")
}

// priceOf returns the price of a model. Vendors use the two prices for cached tokens in
// different ways: one below the price of the input is for a read, and one above it for a write,
// unless the other contradicts.
func priceOf(m *catwalk.Model) Price {
	p := Price{true, m.CostPer1MIn, m.CostPer1MIn, m.CostPer1MIn, m.CostPer1MOut}
	if p.Input == 0 && p.Output == 0 { // part of a subscription, or not known
		return Price{}
	}
	reads := 0
	for _, cost := range []float64{m.CostPer1MInCached, m.CostPer1MOutCached} {
		switch {
		case cost == 0 || cost == p.Output:
		case cost > p.Input:
			p.Written = cost
		case cost < p.Input:
			p.Cached = cost
			reads++
		}
	}
	if reads > 1 {
		p.Cached = p.Input
	}
	return p
}
