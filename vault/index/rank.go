package index

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"ibid/vault/index/fold"
	"ibid/vault/md"
)

// The shares of a score: each is divided by the best of the query.
const (
	exactShare = 0.5  // of the words as they are written, compared with 1 for their stems
	pieceShare = 1.5  // of the best piece
	timeShare  = 0.75 // of a time that the query speaks of
	likeShare  = 1.5  // of likeness in meaning, where no word is found
	heldWeight = 0.5  // part of the score of a note that depends on its share of the query
)

// The worth of a note with a name, tag or heading of the query.
const (
	namedWorth  = 100
	taggedWorth = 10
	headedWorth = 0.5
)

// The weights of words by their place, and the constants of BM25.
const (
	titleWeight   = 10
	headingWeight = 2
	bm25K1        = 1.2
	bm25B         = 0.5
)

// Shares add up to the score of a note.
type Shares struct {
	Words   float64 `json:"words"`   // the forms of the words in it
	Exact   float64 `json:"exact"`   // the words as they are written
	Section float64 `json:"section"` // the words in its best section
	Time    float64 `json:"time"`    // its date, where the query speaks of one
	Name    float64 `json:"name"`    // the query is its name, or that of a tag or heading of it
	Meaning float64 `json:"meaning"` // the section that is most like the query
}

// String returns the shares that are more than nothing, as a sum for people.
func (s Shares) String() string {
	var all []string
	for share, score := range reflect.ValueOf(s).Fields() {
		if n := score.Float(); n > 0 {
			all = append(all, fmt.Sprintf("%s %.2f", share.Tag.Get("json"), n))
		}
	}
	return strings.Join(all, " + ")
}

// rank scores notes and their pieces by the terms, with the statistics of the vault, and
// sorts them, best first.
func (s Searcher) rank(all []scoredNote, q *Query, terms []term, st *statistics) {
	byNote, byPiece := make([]float64, len(terms)), make([]float64, len(terms))
	for i := range terms {
		t := &terms[i]
		byNote[i], byPiece[i] = t.weight*rarity(t.notes, st.notes), t.weight*rarity(t.pieces, st.pieces)
	}
	words, pieces, mostWords, mostExact, best := 1e-9, 1e-9, 1e-9, 1e-9, 1e-9
	for i := range all {
		words += all[i].size
		pieces += float64(all[i].pieces)
	}
	for i := range all {
		n, sh := &all[i], &all[i].shares
		size := n.size * float64(len(all)) / words
		n.held = shareHeld(terms, byNote, n.stems)
		share := 1 - heldWeight + heldWeight*n.held // what has more of the query counts more
		sh.Words, sh.Exact = share*bm25(n.stems, byNote, size), share*bm25(n.exact, byNote, size)
		mostWords, mostExact = max(mostWords, sh.Words), max(mostExact, sh.Exact)
		for j := range n.parts {
			p := &n.parts[j]
			p.score = bm25(p.stems, byPiece, p.size*pieces/words)
			best = max(best, p.score)
		}
	}
	var dated calendar
	if q.timed() {
		dated = s.calendar()
	}
	for i := range all {
		n, sh := &all[i], &all[i].shares
		if q.timed() {
			sh.Time = timeShare * n.held * dated.near(n.note, q.When)
		}
		sh.Words, sh.Exact = sh.Words/mostWords, exactShare*sh.Exact/mostExact
		n.score = sh.Words + sh.Exact + sh.Time + sh.Name
		for j := range n.parts {
			p := &n.parts[j]
			share := pieceShare * p.score / best
			sh.Section, p.score = max(sh.Section, share), n.score+share
		}
		n.score += sh.Section
	}
	addLikeness(all, terms, byPiece)
	slices.SortFunc(all, func(a, b scoredNote) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.note.ModTime.Compare(a.note.ModTime),
			cmp.Compare(a.note.Path, b.note.Path))
	})
}

// addLikeness adds the likeness in meaning to the scores of ranked notes, in proportion to the share
// of the query that the best piece of the first note lacks. If that has all words, nothing moves.
func addLikeness(all []scoredNote, terms []term, rarity []float64) {
	var first scoredNote
	for i := range all {
		if all[i].score > first.score {
			first = all[i]
		}
	}
	fails := 1.0
	for _, p := range first.parts {
		lacks, whole := 0.0, 1e-9
		for i, r := range rarity {
			if t := &terms[i]; !t.added && t.weight == 1 {
				if whole += r; p.stems[i] == 0 || t.near != nil { // what gave way to another word is not found
					lacks += r
				}
			}
		}
		fails = min(fails, 2*lacks/whole)
	}
	if first.shares.Name >= taggedWorth {
		fails = 0
	}
	for i := range all {
		n := &all[i]
		for j := range n.parts {
			p := &n.parts[j]
			share := likeShare * fails * p.like
			n.shares.Meaning = max(n.shares.Meaning, share)
			p.score += share
		}
		n.score += n.shares.Meaning
	}
}

// bm25 rates the counts of terms in a text. size is its length divided by that of the average text.
func bm25(counts []float32, rarity []float64, size float64) (score float64) {
	norm := bm25K1 * (1 - bm25B + bm25B*size)
	for i, c := range counts {
		score += rarity[i] * float64(c) * (bm25K1 + 1) / (float64(c) + norm)
	}
	return score
}

// rarity returns the weight of a term that n of all texts have.
func rarity(n, all float64) float64 {
	n = min(n, all)
	return math.Log(1 + (all-n+0.5)/(n+0.5))
}

// shareHeld returns the share of the terms, by weight, that a text with these counts has, from 0 to 1.
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

// plainWords matches the words in the text of a query.
var plainWords = regexp.MustCompile(`[\pL\pM\pN]+`)

// meantText returns text with typing errors corrected, "" if it has none.
func meantText(text string, all []term) string {
	text = md.OneLine(text)
	meant := plainWords.ReplaceAllStringFunc(text, func(word string) string {
		folded := fold.Line(word)
		i := slices.IndexFunc(all, func(t term) bool { return t.folded == folded && len(t.near) > 0 })
		if i < 0 {
			return word
		}
		return all[i].near[0]
	})
	if meant == text {
		return ""
	}
	return meant
}
