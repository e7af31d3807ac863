package tokens

import (
	_ "embed"
	"sort"
	"strings"
)

// Price is what a provider takes for a million tokens, in dollars. What is not said of
// cached tokens costs as much as others.
type Price struct {
	Known                          bool // the rest is zero without it
	Input, Cached, Written, Output float64
}

// catalogue is charm's list of providers and of what they serve, as a test made it of
// theirs, to be searched where it lies: a model a line, in order, by provider and name in
// lower case. A line without a provider is that of a model anywhere, by its normalised
// name: its vendor's own, else the one with the smallest window. The name defaultName
// stands for the model to begin with.
//
//go:embed catalogue.txt
var catalogue string

const defaultName = "="

// inCatalogue is what the catalogue says of a name at a provider, nil for nothing.
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

// modelAt is a model of the catalogue, nil if it does not have it. A provider asks for the
// price that is listed there, under that name: what others take says nothing.
func modelAt(provider, name string) *catalogueEntry {
	f := inCatalogue(provider, name)
	if len(f) < 8 {
		return nil
	}
	m := &catalogueEntry{
		window: int(number(f[0])), output: int(number(f[1])), can: f[2],
		price: Price{f[4] != "-", number(f[4]), number(f[5]), number(f[6]), number(f[7])},
	}
	if f[3] != "-" {
		m.efforts = strings.Split(f[3], ",")
	}
	return m
}

// Default is the model of a provider to begin with, "" if none is known.
func Default(provider string) string { return strings.Join(inCatalogue(provider, defaultName), "") }

// InCatalogue reports whether the catalogue has a model of this very name at a provider.
func InCatalogue(provider, model string) bool {
	return provider != "" && modelAt(provider, strings.ToLower(model)) != nil
}
