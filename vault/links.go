package vault

import (
	"cmp"
	"slices"
)

// Links holds the links between notes, in both directions. It never changes, so that it can be made in the
// background and handed to the screen whole.
type Links struct {
	paths     []Path    // of notes, sorted
	out, back [][]int32 // by note: the numbers of those that it links to, and of those that link to it
}

// maxDistance is the most links between notes that are near.
const maxDistance = 2

// NewLinks collects the links between notes, without private ones and chats. resolve is Vault.Resolve, or does the
// same for notes that are not on disk.
func NewLinks(notes []*Note, resolve func(target string, from Path) FoundNote) *Links {
	public := slices.DeleteFunc(slices.Clone(notes), func(n *Note) bool { return !n.Ordinary() })
	slices.SortFunc(public, func(a, b *Note) int { return cmp.Compare(a.Path, b.Path) })
	l := &Links{make([]Path, len(public)), make([][]int32, len(public)), make([][]int32, len(public))}
	number := make(map[Path]int32, len(public))
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

// Of returns the notes that a note links to, and those that link to it.
func (l *Links) Of(p Path) (to, from []Path) {
	i, ok := slices.BinarySearch(l.paths, p)
	if !ok {
		return nil, nil
	}
	paths := func(numbers []int32) []Path {
		list := make([]Path, len(numbers))
		for k, j := range numbers {
			list[k] = l.paths[j]
		}
		return list
	}
	return paths(l.out[i]), paths(l.back[i])
}

// Near returns the link distance of notes from some: 0 for these, 1 for notes that they link to or that link to
// them, 2 for the next ones. It takes too long for every key that is typed.
func (l *Links) Near(from ...Path) map[Path]int {
	near := map[Path]int{}
	for d, level := 0, from; d <= maxDistance; d++ {
		var further []Path
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
