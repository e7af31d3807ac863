package connect

import "slices"

const (
	favouritesFile = "favourites.json" // file of the state folder: "yes" or "no" by PROVIDER/MODEL
	recentFile     = "recent.json"     // file of the state folder: times of the last choice
)

// Marked returns the favourites and the latest models, the last one first, as PROVIDER/MODEL.
func (p *Providers) Marked() (favourites, recent []string) {
	for name, is := range p.Hints.Read(favouritesFile) {
		if is == "yes" {
			favourites = append(favourites, name)
		}
	}
	slices.Sort(favourites)
	return favourites, p.Hints.Latest(recentFile, 5)
}

// SetFavourite makes a model a favourite or not.
func (p *Providers) SetFavourite(name string, on bool) {
	p.Hints.Set(favouritesFile, name, map[bool]string{true: "yes", false: "no"}[on])
}
