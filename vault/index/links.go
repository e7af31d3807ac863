package index

import (
	"slices"

	"ibid/vault"
)

// Links is which notes link to each other, either way. It never changes; make
// one away from the loop that draws the screen when notes changed.
type Links struct {
	next map[vault.Path][]vault.Path
}

// NewLinks gathers the links between notes. resolve says where a link leads, as
// vault.Vault.Resolve does. Private notes are left out.
func NewLinks(notes []*vault.Note, resolve func(target string, from vault.Path) vault.Found) *Links {
	l := &Links{next: make(map[vault.Path][]vault.Path, len(notes))}
	public := make(map[vault.Path]bool, len(notes))
	for _, n := range notes {
		public[n.Path] = !n.Private && !n.Chat
	}
	for _, n := range notes {
		if n.Private || n.Chat {
			continue
		}
		for link := range n.Links() {
			if link.Target == "" {
				continue
			}
			f := resolve(link.Target, n.Path)
			if f.State == vault.OK && public[f.Path] && f.Path != n.Path && !slices.Contains(l.next[n.Path], f.Path) {
				l.next[n.Path] = append(l.next[n.Path], f.Path)
			}
		}
	}
	back := make(map[vault.Path][]vault.Path, len(l.next))
	for from, to := range l.next {
		for _, p := range to {
			back[p] = append(back[p], from)
		}
	}
	for p, from := range back {
		l.next[p] = append(l.next[p], from...)
	}
	return l
}

// Near gives the link distance of notes from the active one: 0 for itself, 1
// for notes that it links to or that link to it, 2 for theirs. Ask when the
// active note changes, not for every key.
func (l *Links) Near(active vault.Path) map[vault.Path]int {
	if active == "" {
		return nil
	}
	near := map[vault.Path]int{active: 0}
	level := []vault.Path{active}
	for d := 1; d <= maxDistance; d++ {
		var further []vault.Path
		for _, p := range level {
			for _, q := range l.next[p] {
				if _, ok := near[q]; !ok {
					near[q] = d
					further = append(further, q)
				}
			}
		}
		level = further
	}
	return near
}
