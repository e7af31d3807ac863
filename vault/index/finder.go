package index

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"ibid/vault"
)

// Tier says how well a name fits a query; lower is better.
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

// Field says which string of an entry matched.
type Field uint8

// The fields of an entry.
const (
	InTitle Field = iota
	InAlias
	InName // file name, last part of a tag or folder
	InPath
)

// Context is what the picker knows besides the query. All of it is optional.
type Context struct {
	Hide vault.Path         // a note that is not offered: the chat that is open
	Near map[vault.Path]int // link distance of notes from the active one, see Links.Near
	Used map[string]int     // by entry ID: how often this chat used it
}

// Match is an entry that fits a query, and why.
type Match struct {
	Entry
	Tier     Tier
	Field    Field
	Text     string // the string that matched
	Runes    []int  // which runes of Text matched, ascending
	Distance int    // links between it and the active note: 0, 1, 2, or -1 for more
	Used     int    // uses in this chat
}

// maxDistance is the most links between notes that are near.
const maxDistance = 2

// Finder answers the queries of one picker while it is open: Names and Context
// stay the same, the query changes by a keystroke. It is for one goroutine.
type Finder struct {
	names *Names
	in    Context
	total int
}

// candidate is an entry that matches by one of its names.
type candidate struct {
	*namedEntry
	name       int
	tier       Tier
	used, near int
	score      int // among the scattered: how many letters start a word or follow the one before
}

// NewFinder starts a Finder.
func NewFinder(n *Names, in Context) *Finder { return &Finder{names: n, in: in} }

// Total is how many entries the last query matched.
func (f *Finder) Total() int { return f.total }

// Find lists the best matches for a query, at most limit of them (50 if limit
// is 0): by tier, then uses in this chat, link distance to the active note,
// kind, quality of a scattered match, and newer first. A query that
// starts with # asks for tags. For an empty query the notes of this chat come
// first, then the active one, then its links, then what was changed last; Tier says nothing then.
func (f *Finder) Find(query string, limit int) []Match {
	limit = cmp.Or(max(limit, 0), 50)
	p := parsePattern(query)
	best := make([]candidate, 0, limit+1)
	f.total = 0
	for i := range f.names.entries {
		c := f.match(&f.names.entries[i], &p)
		if c.tier == noMatch {
			continue
		}
		f.total++
		if len(best) == limit && compareMatches(c, best[limit-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, c, compareMatches)
		best = slices.Insert(best, at, c)
		best = best[:min(len(best), limit)]
	}
	list := make([]Match, len(best))
	for i, c := range best {
		of, folded := c.names()[c.name], c.keys[c.name].folded
		list[i] = Match{Entry: c.Entry, Tier: c.tier, Field: of.field, Text: of.text, Distance: maxDistance - c.near, Used: c.used}
		if c.near < 0 {
			list[i].Distance = -1
		}
		p.match(folded, c.tier == Outside, noMatch)
		list[i].Runes = traceRunes(of.text, folded, p.at)
	}
	return list
}

// compareMatches orders candidates, better ones first.
func compareMatches(a, b candidate) int {
	return cmp.Or(a.last-b.last, cmp.Compare(a.tier, b.tier), b.used-a.used, b.near-a.near,
		cmp.Compare(a.Kind, b.Kind), b.score-a.score, cmp.Compare(b.weight, a.weight), cmp.Compare(a.ID, b.ID))
}

// match finds the name of an entry that fits best.
func (f *Finder) match(e *namedEntry, p *pattern) candidate {
	c := candidate{namedEntry: e, tier: noMatch, near: -1}
	if f.in.Hide != "" && e.Path == f.in.Hide || p.tags && e.Kind != Tag {
		return c
	}
	for i := range e.keys {
		k := &e.keys[i]
		if p.mask&^k.mask != 0 {
			continue
		}
		if t, score := p.match(k.folded, i == len(e.keys)-1 && e.Kind != Tag && !p.path, c.tier); t < c.tier {
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
		c.used = f.in.Used[e.ID]
		if d, ok := f.in.Near[e.Path]; ok && e.Kind == Note {
			c.near = maxDistance - d
		}
	}
	return c
}

// traceRunes turns byte positions in the folded form of text into rune
// positions in text.
func traceRunes(text, folded string, at []int) (runes []int) {
	matched := make([]bool, len(folded)+1)
	for _, i := range at {
		matched[i] = true
	}
	pos, n := 0, 0
	for _, r := range text {
		if foldRune(r) != droppedRune {
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
