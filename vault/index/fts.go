package index

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/index/stem"
)

// Bounds of one search in the index.
const (
	mostRows   = 6000   // of terms that propose notes: some 1 µs each
	newestOf   = 1500   // rows of a term that is too frequent to take them all
	titled     = 20_000 // notes that may hold words that are looked for in titles: FTS5 reads where in each they stand
	titleWorth = 2      // what a term in a title proposes, where it is 1 anywhere
	countTo    = 10_000 // rows that are counted; of more the number follows from where these end
	mostForms  = 12     // words that one may go on to
	mostNear   = 2      // words that one may be a slip of
)

// pieceBits is how much of the number of a piece says which one of its note it is.
const (
	pieceBits  = 12
	mostPieces = 1 << pieceBits
)

// lookup is one search in the index.
type lookup struct {
	x  *Index
	db *sql.DB
}

// candidates are the notes that may fit best, at most so many, the likely ones first. It
// completes terms by what the index knows of them.
func (x *Index) candidates(ctx context.Context, terms []term, most int, visible func(vault.Path) *vault.Note) (found []*vault.Note, st statistics, err error) {
	err = x.use(ctx, func(db *sql.DB) (err error) {
		l := lookup{x, db}
		if st, err = l.statistics(ctx); err != nil {
			return err
		}
		for i := range terms {
			if err := l.complete(ctx, &terms[i]); err != nil {
				return err
			}
		}
		if most == 0 {
			return nil
		}
		ids, err := l.propose(ctx, terms, &st, most)
		if err != nil {
			return err
		}
		stmt, err := db.PrepareContext(ctx, "SELECT path FROM note WHERE id = ?")
		if err != nil {
			return err
		}
		defer stmt.Close()
		for _, id := range ids {
			var p vault.Path
			switch err := stmt.QueryRowContext(ctx, id).Scan(&p); {
			case err == sql.ErrNoRows:
				continue
			case err != nil:
				return err
			}
			if n := visible(p); n != nil {
				if found = append(found, n); len(found) == most {
					return nil
				}
			}
		}
		return nil
	})
	return found, st, err
}

// statistics are those of all notes.
func (l *lookup) statistics(ctx context.Context) (st statistics, err error) {
	c := &l.x.counts
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.st.notes == 0 {
		err = l.db.QueryRowContext(ctx, "SELECT count(*), coalesce(sum(pieces), 0), coalesce(sum(words), 0), coalesce(sum(piece_words), 0) FROM note").
			Scan(&c.st.notes, &c.st.pieces, &c.st.noteWords, &c.st.pieceWords)
	}
	return c.st, err
}

// complete finds out how many notes and pieces hold a term. One that stands nowhere gives
// way to words that begin with it, to those that it may be a slip of, or to two in a row.
func (l *lookup) complete(ctx context.Context, t *term) error {
	if err := l.measure(ctx, t); err != nil || t.notes > 0 && !t.prefix || t.quoted || t.added {
		return err
	}
	if !t.prefix && allowed(t.folded) == 0 {
		return nil
	}
	longer, err := beginning(ctx, l.db, t.folded)
	if err != nil {
		return err
	}
	if t.prefix = len(longer) > 0; t.prefix {
		return l.measure(ctx, t)
	}
	near, err := similar(ctx, l.db, t.folded)
	if err != nil {
		return err
	}
	in := map[string]float64{}
	for _, w := range near {
		if in[w], _, err = l.about(ctx, "piece", l.x.anyOf(stem.Of(w, stem.Any))); err != nil {
			return err
		}
	}
	near = slices.DeleteFunc(near, func(w string) bool { return in[w] == 0 })
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(in[b], in[a]) })
	if t.standFor(near); len(near) == 0 {
		return l.part(ctx, t)
	}
	return l.measure(ctx, t)
}

// part makes a term two words if they stand in a row: those of which the rarer stands in
// most notes.
func (l *lookup) part(ctx context.Context, t *term) error {
	best := *t
	for at := shortestPart; at <= len(t.folded)-shortestPart && len(t.folded) <= longestWord; at++ {
		if !utf8.RuneStart(t.folded[at]) {
			continue
		}
		two := term{folded: t.folded[:at] + " " + t.folded[at:], weight: t.weight, phrase: true}
		if err := l.measure(ctx, &two); err != nil {
			return err
		}
		if two.notes > best.notes {
			best = two
		}
	}
	*t = best
	return nil
}

// measure counts the notes and pieces that hold a term.
func (l *lookup) measure(ctx context.Context, t *term) (err error) {
	if t.written() {
		t.notes, _, err = l.about(ctx, "text", t.match())
		t.exact, t.pieces = t.notes, t.notes
		return err
	}
	if t.pieces, t.notes, err = l.about(ctx, "piece", l.x.anyOf(t.stems)); err != nil {
		return err
	}
	t.exact = t.notes
	if len(t.near) == 0 && !t.dense() {
		t.exact, _, err = l.about(ctx, "text", t.match())
	}
	return err
}

// anyOf is an expression of FTS5 for any of some tokens.
func (x *Index) anyOf(tokens []string) string { return `"` + strings.Join(tokens, `" OR "`) + `"` }

// about is how many rows of a table match, and of how many notes they are: of many,
// about how many.
func (l *lookup) about(ctx context.Context, table, expr string) (rows, notes float64, err error) {
	key := table + expr
	if n, ok := l.x.counts.get(key); ok {
		return n[0], n[1], nil
	}
	last, most := 0.0, 0.0
	err = l.db.QueryRowContext(ctx, "SELECT count(*), count(DISTINCT rowid >> ?), coalesce(max(rowid), 0) FROM (SELECT rowid FROM "+table+" WHERE "+table+" MATCH ? LIMIT ?)",
		rowBits(table), expr, countTo).Scan(&rows, &notes, &last)
	if err == nil && rows == countTo {
		if err = l.db.QueryRowContext(ctx, "SELECT max(id) FROM note").Scan(&most); err == nil {
			factor := (most + 1) * math.Exp2(float64(rowBits(table))) / (last + 1)
			rows, notes = rows*factor, notes*factor
		}
	}
	if err == nil && rows >= worthKeeping {
		l.x.counts.put(key, [2]float64{rows, notes})
	}
	return rows, notes, err
}

func rowBits(table string) int {
	if table == "piece" {
		return pieceBits
	}
	return 0
}

// counted is how many rows terms have that have many: to count them takes milliseconds.
// What changes since a Sync makes no difference.
type counted struct {
	mu sync.Mutex
	n  map[string][2]float64
	st statistics
}

// What counted keeps: terms in at least so many rows, and so many terms.
const (
	worthKeeping = 500
	mostCounted  = 10_000
)

func (c *counted) get(key string) (n [2]float64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok = c.n[key]
	return n, ok
}

func (c *counted) put(key string, n [2]float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil || len(c.n) >= mostCounted {
		c.n = map[string][2]float64{}
	}
	c.n[key] = n
}

// forget is for a change of the index.
func (c *counted) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.n)
	c.st = statistics{}
}

// proposal gathers notes that hold terms, by their ids.
type proposal struct {
	notes, pieces map[int64]float64 // by note and by row: how much the terms in them tell
	used          int               // rows
}

// propose lists the ids of notes, the likely ones first: those that hold the rarest of
// the terms. If these are few, those with the others come too, and if they are many, those
// with a term in their title come first.
func (l *lookup) propose(ctx context.Context, terms []term, st *statistics, most int) ([]int64, error) {
	p := proposal{map[int64]float64{}, map[int64]float64{}, 0}
	order := make([]*term, 0, len(terms))
	for i := range terms {
		if terms[i].notes > 0 {
			order = append(order, &terms[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *term) int { return cmp.Compare(a.pieces, b.pieces) })
	for len(order) > 0 && p.used+int(order[0].pieces) <= mostRows {
		if err := l.take(ctx, &p, order[0], st, mostRows); err != nil {
			return nil, err
		}
		order = order[1:]
	}
	if len(p.notes) < most && len(order) > 0 {
		if err := l.takeFrequent(ctx, &p, order, st); err != nil {
			return nil, err
		}
	}
	if len(p.notes) > most {
		for i := range terms {
			if t := &terms[i]; t.pieces > float64(most) && t.exact < titled {
				if err := l.rows(ctx, &p, "text", "title : "+t.match(), titleWorth*t.weight*rarity(t.pieces, st.pieces), newestOf/3); err != nil {
					return nil, err
				}
			}
		}
	}
	best := map[int64]float64{}
	for row, score := range p.pieces {
		best[row>>pieceBits] = max(best[row>>pieceBits], score)
	}
	ids := make([]int64, 0, len(p.notes))
	for id := range p.notes {
		p.notes[id] += best[id]
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Or(cmp.Compare(p.notes[b], p.notes[a]), cmp.Compare(b, a)) })
	return ids, nil
}

// take takes the newest rows of a term.
func (l *lookup) take(ctx context.Context, p *proposal, t *term, st *statistics, limit int) error {
	table, expr := "piece", l.x.anyOf(t.stems)
	if t.written() {
		table, expr = "text", t.match()
	}
	return l.rows(ctx, p, table, expr, t.weight*rarity(t.pieces, st.pieces), limit)
}

// takeFrequent takes the newest notes with all of the terms that stand in many notes, and
// the newest with the rarest of them, which comes first.
func (l *lookup) takeFrequent(ctx context.Context, p *proposal, order []*term, st *statistics) error {
	var all []string
	for _, t := range order {
		if !t.written() {
			all = append(all, "("+l.x.anyOf(t.stems)+")")
		}
	}
	if len(all) > 1 {
		if err := l.rows(ctx, p, "piece", strings.Join(all, " AND "), rarity(order[0].pieces, st.pieces)*2, newestOf); err != nil {
			return err
		}
	}
	return l.take(ctx, p, order[0], st, newestOf)
}

// rows adds worth to the notes and pieces of the newest rows that match.
func (l *lookup) rows(ctx context.Context, p *proposal, table, expr string, worth float64, limit int) error {
	rows, err := l.db.QueryContext(ctx, "SELECT rowid FROM "+table+" WHERE "+table+" MATCH ? ORDER BY rowid DESC LIMIT ?", expr, limit)
	if err != nil {
		return err
	}
	defer rows.Close()
	last := int64(-1)
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return err
		}
		p.used++
		id := row
		if table == "piece" {
			id = row >> pieceBits
			p.pieces[row] += worth
		}
		if id != last {
			p.notes[id] += worth
			last = id
		}
	}
	return rows.Err()
}
