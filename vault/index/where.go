package index

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"ibid/vault"
	"ibid/vault/routine"
)

// searchWhere answers a query with operators. Words besides them rank the notes
// that fit; without any, those come first in which words of the operators stand,
// then the newest.
func (s Searcher) searchWhere(ctx context.Context, q Query) ([]Hit, error) {
	words := q
	words.Text = cmp.Or(q.Text, q.inner)
	fits, err := s.fitting(ctx, &q, len(parseTerms(words.Text, words.partial()).all) > 0)
	if err != nil {
		return nil, fmt.Errorf("search notes: %w", err)
	}
	q.lines, words.lines = fits, fits
	pass := func(n *vault.Note) bool {
		_, ok := fits[n.Path]
		return ok && !n.Private
	}
	var hits []Hit
	if words.Text != "" {
		if hits, err = s.ranked(ctx, words, pass); err != nil {
			return nil, err
		}
	}
	if q.Text == "" && len(hits) < q.limit() {
		found := map[vault.Path]bool{}
		for _, h := range hits {
			found[h.Path] = true
		}
		q.Limit = q.limit() - len(hits)
		more, err := s.newest(ctx, q, func(n *vault.Note) bool { return pass(n) && !found[n.Path] })
		if err != nil {
			return nil, err
		}
		hits = append(hits, more...)
	}
	return hits, nil
}

// holding are the paths of the notes that hold t in their names or text, nil if the index
// does not say.
func (s Searcher) holding(ctx context.Context, t *term) map[string]bool {
	held := map[string]bool{}
	if !s.indexed() || s.Index.column(ctx, func(path sql.RawBytes) { held[string(path)] = true },
		"SELECT note.path FROM text CROSS JOIN note ON note.id = text.rowid >> ? WHERE text MATCH ?", pieceBits, "body : "+t.match()) != nil {
		return nil
	}
	return held
}

// chunk is how many notes are looked at before it is asked whether there are
// enough.
const chunk = 1000

// fitting finds the notes that fit the operators of q, and where: all of them, else as
// many as are wanted, newest first. What the index and metadata do not say is read.
func (s Searcher) fitting(ctx context.Context, q *Query, all bool) (map[vault.Path]lineRange, error) {
	notes, pass := s.Source.Notes(), q.filter(s.Source)
	where := compile(q.where, mode{}, notes, func(t *term) map[string]bool { return s.holding(ctx, t) })
	open := passingNotes(notes, func(n *vault.Note) bool { return where.known(n, false) != no && pass(n) }, len(notes))
	if !all {
		slices.SortFunc(open, compareNewest)
	}
	fits := map[vault.Path]lineRange{}
	var mu sync.Mutex
	for len(open) > 0 && (all || len(fits) < q.limit()) && ctx.Err() == nil {
		part := open[:min(len(open), chunk)]
		open = open[len(part):]
		if err := forEachNumber(ctx, s.Source, len(part), func(read readNote) func(int) {
			return func(i int) {
				if in, ok := where.lookAt(read, part[i]); ok {
					mu.Lock()
					defer mu.Unlock()
					fits[part[i].Path] = in
				}
			}
		}); err != nil {
			return nil, err
		}
	}
	return fits, ctx.Err()
}

// lookAt holds c against a note, which it reads if need be, and returns the lines of
// the hit.
func (c *cond) lookAt(read readNote, n *vault.Note) (at lineRange, ok bool) {
	if c.known(n, false) == yes {
		return at, true
	}
	text, err := read(n.Path)
	if err != nil || text.Note.Private {
		return at, false
	}
	p := page{text: &text, lines: newLines(text.Content)}
	ok = c.holds(&scope{note: text.Note, in: inNote, raw: text.Content, page: &p})
	return p.hit, ok
}

// run is how many numbers in a row a goroutine of each takes at once: notes of one folder
// are read together.
const run = 8

// forEachNumber calls a function that start makes, one for each goroutine, for the numbers
// below n. The goroutines end before it returns.
func forEachNumber(ctx context.Context, src Source, n int, start func(readNote) func(int)) error {
	var next atomic.Int64
	var wg routine.Group
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			read, done := batchReader(src)
			defer done()
			look := start(read)
			for {
				end := int(next.Add(run))
				for i := end - run; i < end; i++ {
					if i >= n || ctx.Err() != nil {
						return
					}
					_ = routine.Call(func() { look(i) }) // a fault costs this note
				}
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
