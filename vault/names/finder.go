package names

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/index/fold"
)

// Tier is the rank of a match; lower is better.
type Tier uint8

// The tiers, best first.
const (
	Exact     Tier = iota // the query is the whole name
	Prefix                // the name starts with the query
	WordStart             // every word of the query starts a word of the name, in any order
	Inside                // every word of the query stands in the name
	Outside               // every word of the query stands in the path, but not in a name
	Scattered             // the letters of the query come in this order
	noMatch
)

// Match is an entry that fits a query, and why.
type Match struct {
	Entry
	Tier     Tier
	Field    Field
	Text     string // the name that matched
	Runes    []int  // numbers of the runes of Text that matched, ascending
	Distance int    // links between it and the active note, -1 if Finder.Near has none
	Used     int    // uses in this chat
}

// Finder finds entries of a list. All fields but List are optional.
type Finder struct {
	*List
	Hide vault.Path         // a note that is not offered: the chat that is open
	Near map[vault.Path]int // link distance of notes from the active one, see vault.Links.Near
	Used map[string]int     // uses of entries in this chat, by ID
}

// candidate is an entry that matches by one of its names.
type candidate struct {
	*namedEntry
	name           int
	tier           Tier
	used, distance int
	score          int // of scattered letters: how many start a word or follow the one before
}

// far is the distance of entries without one.
const far = 1 << 20

// Find returns the best matches for a query, at most limit of them, and the number of all. They are
// ordered by tier, then uses in this chat, link distance to the active note, kind, quality of a
// scattered match, and newer first. A query that starts with # asks for tags. For an empty query
// Tier says nothing: the notes of this chat come first, then the active one, then its links, then
// what was changed last.
func (f *Finder) Find(query string, limit int) (list []Match, total int) {
	p := parsePattern(query)
	best := make([]candidate, 0, limit+1)
	for i := range f.entries {
		c := f.match(&f.entries[i], &p)
		if c.tier == noMatch {
			continue
		}
		total++
		if len(best) == limit && compareMatches(c, best[limit-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, c, compareMatches)
		best = slices.Insert(best, at, c)
		best = best[:min(len(best), limit)]
	}
	list = make([]Match, len(best))
	for i, c := range best {
		n := c.names[c.name]
		list[i] = Match{Entry: c.Entry, Tier: c.tier, Field: n.field, Text: n.text, Distance: c.distance, Used: c.used}
		if c.distance == far {
			list[i].Distance = -1
		}
		p.match(n.folded, c.tier == Outside, noMatch)
		list[i].Runes = traceRunes(n.text, n.folded, p.at)
	}
	return list, total
}

// compareMatches orders candidates, better ones first.
func compareMatches(a, b candidate) int {
	return cmp.Or(a.last-b.last, cmp.Compare(a.tier, b.tier), b.used-a.used, a.distance-b.distance,
		cmp.Compare(a.Kind, b.Kind), b.score-a.score, cmp.Compare(b.weight, a.weight), cmp.Compare(a.ID, b.ID))
}

// match finds the name of an entry that fits best.
func (f *Finder) match(e *namedEntry, p *pattern) candidate {
	c := candidate{namedEntry: e, tier: noMatch, distance: far}
	if f.Hide != "" && e.Path == f.Hide || p.tags && e.Kind != Tag {
		return c
	}
	for i := range e.names {
		n := &e.names[i]
		if p.mask&^n.mask != 0 {
			continue
		}
		if t, score := p.match(n.folded, n.field == InPath && !p.path, c.tier); t < c.tier {
			c.tier, c.score, c.name = t, score, i
		}
	}
	if c.tier == Exact && (e.Kind == Tag || e.Kind == Folder) && !p.path {
		c.tier = Prefix // among the notes that begin with the word, not in front of them
	}
	if e.last > 0 && (c.tier > Inside || p.folded == "") && !p.path { // not asked for by name or folder
		c.tier = noMatch
	}
	if c.tier < noMatch {
		c.used = f.Used[e.ID]
		if d, ok := f.Near[e.Path]; ok && e.Kind == Note {
			c.distance = d
		}
	}
	return c
}

// traceRunes turns byte positions in the folded form of text into rune positions in text.
func traceRunes(text, folded string, at []int) (runes []int) {
	matched := make([]bool, len(folded)+1)
	for _, i := range at {
		matched[i] = true
	}
	pos, n := 0, 0
	for _, r := range text {
		if fold.Rune(r) != fold.Dropped {
			if matched[pos] {
				runes = append(runes, n)
			}
			_, size := utf8.DecodeRuneInString(folded[pos:])
			pos += size
		}
		n++
	}
	return runes
}
