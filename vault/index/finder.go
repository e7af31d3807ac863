package index

import (
	"cmp"
	"slices"
	"strings"
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

// The rank of an entry apart from how it matches, packed so that one comparison
// decides: uses in this chat, nearness to the active note, kind, and recency
// or, for tags and folders, size.
const (
	usedShift   = 56
	nearShift   = 54
	kindShift   = 52
	maxDistance = 2
)

// Finder answers the queries of one picker while it is open: Names and Context
// stay the same, the query changes by a keystroke. It is for one goroutine.
type Finder struct {
	names *Names
	in    Context
	rank  []uint64
	best  []candidate // reused between queries
	total int
}

// candidate is an entry that matches by one of its keys.
type candidate struct {
	entry, key int32
	tier       Tier
	score      int  // among the scattered: how many letters start a word or follow the one before
	chat       bool // it stands below all notes
}

// NewFinder starts a Finder. It copies eight bytes per name.
func NewFinder(n *Names, in Context) *Finder {
	f := &Finder{names: n, in: in, rank: make([]uint64, len(n.entries))}
	for i := range n.entries {
		f.rank[i] = n.entries[i].rank
	}
	set := func(id string, bits uint64) {
		if i, ok := n.byID[id]; ok {
			f.rank[i] |= bits
		}
	}
	for id, uses := range in.Used {
		set(id, uint64(min(max(uses, 0), 255))<<usedShift)
	}
	for p, d := range in.Near {
		if 0 <= d && d <= maxDistance {
			set(string(p), uint64(maxDistance+1-d)<<nearShift)
		}
	}
	return f
}

// Total is how many entries the last query matched.
func (f *Finder) Total() int { return f.total }

// Find lists the best matches for a query, at most limit of them (50 if limit
// is 0): by tier, then uses in this chat, link distance to the active note,
// kind, quality of a scattered match, and newer first. A query that
// starts with # asks for tags. For an empty query the notes of this chat come
// first, then the active one, then its links, then what was changed last; Tier says nothing then.
func (f *Finder) Find(query string, limit int) []Match {
	if limit <= 0 {
		limit = 50
	}
	p := parsePattern(query)
	f.best, f.total = f.best[:0], 0
	for i := range f.names.entries {
		c := f.match(int32(i), &p)
		if c.tier == noMatch {
			continue
		}
		f.total++
		if n := len(f.best); n > limit && f.compare(c, f.best[limit-1]) > 0 {
			continue
		}
		if f.best = append(f.best, c); len(f.best) == limit+1 || len(f.best) == 2*limit {
			slices.SortFunc(f.best, f.compare)
			f.best = f.best[:limit+1] // the last tells that it is sorted
		}
	}
	slices.SortFunc(f.best, f.compare)
	f.best = f.best[:min(len(f.best), limit)]
	list := make([]Match, len(f.best))
	for i, c := range f.best {
		e := &f.names.entries[c.entry]
		k := &e.keys[c.key]
		m := Match{Entry: e.Entry, Tier: c.tier, Field: k.field, Text: k.text, Distance: -1, Used: f.in.Used[e.ID]}
		if d, ok := f.in.Near[e.Path]; ok && e.Kind == Note {
			m.Distance = d
		}
		if c.tier == Outside {
			p.holds(k.folded, strings.Index)
		} else {
			p.match(k.folded, noMatch)
		}
		m.Runes = traceRunes(k.text, k.folded, p.at)
		list[i] = m
	}
	return list
}

// compare orders candidates, better ones first.
func (f *Finder) compare(a, b candidate) int {
	if a.chat != b.chat {
		if a.chat {
			return 1
		}
		return -1
	}
	ra, rb := f.rank[a.entry], f.rank[b.entry]
	return cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(rb>>kindShift, ra>>kindShift), cmp.Compare(b.score, a.score), cmp.Compare(rb, ra),
		cmp.Compare(f.names.entries[a.entry].ID, f.names.entries[b.entry].ID))
}

// match finds the key of an entry that fits best.
func (f *Finder) match(at int32, p *pattern) candidate {
	e := &f.names.entries[at]
	c := candidate{entry: at, tier: noMatch, chat: e.chat()}
	if f.in.Hide != "" && e.Path == f.in.Hide || p.tags && e.Kind != Tag {
		return c
	}
	for i := range e.keys {
		k := &e.keys[i]
		if p.mask&^k.mask != 0 {
			continue
		}
		t, score := noMatch, 0
		if k.field != InPath || p.path {
			t, score = p.match(k.folded, c.tier)
		} else if c.tier > Outside && p.holds(k.folded, strings.Index) {
			t = Outside
		}
		if t < c.tier {
			c.tier, c.score, c.key = t, score, int32(i)
		}
	}
	if c.tier == Exact && (e.Kind == Tag || e.Kind == Folder) && !p.path {
		c.tier = Prefix // among the notes that begin with the word, not in front of them
	}
	if c.chat && (c.tier > Inside || p.folded == "") && !p.path { // not asked for by name or folder
		c.tier = noMatch
	}
	return c
}

// traceRunes turns byte positions in the folded form of text into rune
// positions in text.
func traceRunes(text, folded string, at []int) []int {
	if len(at) == 0 {
		return nil
	}
	slices.Sort(at)
	at = slices.Compact(at)
	runes := make([]int, 0, len(at))
	pos, i := 0, 0
	for _, r := range text {
		if foldRune(r) != droppedRune {
			if len(at) > 0 && at[0] == pos {
				runes = append(runes, i)
				at = at[1:]
			}
			_, n := utf8.DecodeRuneInString(folded[pos:])
			pos += n
		}
		i++
	}
	return runes
}
