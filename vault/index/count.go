package index

import (
	"math"
	"slices"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index/stem"
)

// The weights of words by where they stand, and the constants of BM25.
const (
	titleWeight   = 10
	headingWeight = 2
	bm25K1        = 1.2
	bm25B         = 0.5
)

// scoredNote is a note that was looked at.
type scoredNote struct {
	note         *vault.Note
	exact, stems []float32 // by term: how often it stands there, weighted
	title        []float32 // of these in titles
	size         float64   // in words
	pieces       int
	parts        []part  // with some of the terms
	held         float64 // how much of the query it has, from 0 to 1
	score        float64
	named        bool // the query is its name or links to it
	tagged       bool // the query names one of its tags
	headed       bool // the query is one of its headings
}

func newScored(n *vault.Note, terms int) scoredNote {
	return scoredNote{note: n, exact: make([]float32, terms), stems: make([]float32, terms), title: make([]float32, terms)}
}

// part is a piece with some of the terms.
type part struct {
	piece
	nth   int // among the pieces of the note
	stems []float32
	size  float64
	score float64
	own   bool // some of them stand in it, not only in names of the note and headings above
}

// match says that a word counts as a term.
type match struct {
	term  int
	exact bool
}

// counter counts terms in notes. It is for one goroutine.
type counter struct {
	terms   []term
	phrases []int         // of terms
	starts  [1 << 16]bool // the first two bytes of words that may be terms
	known   map[string][]match
	whole   string // the query, folded
	timed   bool   // the query speaks of times

	folded []byte // a buffer
	unused []float32
}

func newCounter(q *Query, terms []term) *counter {
	c := &counter{terms: terms, known: map[string][]match{}, whole: foldLine(q.Text), timed: q.timed(), unused: make([]float32, len(terms))}
	for i := range terms {
		if terms[i].phrase() {
			c.phrases = append(c.phrases, i)
		}
		for _, w := range slices.Concat([]string{terms[i].folded}, terms[i].stems, terms[i].near) {
			if len(w) == 1 {
				for second := range 256 {
					c.starts[int(w[0])<<8|second] = true
				}
			} else {
				c.starts[int(w[0])<<8|int(w[1])] = true
			}
		}
	}
	return c
}

// note looks for the terms in the text of a note; ok is false if it has none.
func (c *counter) note(n *scoredNote, text *vault.Text) (ok bool) {
	title := make([]float32, len(c.terms))
	inTitle := c.count(c.names(text.Note), titleWeight, n.exact, title)
	copy(n.title, title)
	inTitle += c.count(categories(text.Note), headingWeight, n.exact, title)
	n.size = inTitle
	copy(n.stems, title)
	all := pieces(text.Content, sections(text))
	n.pieces = len(all)
	for i, p := range all {
		body := make([]float32, len(c.terms))
		seen, _ := visibleText(text.Content[p.from:p.to])
		size := c.count(seen, 1, n.exact, body)
		if p.from == p.section.from && p.heading != "" {
			own := c.count(p.heading, headingWeight, n.exact, n.stems)
			n.size += own
			n.headed = n.headed || string(c.folded) == c.whole
		}
		n.size += size
		held := sum(body)
		for t := range body {
			n.stems[t] += body[t]
		}
		before := sum(body)
		inTrail := c.count(p.trail, headingWeight, c.unused, body)
		own := held > 0 || sum(body) > before
		for t := range body {
			body[t] += title[t]
		}
		if sum(body) > 0 {
			n.parts = append(n.parts, part{piece: p, nth: i, stems: body, size: inTitle + inTrail + size, own: own})
		}
	}
	return sum(n.stems)+sum(n.exact) > 0
}

// names are the titles of a note. A date in them is none of its words where the query
// speaks of times: it counts as a time already.
func (c *counter) names(n *vault.Note) string {
	names := titles(n)
	if date, ok := dates.InName(n.Path.Base(), time.Local); ok && c.timed {
		names = strings.NewReplacer(date.Format(time.DateOnly), "", date.Format("20060102"), "").Replace(names)
	}
	return names
}

// count adds weight to exact and stems, by term, for each time that it stands in a
// text, and returns how many words the text has.
func (c *counter) count(text string, weight float32, exact, stems []float32) (size float64) {
	c.folded = foldText(c.folded[:0], text)
	eachToken(c.folded, func(word []byte) {
		size++
		second := byte(' ')
		if len(word) > 1 {
			second = word[1]
		}
		if !c.starts[int(word[0])<<8|int(second)] {
			return
		}
		for _, m := range c.matches(word) {
			stems[m.term] += weight
			if m.exact {
				exact[m.term] += weight
			}
		}
	})
	for _, i := range c.phrases {
		n := weight * float32(c.terms[i].count(c.folded))
		exact[i] += n
		stems[i] += n
	}
	return size
}

// matches are the terms that a folded word counts as.
func (c *counter) matches(word []byte) []match {
	found, ok := c.known[string(word)]
	if !ok {
		w := string(word)
		own := stem.Of(w)
		for i := range c.terms {
			t := &c.terms[i]
			exact := !t.phrase() && (w == t.folded || t.prefix && strings.HasPrefix(w, t.folded) || slices.Contains(t.near, w))
			if exact || slices.ContainsFunc(own, func(s string) bool { return slices.Contains(t.stems, s) }) {
				found = append(found, match{i, exact})
			}
		}
		c.known[w] = found
	}
	return found
}

func sum(counts []float32) (total float32) {
	for _, c := range counts {
		total += c
	}
	return total
}

// statistics are those of the whole vault.
type statistics struct {
	notes, pieces         float64 // how many there are
	noteWords, pieceWords float64 // of all together
}

// bm25 rates counts of terms in a text of so many words, where size is the average one
// of all texts, and rarity says how much each term tells.
func bm25(counts []float32, rarity []float64, words, size float64) (score float64) {
	norm := bm25K1 * (1 - bm25B + bm25B*words/max(size, 1))
	for i, c := range counts {
		if c > 0 {
			score += rarity[i] * float64(c) * (bm25K1 + 1) / (float64(c) + norm)
		}
	}
	return score
}

// rarity is how much it tells that one of all texts holds a term that n of them hold.
func rarity(n, all float64) float64 {
	n = min(n, all)
	return math.Log(1 + (all-n+0.5)/(n+0.5))
}

// categories are the tags of a note and the folders that it lies in.
func categories(n *vault.Note) string {
	t := strings.Join(n.Tags, "\n")
	if at := strings.LastIndexByte(string(n.Path), '/'); at >= 0 {
		t += "\n" + string(n.Path[:at])
	}
	return t
}
