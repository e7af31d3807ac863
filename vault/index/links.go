package index

import (
	"slices"

	"ibid/vault"
)

// Links is which notes link to each other, either way. It never changes; make
// one away from the loop that draws the screen when notes changed.
type Links struct{ to, from map[vault.Path][]vault.Path }

// NewLinks gathers the links between notes. resolve says where a link leads, as
// vault.Vault.Resolve does. Private notes are left out.
func NewLinks(notes []*vault.Note, resolve func(target string, from vault.Path) vault.FoundNote) *Links {
	l := &Links{map[vault.Path][]vault.Path{}, map[vault.Path][]vault.Path{}}
	public := make(map[vault.Path]bool, len(notes))
	for _, n := range notes {
		public[n.Path] = !n.Private && !n.Chat
	}
	for _, n := range notes {
		if !public[n.Path] {
			continue
		}
		for link := range n.Links() {
			if link.Target == "" {
				continue
			}
			if p := resolve(link.Target, n.Path).Path; public[p] && p != n.Path && !slices.Contains(l.to[n.Path], p) {
				l.to[n.Path], l.from[p] = append(l.to[n.Path], p), append(l.from[p], n.Path)
			}
		}
	}
	return l
}

// Of lists the notes that a note links to, and those that link to it.
func (l *Links) Of(p vault.Path) (to, from []vault.Path) {
	return slices.Clip(l.to[p]), slices.Clip(l.from[p])
}

// Near gives the link distance of notes from some: 0 for these, 1 for notes that
// they link to or that link to them, 2 for theirs. Ask when what it is asked about
// changes, not for every key.
func (l *Links) Near(from ...vault.Path) map[vault.Path]int {
	near := map[vault.Path]int{}
	for d, level := 0, from; d <= maxDistance; d++ {
		var further []vault.Path
		for _, p := range level {
			if _, known := near[p]; !known && p != "" {
				near[p] = d
				further = append(append(further, l.to[p]...), l.from[p]...)
			}
		}
		level = further
	}
	return near
}
