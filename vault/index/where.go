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
)

// searchWhere answers a query with operators. Words besides them rank the notes
// that fit; without any, those come first in which words of the operators stand,
// then the newest.
func (s Searcher) searchWhere(ctx context.Context, q Query) ([]Hit, error) {
	if err := s.hold(ctx, q.where); err != nil {
		return nil, fmt.Errorf("search notes: %w", err)
	}
	enough := len(s.Source.Notes())
	if q.Text == "" && q.inner == "" {
		enough = q.limit()
	}
	lines, err := s.fitting(ctx, &q, enough)
	if err != nil {
		return nil, fmt.Errorf("search notes: %w", err)
	}
	pass := func(n *vault.Note) bool {
		_, ok := lines[n.Path]
		return ok && !n.Private
	}
	words := q
	words.Text = cmp.Or(q.Text, q.inner)
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
	exprs := q.where.exprs(nil)
	for i := range hits {
		h := &hits[i]
		if len(exprs) > 0 && h.found != nil {
			found := *h.found
			found.exprs, h.found = exprs, &found
		}
		if line := lines[h.Path]; line > 0 && !q.Sections {
			s.move(h, line)
		}
	}
	return hits, nil
}

// move puts a hit on a line.
func (s Searcher) move(h *Hit, line int) {
	text, err := read(s.Source, h.Path)
	if err != nil {
		return
	}
	lines := lineStarts(text.Content)
	for _, part := range sections(&text) {
		if part.start <= line && line <= part.end && line <= len(lines) {
			h.Heading, h.Start, h.End, h.Line = part.heading, part.start, part.end, line
			h.Snippet = cutSnippet(lineAt(text.Content, lines, line), *h.found)
			return
		}
	}
}

// hold asks the index which notes hold the words of c.
func (s Searcher) hold(ctx context.Context, c *cond) (err error) {
	if !s.indexed() {
		return nil
	}
	c.words(func(w *cond) {
		if err != nil || ctx.Err() != nil {
			return
		}
		held := map[string]bool{}
		if s.Index.holding(ctx, w.term, held) == nil { // else the notes are read
			w.held = held
		}
		err = ctx.Err()
	})
	return err
}

// holding adds the paths of the notes that hold t in their names or text.
func (x *Index) holding(ctx context.Context, t term, to map[string]bool) error {
	return x.rows(ctx, func(path sql.RawBytes) { to[string(path)] = true },
		"SELECT note.path FROM text CROSS JOIN note ON note.id = text.rowid WHERE text MATCH ?", "{title body} : ("+t.match()+")")
}

// chunk is how many notes are looked at before it is asked whether there are
// enough.
const chunk = 1000

// fitting finds the notes that q asks for, at least enough if there are so many,
// newest first, and on which line what it asks for stands, 0 for none.
func (s Searcher) fitting(ctx context.Context, q *Query, enough int) (map[vault.Path]int, error) {
	pass := q.filter()
	lines := map[vault.Path]int{}
	var open []*vault.Note // what must be read, and what is known to fit, to keep the order
	for _, n := range s.Source.Notes() {
		if pass(n) && q.where.known(n, false) != no {
			open = append(open, n)
		}
	}
	if enough < len(open) {
		slices.SortFunc(open, newer)
	}
	for len(open) > 0 && len(lines) < enough {
		part := open[:min(len(open), chunk)]
		open = open[len(part):]
		hits := make([]int, len(part))
		if err := each(ctx, s.Source, len(part), func(read reading) func(int) {
			var p page
			return func(i int) { hits[i] = q.where.lookAt(read, part[i], &p) }
		}); err != nil {
			return nil, err
		}
		for i, line := range hits {
			if line >= 0 {
				lines[part[i].Path] = line
			}
		}
	}
	return lines, nil
}

// lookAt holds c against a note, which it reads if need be, and returns the line of
// the hit, 0 for none, or -1 if the note does not fit.
func (c *cond) lookAt(read reading, n *vault.Note, p *page) int {
	if c.known(n, false) == yes {
		return 0
	}
	text, err := read(n.Path)
	if err != nil || text.Note.Private {
		return -1
	}
	p.open(&text)
	if !c.holds(p.whole()) {
		return -1
	}
	return p.hit
}

// each calls a function that start makes, one for each goroutine, for the numbers
// below n. The goroutines end before it returns.
func each(ctx context.Context, src Source, n int, start func(reading) func(int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			read, done := many(src)
			defer done()
			look := start(read)
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				look(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
