package index

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"ibid/vault"
	"ibid/vault/index/stem"
)

// reader is what one goroutine of a scan gathers.
type reader struct {
	*matcher
	notes  []*vault.Note // that hold a want
	counts []float64     // of them, by want
	norms  []float64     // of them
	words  lexicon       // of the notes, while a want is missing

	exact, loose []float64
	text, tokens []byte
}

// scan finds candidates by reading every note of a list. It completes wants as
// the index does.
func scan(ctx context.Context, src Source, notes []*vault.Note, wants []want, most int) ([]*vault.Note, error) {
	readers, err := scanOnce(ctx, src, notes, wants, newMissing(wants))
	if err != nil {
		return nil, err
	}
	found := rankScan(readers, wants, len(notes), most)
	if !nearest(readers, wants) {
		return found, nil
	}
	if readers, err = scanOnce(ctx, src, notes, wants, nil); err != nil {
		return nil, err
	}
	return rankScan(readers, wants, len(notes), most), nil
}

// scanOnce reads the notes and counts their forms of the wants. As long as one is
// missing it gathers their words.
func scanOnce(ctx context.Context, src Source, notes []*vault.Note, wants []want, missing missing) (readers []*reader, err error) {
	average := averageSize(notes)
	var mu sync.Mutex
	return readers, each(ctx, src, len(notes), func(read reading) func(int) {
		r := &reader{matcher: newMatcher(wants), words: lexicon{}}
		r.exact, r.loose = make([]float64, len(wants)), make([]float64, len(wants))
		mu.Lock()
		defer mu.Unlock()
		readers = append(readers, r)
		return func(i int) {
			if text, err := read(notes[i].Path); err == nil {
				r.look(notes[i], &text, missing, average)
			}
		}
	})
}

// look counts the wants in a note.
func (r *reader) look(n *vault.Note, text *vault.Text, missing missing, average float64) {
	clear(r.exact)
	clear(r.loose)
	some := missing.some()
	count := func(s string, weight float64) {
		if !some && plainASCII(s) && r.countASCII(s, stem.Any, weight, r.exact, r.loose) {
			return
		}
		r.text = foldText(r.text[:0], s)
		r.count(r.text, stem.Any, weight, r.exact, r.loose)
		if some {
			r.tokens = appendTokens(r.tokens[:0], r.text)
			r.words.add(r.tokens)
		}
	}
	count(titles(n), titleWeight)
	count(categories(n), tagWeight)
	count(text.Content, 1)
	if !slices.ContainsFunc(r.loose, func(n float64) bool { return n > 0 }) {
		return
	}
	missing.found(r.loose)
	r.notes = append(r.notes, n)
	r.counts = append(r.counts, r.loose...)
	r.norms = append(r.norms, bm25K1*(1-bm25B+bm25B*float64(len(text.Content))/average))
}

// missing says of each want whether it may be a slip and stands nowhere so far.
type missing []atomic.Bool

func newMissing(wants []want) missing {
	m := make(missing, len(wants))
	for i := range wants {
		m[i].Store(wants[i].word && allowed(wants[i].folded) > 0)
	}
	return m
}

func (m missing) some() bool {
	for i := range m {
		if m[i].Load() {
			return true
		}
	}
	return false
}

// found takes in what counts of wants say.
func (m missing) found(counts []float64) {
	for i := range m {
		if counts[i] > 0 && m[i].Load() {
			m[i].Store(false)
		}
	}
}

// rankScan counts in how many notes the wants stand, and takes the best.
func rankScan(readers []*reader, wants []want, all, most int) []*vault.Note {
	each := func(f func(n *vault.Note, counts []float64, norm float64)) {
		for _, r := range readers {
			for i, n := range r.notes {
				f(n, r.counts[i*len(wants):(i+1)*len(wants)], r.norms[i])
			}
		}
	}
	for i := range wants {
		wants[i].loose = 0
	}
	each(func(_ *vault.Note, counts []float64, _ float64) {
		for i, c := range counts {
			if c > 0 {
				wants[i].loose++
			}
		}
	})
	type rated struct {
		note  *vault.Note
		score float64
	}
	var list []rated
	each(func(n *vault.Note, counts []float64, norm float64) {
		sum, held := 0.0, 0.0
		for i, c := range counts {
			if w := &wants[i]; c > 0 && !w.common {
				r := rarity(w.loose, all)
				sum += r * c * (bm25K1 + 1) / (c + norm)
				held += r
			}
		}
		if held > 0 {
			list = append(list, rated{n, sum * held})
		}
	})
	slices.SortFunc(list, func(a, b rated) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.note.Path, b.note.Path))
	})
	list = list[:min(len(list), most)]
	best := make([]*vault.Note, len(list))
	for i, n := range list {
		best[i] = n.note
	}
	return best
}

// nearest finds, for wants that stand nowhere, the words that they may be slips of,
// and reports whether there are any.
func nearest(readers []*reader, wants []want) (some bool) {
	for i := range wants {
		w := &wants[i]
		if w.loose > 0 || !w.word {
			continue
		}
		s := newSlips(w.folded)
		for _, r := range readers {
			for word := range r.words {
				s.try(word)
			}
		}
		w.near = s.found
		slices.Sort(w.near)
		some = some || len(w.near) > 0
	}
	return some
}

// averageSize is that of notes, in bytes, or of every so many of a lot.
func averageSize(notes []*vault.Note) float64 {
	sum, n := int64(0), int64(0)
	for i := 0; i < len(notes); i += 1 + len(notes)/1000 {
		sum += notes[i].Size
		n++
	}
	return max(float64(sum)/float64(max(n, 1)), 1)
}
