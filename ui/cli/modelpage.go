package cli

import (
	"context"
	"iter"
	"slices"

	"ibid/chains"
	"ibid/ui"
)

const (
	favouritesFile = "favourites.json" // in the state folder: models with their providers, and whether they are
	recentFile     = "recent.json"     // there too: when they were chosen last
)

// modelPage is the models of all providers for the page of the screen.
type modelPage struct{ *connections }

var _ ui.Models = modelPage{}

// Offers implements ui.Models.
func (p modelPage) Offers(ctx context.Context) iter.Seq[chains.Offer] { return p.offers(ctx) }

// Marked implements ui.Models.
func (p modelPage) Marked() (favourites, recent []string) {
	for name, is := range p.app.hints().Read(favouritesFile) {
		if is == "yes" {
			favourites = append(favourites, name)
		}
	}
	slices.Sort(favourites)
	return favourites, p.app.hints().Latest(recentFile)
}

// SetFavourite implements ui.Models.
func (p modelPage) SetFavourite(name string, on bool) {
	is := "no"
	if on {
		is = "yes"
	}
	p.app.hints().Set(favouritesFile, name, is)
}
