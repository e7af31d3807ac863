package index

import (
	"cmp"
	"context"
	"database/sql"
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

	// Like says how much some pieces of notes are like a text in their meaning, up to 1; nil
	// knows nothing of that. It counts where words fail.
	Like func(ctx context.Context, text string) map[Piece]float64
}

// Piece is a piece of a note: which one of its Texts.
type Piece struct {
	Note vault.Path
	Nth  int
}

// Search answers q, best hits first: the notes that bear the query as a name or that
// it links to, those with a tag that it names, then by how well they fit.
// Forms of its words count, and for a word that stands nowhere those that it may
// be a slip of. Without words but those of operators the newest notes follow. It always
// answers; an error is that of ctx or of reading what it needs, and an index that fails
// is passed over.
func (s Searcher) Search(ctx context.Context, q Query) ([]Hit, error) {
	found, err := s.search(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("search notes: %w", err)
	}
	return found, nil
}

func (s Searcher) search(ctx context.Context, q Query) (found []Hit, err error) {
	typed := q.Text
	q.Limit = cmp.Or(q.Limit, 20)
	q.Text = cmp.Or(typed, q.inner)
	t, pass := parseTerms(q.Text, q.Partial), q.filter(s.Source)
	if len(t.list) == 0 && (!q.filtered() || strings.TrimSpace(typed) != "") {
		return nil, ctx.Err()
	}
	if q.where != nil {
		if q.lines, err = s.fitting(ctx, &q, pass, len(t.list) > 0); err != nil {
			return nil, err
		}
		pass = func(n *vault.Note) bool {
			_, ok := q.lines[n.Path]
			return ok && !n.Private
		}
	}
	seen := map[vault.Path]bool{}
	if len(t.list) > 0 {
		t.complete()
		all, err := s.look(ctx, &q, &t, pass)
		if err != nil {
			return nil, err
		}
		for i := range all[:min(len(all), q.Limit)] {
			found = append(found, hit(&all[i]))
			seen[all[i].note.Path] = true
		}
	}
	if typed == "" { // the words of operators stand in what was found
		t.text = ""
		newest := byAge(s.Source.Notes(), func(n *vault.Note) bool { return !seen[n.Path] && pass(n) })
		for _, n := range newest[:min(len(newest), q.Limit-len(found))] {
			found = append(found, opening(n))
		}
	}
	return s.place(&q, found, &t), ctx.Err()
}

const (
	candidates = 200 // notes that are looked at for an answer, at least
	few        = 300 // notes that are rather read than looked for in the index
)

// look finds the notes that fit the terms of the list, best first. It completes these by
// what the index knows.
func (s Searcher) look(ctx context.Context, q *Query, t *terms, pass func(*vault.Note) bool) (all []scoredNote, err error) {
	m := mentionsIn(q.Text)
	notes, st, err := s.candidates(ctx, q, t, &m, pass)
	if err != nil {
		return nil, err
	}
	var like map[Piece]float64
	if s.Like != nil && s.indexed() && !q.Partial {
		like = s.Like(ctx, q.Text)
	}
	for p := range like {
		if n, ok := s.Source.Note(p.Note); ok && pass(n) && !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	var mu sync.Mutex
	pieces := 0
	err = forEachNote(ctx, s.Source, notes, func(read readNote) func(*vault.Note) {
		c := newCounter(t.list)
		return func(of *vault.Note) {
			n := scoredNote{note: of, exact: c.empty(), stems: c.empty(), named: m.named(of), tagged: m.tagged(of), like: like}
			text, err := read(of.Path)
			if isGone(err) {
				return
			}
			fits := err == nil && c.note(q, &n, &text)
			mu.Lock()
			defer mu.Unlock()
			if pieces += n.pieces; fits || n.named || n.tagged {
				all = append(all, n)
			}
		}
	})
	if st.notes == 0 { // there is no index: these are all notes that may be found
		st = statistics{notes: float64(len(notes)), pieces: float64(pieces)}
		for i := range t.list {
			w := &t.list[i]
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
	s.rank(all, q, t.list, &st)
	return all, err
}

// candidates are the notes that are worth a look, and the statistics of the vault; it
// completes terms. Without an index these are all notes, and there are no statistics.
func (s Searcher) candidates(ctx context.Context, q *Query, t *terms, m *mentions, pass func(*vault.Note) bool) (found []*vault.Note, st statistics, err error) {
	all := s.Source.Notes()
	if s.indexed() {
		most := max(candidates, 2*q.Limit)
		if q.timed() {
			most *= 2 // notes of the time may come from further down
		}
		if q.filtered() {
			found = passingNotes(all, pass, few+1)
		}
		if len(found) > few || !q.filtered() {
			found = nil
		} else {
			most = 0 // only the statistics are asked for
		}
		list := slices.Clone(t.list)
		st, err = s.Index.candidates(ctx, list, m, most, func(p vault.Path) bool {
			if n, ok := s.Source.Note(p); ok && pass(n) { // the index may be older than the notes are
				found = append(found, n)
			}
			return len(found) < most
		})
		if err == nil || ctx.Err() != nil {
			t.list = list
			return found, st, err
		}
	}
	return passingNotes(all, pass, len(all)), statistics{}, nil
}

// indexed reports whether the index can be asked.
func (s Searcher) indexed() bool { return s.Index != nil && s.Index.Ready() }

// passingNotes are the notes that pass, at most so many.
func passingNotes(all []*vault.Note, pass func(*vault.Note) bool, most int) (notes []*vault.Note) {
	for _, n := range all {
		if len(notes) < most && pass(n) {
			notes = append(notes, n)
		}
	}
	return notes
}

// isGone reports whether a note cannot be read because it went away or may no
// longer be read.
func isGone(err error) bool {
	return errors.Is(err, vault.ErrPrivate) || errors.Is(err, vault.ErrIgnored) || errors.Is(err, fs.ErrNotExist)
}

// hit is that of a scored note: its best section; of one of which the names alone fit,
// the beginning.
func hit(n *scoredNote) Hit {
	h := opening(n.note)
	h.Score = math.Round(n.score*1000) / 1000 // as near as what is known of the vault
	h.Shares = n.shares
	best := math.Inf(-1)
	for _, p := range n.parts {
		if p.own && p.score > best {
			best, h.Start = p.score, p.start
		}
	}
	return h
}

// opening is a hit at the beginning of a note's text.
func opening(n *vault.Note) Hit {
	at := max(n.BodyLine, 1)
	return Hit{Path: n.Path, Title: n.Title, Start: at, End: at}
}

// byAge are the notes that pass, those that were changed last first.
func byAge(notes []*vault.Note, pass func(*vault.Note) bool) []*vault.Note {
	list := passingNotes(notes, pass, len(notes))
	slices.SortFunc(list, func(a, b *vault.Note) int { return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path)) })
	return list
}

// Count is how many notes there are that the fields of q besides Text ask for.
// Operators of ParseQuery are not read.
func (s Searcher) Count(q Query) int {
	notes := s.Source.Notes()
	return len(passingNotes(notes, q.filter(s.Source), len(notes)))
}

// chunk is how many notes are looked at before it is asked whether there are enough.
const chunk = 1000

// fitting finds the notes that pass and fit the operators of q, and where: all of them,
// else as many as are wanted, newest first. What the index and metadata do not say is read.
func (s Searcher) fitting(ctx context.Context, q *Query, pass func(*vault.Note) bool, all bool) (map[vault.Path]lineRange, error) {
	k := compiler{s.Source.Notes(), func(t *term) map[string]bool { return s.holding(ctx, t) }}
	where := k.compile(q.where, mode{})
	known := map[vault.Path]answer{}
	open := byAge(k.notes, func(n *vault.Note) bool {
		known[n.Path] = where(&scope{note: n})
		return known[n.Path] != no && pass(n)
	})
	fits := map[vault.Path]lineRange{}
	var mu sync.Mutex
	for part := range slices.Chunk(open, chunk) {
		if !all && len(fits) >= q.Limit {
			break
		}
		if err := forEachNote(ctx, s.Source, part, func(read readNote) func(*vault.Note) {
			return func(n *vault.Note) {
				p := page{}
				if known[n.Path] != yes {
					text, err := read(n.Path)
					if err != nil || text.Note.Private {
						return
					}
					p.text, p.lines = &text, newLines(text.Content)
					if where(&scope{note: text.Note, raw: text.Content, page: &p}) != yes {
						return
					}
				}
				mu.Lock()
				defer mu.Unlock()
				fits[n.Path] = p.hit
			}
		}); err != nil {
			return nil, err
		}
	}
	return fits, ctx.Err()
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

// place reads the notes of hits for lines and snippets. It drops a hit whose
// note went away or may no longer be read; one that cannot be read for another
// reason keeps the lines that were known, without a snippet.
func (s Searcher) place(q *Query, hits []Hit, t *terms) (placed []Hit) {
	eachSearched(q.where, func(n *syntax.Node) {
		if n.Op == syntax.Regex {
			t.exprs = append(t.exprs, n.Expr)
		}
	})
	c := newCounter(t.list)
	for _, h := range hits {
		h.Line, h.found = h.Start, t
		text, err := read(s.Source, h.Path)
		if err == nil {
			h.place(&text, c, q.lines[h.Path])
		}
		if !isGone(err) {
			placed = append(placed, h)
		}
	}
	return placed
}
