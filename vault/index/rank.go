package index

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// The shares of a score: each is divided by the best of the query.
const (
	exactShare = 0.5  // of the words as they are written, where that of their stems is 1
	pieceShare = 1.5  // of the best piece
	timeShare  = 0.75 // of a time that the query speaks of
	nearShare  = 0.03 // of nearness
	heldWeight = 0.5  // how much of the score of a note is by how much of the query it holds
)

// What a note is worth that a query asks for otherwise than by words in it.
const (
	namedWorth  = 100
	taggedWorth = 10
	headedWorth = 0.5
)

// The weights of words by where they stand, and the constants of BM25.
const (
	titleWeight   = 10
	headingWeight = 2
	bm25K1        = 1.2
	bm25B         = 0.5
)

// rank scores notes and their pieces by the terms, with the statistics of the vault, and
// sorts them, best first.
func (s Searcher) rank(all []scoredNote, q *Query, terms []term, st *statistics) {
	byNote, byPiece := make([]float64, len(terms)), make([]float64, len(terms))
	for i := range terms {
		t := &terms[i]
		byNote[i], byPiece[i] = t.weight*rarity(t.notes, st.notes), t.weight*rarity(t.pieces, st.pieces)
	}
	words, pieces, mostStems, mostExact, best := 1e-9, 1e-9, 1e-9, 1e-9, 1e-9
	for i := range all {
		words += all[i].size
		pieces += float64(all[i].pieces)
	}
	for i := range all {
		n := &all[i]
		size := n.size * float64(len(all)) / words
		n.held = shareHeld(terms, byNote, n.stems)
		share := 1 - heldWeight + heldWeight*n.held // what has more of the query counts more
		n.byStems, n.byExact = share*bm25(n.stems, byNote, size), share*bm25(n.exact, byNote, size)
		mostStems, mostExact = max(mostStems, n.byStems), max(mostExact, n.byExact)
		for j := range n.parts {
			p := &n.parts[j]
			p.score = bm25(p.stems, byPiece, p.size*pieces/words)
			best = max(best, p.score)
		}
	}
	var dated calendar
	if q.timed() {
		dated = newCalendar(s.Source.Notes())
	}
	for i := range all {
		n, own := &all[i], 0.0
		n.score = n.byStems/mostStems + exactShare*n.byExact/mostExact + q.besides(n, dated)
		for j := range n.parts {
			p := &n.parts[j]
			share := pieceShare * p.score / best
			own, p.score = max(own, share), n.score+share
		}
		n.score += own
	}
	slices.SortFunc(all, func(a, b scoredNote) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.note.ModTime.Compare(a.note.ModTime), cmp.Compare(a.note.Path, b.note.Path))
	})
}

// bm25 rates counts of terms in a text that is so many times as long as others, where
// rarity says how much each term tells.
func bm25(counts []float32, rarity []float64, size float64) (score float64) {
	norm := bm25K1 * (1 - bm25B + bm25B*size)
	for i, c := range counts {
		score += rarity[i] * float64(c) * (bm25K1 + 1) / (float64(c) + norm)
	}
	return score
}

// rarity is how much it tells that one of all texts holds a term that n of them hold.
func rarity(n, all float64) float64 {
	n = min(n, all)
	return math.Log(1 + (all-n+0.5)/(n+0.5))
}

// shareHeld is how much of what the terms tell stands where counts are of, from 0 to 1.
func shareHeld(terms []term, rarity []float64, counts []float32) float64 {
	held, whole := 0.0, 1e-9
	for i, r := range rarity {
		if terms[i].added || terms[i].notes == 0 {
			continue
		}
		if whole += r; counts[i] > 0 {
			held += r
		}
	}
	return held / whole
}

// besides is what counts of a note besides its words.
func (q *Query) besides(n *scoredNote, dated calendar) (score float64) {
	if q.timed() {
		score += timeShare * n.held * dated.near(n.note, q.When)
	}
	if d, ok := q.Near[n.note.Path]; ok {
		score += nearShare / float64(1+d)
	}
	switch {
	case n.named:
		score += namedWorth
	case n.tagged:
		score += taggedWorth
	case n.headed:
		score += headedWorth
	}
	return score
}

// meantText is text with the word that was meant in place of each that is a slip, ""
// if none is.
func meantText(text string, all []term) string {
	instead := map[string]string{}
	for _, t := range all {
		if len(t.near) > 0 {
			instead[t.folded] = t.near[0]
		}
	}
	fields, changed := strings.Fields(text), false
	for i, field := range fields {
		words := strings.Fields(foldLine(field))
		for j, word := range words {
			if near := instead[word]; near != "" {
				words[j], changed = near, true
				fields[i] = strings.Join(words, " ")
			}
		}
	}
	if !changed {
		return ""
	}
	return strings.Join(fields, " ")
}
