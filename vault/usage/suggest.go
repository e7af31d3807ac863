package usage

import (
	"cmp"
	"fmt"
	"slices"

	"ibid/vault"
)

const (
	mostSuggested = 3
	mostIgnored   = 2 // times that a suggestion is shown in vain
	leastChats    = 2 // in which notes were used together
)

// Counts is what is known of a note's company.
type Counts struct {
	Chats   map[vault.Path]int // of the last 20, in which a note was used together with it
	Ignored map[vault.Path]int // how often a suggestion was not taken
}

// Suggestion is a note that may go with the next turn, and why.
type Suggestion struct {
	Path   vault.Path
	Reason string // "linked from Beds", "with Beds in 3 chats"
	Short  string // "linked", "3 chats"
}

// Suggest lists up to three notes that a person may want besides the active note:
// those that it links to, and those that were used together with it in two of the
// last chats or more, the most used first. Those for which skip is true, such as what
// is attached already, and those that were ignored twice are left out.
func Suggest(active vault.Path, linked []vault.Path, with Counts, skip func(vault.Path) bool) []Suggestion {
	var out []Suggestion
	left := func(p vault.Path) bool { return p == active || with.Ignored[p] >= mostIgnored || skip(p) }
	for p, n := range with.Chats {
		if n >= leastChats && !left(p) {
			out = append(out, Suggestion{p, fmt.Sprintf("with %s in %d chats", active.Base(), n), fmt.Sprintf("%d chats", n)})
		}
	}
	slices.SortFunc(out, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(with.Chats[b.Path], with.Chats[a.Path]), cmp.Compare(a.Path, b.Path))
	})
	out = out[:min(len(out), mostSuggested)]
	for _, p := range linked {
		if len(out) == mostSuggested {
			break
		}
		if !left(p) && !slices.ContainsFunc(out, func(s Suggestion) bool { return s.Path == p }) {
			out = append(out, Suggestion{p, "linked from " + active.Base(), "linked"})
		}
	}
	return out
}
