package index

import (
	"slices"
	"strings"

	"ibid/vault"
)

// Links is which notes link to each other, either way. It never changes; make
// one away from the loop that draws the screen when notes changed.
type Links struct {
	paths     []vault.Path // of notes, sorted; they are known by their numbers
	out, back [][]int32    // by note: those that it links to, and that link to it
}

// NewLinks gathers the links between notes. resolve says where a link leads, as
// vault.Vault.Resolve does. Private notes are left out.
func NewLinks(notes []*vault.Note, resolve func(target string, from vault.Path) vault.FoundNote) *Links {
	public := slices.DeleteFunc(slices.Clone(notes), func(n *vault.Note) bool { return n.Private || n.Chat })
	slices.SortFunc(public, func(a, b *vault.Note) int { return strings.Compare(string(a.Path), string(b.Path)) })
	l := &Links{make([]vault.Path, len(public)), make([][]int32, len(public)), make([][]int32, len(public))}
	number := make(map[vault.Path]int32, len(public))
	for i, n := range public {
		l.paths[i], number[n.Path] = n.Path, int32(i)
	}
	for i, n := range public {
		for link := range n.Links() {
			if link.Target == "" {
				continue
			}
			to, ok := number[resolve(link.Target, n.Path).Path]
			if ok && to != int32(i) && !slices.Contains(l.out[i], to) {
				l.out[i] = append(l.out[i], to)
				l.back[to] = append(l.back[to], int32(i))
			}
		}
	}
	return l
}

// Of lists the notes that a note links to, and those that link to it.
func (l *Links) Of(p vault.Path) (to, from []vault.Path) {
	i, ok := slices.BinarySearch(l.paths, p)
	if !ok {
		return nil, nil
	}
	paths := func(numbers []int32) []vault.Path {
		list := make([]vault.Path, len(numbers))
		for k, j := range numbers {
			list[k] = l.paths[j]
		}
		return list
	}
	return paths(l.out[i]), paths(l.back[i])
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
				to, from := l.Of(p)
				further = append(append(further, to...), from...)
			}
		}
		level = further
	}
	return near
}
