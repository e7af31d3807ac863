package index

import (
	"slices"
	"strings"

	"ibid/vault"
)

// Links is which notes link to each other, either way. It never changes; make
// one away from the loop that draws the screen when notes changed.
type Links struct {
	paths []vault.Path // of notes, sorted; they are known by their numbers
	out   adjacent     // to which each links
	back  adjacent     // which link to each
}

// adjacent is numbers of notes for each note.
type adjacent struct {
	end []int32 // by note: where its numbers end, and those of the next begin
	all []int32
}

func (a *adjacent) of(i int32) []int32 {
	from := int32(0)
	if i > 0 {
		from = a.end[i-1]
	}
	return a.all[from:a.end[i]]
}

// NewLinks gathers the links between notes. resolve says where a link leads, as
// vault.Vault.Resolve does. Private notes are left out.
func NewLinks(notes []*vault.Note, resolve func(target string, from vault.Path) vault.Found) *Links {
	public := slices.DeleteFunc(slices.Clone(notes), func(n *vault.Note) bool { return n.Private || n.Chat })
	slices.SortFunc(public, func(a, b *vault.Note) int { return strings.Compare(string(a.Path), string(b.Path)) })
	l := &Links{paths: make([]vault.Path, len(public))}
	number := make(map[vault.Path]int32, len(public))
	for i, n := range public {
		l.paths[i], number[n.Path] = n.Path, int32(i)
	}
	l.out.end, l.back.end = make([]int32, len(public)), make([]int32, len(public))
	for i, n := range public {
		from := len(l.out.all)
		for link := range n.Links() {
			if link.Target == "" {
				continue
			}
			to, ok := number[resolve(link.Target, n.Path).Path]
			if ok && to != int32(i) && !slices.Contains(l.out.all[from:], to) {
				l.out.all = append(l.out.all, to)
				l.back.end[to]++
			}
		}
		l.out.end[i] = int32(len(l.out.all))
	}
	l.turn()
	return l
}

// turn makes back of out, where back.end has how many link to each note.
func (l *Links) turn() {
	l.out.all, l.back.all = slices.Clone(l.out.all), make([]int32, len(l.out.all))
	sum := int32(0)
	for i, n := range l.back.end {
		l.back.end[i], sum = sum, sum+n
	}
	for i := range l.out.end {
		for _, to := range l.out.of(int32(i)) {
			l.back.all[l.back.end[to]] = int32(i)
			l.back.end[to]++
		}
	}
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
	return paths(l.out.of(int32(i))), paths(l.back.of(int32(i)))
}

// Near gives the link distance of notes from some: 0 for these, 1 for notes that
// they link to or that link to them, 2 for theirs. Ask when what it is asked about
// changes, not for every key.
func (l *Links) Near(from ...vault.Path) map[vault.Path]int {
	near := map[vault.Path]int{}
	var level []int32
	for _, p := range from {
		if p == "" {
			continue
		}
		near[p] = 0
		if i, ok := slices.BinarySearch(l.paths, p); ok {
			level = append(level, int32(i))
		}
	}
	for d := 1; d <= maxDistance; d++ {
		var further []int32
		for _, i := range level {
			for _, side := range [][]int32{l.out.of(i), l.back.of(i)} {
				for _, j := range side {
					if _, ok := near[l.paths[j]]; !ok {
						near[l.paths[j]] = d
						further = append(further, j)
					}
				}
			}
		}
		level = further
	}
	return near
}
