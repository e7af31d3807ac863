package usage

import (
	"cmp"
	"fmt"
	"slices"

	"ibid/vault"
)

const (
	maxSuggestions = 3
	maxIgnored     = 2 // number of times that a suggestion may be ignored
	minChats       = 2 // number of chats in which notes must have been used together
)

// Counts holds the usage of other notes together with one note.
type Counts struct {
	Chats   map[vault.Path]int // number of the last 20 chats in which each note was used together with it
	Ignored map[vault.Path]int // number of times that a suggestion was ignored
}

// Suggestion is a note that may be useful for the next turn, with the reason.
type Suggestion struct {
	Path   vault.Path
	Reason string // "linked from Beds", "with Beds in 3 chats"
	Short  string // "linked", "3 chats"
}

// SuggestionInput holds the data for suggestions.
type SuggestionInput struct {
	Typed, Cited []vault.Path // notes that match the typed text, and notes that the last answer cites
	Active       vault.Path   // the open note, "" for none
	With         Counts       // usage together with Active
	Linked       []vault.Path // notes that Active links to
}

// Suggest returns up to three notes that a person may want: those that match the typed text, those that the
// last answer cites, those that were used together with the active note in at least two of the last chats, most
// used first, and those that it links to. It leaves out notes for which skip is true, such as attached ones,
// and those that were ignored twice.
func (a *SuggestionInput) Suggest(skip func(vault.Path) bool) (out []Suggestion) {
	var used []vault.Path
	for p, n := range a.With.Chats {
		if n >= minChats {
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
			if len(out) < maxSuggestions && !there && p != a.Active && a.With.Ignored[p] < maxIgnored && !skip(p) {
				out = append(out, one)
			}
		}
	}
	return out
}
