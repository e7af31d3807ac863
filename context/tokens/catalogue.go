package tokens

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"
)

// Price is what a provider takes for a million tokens, in dollars. What is not said of
// cached tokens costs as much as others.
type Price struct {
	Known                          bool // the rest is zero without it
	Input, Cached, Written, Output float64
}

// catalogue is charm's list of providers and of what they serve.
type catalogue struct {
	defaults map[string]string                    // the model to begin with, by provider
	at       map[string]map[string]*catwalk.Model // by provider and name
	anywhere map[string]*catwalk.Model            // by normalised name: the vendor's own, else the one with the smallest window
}

// vendors are the providers that serve models of their own; Alibaba also others'.
var vendors = []string{"openai", "anthropic", "gemini", "deepseek", "xai", "zai", "moonshot", "minimax", "alibaba"}

// models is the catalogue, read when it is first needed; that takes some 10 ms.
var models = sync.OnceValue(func() *catalogue {
	c := &catalogue{defaults: map[string]string{}, at: map[string]map[string]*catwalk.Model{}, anywhere: map[string]*catwalk.Model{}}
	for _, p := range embedded.GetAll() {
		id, here := strings.TrimSuffix(string(p.ID), "-singapore"), map[string]*catwalk.Model{}
		c.defaults[id], c.at[id] = p.DefaultLargeModelID, here
		for i := range p.Models {
			m := &p.Models[i]
			here[strings.ToLower(m.ID)] = m
			if was := c.anywhere[normalise(m.ID)]; was == nil || m.ContextWindow < was.ContextWindow {
				c.anywhere[normalise(m.ID)] = m
			}
		}
	}
	for _, id := range slices.Backward(vendors) {
		for _, name := range slices.Sorted(maps.Keys(c.at[id])) {
			c.anywhere[normalise(name)] = c.at[id][name]
		}
	}
	return c
})

// Default is the model of a provider to begin with, "" if none is known.
func Default(provider string) string { return models().defaults[provider] }

// InCatalogue reports whether the catalogue has a model of this very name at a provider.
func InCatalogue(provider, model string) bool {
	return models().at[provider][strings.ToLower(model)] != nil
}

// find is a model at a provider, nil if the catalogue does not have it. priced says
// that it is listed there, under that name: what others take for it says nothing.
func (c *catalogue) find(provider, model string) (m *catwalk.Model, priced bool) {
	name := strings.ToLower(strings.TrimSpace(model))
	for _, id := range []string{name, releaseDate.ReplaceAllString(name, "")} {
		if m := c.at[provider][id]; m != nil {
			return m, true
		}
	}
	return c.anywhere[normalise(model)], false
}

// priceOf is the price of a model. Of the two for cached tokens vendors mean different
// things: one below the price of the input is that of a read, one above it that of a
// write, where the other does not contradict.
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
