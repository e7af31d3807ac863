package index

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode/utf8"

	"ibid/vault"
)

// rankable is how many sections a query may match to be ranked as a whole. FTS5
// looks at each match to rank it, some 2 µs; a word in half of all sections
// would cost more time than it tells.
const rankable = 8000

// lookup is one search in the index.
type lookup struct {
	db      *sql.DB
	c       *collector
	visible func(vault.Path) *vault.Note // nil for a note that must not be found
}

// search takes the sections that fit t: those with all terms, then those with
// some.
func (x *Index) search(ctx context.Context, t terms, c *collector, visible func(vault.Path) *vault.Note) ([]Hit, error) {
	err := x.use(ctx, func(db *sql.DB) error {
		l := lookup{db, c, visible}
		if err := l.all(ctx, t.all); err != nil || c.full() {
			return err
		}
		if len(t.any) == 1 && slices.Equal(t.all, t.any) {
			return nil
		}
		return l.any(ctx, t.any)
	})
	return c.hits, err
}

// all takes the sections with every term. If too many have them, those that
// have them in a title, heading or tag are ranked, and the others come as they
// stand, last written first.
func (l *lookup) all(ctx context.Context, list []term) error {
	rows := rankable + 1
	for _, t := range list {
		n, err := l.frequency(ctx, t)
		if err != nil || n == 0 {
			return err
		}
		rows = min(rows, n)
	}
	expr := expression(list, " AND ")
	if rows <= rankable {
		return l.match(ctx, expr, "text.rank")
	}
	if err := l.match(ctx, "{title headings tags} : ("+expr+")", "text.rank"); err != nil || l.c.full() {
		return err
	}
	return l.match(ctx, expr, "text.rowid DESC")
}

// any takes the sections with some of the terms. Of the terms it uses the
// rarest, as many as can be ranked: the common ones tell little.
func (l *lookup) any(ctx context.Context, list []term) error {
	type counted struct {
		term
		rows int
	}
	var known []counted
	for _, t := range list {
		n, err := l.frequency(ctx, t)
		if err != nil {
			return err
		}
		if n > 0 {
			known = append(known, counted{t, n})
		}
	}
	slices.SortStableFunc(known, func(a, b counted) int { return cmp.Compare(a.rows, b.rows) })
	var use []term
	rows := 0
	for _, k := range known {
		if rows += k.rows; rows > rankable && len(use) > 0 {
			break
		}
		use = append(use, k.term)
	}
	switch {
	case len(use) == 0:
		return nil
	case len(use) == 1:
		return l.all(ctx, use)
	}
	return l.match(ctx, expression(use, " OR "), "text.rank")
}

// frequency is in how many sections the rarest word of t stands.
func (l *lookup) frequency(ctx context.Context, t term) (int, error) {
	tokens, prefix := t.tokens()
	least := -1
	for i, token := range tokens {
		where, args := "term = ?", []any{token}
		if prefix && i == len(tokens)-1 {
			where, args = "term >= ? AND term < ?", []any{token, token + string(utf8.MaxRune)}
		}
		var n int
		if err := l.db.QueryRowContext(ctx, "SELECT coalesce(sum(doc), 0) FROM word WHERE "+where, args...).Scan(&n); err != nil {
			return 0, err
		}
		if least < 0 || n < least {
			least = n
		}
	}
	return max(least, 0), nil
}

// match takes rows in the given order until there are enough. CROSS JOIN keeps
// the full-text table outermost, where FTS5 itself sorts.
func (l *lookup) match(ctx context.Context, expr, order string) error {
	rows, err := l.db.QueryContext(ctx, `
		SELECT note.path, section.heading, section.first, section.last, `+score(order)+`
		FROM text CROSS JOIN section ON section.id = text.rowid CROSS JOIN note ON note.id = section.note
		WHERE text MATCH ? ORDER BY `+order, expr)
	if err != nil {
		return err
	}
	defer rows.Close()
	for !l.c.full() && rows.Next() {
		var h Hit
		if err := rows.Scan(&h.Path, &h.Heading, &h.Start, &h.End, &h.Score); err != nil {
			return err
		}
		if l.c.known(&h) {
			continue
		}
		if n := l.visible(h.Path); n != nil {
			h.Score = -h.Score
			l.c.take(n, h)
		}
	}
	return rows.Err()
}

// score is the column that Hit.Score comes from; without ranking every section
// is worth the same.
func score(order string) string {
	if strings.HasPrefix(order, "text.rank") {
		return order
	}
	return "0.0"
}
