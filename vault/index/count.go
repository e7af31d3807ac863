package index

import (
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/index/fold"
	"ibid/vault/index/stem"
)

// scoredNote is a note with its counts and its score.
type scoredNote struct {
	note         *vault.Note
	exact, stems []float32 // by term: how often it stands there, weighted

	size   float64 // in words
	pieces int
	parts  []part  // with some of the terms
	held   float64 // share of the query in it, see shareHeld
	score  float64
	lines  lineRange         // found by operators
	like   map[Piece]float64 // likeness of pieces, also of other notes, see Searcher.Like
	shares Shares
}

// part is a piece with some of the terms.
type part struct {
	piece
	note  *vault.Note
	nth   int // among the pieces of the note
	stems []float32
	size  float64
	score float64
	own   bool    // some of them stand in its text, not only in names of the note
	like  float64 // see Searcher.Like
}

// match is a term that a word counts as.
type match struct {
	term  int
	exact bool
}

// counter counts terms in notes. It is for one goroutine.
type counter struct {
	terms  []term
	starts [4096]bool // by the hash of the first bytes of a word: it may be a term
	known  map[string][]match
	folded []byte // a buffer
}

func newCounter(terms []term) *counter {
	c := &counter{terms: terms, known: map[string][]match{}}
	for _, t := range terms {
		for _, w := range slices.Concat([]string{t.folded}, t.stems, t.near) {
			size := max(2, min(longestStart, len(w)-2)) // the end of a stem may differ: "prudent" of "prudemment"
			c.starts[hash([]byte(w[:min(len(w), size)]))] = true
		}
	}
	return c
}

// longestStart limits the bytes that decide whether a word may match, which is asked before its stems are made.
const longestStart = 5

// hash returns a hash for counter.starts.
func hash(start []byte) (sum uint16) {
	for _, b := range start {
		sum = sum*31 + uint16(b)
	}
	return sum % 4096
}

// empty returns counts of the terms, all 0.
func (c *counter) empty() []float32 { return make([]float32, len(c.terms)) }

// note counts the terms in a note and in its pieces; ok is false if it has none. whole is the folded query.
func (c *counter) note(n *scoredNote, text *page, whole string) (ok bool) {
	title, unused, mentioned := c.empty(), c.empty(), n.shares.Name > 0
	inTitle := c.count(titles(text.Note), titleWeight, n.exact, title)
	inTitle += c.count(categories(text.Note), headingWeight, n.exact, title)
	n.size = inTitle
	copy(n.stems, title)
	all := text.pieces()
	n.pieces = len(all)
	for i, p := range all {
		body := c.empty()
		seen, _ := visibleText(text.Content[p.from:p.to])
		size := c.count(seen, 1, n.exact, body)
		for _, h := range p.headings() {
			n.size += c.count(h.heading, headingWeight, n.exact, n.stems)
			if !mentioned && string(c.folded) == whole {
				n.shares.Name = headedWorth
			}
		}
		n.size += size
		add(n.stems, body)
		size += c.count(p.trail, headingWeight, unused, body)
		own := holds(body)
		like := n.like[Piece{n.note.Path, i}]
		if add(body, title); holds(body) || like > 0 || mentioned {
			n.parts = append(n.parts, part{
				piece: p, note: n.note, nth: i, stems: body, size: inTitle + size, own: own || like > 0, like: like,
			})
		}
	}
	return holds(n.stems) || len(n.parts) > 0
}

func add(to, counts []float32) {
	for i, c := range counts {
		to[i] += c
	}
}

func holds(counts []float32) bool {
	return slices.ContainsFunc(counts, func(c float32) bool { return c > 0 })
}

// count adds weight to exact and stems, by term, for each time that it stands in a
// text, and returns how many words the text has.
func (c *counter) count(text string, weight float32, exact, stems []float32) (size float64) {
	c.folded = fold.Text(c.folded[:0], text)
	return c.each(c.folded, func(_, _ int, m match) {
		if stems[m.term] += weight; m.exact {
			exact[m.term] += weight
		}
	})
}

// each calls f for everything in folded text that counts as a term, with its place, and returns
// the number of words.
func (c *counter) each(folded []byte, f func(at, size int, m match)) (words float64) {
	fold.EachToken(folded, func(word []byte) {
		words++
		for _, m := range c.matches(word) {
			f(cap(folded)-cap(word), len(word), m)
		}
	})
	for i := range c.terms {
		t := &c.terms[i]
		for from := 0; t.phrase(); from += len(t.folded) {
			at := t.index(folded[from:])
			if at < 0 {
				break
			}
			from += at
			f(from, len(t.folded), match{i, true})
		}
	}
	return words
}

// mayMatch reports whether a word begins as a term or as one of its forms does.
func (c *counter) mayMatch(word []byte) bool {
	for size := range min(longestStart, len(word)) {
		if c.starts[hash(word[:size+1])] {
			return true
		}
	}
	return false
}

// matches returns the terms that a folded word counts as.
func (c *counter) matches(word []byte) []match {
	if !c.mayMatch(word) {
		return nil
	}
	found, ok := c.known[string(word)]
	if !ok {
		w := string(word)
		own := stem.Of(w)
		for i := range c.terms {
			t := &c.terms[i]
			exact := !t.phrase() &&
				(w == t.folded || t.prefix && strings.HasPrefix(w, t.folded) || slices.Contains(t.near, w))
			if exact || slices.ContainsFunc(own, func(s string) bool { return slices.Contains(t.stems, s) }) {
				found = append(found, match{i, exact})
			}
		}
		c.known[w] = found
	}
	return found
}

// categories returns the tags of a note and its folder as one text.
func categories(n *vault.Note) string {
	return strings.Join(append(slices.Clone(n.Tags), string(n.Path.Dir())), "\n")
}
