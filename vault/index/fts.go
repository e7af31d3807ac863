package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/index/stem"
)

// Bounds of one search in the index.
const (
	mostRows   = 6000 // of terms that propose notes: some 1 µs each
	newestOf   = 1500 // rows of a term that is too frequent to take them all
	titleWorth = 2    // what a term in a title proposes, where it is 1 anywhere
	mostNear   = 2    // words that one may be a slip of
)

// pieceBits is how much of the number of a piece says which one of its note it is. The last
// is no piece but the addresses of links, which operators look at and the ranking does not.
const (
	pieceBits    = 12
	addressPiece = 1<<pieceBits - 1
)

// lookup is one search in the index.
type lookup struct {
	ctx context.Context
	x   *Index
	db  *sql.DB
	st  statistics

	notes, pieces map[int64]float64 // that are proposed, by row: how much the terms in them tell
	used          int               // rows
}

// lookUp calls f to search in the index, with the statistics of all notes.
func (x *Index) lookUp(ctx context.Context, f func(l *lookup) error) error {
	return x.use(ctx, func(db *sql.DB) error {
		l := lookup{ctx: ctx, x: x, db: db, notes: map[int64]float64{}, pieces: map[int64]float64{}}
		if known, ok := x.counts.Load(""); ok {
			l.st = known.(statistics)
		} else {
			if err := db.QueryRowContext(ctx, "SELECT count(*), coalesce(sum(pieces), 0), coalesce(sum(words), 0), coalesce(sum(piece_words), 0) FROM note").
				Scan(&l.st.notes, &l.st.pieces, &l.st.noteWords, &l.st.pieceWords); err != nil {
				return err
			}
			x.counts.Store("", l.st)
		}
		return f(&l)
	})
}

// candidates are the notes that may fit best, at most so many, the likely ones first. It
// completes terms by what the index knows of them.
func (x *Index) candidates(ctx context.Context, list []term, m *mentions, most int, visible func(vault.Path) *vault.Note) (found []*vault.Note, st statistics, err error) {
	err = x.lookUp(ctx, func(l *lookup) error {
		st = l.st
		for i := range list {
			if err := l.complete(&list[i]); err != nil {
				return err
			}
		}
		if most == 0 {
			return nil
		}
		if err := l.propose(list, m, most); err != nil {
			return err
		}
		ids, err := json.Marshal(l.best())
		if err != nil {
			return err
		}
		return eachRow(ctx, l.db, func(rows *sql.Rows) (more bool, err error) {
			var p vault.Path
			err = rows.Scan(&p)
			if n := visible(p); n != nil {
				found = append(found, n)
			}
			return len(found) < most, err
		}, "SELECT note.path FROM json_each(?) CROSS JOIN note ON note.id = value", string(ids))
	})
	return found, st, err
}

// complete finds out how many notes and pieces hold a term. One that stands nowhere gives
// way to words that begin with it, to those that it may be a slip of, or to two in a row.
func (l *lookup) complete(t *term) error {
	err := l.measure(t)
	if err != nil || t.notes > 0 || t.quoted || t.added || maxEdits(t.folded) == 0 {
		return err
	}
	longer, err := l.words(t.folded)
	if t.prefix = longer != ""; t.prefix && err == nil {
		return l.measure(t)
	}
	near, err := l.similar(t.folded)
	in := map[string]float64{}
	for _, w := range near {
		one := term{folded: w, stems: stem.Of(w)}
		err = cmp.Or(err, l.measure(&one))
		in[w] = one.pieces
	}
	if err != nil {
		return err
	}
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(in[b], in[a]) })
	if t.standFor(near); len(near) == 0 {
		return l.part(t)
	}
	return l.measure(t)
}

// part makes a term two words if they stand in a row: those of which most notes hold both.
func (l *lookup) part(t *term) error {
	best := *t
	for at := shortestPart; at <= len(t.folded)-shortestPart && len(t.folded) <= longestWord; at++ {
		if !utf8.RuneStart(t.folded[at]) {
			continue
		}
		two := term{folded: t.folded[:at] + " " + t.folded[at:], weight: t.weight}
		if err := l.measure(&two); err != nil {
			return err
		}
		if two.notes > best.notes {
			best = two
		}
	}
	*t = best
	return nil
}

// measure finds the forms of a term, and counts the notes and pieces that hold it: of many,
// about how many.
func (l *lookup) measure(t *term) (err error) {
	if t.forms, err = l.forms(t.stems); err != nil {
		return err
	}
	expr := t.any()
	var n [2]float64
	if known, ok := l.x.counts.Load(expr); ok {
		n = known.([2]float64)
	} else {
		if t.rows, err = l.matching("text", expr, mostRows); err != nil {
			return err
		}
		last := int64(-1)
		for _, row := range t.rows {
			n[0]++
			if id := row >> pieceBits; id != last {
				n[1]++
				last = id
			}
		}
		if len(t.rows) == mostRows {
			newest := 0.0
			if err := l.db.QueryRowContext(l.ctx, "SELECT max(id) FROM note").Scan(&newest); err != nil {
				return err
			}
			factor := newest / max(newest-float64(last), 1)
			n[0], n[1] = n[0]*factor, n[1]*factor
		}
		if n[0] >= worthKeeping {
			l.x.counts.Store(expr, n)
		}
	}
	t.pieces, t.notes = n[0], n[1]
	return nil
}

// matching are the newest rows of a table that match.
func (l *lookup) matching(table, expr string, limit int) (rows []int64, err error) {
	list, err := l.list("SELECT rowid AS one FROM "+table+" WHERE "+table+" MATCH ? AND rowid & ? <> ? ORDER BY rowid DESC LIMIT ?", expr, addressPiece, addressPiece, limit)
	for field := range strings.FieldsSeq(list) {
		row, _ := strconv.ParseInt(field, 10, 64)
		rows = append(rows, row)
	}
	return rows, err
}

// list is what a query finds, with spaces between: each row of a result takes a microsecond.
func (l *lookup) list(query string, args ...any) (list string, err error) {
	err = l.db.QueryRowContext(l.ctx, "SELECT coalesce(group_concat(one, ' '), '') FROM ("+query+")", args...).Scan(&list)
	return list, err
}

// worthKeeping is in how many rows a term is whose count is remembered: it took milliseconds.
const worthKeeping = 500

// propose gathers notes: those that are mentioned, and those that hold the rarest of the
// terms. If these are few, those with the others come too, and if they are many, those
// with a term in their title come first.
func (l *lookup) propose(list []term, m *mentions, most int) error {
	for _, name := range m.names {
		if err := eachRow(l.ctx, l.db, func(rows *sql.Rows) (bool, error) {
			var id int64
			err := rows.Scan(&id)
			l.notes[id] += namedWorth
			return true, err
		}, "SELECT note FROM name WHERE folded = ?", name); err != nil {
			return err
		}
	}
	for _, tag := range m.tags {
		if err := l.matches(taggedWorth, "tags : "+(&term{folded: foldLine(tag)}).match(), newestOf); err != nil {
			return err
		}
	}
	mentioned := len(l.notes)
	order := make([]*term, 0, len(list))
	for i := range list {
		if list[i].notes > 0 {
			order = append(order, &list[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *term) int { return cmp.Compare(a.pieces, b.pieces) })
	for len(order) > 0 && l.used+int(order[0].pieces) <= mostRows {
		if err := l.take(order[0], mostRows); err != nil {
			return err
		}
		order = order[1:]
	}
	if len(l.notes)-mentioned < most && len(order) > 0 {
		if err := l.takeFrequent(order); err != nil {
			return err
		}
	}
	for i := range list {
		if t := &list[i]; len(l.notes) > most && t.pieces > float64(most) && !t.phrase() {
			rows, err := l.matching("title", t.any(), newestOf/3)
			if err != nil {
				return err
			}
			for _, row := range rows {
				l.notes[row>>pieceBits] += titleWorth * l.worth(t)
			}
		}
	}
	return nil
}

// best are the ids of the notes that were gathered, the likely ones first.
func (l *lookup) best() []int64 {
	best := map[int64]float64{} // by note, of its pieces
	for row, score := range l.pieces {
		best[row>>pieceBits] = max(best[row>>pieceBits], score)
	}
	type likely struct {
		id    int64
		score float64
	}
	list := make([]likely, 0, len(l.notes))
	for id, score := range l.notes {
		list = append(list, likely{id, score + best[id]})
	}
	slices.SortFunc(list, func(a, b likely) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.id, a.id)) })
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].id
	}
	return ids
}

// worth is how much a term tells.
func (l *lookup) worth(t *term) float64 { return t.weight * rarity(t.pieces, l.st.pieces) }

// take takes the newest rows of a term.
func (l *lookup) take(t *term, limit int) (err error) {
	if t.rows == nil {
		t.rows, err = l.matching("text", t.any(), limit)
	}
	l.add(l.worth(t), t.rows[:min(len(t.rows), limit)]...)
	return err
}

// takeFrequent takes the newest notes with all of the terms that stand in many notes, and
// the newest with the rarest of them, which comes first.
func (l *lookup) takeFrequent(order []*term) error {
	var all []string
	for _, t := range order {
		all = append(all, "("+t.any()+")")
	}
	if len(all) > 1 {
		if err := l.matches(2*l.worth(order[0]), strings.Join(all, " AND "), newestOf); err != nil {
			return err
		}
	}
	return l.take(order[0], newestOf)
}

// matches adds worth to the newest rows that match.
func (l *lookup) matches(worth float64, expr string, limit int) error {
	rows, err := l.matching("text", expr, limit)
	l.add(worth, rows...)
	return err
}

// add adds worth to rows, and once to each of the notes that they are of.
func (l *lookup) add(worth float64, rows ...int64) {
	last := int64(-1)
	l.used += len(rows)
	for _, row := range rows {
		l.pieces[row] += worth
		if id := row >> pieceBits; id != last {
			l.notes[id] += worth
			last = id
		}
	}
}
