package index

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

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
	Hide     vault.Path         // a note that is not offered: the chat that is open
	Near     map[vault.Path]int // link distance of notes from the active one, see Links.Near
	Used     map[string]int     // by entry ID: how often this chat used it
	Frecency map[string]float64 // by entry ID: use anywhere, fading with time; above 0
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
// decides: uses in this chat, nearness to the active note, kind, frecency, and
// recency or, for tags and folders, size.
const (
	usedShift     = 56
	nearShift     = 54
	kindShift     = 52
	frecencyShift = 32
	frecencyBits  = kindShift - frecencyShift
	maxDistance   = 2
)

// Finder answers the queries of one picker while it is open: Names and Context
// stay the same, the query changes by a keystroke. It is for one goroutine.
type Finder struct {
	names *Names
	in    Context
	rank  []uint64
	total int

	best      []candidate // reused between queries
	scattered []candidate
}

// candidate is an entry that matches.
type candidate struct {
	entry, key int32
	tier       Tier
	chat       bool // it stands below all notes
	score      int  // of the fuzzy matcher, scattered ones only
}

// NewFinder starts a Finder. It copies eight bytes per name.
func NewFinder(n *Names, in Context) *Finder {
	f := &Finder{names: n, in: in, rank: slices.Clone(n.base)}
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
	for id, v := range in.Frecency {
		set(id, uint64(min(max(v*1000, 0), 1<<frecencyBits-1))<<frecencyShift)
	}
	return f
}

// Total is how many entries the last query matched.
func (f *Finder) Total() int { return f.total }

// Find lists the best matches for a query, at most limit of them (50 if limit
// is 0): by tier, then uses in this chat, link distance to the active note,
// kind, quality of a scattered match, frecency, and newer first. A query that
// starts with # asks for tags. For an empty query the notes of this chat come
// first, then the active one, then its links, then what was changed last; Tier says nothing then.
func (f *Finder) Find(query string, limit int) []Match {
	if limit <= 0 {
		limit = 50
	}
	p := parsePattern(query)
	if p.folded == "" && !p.tags {
		return f.useful(limit)
	}
	f.best, f.scattered, f.total = f.best[:0], f.scattered[:0], 0
	for e := range f.names.entries {
		c := f.match(int32(e), &p)
		switch c.tier {
		case noMatch:
			continue
		case Scattered:
			f.scattered = append(f.scattered, c)
		default:
			f.best = f.keep(f.best, c, limit)
		}
		f.total++
	}
	f.best = f.bestOf(f.best, limit)
	if len(f.best) < limit {
		f.best = append(f.best, f.bestScattered(&p, limit-len(f.best))...)
	}
	return f.matches(&p)
}

// useful answers the empty query.
func (f *Finder) useful(limit int) []Match {
	f.best = f.best[:0]
	for i := range f.names.entries {
		if e := &f.names.entries[i]; e.chat() || f.hides(e) {
			continue
		}
		f.best = f.keep(f.best, candidate{entry: int32(i), key: f.names.spans[i].from, tier: noMatch}, limit)
	}
	f.total = len(f.names.entries)
	f.best = f.bestOf(f.best, limit)
	return f.matches(&pattern{})
}

// hides reports whether e is what is not offered.
func (f *Finder) hides(e *Entry) bool { return f.in.Hide != "" && e.Path == f.in.Hide }

// keep adds c to list, of which only the best limit candidates are wanted.
func (f *Finder) keep(list []candidate, c candidate, limit int) []candidate {
	if len(list) > limit && f.compare(c, list[limit-1]) > 0 {
		return list
	}
	if list = append(list, c); len(list) == limit+1 || len(list) == 2*limit {
		slices.SortFunc(list, f.compare)
		list = list[:limit+1] // the last tells that it is sorted
	}
	return list
}

// bestOf sorts a list and cuts it.
func (f *Finder) bestOf(list []candidate, limit int) []candidate {
	slices.SortFunc(list, f.compare)
	return list[:min(len(list), limit)]
}

// compare orders candidates, better ones first.
func (f *Finder) compare(a, b candidate) int {
	below := func(c *candidate) int {
		if c.chat {
			return int(noMatch) + 1 + int(c.tier)
		}
		return int(c.tier)
	}
	if c := cmp.Compare(below(&a), below(&b)); c != 0 {
		return c
	}
	ra, rb := f.rank[a.entry], f.rank[b.entry]
	if a.score != b.score {
		return cmp.Or(cmp.Compare(rb>>kindShift, ra>>kindShift), cmp.Compare(b.score, a.score))
	}
	return cmp.Or(cmp.Compare(rb, ra), cmp.Compare(f.names.entries[a.entry].ID, f.names.entries[b.entry].ID))
}

// match finds the key of an entry that fits best.
func (f *Finder) match(e int32, p *pattern) candidate {
	c := candidate{entry: e, tier: noMatch}
	s := f.names.spans[e]
	entry := &f.names.entries[e]
	if c.chat = entry.chat(); f.hides(entry) || p.tags && entry.Kind != Tag {
		return c
	}
	for i := s.from; i < s.to; i++ {
		k := &f.names.keys[i]
		if p.mask&^k.mask != 0 {
			continue
		}
		var t Tier
		if k.field == InPath && !p.path {
			if t = noMatch; c.tier > Outside && p.inside(k.folded) {
				t = Outside
			}
		} else {
			t = p.tier(k, c.tier)
		}
		if t < c.tier {
			c.tier, c.key = t, i
		}
	}
	if c.tier == Exact && (entry.Kind == Tag || entry.Kind == Folder) && !p.path {
		c.tier = Prefix // among the notes that begin with the word, not in front of them
	}
	if c.tier > Inside && entry.chat() && !p.path { // not asked for by name or folder
		c.tier = noMatch
	}
	return c
}

// scoredAtMost bounds how many scattered matches are given to the fuzzy
// matcher for one query: it costs some 200 ns for each, and of so many that
// a short query matches, the ones outside the bound are the least wanted.
const scoredAtMost = 2000

// bestScattered scores the scattered matches and returns the best want of them.
func (f *Finder) bestScattered(p *pattern, want int) []candidate {
	c := f.scattered
	if len(c) > scoredAtMost {
		kept := make([]candidate, 0, scoredAtMost)
		for _, m := range c {
			kept = f.keep(kept, m, scoredAtMost)
		}
		c = f.bestOf(kept, scoredAtMost)
	}
	for _, m := range fuzzy.FindFromNoSort(p.letters, keySource{f.names.keys, c}) {
		c[m.Index].score = m.Score
	}
	return f.bestOf(c, want)
}

// keySource gives the fuzzy matcher the keys of candidates.
type keySource struct {
	keys []key
	of   []candidate
}

func (s keySource) Len() int            { return len(s.of) }
func (s keySource) String(i int) string { return s.keys[s.of[i].key].folded }

func (f *Finder) matches(p *pattern) []Match {
	list := make([]Match, len(f.best))
	for i, c := range f.best {
		e := f.names.entries[c.entry]
		m := Match{Entry: e, Tier: c.tier, Distance: -1, Used: f.in.Used[e.ID]}
		if d, ok := f.in.Near[e.Path]; ok && e.Kind == Note {
			m.Distance = d
		}
		k := f.names.keys[c.key]
		m.Field, m.Text = k.field, k.text
		if m.Tier != noMatch {
			m.Runes = traceRunes(k.text, k.folded, p.positions(k.folded, c.tier))
		} else {
			m.Tier = Exact
		}
		list[i] = m
	}
	return list
}

// traceRunes turns byte positions in the folded form of text into rune
// positions in text.
func traceRunes(text, folded string, at []int) []int {
	if len(at) == 0 {
		return nil
	}
	slices.Sort(at)
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
