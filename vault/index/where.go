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
	var err error
	if q.where, err = s.hold(ctx, q.where); err != nil {
		return nil, fmt.Errorf("search notes: %w", err)
	}
	f := s.mayFit(&q)
	if !q.Sections {
		q.lines = f.lines
	}
	words := q
	words.Text = cmp.Or(q.Text, q.inner)
	enough := len(f.notes)
	if len(parseTerms(words.Text, words.partial()).all) == 0 {
		enough = q.limit()
	}
	if err := s.fitting(ctx, f, enough); err != nil {
		return nil, fmt.Errorf("search notes: %w", err)
	}
	pass := func(n *vault.Note) bool {
		_, ok := f.lines[n.Path]
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

// move puts a hit on a line, if that is in one of the sections.
func (h *Hit) move(text *vault.Text, line int, t terms) bool {
	lines := lineStarts(text.Content)
	for _, part := range sections(text) {
		if part.start <= line && line <= part.end && line <= len(lines) {
			h.Heading, h.Start, h.End, h.Line = part.heading, part.start, part.end, line
			h.Snippet = cutSnippet(lineAt(text.Content, lines, line), t)
			return true
		}
	}
	return false
}

// hold is c with what the index knows: which notes hold its words.
func (s Searcher) hold(ctx context.Context, c *cond) (*cond, error) {
	c = c.dated(s.Source.Notes())
	if s.indexed() {
		c.words(func(w *cond) {
			held := map[string]bool{}
			if s.Index.holding(ctx, w.term, held) == nil { // else the notes are read
				w.held = held
			}
		})
	}
	return c, ctx.Err()
}

// holding adds the paths of the notes that hold t in their names or text.
func (x *Index) holding(ctx context.Context, t term, to map[string]bool) error {
	return x.rows(ctx, func(path sql.RawBytes) { to[string(path)] = true },
		"SELECT note.path FROM text CROSS JOIN note ON note.id = text.rowid WHERE text MATCH ?", "{title body} : ("+t.match()+")")
}

// chunk is how many notes are looked at before it is asked whether there are
// enough.
const chunk = 1000

// sieve is a condition on notes that are read, and those that fit it.
type sieve struct {
	cond  *cond
	notes []*vault.Note // that may fit
	mu    sync.Mutex
	lines map[vault.Path]int // of those that do: where, 0 for no line
}

// mayFit is the condition of q, and the notes that may fit as far as that is known
// without reading them.
func (s Searcher) mayFit(q *Query) *sieve {
	f := &sieve{cond: q.where, lines: map[vault.Path]int{}}
	pass := q.filter(s.Source)
	for _, n := range s.Source.Notes() {
		if q.where.known(n, false) != no && pass(n) {
			f.notes = append(f.notes, n)
		}
	}
	return f
}

// fitting finds the notes that fit, at least enough if there are so many, newest
// first.
func (s Searcher) fitting(ctx context.Context, f *sieve, enough int) error {
	open := f.notes
	if enough < len(open) {
		slices.SortFunc(open, newer)
	}
	for len(open) > 0 && len(f.lines) < enough {
		part := open[:min(len(open), chunk)]
		open = open[len(part):]
		if err := each(ctx, s.Source, len(part), func(read reading) func(int) {
			var p page
			return func(i int) {
				if line := f.cond.lookAt(read, part[i], &p); line >= 0 {
					f.mu.Lock()
					f.lines[part[i].Path] = line
					f.mu.Unlock()
				}
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// lookAt holds c against a note, which it reads if need be, and returns the line of
// the hit, 0 for none, or -1 if the note does not fit.
func (c *cond) lookAt(read reading, n *vault.Note, p *page) int {
	if c.known(n, false) == yes {
		return 0
	}
	text, err := read(n.Path)
	if err != nil {
		return -1
	}
	return c.lookInto(n, &text, p)
}

// lookInto is lookAt for a note that was read.
func (c *cond) lookInto(n *vault.Note, text *vault.Text, p *page) int {
	switch {
	case c.known(n, false) == yes:
		return 0
	case text.Note.Private:
		return -1
	}
	p.open(text)
	if !c.holds(p.whole()) {
		return -1
	}
	return p.hit
}

// run is how many numbers in a row a goroutine of each takes at once: notes of one folder
// are read together.
const run = 8

// each calls a function that start makes, one for each goroutine, for the numbers
// below n. The goroutines end before it returns.
func each(ctx context.Context, src Source, n int, start func(reading) func(int)) error {
	var next atomic.Int64
	var wg routine.Group
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			read, done := many(src)
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
