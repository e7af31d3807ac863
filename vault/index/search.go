package index

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index/fold"
)

// Searcher searches the notes of Source: by Index when that is ready, else by
// reading them all. Both ways find the same notes in nearly the same order. A
// Searcher is safe for concurrent use.
type Searcher struct {
	Source Source
	Index  *Index // may be nil

	// Like returns the likeness in meaning, up to 1, of some pieces of notes to a text. It counts as far
	// as words fail. It may be nil.
	Like func(ctx context.Context, text string) map[Piece]float64

	// DateNames returns how notes of days, weeks and months are named here. It may be nil: then the common forms count.
	DateNames func() dates.Names
}

// Piece identifies a piece of a note by its number in Texts.
type Piece struct {
	Note vault.Path
	Nth  int
}

// Search answers q, best hits first: notes with the query as a name or with a link in it,
// notes with a tag in it, then by score. Forms of its words count, and similar words
// count for an unknown one. If there are only operators, the other notes that fit follow,
// newest first. An index that fails is ignored, so an error is one of ctx.
func (s Searcher) Search(ctx context.Context, q Query) (found []Hit, err error) {
	q.Limit = cmp.Or(q.Limit, 20)
	typed := q.Text
	q.Text = cmp.Or(typed, q.inner)
	t := parseTerms(q.Text, q.Partial)
	if len(t.list) == 0 && (!q.filtered() || strings.TrimSpace(typed) != "") {
		return nil, ctx.Err()
	}
	t.complete()
	all, err := s.look(ctx, &q, &t, typed == "")
	if err != nil {
		return nil, fmt.Errorf("search notes: %w", err)
	}
	if typed == "" { // the words of operators are not corrected
		t.text = ""
	}
	t.exprs = q.exprs
	c, read := newCounter(t.list), reader(s.Source, s.Source.Read)
	for _, n := range all[:min(len(all), q.Limit)] {
		h := n.hit()
		h.found = &t
		text, err := read(h.Path)
		if err == nil {
			h.place(text, c)
		}
		if !isGone(err) { // one that cannot be read for another reason comes without a snippet
			found = append(found, h)
		}
	}
	return found, ctx.Err()
}

const (
	candidates = 200  // notes to read for an answer, at least
	few        = 300  // notes that are all read, because looking them up would not be faster
	chunk      = 1000 // notes to read before checking whether there are enough
)

// look finds the notes that fit the terms of the list and the operators of q, best first; if every is
// set, also notes without any of the terms. It completes the terms from the index.
func (s Searcher) look(ctx context.Context, q *Query, t *terms, every bool) (all []scoredNote, err error) {
	m, bound := mentionsIn(q.Text), s.filter(q)
	where := func(*scope) answer { return yes }
	if q.where != nil {
		k := compiler{calendar: s.calendar, held: func(t *term) map[string]bool { return s.holding(ctx, t) }}
		where = k.compile(q.where, mode{})
	}
	pass := func(n *vault.Note) bool { return bound(n) && where(&scope{note: n}) != no }
	open := func(n *vault.Note) bool { return where(&scope{note: n}) != yes }
	notes, st, err := s.candidates(ctx, q, t, &m, pass, open)
	if err != nil {
		return nil, err
	}
	var like map[Piece]float64
	if s.Like != nil && len(t.list) > 0 && s.indexed() && !q.Partial {
		like = s.Like(ctx, q.Text)
	}
	for p := range like {
		if n, ok := s.Source.Note(p.Note); ok && pass(n) && !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	var mu sync.Mutex
	pieces, whole := 0, fold.Line(q.Text)
	for part := range slices.Chunk(notes, chunk) {
		if len(t.list) == 0 && len(all) >= q.Limit {
			break
		}
		if err := forEachNote(ctx, s.Source, part, func(read readNote) func(*vault.Note) {
			c := newCounter(t.list)
			return func(of *vault.Note) {
				n := scoredNote{note: of, exact: c.empty(), stems: c.empty(), like: like}
				n.shares.Name = m.worth(of)
				fits, unread := every, open(of)
				if len(t.list) > 0 || unread {
					text, err := read(of.Path)
					if isGone(err) || unread && (err != nil ||
						where(&scope{note: of, raw: text.Content, page: text, hit: &n.lines}) != yes) {
						return
					}
					fits = err == nil && c.note(&n, text, whole) || every
				}
				mu.Lock()
				defer mu.Unlock()
				if pieces += n.pieces; fits || n.shares.Name > 0 {
					all = append(all, n)
				}
			}
		}); err != nil {
			return nil, err
		}
	}
	if st.notes == 0 { // without an index all notes have been read
		countAll(t.list, all)
		st = statistics{notes: float64(len(notes)), pieces: float64(pieces)}
	}
	s.rank(all, q, t.list, &st)
	return all, ctx.Err()
}

// countAll counts the notes and pieces with each term.
func countAll(list []term, all []scoredNote) {
	for i := range list {
		w := &list[i]
		for _, n := range all {
			if n.stems[i] > 0 {
				w.notes++
			}
			for _, p := range n.parts {
				if p.stems[i] > 0 {
					w.pieces++
				}
			}
		}
	}
}

// candidates returns the notes to read, and the statistics of the vault, and completes terms. Without
// an index it returns all notes that pass, and no statistics. If a note is open, which means that
// only its text can tell whether it fits, the index makes no choice.
func (s Searcher) candidates(ctx context.Context, q *Query, t *terms, m *mentions,
	pass, open func(*vault.Note) bool,
) (found []*vault.Note, st statistics, err error) {
	if len(t.list) == 0 {
		return byAge(s.Source.Notes(), pass), st, nil
	}
	most := max(candidates, 2*q.Limit)
	if q.timed() {
		most *= 2 // notes of the time may come from further down
	}
	if q.filtered() || !s.indexed() {
		found = passingNotes(s.Source.Notes(), pass)
		if len(found) <= few || slices.ContainsFunc(found, open) {
			most = 0 // only the statistics are asked for
		}
	}
	if !s.indexed() {
		return found, st, nil
	}
	list := slices.Clone(t.list)
	proposed, st, err := s.Index.candidates(ctx, s.Source, list, m, most, pass)
	switch {
	case ctx.Err() != nil:
		return nil, st, ctx.Err()
	case err != nil:
		return passingNotes(s.Source.Notes(), pass), statistics{}, nil
	case most > 0:
		found = proposed
	}
	t.list = list
	return found, st, nil
}

// indexed reports whether the index can be asked.
func (s Searcher) indexed() bool { return s.Index != nil && s.Index.Ready() }

// passingNotes returns the notes that pass.
func passingNotes(all []*vault.Note, pass func(*vault.Note) bool) (notes []*vault.Note) {
	for _, n := range all {
		if pass(n) {
			notes = append(notes, n)
		}
	}
	return notes
}

// hit returns the hit for a scored note: at the lines that operators found, else at its best section,
// else, if only a name fits, at the beginning.
func (n *scoredNote) hit() Hit {
	at := max(n.note.BodyLine, 1)
	h := Hit{Path: n.note.Path, Title: n.note.Title, Start: at, End: at, lines: n.lines}
	h.Score = math.Round(n.score*1000) / 1000 // the statistics are not more precise
	h.Shares = n.shares
	best := -1.0
	for _, p := range n.parts {
		if p.own && p.score > best {
			best = p.score
			h.Start = p.lines().from
			h.joined = lineRange{}
			if p.piece.joined != nil {
				h.joined = p.lines()
			}
		}
	}
	return h
}

// byAge returns the notes that pass, the last changed first.
func byAge(notes []*vault.Note, pass func(*vault.Note) bool) []*vault.Note {
	list := passingNotes(notes, pass)
	slices.SortFunc(list, func(a, b *vault.Note) int {
		return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path))
	})
	return list
}

// Count returns the number of notes that the fields of q besides Text select. Operators of
// ParseQuery are ignored.
func (s Searcher) Count(q Query) int {
	return len(passingNotes(s.Source.Notes(), s.filter(&q)))
}

// holding returns the paths of the notes with t in their names or text, nil if the index
// cannot tell.
func (s Searcher) holding(ctx context.Context, t *term) map[string]bool {
	held := map[string]bool{}
	if !s.indexed() || s.Index.column(ctx, func(path sql.RawBytes) { held[string(path)] = true },
		"SELECT note.path FROM text CROSS JOIN note ON note.id = text.rowid >> ? WHERE text MATCH ?",
		pieceBits, "body : "+t.match()) != nil {
		return nil
	}
	return held
}
