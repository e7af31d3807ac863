package cli

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/ui"
)

const (
	favouritesFile = "favourites.json" // in the state folder: models with their providers, and whether they are
	recentFile     = "recent.json"     // there too: when they were chosen last
	mostRecent     = 5                 // that lists have before the others
)

// modelPage is the models of all providers for the page of the screen.
type modelPage struct{ *connections }

var _ ui.Models = modelPage{}

// Offers implements ui.Models.
func (p modelPage) Offers(ctx context.Context) iter.Seq[chains.Offer] { return p.offers(ctx) }

// Marked implements ui.Models.
func (p modelPage) Marked() (favourites, recent []string) {
	for name, is := range p.app.kept(favouritesFile) {
		if is == "yes" {
			favourites = append(favourites, name)
		}
	}
	slices.Sort(favourites)
	return favourites, lastKept(p.app, recentFile)
}

// lastKept is what a file of the state folder has the latest times for, the last first.
func lastKept(a *app, file string) []string {
	times := a.kept(file)
	recent := slices.SortedFunc(maps.Keys(times), func(a, b string) int { return strings.Compare(times[b]+b, times[a]+a) })
	return recent[:min(len(recent), mostRecent)]
}

// SetFavourite implements ui.Models.
func (p modelPage) SetFavourite(name string, on bool) {
	is := "no"
	if on {
		is = "yes"
	}
	p.app.keep(favouritesFile, name, is)
}
