package index

import (
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/index/stem"
)

// scoredNote is a note that was looked at.
type scoredNote struct {
	note         *vault.Note
	exact, stems []float32 // by term: how often it stands there, weighted

	byStems, byExact float64 // what it scores by these

	size   float64 // in words
	pieces int
	parts  []part  // with some of the terms
	held   float64 // how much of the query it has, from 0 to 1
	score  float64
	named  bool              // the query is its name or links to it
	tagged bool              // the query names one of its tags
	headed bool              // the query is one of its headings
	like   map[Piece]float64 // how much pieces, also of others, are like the query
	shares Shares
}

// part is a piece with some of the terms.
type part struct {
	piece
	nth   int // among the pieces of the note
	stems []float32
	size  float64
	score float64
	own   bool    // some of them stand in it, not only in names of the note
	like  float64 // how much it is like the query
}

// match says that a word counts as a term.
type match struct {
	term  int
	exact bool
}

// counter counts terms in notes. It is for one goroutine.
type counter struct {
	terms  []term
	starts [1 << 10]uint64 // a bit for the first two bytes of each word that may be a term
	known  map[string][]match
	folded []byte // a buffer
}

func newCounter(terms []term) *counter {
	c := &counter{terms: terms, known: map[string][]match{}}
	for i := range terms {
		for _, w := range slices.Concat([]string{terms[i].folded}, terms[i].stems, terms[i].near) {
			at, bit := start([]byte(w))
			c.starts[at] |= bit
		}
	}
	return c
}

// start is where the bit for the first two bytes of a word stands.
func start(word []byte) (at int, bit uint64) {
	second := byte(0)
	if len(word) > 1 {
		second = word[1]
	}
	return int(word[0])<<2 | int(second)>>6, 1 << (second & 63)
}

// empty are counts of the terms, all 0.
func (c *counter) empty() []float32 { return make([]float32, len(c.terms)) }

// note looks for the terms in the text of a note; ok is false if it has none.
func (c *counter) note(q *Query, n *scoredNote, text *vault.Text) (ok bool) {
	title, unused, whole := c.empty(), c.empty(), foldLine(q.Text)
	inTitle := c.count(titles(text.Note), titleWeight, n.exact, title)
	inTitle += c.count(categories(text.Note), headingWeight, n.exact, title)
	n.size = inTitle
	copy(n.stems, title)
	all := pieces(text.Content, sections(text))
	n.pieces = len(all)
	for i, p := range all {
		body := c.empty()
		seen, _ := visibleText(text.Content[p.from:p.to])
		size := c.count(seen, 1, n.exact, body)
		if p.from == p.section.from && p.heading != "" {
			n.size += c.count(p.heading, headingWeight, n.exact, n.stems)
			n.headed = n.headed || string(c.folded) == whole
		}
		n.size += size
		add(n.stems, body)
		size += c.count(p.trail, headingWeight, unused, body)
		own := holds(body)
		like := n.like[Piece{n.note.Path, i}]
		if add(body, title); holds(body) || like > 0 {
			n.parts = append(n.parts, part{piece: p, nth: i, stems: body, size: inTitle + size, own: own || like > 0, like: like})
		}
	}
	if at := slices.IndexFunc(all, func(p piece) bool { return p.end >= text.Note.BodyLine && p.from < p.to }); len(n.parts) == 0 && (n.named || n.tagged) && at >= 0 {
		n.parts = append(n.parts, part{piece: all[at], nth: at, stems: c.empty()}) // it is asked for all the same
	}
	return holds(n.stems) || holds(n.exact) || len(n.parts) > 0
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
	c.folded = foldText(c.folded[:0], text)
	eachToken(c.folded, func(word []byte) {
		size++
		for _, m := range c.matches(word) {
			stems[m.term] += weight
			if m.exact {
				exact[m.term] += weight
			}
		}
	})
	for i := range c.terms {
		if c.terms[i].phrase() {
			n := weight * float32(c.terms[i].count(c.folded))
			exact[i] += n
			stems[i] += n
		}
	}
	return size
}

// matches are the terms that a folded word counts as.
func (c *counter) matches(word []byte) []match {
	if at, bit := start(word); c.starts[at]&bit == 0 {
		return nil
	}
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

// categories are the tags of a note and the folders that it lies in.
func categories(n *vault.Note) string {
	return strings.Join(append(slices.Clone(n.Tags), string(n.Path.Dir())), "\n")
}
