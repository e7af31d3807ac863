package connect

import "slices"

const (
	favouritesFile = "favourites.json" // in the state folder: models with their providers, and whether they are
	recentFile     = "recent.json"     // there too: when they were chosen last
)

// Marked is the favourites, and the models that were chosen, the last one first, each
// with its provider in front.
func (p *Providers) Marked() (favourites, recent []string) {
	for name, is := range p.Hints.Read(favouritesFile) {
		if is == "yes" {
			favourites = append(favourites, name)
		}
	}
	slices.Sort(favourites)
	return favourites, p.Hints.Latest(recentFile, 5)
}

// SetFavourite makes a model a favourite, or takes that back.
func (p *Providers) SetFavourite(name string, on bool) {
	p.Hints.Set(favouritesFile, name, map[bool]string{true: "yes", false: "no"}[on])
}
