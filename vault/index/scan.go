package index

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"ibid/vault"
)

// The weights of the fields and the constants of BM25, as in the index.
const (
	titleWeight   = 10
	headingWeight = 4
	tagWeight     = 5
	bm25K1        = 1.2
	bm25B         = 0.75
)

// scanned is a section that contains at least one term.
type scanned struct {
	note *vault.Note
	section
	all    bool      // every term of terms.all
	counts []float64 // by term of terms.any: weighted occurrences
	size   int       // bytes of folded text
	score  float64
}

// scanner is what one goroutine of a scan gathers.
type scanner struct {
	found    []scanned
	sections int   // looked at
	bytes    int64 // of folded text looked at
	in       []int // by term of terms.any: sections that contain it

	title, tags, trail, body []byte
}

// scan searches by reading every note that passes. It uses as many goroutines
// as there are processors; they end before it returns.
func scan(ctx context.Context, src Source, t terms, q *Query, pass func(*vault.Note) bool) ([]Hit, error) {
	notes := src.Notes()
	workers := make([]scanner, min(runtime.GOMAXPROCS(0), max(len(notes), 1)))
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range workers {
		w := &workers[i]
		w.in = make([]int, len(t.any))
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(notes) || ctx.Err() != nil {
					return
				}
				if n := notes[i]; pass(n) {
					if text, err := read(src, n.Path); err == nil {
						w.note(&text, &t)
					}
				}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return rank(workers, q), nil
}

// note looks for the terms in a note.
func (w *scanner) note(text *vault.Text, t *terms) {
	n := text.Note
	w.title = foldText(w.title[:0], titles(n))
	w.tags = w.tags[:0]
	for _, tag := range n.Tags {
		w.tags = append(foldText(w.tags, tag), '\n')
	}
	w.body = foldText(w.body[:0], text.Content)
	if !t.in(w.title, w.tags, w.body) { // most notes: no need to look at their sections
		n := len(n.Headings) + 1
		w.sections += n
		w.bytes += int64(len(w.body) + n*(len(w.title)+len(w.tags)))
		return
	}
	for _, s := range sections(text) {
		w.trail = foldText(w.trail[:0], s.trail)
		w.body = foldText(w.body[:0], s.text)
		w.sections++
		size := len(w.title) + len(w.tags) + len(w.trail) + len(w.body)
		w.bytes += int64(size)
		var counts []float64
		for i, term := range t.any {
			c := float64(titleWeight*term.count(w.title) + headingWeight*term.count(w.trail) +
				tagWeight*term.count(w.tags) + term.count(w.body))
			if c > 0 {
				if counts == nil {
					counts = make([]float64, len(t.any))
				}
				counts[i] = c
				w.in[i]++
			}
		}
		if counts != nil {
			s.text = "" // do not keep the note in memory
			w.found = append(w.found, scanned{note: n, section: s, all: w.hasAll(t), counts: counts, size: size})
		}
	}
}

// in reports whether any term stands in any of the folded texts.
func (t *terms) in(texts ...[]byte) bool {
	return slices.ContainsFunc(t.any, func(w term) bool { return w.in(texts...) })
}

// hasAll reports whether the section at hand has every term.
func (w *scanner) hasAll(t *terms) bool {
	for _, term := range t.all {
		if !term.in(w.title, w.trail, w.tags, w.body) {
			return false
		}
	}
	return true
}

// rank scores what the workers found by BM25 and takes the best.
func rank(workers []scanner, q *Query) []Hit {
	var found []scanned
	var sections int
	var bytes int64
	in := make([]int, len(workers[0].in))
	for _, w := range workers {
		found = append(found, w.found...)
		sections += w.sections
		bytes += w.bytes
		for i, n := range w.in {
			in[i] += n
		}
	}
	if len(found) == 0 {
		return nil
	}
	average := float64(bytes) / float64(sections)
	for i := range found {
		f := &found[i]
		norm := bm25K1 * (1 - bm25B + bm25B*float64(f.size)/average)
		for j, c := range f.counts {
			idf := math.Log((float64(sections-in[j]) + 0.5) / (float64(in[j]) + 0.5))
			f.score += max(idf, 1e-6) * c * (bm25K1 + 1) / (c + norm)
		}
	}
	slices.SortFunc(found, func(a, b scanned) int {
		if a.all != b.all {
			if a.all {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.note.Path, b.note.Path), cmp.Compare(a.start, b.start))
	})
	c := newCollector(q)
	for _, f := range found {
		if c.full() {
			break
		}
		h := Hit{Path: f.note.Path, Heading: f.heading, Start: f.start, End: f.end, Score: f.score}
		if !c.known(&h) {
			c.take(f.note, h)
		}
	}
	return c.hits
}
