package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/index/stem"
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
	scored, sc, err := s.look(ctx, &q, &t, pass)
	if err != nil {
		return nil, fmt.Errorf("search notes: %w", err)
	}
	found := sc.placing(&t)
	if q.Text != q.inner { // the words of operators stand in what was found
		found.meant = meant(q.Text, sc.wants)
	}
	return s.place(ctx, &q, hits(scored, &q), found)
}

// look finds the notes that fit the terms of q, best first, and what scored them.
func (s Searcher) look(ctx context.Context, q *Query, t *terms, pass func(*vault.Note) bool) ([]scored, *scorer, error) {
	languages, err := s.languages(ctx)
	if err != nil {
		return nil, nil, err
	}
	wants := t.wants(languages)
	most := max(candidates, q.limit()+q.limit()/2)
	if q.timed() {
		most *= 3 // notes of the time may come from further down
	}
	notes, err := s.candidates(ctx, q, t, wants, most, pass)
	if err != nil {
		return nil, nil, err
	}
	m, err := s.mentions(ctx, q, pass)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range slices.Concat(m.named, m.tagged) {
		if !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	sc := newScorer(q, wants, s.Source.Notes(), languages)
	scored, err := s.score(ctx, sc, notes, &m)
	if err != nil {
		return nil, nil, err
	}
	m.mark(scored)
	s.fuse(scored, q)
	return scored, sc, nil
}

const (
	candidates = 80  // notes that are looked at for an answer, at least
	few        = 200 // notes that are rather read than looked for in the index
	mostBytes  = 8 << 20
)

// indexed reports whether the index can be asked.
func (s Searcher) indexed() bool { return s.Index != nil && s.Index.Ready() }

// languages are those of the vault: as the index knows them, else those of some
// of its notes.
func (s Searcher) languages(ctx context.Context) (stem.Languages, error) {
	if s.indexed() {
		if in, err := s.Index.languages(ctx); err == nil || ctx.Err() != nil {
			return in, err
		}
	}
	const some = 60
	var in stem.Languages
	notes := s.Source.Notes()
	for i := 0; i < len(notes); i += max(len(notes)/some, 1) {
		if text, err := read(s.Source, notes[i].Path); err == nil && !notes[i].Private {
			in |= stem.Detect(foldText(nil, text.Content[:min(len(text.Content), 4000)]))
		}
	}
	return in | stem.Russian, ctx.Err()
}

// candidates are the notes that are worth a look, at most so many, and completes
// wants.
func (s Searcher) candidates(ctx context.Context, q *Query, t *terms, wants []want, most int, pass func(*vault.Note) bool) ([]*vault.Note, error) {
	if q.fit != nil {
		return scan(ctx, s.Source, q.fit.notes, wants, most, q.fit)
	}
	notes := s.Source.Notes()
	passing := make([]*vault.Note, 0, min(len(notes), few+1))
	for _, n := range notes {
		if q.judged || len(passing) > few {
			break
		}
		if pass(n) {
			passing = append(passing, n)
		}
	}
	if s.indexed() && (q.judged || !q.filtered() || len(passing) > few) {
		found, err := s.Index.candidates(ctx, t, wants, most, s.visible(pass))
		if err == nil || ctx.Err() != nil {
			return found, err
		}
	}
	if q.judged || len(passing) > few {
		passing = slices.DeleteFunc(slices.Clone(notes), func(n *vault.Note) bool { return !pass(n) })
	}
	return scan(ctx, s.Source, passing, wants, most, nil)
}

// score reads notes and scores them. Of very large ones it reads as many as
// take mostBytes; the others stay in the order that they have.
func (s Searcher) score(ctx context.Context, sc *scorer, notes []*vault.Note, m *mentions) ([]scored, error) {
	all := make([]scored, 0, len(notes))
	read, done := many(s.Source)
	defer done()
	bytes := 0
	for _, n := range notes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if bytes > mostBytes {
			all = append(all, scored{note: n})
			continue
		}
		text, err := read(n.Path)
		if err != nil {
			if !gone(err) {
				all = append(all, scored{note: n})
			}
			continue
		}
		bytes += len(text.Content)
		if found, ok := sc.score(&text); ok || m.has(n) {
			found.note = n
			all = append(all, found)
		}
	}
	return all, nil
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
		h.Score = n.fused
		slices.SortStableFunc(n.sections, func(a, b scoredSection) int {
			if a.own != b.own && a.own {
				return -1
			} else if a.own != b.own {
				return 1
			}
			return cmp.Compare(b.score, a.score)
		})
		for _, part := range n.sections {
			if !q.Sections && !part.own {
				break // its names alone fit: it is shown from its beginning
			}
			h.Heading, h.Start, h.End = part.heading, part.start, part.end
			if !q.Sections {
				break
			}
			list = append(list, h)
		}
		if !q.Sections || len(n.sections) == 0 {
			list = append(list, h)
		}
		if len(list) >= q.limit() {
			return list[:q.limit()]
		}
	}
	return list
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
