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
	"ibid/vault/index/stem"
)

// reader is what one goroutine of a scan gathers.
type reader struct {
	*matcher
	notes  []*vault.Note // that hold a want
	counts []float64     // of them, by want
	norms  []float64     // of them
	near   []slips       // by want that stands nowhere, in the second pass

	exact, loose []float64
	text         []byte
}

// scan finds candidates by reading every note of a list. It completes wants as
// the index does. It uses as many goroutines as there are processors; they end
// before it returns.
func scan(ctx context.Context, src Source, notes []*vault.Note, wants []want, most int) ([]*vault.Note, error) {
	found, err := scanOnce(ctx, src, notes, wants, most)
	missing := func(w want) bool { return w.loose == 0 && w.word && allowed(w.folded) > 0 }
	if err != nil || !slices.ContainsFunc(wants, missing) {
		return found, err
	}
	if err := scanNear(ctx, src, notes, wants); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(wants, func(w want) bool { return len(w.near) > 0 }) {
		return found, nil
	}
	return scanOnce(ctx, src, notes, wants, most)
}

// scanOnce reads the notes and ranks them by their forms of the wants.
func scanOnce(ctx context.Context, src Source, notes []*vault.Note, wants []want, most int) ([]*vault.Note, error) {
	average := averageSize(notes)
	readers, err := readAll(ctx, src, notes, wants, func(r *reader, n *vault.Note, text *vault.Text) {
		clear(r.exact)
		clear(r.loose)
		count := func(s string, weight float64) {
			if r.text = foldText(r.text[:0], s); r.mayHold(r.text) {
				r.count(r.text, stem.Any, weight, r.exact, r.loose)
			}
		}
		count(titles(n), titleWeight)
		count(categories(n), tagWeight)
		count(text.Content, 1)
		if !slices.ContainsFunc(r.loose, func(n float64) bool { return n > 0 }) {
			return
		}
		r.notes = append(r.notes, n)
		r.counts = append(r.counts, r.loose...)
		r.norms = append(r.norms, bm25K1*(1-bm25B+bm25B*float64(len(r.text))/average))
	})
	if err != nil {
		return nil, err
	}
	return rankScan(readers, wants, len(notes), most), nil
}

// rankScan counts in how many notes the wants stand, and takes the best.
func rankScan(readers []reader, wants []want, all, most int) []*vault.Note {
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

// scanNear finds, for wants that stand nowhere, words that they may be slips of.
func scanNear(ctx context.Context, src Source, notes []*vault.Note, wants []want) error {
	readers, err := readAll(ctx, src, notes, wants, func(r *reader, n *vault.Note, text *vault.Text) {
		r.text = foldText(r.text[:0], titles(n)+"\n"+text.Content)
		words := lexicon{}
		words.add(appendTokens(nil, r.text))
		for i := range r.wants {
			if w := &r.wants[i]; w.loose == 0 && w.word {
				if r.near[i].word == nil {
					r.near[i] = *newSlips(w.folded)
				}
				for word := range words {
					r.near[i].try(word)
				}
			}
		}
	})
	if err != nil {
		return err
	}
	for i := range wants {
		least := math.MaxInt
		for _, r := range readers {
			if len(r.near[i].found) > 0 && r.near[i].least <= least {
				if r.near[i].least < least {
					wants[i].near = nil
				}
				least = r.near[i].least
				wants[i].near = append(wants[i].near, r.near[i].found...)
			}
		}
		slices.Sort(wants[i].near)
		wants[i].near = slices.Compact(wants[i].near)
	}
	return nil
}

// readAll calls f for every note that can be read, each reader in one goroutine.
func readAll(ctx context.Context, src Source, notes []*vault.Note, wants []want, f func(*reader, *vault.Note, *vault.Text)) ([]reader, error) {
	readers := make([]reader, min(runtime.GOMAXPROCS(0), max(len(notes), 1)))
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range readers {
		r := &readers[i]
		r.matcher = newMatcher(wants)
		r.exact, r.loose, r.near = make([]float64, len(wants)), make([]float64, len(wants)), make([]slips, len(wants))
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(notes) || ctx.Err() != nil {
					return
				}
				if text, err := glance(src, notes[i].Path); err == nil {
					f(r, notes[i], &text)
				}
			}
		})
	}
	wg.Wait()
	return readers, ctx.Err()
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
