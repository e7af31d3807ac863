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

// rankable is how many notes a query may match to be ranked as a whole. FTS5
// looks at each match to rank it, some 2 µs; a word in half of all notes would
// cost more time than it tells.
const rankable = 1500

// titled is how many notes may hold words that are looked for in titles alone:
// FTS5 reads where in each of them they stand.
const titled = 20_000

// mostForms bounds the words that are looked for in place of one.
const mostForms = 12

// lookup is one search in the index.
type lookup struct {
	x       *Index
	db      *sql.DB
	visible func(vault.Path) *vault.Note // nil for a note that must not be found
	most    int
	found   []*vault.Note
	seen    map[vault.Path]bool
	taken   string // an expression of which all that fits was found
}

// candidates are the notes that may fit best: those with all terms, then those
// with some, most of them by the rank that FTS5 gives them. It completes wants by
// what the index knows of their words.
func (x *Index) candidates(ctx context.Context, t *terms, wants []want, most int, visible func(vault.Path) *vault.Note) ([]*vault.Note, error) {
	var found []*vault.Note
	err := x.use(ctx, func(db *sql.DB) error {
		l := lookup{x: x, db: db, visible: visible, most: most, seen: map[vault.Path]bool{}}
		for i := range wants {
			if err := l.expand(ctx, &wants[i]); err != nil {
				return err
			}
		}
		if most == 0 {
			return nil
		}
		err := l.all(ctx, t, wants)
		if err == nil && len(l.found) < most/2 {
			err = l.any(ctx, wants)
		}
		found = l.found
		return err
	})
	return found, err
}

// languages are those in which the notes are written.
func (x *Index) languages(ctx context.Context) (in stem.Languages, err error) {
	err = x.use(ctx, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, "SELECT languages FROM vault").Scan(&in)
	})
	return in | stem.Russian, err
}

// expand finds out which words of the index count as w, and how many notes hold
// them.
func (l *lookup) expand(ctx context.Context, w *want) (err error) {
	if w.exact, err = l.frequency(ctx, w.term); err != nil {
		return err
	}
	w.loose = w.exact
	if !w.word || w.common {
		return nil
	}
	if !w.prefix && w.start != "" {
		var words []string
		all, err := beginning(ctx, l.db, w.start)
		if err != nil {
			return err
		}
		for _, form := range all {
			if form != w.folded && !stem.Common(form) && w.stems.Shared(form) != 0 {
				words = append(words, form)
			}
		}
		if err := l.addForms(ctx, w, words); err != nil {
			return err
		}
	}
	if w.prefix || w.loose == 0 && allowed(w.folded) > 0 {
		if err := l.complete(ctx, w); err != nil {
			return err
		}
	}
	if w.loose > 0 {
		return nil
	}
	if w.near, err = similar(ctx, l.db, w.folded); err != nil {
		return err
	}
	if err = l.addForms(ctx, w, w.near); err != nil {
		return err
	}
	w.near = w.forms
	if w.exact = w.loose; w.loose == 0 && allowed(w.folded) > 0 {
		return l.part(ctx, w)
	}
	return nil
}

// part makes w two words if they stand in a row: those of which the rarer stands in
// most notes.
func (l *lookup) part(ctx context.Context, w *want) error {
	best, most := 0, 0
	for at := shortestPart; at <= len(w.folded)-shortestPart && len(w.folded) <= longestWord; at++ {
		if !utf8.RuneStart(w.folded[at]) {
			continue
		}
		n, err := l.frequency(ctx, term{folded: w.folded[:at] + " " + w.folded[at:]})
		if err != nil {
			return err
		}
		if n > most {
			best, most = at, n
		}
	}
	if best > 0 {
		w.part(best)
		w.exact, w.loose = most, most
	}
	return nil
}

// complete adds what w may go on to.
func (l *lookup) complete(ctx context.Context, w *want) error {
	words, err := beginning(ctx, l.db, w.folded)
	if err != nil {
		return err
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	words = words[:min(len(words), mostForms)]
	if err := l.addForms(ctx, w, words); err != nil {
		return err
	}
	w.prefix = w.prefix || len(w.forms) > 0
	return nil
}

// addForms adds the words that stand in most notes.
func (l *lookup) addForms(ctx context.Context, w *want, words []string) error {
	rows := map[string]int{}
	for _, form := range words {
		if form == w.folded {
			continue
		}
		n, err := l.frequency(ctx, term{folded: form})
		if err != nil {
			return err
		}
		if rows[form] = n; n > 0 {
			w.forms = append(w.forms, form)
		}
	}
	slices.SortStableFunc(w.forms, func(a, b string) int { return cmp.Compare(rows[b], rows[a]) })
	w.forms = w.forms[:min(len(w.forms), mostForms)]
	for _, form := range w.forms {
		w.loose += rows[form]
	}
	return nil
}

// all takes the notes with every term, common words aside.
func (l *lookup) all(ctx context.Context, t *terms, wants []want) error {
	var parts []string
	rows := -1
	for _, whole := range t.all {
		i := slices.IndexFunc(wants, func(w want) bool { return w.folded == whole.folded })
		if i < 0 || wants[i].common {
			continue
		}
		if wants[i].loose == 0 {
			return nil
		}
		if parts = append(parts, wants[i].match()); rows < 0 || wants[i].loose < rows {
			rows = wants[i].loose
		}
	}
	if len(parts) == 0 {
		return nil
	}
	expr, enough := strings.Join(parts, " AND "), l.most*2/3
	err := l.match(ctx, expr, rows, enough)
	if err == nil && len(l.found) < enough {
		l.taken = expr
	}
	return err
}

// any takes the notes with some of the wants. It uses the rarest, as many as can
// be ranked: the others tell little.
func (l *lookup) any(ctx context.Context, wants []want) error {
	var use []want
	for _, w := range wants {
		if w.loose > 0 && !w.common {
			use = append(use, w)
		}
	}
	slices.SortStableFunc(use, func(a, b want) int { return cmp.Compare(a.loose, b.loose) })
	var parts []string
	rows := 0
	for _, w := range use {
		if rows += w.loose; rows > rankable && len(parts) > 0 {
			break
		}
		parts = append(parts, w.match())
	}
	if len(parts) == 0 {
		return nil
	}
	expr := strings.Join(parts, " OR ")
	if expr == l.taken {
		return nil
	}
	return l.match(ctx, expr, rows, l.most)
}

// match is w in the query language of FTS5.
func (w *want) match() string {
	if len(w.forms) == 0 {
		return w.term.match()
	}
	parts := make([]string, 0, len(w.forms)+1)
	if w.exact > 0 || len(w.near) == 0 {
		parts = append(parts, term{folded: w.folded}.match())
	}
	for _, form := range w.forms {
		parts = append(parts, `"`+form+`"`)
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// frequency is in how many notes the rarest word of t stands, as it is.
func (l *lookup) frequency(ctx context.Context, t term) (int, error) {
	tokens, prefix := t.tokens()
	prefix = prefix && !t.prefix // what a person may go on to type is looked up as words
	return l.x.frequency(ctx, l.db, tokens, prefix)
}

// frequency is in how many notes the rarest of some tokens stands, if prefix with all
// that the last may go on to; a note counts for each of these that it holds.
func (x *Index) frequency(ctx context.Context, db *sql.DB, tokens []string, prefix bool) (int, error) {
	key := strings.Join(tokens, " ")
	if prefix {
		key += "*"
	}
	if n, ok := x.counts.get(key); ok {
		return n, nil
	}
	n, err := count(ctx, db, tokens, prefix)
	if err == nil && n >= worthKeeping {
		x.counts.put(key, n)
	}
	return n, err
}

// count is frequency without what is known already.
func count(ctx context.Context, db *sql.DB, tokens []string, prefix bool) (int, error) {
	least := -1
	for i, token := range tokens {
		where, args := "term = ?", []any{token}
		if prefix && i == len(tokens)-1 {
			where, args = "term >= ? AND term < ?", []any{token, token + string(utf8.MaxRune)}
		}
		var n int
		if err := db.QueryRowContext(ctx, "SELECT coalesce(sum(doc), 0) FROM word WHERE "+where, args...).Scan(&n); err != nil {
			return 0, err
		}
		if least < 0 || n < least {
			least = n
		}
	}
	return max(least, 0), nil
}

// counted is in how many notes terms stand that stand in many, as long as this
// process does not change the index: to count them takes milliseconds.
type counted struct {
	mu sync.Mutex
	n  map[string]int
}

// What counted keeps: terms in at least so many notes, and so many terms.
const (
	worthKeeping = 500
	mostCounted  = 10_000
)

func (c *counted) get(folded string) (n int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok = c.n[folded]
	return n, ok
}

func (c *counted) put(folded string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil || len(c.n) >= mostCounted {
		c.n = map[string]int{}
	}
	c.n[folded] = n
}

// forget is for a change of the index.
func (c *counted) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.n)
}

// match takes the notes that fit best until there are enough. If more than
// rankable fit, it ranks those with the words in a title, unless that takes too
// long, and then any: of both the ones that were written last, and then as many
// older ones, as long as too few of them may be found.
func (l *lookup) match(ctx context.Context, expr string, rows, enough int) error {
	if rows <= rankable {
		return l.rank(ctx, expr, 0, math.MaxInt64, enough)
	}
	exprs := []string{"title : (" + expr + ")", expr}
	if rows > titled {
		exprs = exprs[1:]
	}
	for i, expr := range exprs {
		goal := len(l.found) + (enough-len(l.found))/(len(exprs)-i)
		for end := int64(math.MaxInt64); end > 0 && len(l.found) < goal; {
			var from int64
			err := l.db.QueryRowContext(ctx, "SELECT coalesce(min(rowid), 0) FROM (SELECT rowid FROM text WHERE text MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?)",
				expr, end, rankable/len(exprs)).Scan(&from)
			if err != nil {
				return err
			}
			if err := l.rank(ctx, expr, from, end, goal); err != nil {
				return err
			}
			if end = from; i < len(exprs)-1 {
				break
			}
		}
	}
	return nil
}

// rank takes the best notes that fit, of those with an id of at least from and
// below end. CROSS JOIN keeps the full-text table outermost, where FTS5 itself sorts.
func (l *lookup) rank(ctx context.Context, expr string, from, end int64, enough int) error {
	found, err := l.db.QueryContext(ctx, `
		SELECT note.path FROM text CROSS JOIN note ON note.id = text.rowid
		WHERE text MATCH ? AND text.rowid >= ? AND text.rowid < ? ORDER BY text.rank`, expr, from, end)
	if err != nil {
		return err
	}
	defer found.Close()
	for len(l.found) < enough && found.Next() {
		var p vault.Path
		if err := found.Scan(&p); err != nil {
			return err
		}
		if l.seen[p] {
			continue
		}
		l.seen[p] = true
		if n := l.visible(p); n != nil {
			l.found = append(l.found, n)
		}
	}
	return found.Err()
}
