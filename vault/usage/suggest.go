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

// Around is what suggestions are made of.
type Around struct {
	Typed, Cited []vault.Path // notes that fit what is typed, and those that the last answer cites
	Active       vault.Path   // the note that is open, "" for none
	With         Counts       // of that one
	Linked       []vault.Path // from that one
}

// Suggest lists up to three notes that a person may want: those that fit what is typed,
// those that the last answer cites, those that were used together with the active note in
// two of the last chats or more, the most used first, and those that it links to. Those
// for which skip is true, such as what is attached already, and those that were ignored
// twice are left out.
func (a *Around) Suggest(skip func(vault.Path) bool) (out []Suggestion) {
	var used []vault.Path
	for p, n := range a.With.Chats {
		if n >= leastChats {
			used = append(used, p)
		}
	}
	slices.SortFunc(used, func(p, q vault.Path) int {
		return cmp.Or(cmp.Compare(a.With.Chats[q], a.With.Chats[p]), cmp.Compare(p, q))
	})
	for _, from := range []struct {
		notes         []vault.Path
		reason, short string
	}{
		{a.Typed, "fits what you type", "fits"},
		{a.Cited, "cited in the last answer", "cited"},
		{used, "with " + a.Active.Base(), ""},
		{a.Linked, "linked from " + a.Active.Base(), "linked"},
	} {
		for _, p := range from.notes {
			one := Suggestion{p, from.reason, from.short}
			if one.Short == "" {
				one.Short = fmt.Sprintf("%d chats", a.With.Chats[p])
				one.Reason += " in " + one.Short
			}
			there := slices.ContainsFunc(out, func(s Suggestion) bool { return s.Path == p })
			if len(out) < mostSuggested && !there && p != a.Active && a.With.Ignored[p] < mostIgnored && !skip(p) {
				out = append(out, one)
			}
		}
	}
	return out
}
