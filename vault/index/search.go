package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"sync"

	"ibid/vault"
)

// Searcher searches the notes of Source: by Index when that is ready, else by
// reading them all. Both ways find the same notes in nearly the same order. A
// Searcher is safe for concurrent use.
type Searcher struct {
	Source Source
	Index  *Index // may be nil
}

// Search answers q, best hits first: the notes that bear the query as a name or
// that it links to, those with a tag that it names, then by how well they fit.
// Forms of its words count, and for a word that stands nowhere those that it may
// be a slip of. It always answers; an error is that of ctx or of reading what it
// needs, and an index that fails is passed over.
func (s Searcher) Search(ctx context.Context, q Query) ([]Hit, error) {
	if q.where != nil {
		return s.searchWhere(ctx, q)
	}
	return s.ranked(ctx, q, q.filter(s.Source))
}

// ranked answers q from the notes that pass.
func (s Searcher) ranked(ctx context.Context, q Query, pass func(*vault.Note) bool) ([]Hit, error) {
	t := parseTerms(q.Text, q.partial())
	if len(t.all) == 0 {
		if !q.filtered() || strings.TrimSpace(q.Text) != "" {
			return nil, ctx.Err()
		}
		return s.newest(ctx, q, pass)
	}
	all, err := s.look(ctx, &q, &t, pass)
	if err != nil {
		return nil, fmt.Errorf("search notes: %w", err)
	}
	return s.place(ctx, &q, hits(all, &q), t)
}

// look finds the notes that fit the words of t, best first. It completes t by the words
// that were found.
func (s Searcher) look(ctx context.Context, q *Query, t *terms, pass func(*vault.Note) bool) ([]scored, error) {
	all, err := s.scored(ctx, q, t, t.ranked(), pass)
	if err == nil && q.Text != q.inner { // the words of operators stand in what was found
		t.meant = meant(q.Text, t.list)
	}
	return all, err
}

// scored finds the notes that fit some terms, best first.
func (s Searcher) scored(ctx context.Context, q *Query, t *terms, terms []term, pass func(*vault.Note) bool) ([]scored, error) {
	most := max(candidates, 2*q.limit())
	if q.timed() {
		most *= 2 // notes of the time may come from further down
	}
	notes, st, err := s.candidates(ctx, q, terms, most, pass)
	if err != nil {
		return nil, err
	}
	m, err := s.mentions(ctx, q, pass)
	if err != nil {
		return nil, err
	}
	for _, n := range slices.Concat(m.named, m.tagged) {
		if !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	all, err := s.count(ctx, q, t, notes, terms, &m)
	if err != nil {
		return nil, err
	}
	if st.notes == 0 {
		st = statisticsOf(all, terms, s.Source.Notes())
		if s.forgive(ctx, notes, terms) {
			if all, err = s.count(ctx, q, t, notes, terms, &m); err != nil {
				return nil, err
			}
			st = statisticsOf(all, terms, s.Source.Notes())
		}
	}
	t.list = terms
	m.mark(all)
	s.rank(all, q, terms, &st)
	return all, nil
}

const (
	candidates = 200 // notes that are looked at for an answer, at least
	few        = 300 // notes that are rather read than looked for in the index
	mostBytes  = 6 << 20
)

// indexed reports whether the index can be asked.
func (s Searcher) indexed() bool { return s.Index != nil && s.Index.Ready() }

// candidates are the notes that are worth a look, and the statistics of the vault; it
// completes terms. Without an index these are all notes, and there are no statistics.
func (s Searcher) candidates(ctx context.Context, q *Query, terms []term, most int, pass func(*vault.Note) bool) (notes []*vault.Note, st statistics, err error) {
	all := s.Source.Notes()
	if !s.indexed() {
		return passing(all, pass, len(all)), st, nil
	}
	if q.filtered() {
		if notes = passing(all, pass, few+1); len(notes) <= few {
			most = 0 // only the statistics are asked for
		}
	}
	known := slices.Clone(terms)
	found, st, err := s.Index.candidates(ctx, terms, most, s.visible(pass))
	switch {
	case err != nil && ctx.Err() == nil:
		copy(terms, known)
		return passing(all, pass, len(all)), statistics{}, nil
	case most > 0:
		notes = found
	}
	return notes, st, err
}

// passing are the notes that pass, at most so many.
func passing(all []*vault.Note, pass func(*vault.Note) bool, most int) (notes []*vault.Note) {
	for _, n := range all {
		if pass(n) {
			if notes = append(notes, n); len(notes) == most {
				break
			}
		}
	}
	return notes
}

// count reads notes, counts the terms in them, and adds to t the words that count as
// terms. Those that have none are left out, unless they are mentioned.
func (s Searcher) count(ctx context.Context, q *Query, t *terms, notes []*vault.Note, terms []term, m *mentions) ([]scored, error) {
	var mu sync.Mutex
	var all []scored
	words := map[string]bool{}
	var counters []*counter
	err := each(ctx, s.Source, len(notes), func(read reading) func(int) {
		c := newCounter(q, terms)
		mu.Lock()
		defer mu.Unlock()
		counters = append(counters, c)
		return func(i int) {
			text, err := read(notes[i].Path)
			if err != nil && gone(err) {
				return
			}
			found, ok := newScored(notes[i], len(terms)), err != nil
			if !ok {
				found, ok = c.note(&text)
				found.note = notes[i]
			}
			if ok || m.has(notes[i]) {
				mu.Lock()
				all = append(all, found)
				mu.Unlock()
			}
		}
	})
	for _, c := range counters {
		c.shown(words)
	}
	for _, w := range terms {
		if w.phrase && !w.added {
			words[w.folded] = true
		}
	}
	t.any = t.any[:0]
	for w := range words {
		t.any = append(t.any, term{folded: w})
	}
	t.all = slices.DeleteFunc(t.all, func(w term) bool { return commonWord(w.folded) && len(words) > 0 && !words[w.folded] })
	return all, err
}

// forgive reads notes, without an index, for words that begin with a term that stands in
// none of them, or that it may be a slip of, and reports whether there are any.
func (s Searcher) forgive(ctx context.Context, notes []*vault.Note, terms []term) (some bool) {
	var mu sync.Mutex
	near := map[int]*slips{} // by term
	for i := range terms {
		if t := &terms[i]; t.notes == 0 && !t.phrase && !t.quoted && !t.added && allowed(t.folded) > 0 {
			near[i] = newSlips(t.folded)
		}
	}
	if len(near) == 0 {
		return false
	}
	begun := make([]bool, len(terms))
	_ = each(ctx, s.Source, len(notes), func(read reading) func(int) { // whoever counts again sees that ctx ended
		var folded []byte
		return func(i int) {
			text, err := read(notes[i].Path)
			if err != nil {
				return
			}
			folded = foldText(folded[:0], titles(text.Note)+"\n"+text.Content)
			mu.Lock()
			defer mu.Unlock()
			eachToken(folded, func(word []byte) {
				for t, s := range near {
					if wordy(word) {
						begun[t] = begun[t] || len(word) > len(s.text) && strings.HasPrefix(string(word), s.text)
						s.try(string(word))
					}
				}
			})
		}
	})
	for t, s := range near {
		slices.Sort(s.found)
		some = some || begun[t] || len(s.found) > 0
		if terms[t].prefix = begun[t]; !begun[t] {
			terms[t].standFor(s.found)
		}
	}
	return some
}

// statisticsOf counts what is known of all notes from those that hold some of the terms,
// and how many hold each.
func statisticsOf(all []scored, terms []term, notes []*vault.Note) (st statistics) {
	words, bytes, parts := 0.0, int64(0), 0.0
	for t := range terms {
		terms[t].notes, terms[t].exact, terms[t].pieces = 0, 0, 0
	}
	for i := range all {
		n := &all[i]
		words += n.size
		bytes += n.note.Size
		parts += float64(n.pieces)
		for t := range terms {
			if n.stems[t] > 0 {
				terms[t].notes++
			}
			if n.exact[t] > 0 {
				terms[t].exact++
			}
			for _, p := range n.parts {
				if p.stems[t] > 0 {
					terms[t].pieces++
				}
			}
		}
	}
	whole := int64(0)
	for _, n := range notes {
		whole += n.Size
	}
	more := float64(max(whole, bytes, 1)) / float64(max(bytes, 1))
	st.notes, st.pieces, st.noteWords, st.pieceWords = float64(len(notes)), more*parts, more*words, more*words
	return st
}

// gone reports whether a note cannot be read because it went away or may no
// longer be read.
func gone(err error) bool {
	return errors.Is(err, vault.ErrPrivate) || errors.Is(err, vault.ErrIgnored) || errors.Is(err, fs.ErrNotExist)
}

// hits are those of the scored notes, which come best first.
func hits(all []scored, q *Query) []Hit {
	var list []Hit
	for i := range all {
		n := &all[i]
		h := opening(n.note)
		h.Score = math.Round(n.score*1000) / 1000 // as near as what is known of the vault
		slices.SortStableFunc(n.parts, func(a, b part) int { return cmp.Or(-compareBool(a.own, b.own), cmp.Compare(b.score, a.score)) })
		var seen []int // where sections start
		for _, p := range n.parts {
			if !q.Sections && !p.own {
				break // its names alone fit: it is shown from its beginning
			}
			h.Heading, h.Start, h.End = p.heading, p.start, p.end
			if !q.Sections {
				break
			}
			if !slices.Contains(seen, p.start) {
				list, seen = append(list, h), append(seen, p.start)
			}
		}
		if !q.Sections || len(n.parts) == 0 {
			list = append(list, h)
		}
		if len(list) >= q.limit() {
			return list[:q.limit()]
		}
	}
	return list
}

// compareBool orders true behind false.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// visible finds the note of a hit of the index, which may be older than the
// notes are: nil for one that is gone, or that does not pass.
func (s Searcher) visible(pass func(*vault.Note) bool) func(vault.Path) *vault.Note {
	return func(p vault.Path) *vault.Note {
		if n, ok := s.Source.Note(p); ok && pass(n) {
			return n
		}
		return nil
	}
}

// opening is a hit at the beginning of a note's text.
func opening(n *vault.Note) Hit {
	h := Hit{Path: n.Path, Title: n.Title, Start: max(n.BodyLine, 1), End: max(n.BodyLine, 1)}
	for i, head := range n.Headings {
		if head.Line > h.Start {
			h.End = max(head.Line-1, h.Start)
			break
		}
		h.Heading = n.Headings[i].Text
	}
	return h
}

// newer orders notes, the ones changed last first.
func newer(a, b *vault.Note) int {
	return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path))
}

// Count is how many notes there are that the fields of q besides Text ask for.
// Operators of ParseQuery are not read.
func (s Searcher) Count(q Query) int {
	n, pass := 0, q.filter(s.Source)
	for _, note := range s.Source.Notes() {
		if pass(note) {
			n++
		}
	}
	return n
}

// newest lists the notes that pass, for a query without words.
func (s Searcher) newest(ctx context.Context, q Query, pass func(*vault.Note) bool) ([]Hit, error) {
	notes := byAge(s.Source.Notes(), pass)
	notes = notes[:min(len(notes), q.limit())]
	hits := make([]Hit, len(notes))
	for i, n := range notes {
		hits[i] = opening(n)
	}
	return s.place(ctx, &q, hits, terms{})
}

// place reads the notes of hits for lines and snippets. It drops a hit whose
// note went away or may no longer be read; one that cannot be read for another
// reason keeps the lines that were known, without a snippet.
func (s Searcher) place(ctx context.Context, q *Query, hits []Hit, t terms) ([]Hit, error) {
	if q.where != nil {
		t.exprs = q.where.exprs(nil)
	}
	placed := hits[:0]
	for _, h := range hits {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("search notes: %w", err)
		}
		h.Line, h.found = h.Start, &t
		text, err := read(s.Source, h.Path)
		switch {
		case gone(err):
			continue
		case err == nil:
			if line := q.lines[h.Path]; line <= 0 || !h.move(&text, line, t) {
				place(&h, &text, t)
			}
		}
		placed = append(placed, h)
	}
	return placed, nil
}
