package tokens

import (
	_ "embed"
	"sort"
	"strings"
)

// Price holds a provider's rates in dollars per million tokens. Where a list does not say what cached or written
// tokens cost, they cost as much as others.
type Price struct {
	Known   bool    // false if the rates are unknown and zero
	Input   float64 // prompt tokens that are not cached
	Cached  float64 // prompt tokens from the cache
	Written float64 // prompt tokens written to the cache
	Output  float64 // tokens of the reply, with reasoning
}

// catalogue is charm's list of providers and their models, which a test converts into this form, to be searched
// without parsing: a model a line, sorted by provider and name in lower case. A line without a provider is for a
// model anywhere, by its normalised name: that of its vendor, or else the one with the smallest window. The name
// defaultName is the default model of a provider.
//
//go:embed catalogue.txt
var catalogue string

const defaultName = "="

// inCatalogue returns the fields of the catalogue for a name at a provider, nil if there are none.
func inCatalogue(provider, name string) []string {
	key := provider + " " + name + " "
	at := sort.Search(len(catalogue), func(at int) bool {
		return catalogue[strings.LastIndexByte(catalogue[:at], '\n')+1:] >= key
	})
	line, _, _ := strings.Cut(catalogue[at:], "\n")
	if rest, found := strings.CutPrefix(line, key); found && !strings.Contains(name, " ") {
		return strings.Fields(rest)
	}
	return nil
}

// modelAt returns a model of the catalogue, nil if it has none. With a provider it returns the entry of that
// provider under that very name, because the prices of others say nothing about it.
func modelAt(provider, name string) *catalogueEntry {
	f := inCatalogue(provider, name)
	if len(f) < 8 {
		return nil
	}
	return entryOf(f)
}

// entryOf returns the model with these fields: its window, its longest reply, what it can, its levels of effort, and
// its prices.
func entryOf(f []string) *catalogueEntry {
	m := &catalogueEntry{
		window: int(number(f[0])), output: int(number(f[1])), can: f[2],
		price: Price{f[4] != "-", number(f[4]), number(f[5]), number(f[6]), number(f[7])},
	}
	if f[3] != "-" {
		m.efforts = strings.Split(f[3], ",")
	}
	return m
}

// Default returns the default model of a provider, "" if none is known.
func Default(provider string) string { return strings.Join(inCatalogue(provider, defaultName), "") }

// InCatalogue reports whether the catalogue has a model of this very name at a provider.
func InCatalogue(provider, model string) bool {
	return provider != "" && modelAt(provider, strings.ToLower(model)) != nil
}
