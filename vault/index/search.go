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
	"ibid/vault/index/syntax"
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
func (s Searcher) look(ctx context.Context, q *Query, t *terms, pass func(*vault.Note) bool) ([]scoredNote, error) {
	all, err := s.scored(ctx, q, t, t.ranked(), pass)
	if err == nil && q.Text != q.inner { // the words of operators stand in what was found
		t.meant = meantText(q.Text, t.list)
	}
	return all, err
}

// scored finds the notes that fit some terms, best first.
func (s Searcher) scored(ctx context.Context, q *Query, t *terms, list []term, pass func(*vault.Note) bool) ([]scoredNote, error) {
	m := mentionsIn(q.Text)
	notes, st, err := s.candidates(ctx, q, list, &m, pass)
	if err != nil {
		return nil, err
	}
	all, err := s.count(ctx, q, t, notes, list, &m)
	if err != nil {
		return nil, err
	}
	if st.notes == 0 {
		st = statisticsOf(all, list, s.Source.Notes())
	}
	t.list = list
	s.rank(all, q, list, &st)
	return all, nil
}

const (
	candidates = 200 // notes that are looked at for an answer, at least
	few        = 300 // notes that are rather read than looked for in the index
)

// indexed reports whether the index can be asked.
func (s Searcher) indexed() bool { return s.Index != nil && s.Index.Ready() }

// candidates are the notes that are worth a look, and the statistics of the vault; it
// completes terms. Without an index these are all notes, and there are no statistics.
func (s Searcher) candidates(ctx context.Context, q *Query, list []term, m *mentions, pass func(*vault.Note) bool) ([]*vault.Note, statistics, error) {
	all := s.Source.Notes()
	if !s.indexed() {
		return passingNotes(all, pass, len(all)), statistics{}, nil
	}
	most := max(candidates, 2*q.limit())
	if q.timed() {
		most *= 2 // notes of the time may come from further down
	}
	var known []*vault.Note
	if q.filtered() {
		if known = passingNotes(all, pass, few+1); len(known) <= few {
			most = 0 // only the statistics are asked for
		}
	}
	asked := slices.Clone(list)
	found, st, err := s.Index.candidates(ctx, asked, m, most, func(p vault.Path) *vault.Note {
		if n, ok := s.Source.Note(p); ok && pass(n) { // the index may be older than the notes are
			return n
		}
		return nil
	})
	switch {
	case err != nil && ctx.Err() == nil:
		return passingNotes(all, pass, len(all)), statistics{}, nil
	case most == 0:
		found = known
	}
	copy(list, asked)
	return found, st, err
}

// passingNotes are the notes that pass, at most so many.
func passingNotes(all []*vault.Note, pass func(*vault.Note) bool, most int) (notes []*vault.Note) {
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
func (s Searcher) count(ctx context.Context, q *Query, t *terms, notes []*vault.Note, list []term, m *mentions) ([]scoredNote, error) {
	var mu sync.Mutex
	var all []scoredNote
	var counters []*counter
	err := forEachNumber(ctx, s.Source, len(notes), func(read readNote) func(int) {
		c := newCounter(q, list)
		mu.Lock()
		defer mu.Unlock()
		counters = append(counters, c)
		return func(i int) {
			n := newScored(notes[i], len(list))
			text, err := read(notes[i].Path)
			if err != nil && isGone(err) {
				return
			}
			n.named, n.tagged = m.named(n.note), m.tagged(n.note)
			if err == nil && c.note(&n, &text) || n.named || n.tagged {
				mu.Lock()
				all = append(all, n)
				mu.Unlock()
			}
		}
	})
	words := map[string]bool{}
	for _, c := range counters {
		for word, matches := range c.known {
			words[word] = words[word] || len(matches) > 0
		}
	}
	t.words = nil
	for w, counts := range words {
		if counts {
			t.words = append(t.words, term{folded: w})
		}
	}
	for _, w := range list {
		if w.phrase() && !w.added {
			t.words = append(t.words, w)
		}
	}
	t.all = slices.DeleteFunc(t.all, func(w term) bool { return commonWord(w.folded) && len(t.words) > 0 && !words[w.folded] })
	return all, err
}

// statisticsOf counts what is known of all notes from those that hold some of the terms,
// and how many hold each.
func statisticsOf(all []scoredNote, list []term, notes []*vault.Note) (st statistics) {
	words, held, whole := 0.0, int64(1), int64(1)
	for i := range all {
		n := &all[i]
		words += n.size
		held += n.note.Size
		st.pieces += float64(n.pieces)
		for t := range list {
			if n.stems[t] > 0 {
				list[t].notes++
			}
			for _, p := range n.parts {
				if p.stems[t] > 0 {
					list[t].pieces++
				}
			}
		}
	}
	for _, n := range notes {
		whole += n.Size
	}
	more := float64(max(whole, held)) / float64(held)
	return statistics{float64(len(notes)), more * st.pieces, more * words, more * words}
}

// isGone reports whether a note cannot be read because it went away or may no
// longer be read.
func isGone(err error) bool {
	return errors.Is(err, vault.ErrPrivate) || errors.Is(err, vault.ErrIgnored) || errors.Is(err, fs.ErrNotExist)
}

// hits are those of the scored notes, which come best first, each with its best section; of
// one of which the names alone fit, the beginning.
func hits(all []scoredNote, q *Query) []Hit {
	list := make([]Hit, min(len(all), q.limit()))
	for i := range list {
		n := &all[i]
		h := &list[i]
		*h = opening(n.note)
		h.Score = math.Round(n.score*1000) / 1000 // as near as what is known of the vault
		best := math.Inf(-1)
		for _, p := range n.parts {
			if p.own && p.score > best {
				best, h.Heading, h.Start, h.End = p.score, p.heading, p.start, p.end
			}
		}
	}
	return list
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

// compareNewest orders notes, the ones changed last first.
func compareNewest(a, b *vault.Note) int {
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
	eachSearched(q.where, func(n *syntax.Node) {
		if n.Op == syntax.Regex {
			t.exprs = append(t.exprs, n.Expr)
		}
	})
	placed := hits[:0]
	for _, h := range hits {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("search notes: %w", err)
		}
		h.Line, h.found = h.Start, &t
		text, err := read(s.Source, h.Path)
		switch {
		case isGone(err):
			continue
		case err == nil:
			in := lineRange{h.Start, h.End}
			if found := q.lines[h.Path]; found.from > 0 {
				for _, part := range sections(&text) {
					if part.start <= found.from && found.from <= part.end {
						h.Heading, h.Start, h.End, in = part.heading, part.start, part.end, found
					}
				}
			}
			h.place(&text, &t, in)
		}
		placed = append(placed, h)
	}
	return placed, nil
}
