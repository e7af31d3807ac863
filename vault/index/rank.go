package index

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index/stem"
)

// The weights of the fields, as in the index, and the constants of BM25.
const (
	titleWeight   = 10
	headingWeight = 4
	tagWeight     = 5
	bm25K1        = 1.2
	bm25B         = 0.5
)

// titleShare is how much more a note is worth whose title has all of the query.
const titleShare = 0.5

// rrfK is how much less the second place is worth than the first when rankings
// are fused: a place counts 1/(rrfK+place).
const rrfK = 60

// scored is a note that was looked at.
type scored struct {
	note     *vault.Note
	exact    float64 // by the words of the query
	loose    float64 // by their forms too
	best     float64 // of the best section
	sections []scoredSection
	fused    float64
	named    bool // the query is its name or links to it
	tagged   bool // the query names one of its tags
	headed   bool // the query is one of its headings
}

// scoredSection is a section with some of the terms.
type scoredSection struct {
	section
	nth   int // in the note
	score float64
	own   bool // some of them stand in it, not only in names of the note and headings above
}

// scorer scores notes from their text. It is for one goroutine.
type scorer struct {
	*matcher
	rarity  []float64      // by want
	average float64        // size of a note in bytes
	whole   string         // the query, folded
	in      stem.Languages // of a note that does not tell
	timed   bool           // the query speaks of times

	exact, loose, inSection, unused  []float64
	exactWords, looseWords           []float64
	names, tags, trail, heads, words []byte
}

func newScorer(q *Query, wants []want, notes []*vault.Note, in stem.Languages) *scorer {
	s := &scorer{matcher: newMatcher(wants), average: averageSize(notes), whole: foldLine(q.Text), in: in, timed: q.timed()}
	n := len(wants)
	for _, counts := range []*[]float64{&s.rarity, &s.exact, &s.loose, &s.inSection, &s.unused, &s.exactWords, &s.looseWords} {
		*counts = make([]float64, n)
	}
	for i, w := range wants {
		s.rarity[i] = rarity(w.loose, max(len(notes), w.loose))
		if w.common {
			s.rarity[i] *= commonWeight
		}
		if w.half {
			s.rarity[i] *= halfWeight
		}
	}
	return s
}

// score looks for the wants in a note; ok is false if it has none.
func (s *scorer) score(text *vault.Text) (n scored, ok bool) {
	n.note = text.Note
	names := titles(n.note)
	if date, ok := dates.InName(n.note.Path.Base(), time.Local); ok && s.timed { // it counts as a time already
		names = strings.NewReplacer(date.Format(time.DateOnly), "", date.Format("20060102"), "").Replace(names)
	}
	s.names = foldText(s.names[:0], names)
	s.tags = foldText(s.tags[:0], categories(n.note))
	s.words = foldText(s.words[:0], text.Content)
	in := cmp.Or(stem.Detect(s.words), s.in)
	clear(s.exact)
	clear(s.loose)
	s.count(s.names, in, titleWeight, s.exact, s.loose)
	inTitle := 1 + titleShare*s.share(s.loose)
	s.count(s.tags, in, tagWeight, s.exact, s.loose)
	byNames := slices.Clone(s.loose)
	size := float64(len(s.words))
	for i, part := range sections(text) {
		s.heads = foldText(s.heads[:0], part.heading)
		n.headed = n.headed || len(s.heads) > 0 && string(s.heads) == s.whole
		s.trail = foldText(s.trail[:0], part.trail)
		s.words = foldText(s.words[:0], part.text)
		before := sum(s.loose)
		s.count(s.heads, in, headingWeight, s.exact, s.loose)
		copy(s.inSection, byNames)
		s.count(s.trail, in, headingWeight, s.unused, s.inSection)
		clear(s.exactWords)
		clear(s.looseWords)
		s.count(s.words, in, 1, s.exactWords, s.looseWords)
		for i := range s.wants {
			s.exact[i] += s.exactWords[i]
			s.loose[i] += s.looseWords[i]
			s.inSection[i] += s.looseWords[i]
		}
		if score := s.bm25(s.inSection, float64(len(s.words)), s.average/3); score > 0 {
			part.text = "" // do not keep the note in memory
			n.sections = append(n.sections, scoredSection{part, i, score, sum(s.loose) > before})
			n.best = max(n.best, score)
		}
	}
	n.exact, n.loose = inTitle*s.bm25(s.exact, size, s.average), inTitle*s.bm25(s.loose, size, s.average)
	return n, n.loose > 0
}

func sum(counts []float64) float64 {
	total := 0.0
	for _, c := range counts {
		total += c
	}
	return total
}

// bm25 rates counts of the wants in a text, by how much of the query it has.
func (s *scorer) bm25(counts []float64, size, average float64) float64 {
	norm := bm25K1 * (1 - bm25B + bm25B*size/average)
	sum := 0.0
	for i, c := range counts {
		sum += s.rarity[i] * c * (bm25K1 + 1) / (c + norm)
	}
	return sum * s.share(counts)
}

// share is how much of the query stands where counts are of, from 0 to 1: what is
// rare is more of it.
func (s *scorer) share(counts []float64) float64 {
	held, all := 0.0, 0.0
	for i, c := range counts {
		if s.wants[i].phrase {
			continue
		}
		all += s.rarity[i]
		if c > 0 {
			held += s.rarity[i]
		}
	}
	for i := range counts {
		if at := s.wants[i].joined; at > 0 && counts[i] > 0 {
			for part := at - 1; part <= at; part++ {
				if counts[part] == 0 {
					held += s.rarity[part]
				}
			}
		}
	}
	if all == 0 {
		return 0
	}
	return min(held/all, 1)
}

// fuse orders notes by the sum of what their places in several rankings count:
// by the words of the query, by their forms, by the best section, and weakly by
// what the moment makes likely. Where the query speaks of times, which are another
// ranking, a score counts by its share of the best one: places would hide that a note
// answers much better than those of the time.
func (s Searcher) fuse(all []scored, q *Query) {
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(a.note.Path, b.note.Path) })
	order := make([]*scored, len(all))
	for i := range all {
		order[i] = &all[i]
	}
	add := func(weight float64, key func(*scored) float64) {
		slices.SortStableFunc(order, func(a, b *scored) int { return cmp.Compare(key(b), key(a)) })
		place := 0
		for i, n := range order {
			if key(n) <= 0 {
				break
			}
			if i == 0 || key(n) < key(order[i-1]) {
				place = i + 1
			}
			if q.timed() {
				n.fused += weight * key(n) / key(order[0]) / (rrfK + 1)
			} else {
				n.fused += weight / float64(rrfK+place)
			}
		}
	}
	add(1, func(n *scored) float64 { return n.exact })
	add(1, func(n *scored) float64 { return n.loose })
	add(1, func(n *scored) float64 { return n.best })
	if q.timed() {
		dated := newCalendar(s.Source.Notes())
		for i := range all {
			all[i].fused += timeShare * dated.near(all[i].note, q.When) / (rrfK + 1)
		}
	}
	add(weakly, func(n *scored) float64 {
		if d, ok := q.Near[n.note.Path]; ok {
			return 1 / float64(1+d)
		}
		return 0
	})
	if !q.Timeless {
		add(weakly, func(n *scored) float64 { return float64(n.note.ModTime.Unix() / (24 * 60 * 60)) })
	}
	for i := range all {
		if n := &all[i]; n.named {
			n.fused++
		} else if n.tagged {
			n.fused += 3.0 / (rrfK + 1) // as much as the first places of all rankings
		} else if n.headed {
			n.fused += 1.0 / (rrfK + 1)
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.fused, a.fused), cmp.Compare(b.loose, a.loose), b.note.ModTime.Compare(a.note.ModTime))
	})
}

// weakly is what nearness and recency count next to a ranking: less than a place
// in all of them.
const weakly = 0.04

// timeShare is what a time that the query speaks of counts next to a ranking.
const timeShare = 0.75

// placing are the terms by which the place of a hit is chosen: those of the query
// that decide, and the words that were found to count as them.
func (s *scorer) placing(t *terms) terms {
	common := func(w term) bool {
		return slices.ContainsFunc(s.wants, func(c want) bool { return c.common && c.folded == w.folded })
	}
	p := terms{all: slices.DeleteFunc(slices.Clone(t.all), common), any: slices.DeleteFunc(slices.Clone(t.any), common)}
	for _, w := range s.wants {
		if !w.word && !w.phrase && !slices.Contains(t.any, w.term) {
			p.any = append(p.any, w.term) // two words that were written as one
		}
	}
	for word, matches := range s.known {
		if slices.ContainsFunc(matches, func(m match) bool { return !s.wants[m.want].common && s.wants[m.want].folded != word }) {
			p.any = append(p.any, term{folded: word})
		}
	}
	return p
}

// categories are the tags of a note and the folders that it lies in.
func categories(n *vault.Note) string {
	t := strings.Join(n.Tags, "\n")
	if at := strings.LastIndexByte(string(n.Path), '/'); at >= 0 {
		t += "\n" + string(n.Path[:at])
	}
	return t
}
