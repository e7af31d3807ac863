package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"ibid/vault"
)

// Searcher searches the notes of Source: by Index when that is ready, else by
// reading them all. Both ways find the same notes in nearly the same order. A
// Searcher is safe for concurrent use.
type Searcher struct {
	Source Source
	Index  *Index // may be nil
}

// Search answers q, best hits first: those with every word of the query before
// those with some. It always answers; an error is that of ctx or of reading
// what it needs, and an index that fails is passed over.
func (s Searcher) Search(ctx context.Context, q Query) ([]Hit, error) {
	pass := q.filter()
	t := parseTerms(q.Text, q.partial())
	if len(t.all) == 0 {
		if !q.filtered() || strings.TrimSpace(q.Text) != "" {
			return nil, ctx.Err()
		}
		return s.newest(ctx, q, pass)
	}
	var hits []Hit
	var err error = errNotReady
	if s.Index != nil && s.Index.Ready() {
		hits, err = s.Index.search(ctx, t, newCollector(&q), s.visible(pass))
	}
	if err != nil {
		hits, err = scan(ctx, s.Source, t, &q, pass)
	}
	if err != nil {
		return nil, fmt.Errorf("search notes: %w", err)
	}
	return s.place(ctx, s.namedFirst(hits, &q, pass), t)
}

var errNotReady = errors.New("search index is not ready")

// collector takes hits, best first, until there are enough.
type collector struct {
	limit    int
	sections bool // else one hit for each note
	seen     map[spot]bool
	hits     []Hit
}

// spot is a note, or a section of one.
type spot struct {
	path vault.Path
	line int
}

func newCollector(q *Query) *collector {
	return &collector{limit: q.limit(), sections: q.Sections, seen: map[spot]bool{}}
}

func (c *collector) full() bool { return len(c.hits) >= c.limit }

// known reports whether h was offered before, and remembers it.
func (c *collector) known(h *Hit) bool {
	at := spot{path: h.Path}
	if c.sections {
		at.line = h.Start
	}
	was := c.seen[at]
	c.seen[at] = true
	return was
}

// take adds a hit in n. Scores never rise along the hits.
func (c *collector) take(n *vault.Note, h Hit) {
	h.Title = n.Title
	if last := len(c.hits) - 1; last >= 0 {
		h.Score = min(h.Score, c.hits[last].Score)
	}
	c.hits = append(c.hits, h)
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

// namedFirst puts the notes that bear the query as a name before all others,
// however often its words stand elsewhere.
func (s Searcher) namedFirst(hits []Hit, q *Query, pass func(*vault.Note) bool) []Hit {
	want := norm.NFC.String(strings.TrimSpace(q.Text))
	is := func(name string) bool { return strings.EqualFold(norm.NFC.String(name), want) }
	named := map[vault.Path]bool{}
	for _, n := range s.Source.Notes() {
		if (is(n.Title) || is(n.Path.Base()) || slices.ContainsFunc(n.Aliases, is)) && pass(n) {
			named[n.Path] = true
		}
	}
	if len(named) == 0 {
		return hits
	}
	var first, rest []Hit
	found := map[vault.Path]bool{}
	for _, h := range hits {
		found[h.Path] = true
		if named[h.Path] {
			first = append(first, h)
		} else {
			rest = append(rest, h)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(named)) {
		if n, ok := s.Source.Note(p); ok && !found[p] {
			first = append(first, opening(n))
		}
	}
	hits = append(first, rest...)
	hits = hits[:min(len(hits), q.limit())]
	for i := len(hits) - 2; i >= 0; i-- { // scores never rise along the hits
		hits[i].Score = max(hits[i].Score, hits[i+1].Score)
	}
	return hits
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

// newest lists the notes that pass, for a query without words.
func (s Searcher) newest(ctx context.Context, q Query, pass func(*vault.Note) bool) ([]Hit, error) {
	var notes []*vault.Note
	for _, n := range s.Source.Notes() {
		if pass(n) {
			notes = append(notes, n)
		}
	}
	slices.SortFunc(notes, func(a, b *vault.Note) int {
		return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path))
	})
	notes = notes[:min(len(notes), q.limit())]
	hits := make([]Hit, len(notes))
	for i, n := range notes {
		hits[i] = opening(n)
	}
	return s.place(ctx, hits, terms{})
}

// place reads the notes of hits for lines and snippets. It drops a hit whose
// note went away or may no longer be read; one that cannot be read for another
// reason keeps the lines that were known, without a snippet.
func (s Searcher) place(ctx context.Context, hits []Hit, t terms) ([]Hit, error) {
	placed := hits[:0]
	for _, h := range hits {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("search notes: %w", err)
		}
		h.Line = h.Start
		text, err := read(s.Source, h.Path)
		switch {
		case errors.Is(err, vault.ErrPrivate), errors.Is(err, vault.ErrIgnored), errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil:
			place(&h, &text, t)
		}
		placed = append(placed, h)
	}
	return placed, nil
}
