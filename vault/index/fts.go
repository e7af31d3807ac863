package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"ibid/vault"
	"ibid/vault/index/fold"
	"ibid/vault/index/stem"
)

// Bounds of one search in the index.
const (
	mostRows     = 6000 // of terms that propose notes: some 1 µs each
	newestOf     = 1500 // rows of a term that is too frequent to take them all
	titleWorth   = 2    // what a term in a title proposes, where it is 1 anywhere
	mostNear     = 2    // words that one may be a slip of
	worthKeeping = 500  // rows of a term whose count is remembered: it took milliseconds
	shortestPart = 3    // bytes of the parts of a word that may be two
	longestWord  = 40   // bytes of a word in the lexicon: what is longer is an address or data
)

// pieceBits is how much of the number of a piece says which one of its note it is. The last
// is no piece but the addresses of links, which operators look at and the ranking does not.
const (
	pieceBits    = 12
	addressPiece = 1<<pieceBits - 1
)

// statistics count notes and pieces of them. newest is the id of the newest note.
type statistics struct{ notes, pieces, newest float64 }

// lookup is one search in the index. After an error it finds nothing.
type lookup struct {
	ctx context.Context
	x   *Index
	db  *sql.DB
	err error
	st  statistics

	notes, pieces map[int64]float64 // that are proposed, by row: how much the terms in them tell
}

// lookUp calls f to search in the index, with the statistics of all notes.
func (x *Index) lookUp(ctx context.Context, f func(l *lookup)) error {
	return x.use(ctx, func(db *sql.DB) error {
		l := lookup{ctx: ctx, x: x, db: db, notes: map[int64]float64{}, pieces: map[int64]float64{}}
		known, ok := x.counts.Load("")
		if ok {
			l.st = known.(statistics)
		} else {
			l.row("SELECT count(*), coalesce(sum(pieces), 0), coalesce(max(id), 0) FROM note", nil, &l.st.notes, &l.st.pieces, &l.st.newest)
			x.counts.Store("", l.st)
		}
		f(&l)
		return l.err
	})
}

// row reads the one row of a query.
func (l *lookup) row(query string, args []any, to ...any) {
	if l.err == nil {
		l.err = l.db.QueryRowContext(l.ctx, query, args...).Scan(to...)
	}
}

// list reads what a query finds, in one row: each takes a microsecond.
func (l *lookup) list(to any, query string, args ...any) {
	var list []byte
	if l.row("SELECT json_group_array(one) FROM ("+query+")", args, &list); l.err == nil {
		l.err = json.Unmarshal(list, to)
	}
}

// matching are the newest rows of a table that match.
func (l *lookup) matching(table, expr string, limit int) (rows []int64) {
	l.list(&rows, "SELECT rowid AS one FROM "+table+" WHERE "+table+" MATCH ? AND rowid & ? <> ? ORDER BY rowid DESC LIMIT ?", expr, addressPiece, addressPiece, limit)
	return rows
}

// words are those of the index that start with prefix.
func (l *lookup) words(prefix string) (words []string) {
	l.list(&words, "SELECT DISTINCT folded AS one FROM word WHERE folded BETWEEN ? AND ?", prefix, prefix+"\U0010FFFF")
	return words
}

// candidates returns at most so many notes that pass and may fit best, the likely ones first, and the
// statistics of the vault. It completes the terms of the list.
func (x *Index) candidates(ctx context.Context, src Source, list []term, m *mentions, most int, pass func(*vault.Note) bool) (found []*vault.Note, st statistics, err error) {
	err = x.lookUp(ctx, func(l *lookup) {
		st = l.st
		for i := range list {
			l.complete(&list[i])
		}
		if most == 0 {
			return
		}
		l.propose(list, m, most)
		for some := range slices.Chunk(l.best(), most) {
			var paths []vault.Path
			ids, _ := json.Marshal(some)
			l.list(&paths, "SELECT note.path AS one FROM json_each(?) CROSS JOIN note ON note.id = value", string(ids))
			for _, p := range paths {
				if n, ok := src.Note(p); ok && pass(n) { // the index may be older than the notes are
					found = append(found, n)
				}
				if len(found) == most {
					return
				}
			}
		}
	})
	return found, st, err
}

// complete finds out how many notes and pieces hold a term. One that stands nowhere gives
// way to words that begin with it, to those that it may be a slip of, or to two in a row.
func (l *lookup) complete(t *term) {
	if l.measure(t); t.notes > 0 || t.quoted || t.added || maxEdits(t.folded) == 0 {
		return
	}
	t.prefix = true
	if l.measure(t); t.notes > 0 {
		return
	}
	t.prefix = false
	if t.near = l.similar(t.folded); len(t.near) > 0 {
		t.stems = nil
		for _, w := range t.near {
			t.stems = append(t.stems, stem.Of(w)...)
		}
		l.measure(t)
		return
	}
	best := *t // two words in a row: those of which most notes hold both
	for at := range t.folded {
		if min(at, len(t.folded)-at) < shortestPart || len(t.folded) > longestWord {
			continue
		}
		two := term{folded: t.folded[:at] + " " + t.folded[at:], weight: t.weight}
		if l.measure(&two); two.notes > best.notes {
			best = two
		}
	}
	*t = best
}

// measure finds the forms of a term, and counts the notes and pieces that hold it: of many,
// about how many.
func (l *lookup) measure(t *term) {
	t.forms = nil
	if len(t.stems) > 0 {
		l.list(&t.forms, "SELECT DISTINCT folded AS one FROM word WHERE stem IN (SELECT value FROM json_each(?))", `["`+strings.Join(t.stems, `","`)+`"]`)
	}
	expr := t.any()
	if known, ok := l.x.counts.Load(expr); ok {
		t.statistics = known.(statistics)
		return
	}
	last := int64(-1)
	t.rows = l.matching("text", expr, mostRows)
	t.notes, t.pieces = 0, float64(len(t.rows))
	for _, row := range t.rows {
		if id := row >> pieceBits; id != last {
			t.notes++
			last = id
		}
	}
	if len(t.rows) == mostRows {
		factor := l.st.newest / max(l.st.newest-float64(last), 1)
		t.notes, t.pieces = t.notes*factor, t.pieces*factor
	}
	if t.pieces >= worthKeeping && l.err == nil {
		l.x.counts.Store(expr, t.statistics)
	}
}

// propose gathers notes: those with a name or a tag, and those that hold the rarest of the
// terms. If these are few, the newest with all of the others come too, and with the rarest of
// these, and if they are many, those with a term in their title come first.
func (l *lookup) propose(list []term, m *mentions, most int) {
	var names []string
	for _, name := range m.names {
		names = append(names, `"`+nameToken(name)+`"`)
	}
	if len(names) > 0 {
		l.add(namedWorth, l.matching("title", strings.Join(names, " OR "), most))
	}
	for _, tag := range m.tags {
		l.add(taggedWorth, l.matching("text", "tags : "+(&term{folded: fold.Line(tag)}).match(), newestOf))
	}
	var order []*term
	for i := range list {
		if list[i].notes > 0 {
			order = append(order, &list[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *term) int { return cmp.Compare(a.pieces, b.pieces) })
	for ; len(order) > 0 && len(l.pieces)+int(order[0].pieces) <= mostRows; order = order[1:] {
		l.take(order[0], mostRows)
	}
	if len(l.notes) < most && len(order) > 0 {
		var all []string
		for _, t := range order {
			all = append(all, "("+t.any()+")")
		}
		l.add(2*l.worth(order[0]), l.matching("text", strings.Join(all, " AND "), newestOf))
		l.take(order[0], newestOf)
	}
	for i := range list {
		if t := &list[i]; len(l.notes) > most && t.pieces > float64(most) && !t.phrase() {
			l.add(titleWorth*l.worth(t), l.matching("title", t.any(), newestOf/3))
		}
	}
}

// worth is how much a term tells.
func (l *lookup) worth(t *term) float64 { return t.weight * rarity(t.pieces, l.st.pieces) }

// take adds the newest rows with a term.
func (l *lookup) take(t *term, most int) {
	if t.rows == nil {
		t.rows = l.matching("text", t.any(), most)
	}
	l.add(l.worth(t), t.rows[:min(len(t.rows), most)])
}

// add adds worth to rows, and once to each of the notes that they are of.
func (l *lookup) add(worth float64, rows []int64) {
	last := int64(-1)
	for _, row := range rows {
		l.pieces[row] += worth
		if id := row >> pieceBits; id != last {
			l.notes[id] += worth
			last = id
		}
	}
}

// best are the ids of the notes that were gathered, the likely ones first: by the terms
// in them, and in their best piece.
func (l *lookup) best() []int64 {
	best := map[int64]float64{}
	for row, score := range l.pieces {
		id := row >> pieceBits
		best[id] = max(best[id], l.notes[id]+score)
	}
	return slices.SortedFunc(maps.Keys(best), func(a, b int64) int { return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(b, a)) })
}

// similar are words of the index that word may be a slip of, those that stand in most
// pieces first: of the ones that start with its first or second letter, or if there are none, of all,
// the nearest.
func (l *lookup) similar(word string) (found []string) {
	least, pieces, runes := maxEdits(word), map[string]float64{}, []rune(word)
	for _, start := range []string{string(runes[0]), string(runes[1]), ""} {
		if start == "" && len(pieces) > 0 {
			break
		}
		for _, w := range l.words(start) {
			d := edits(word, w, least)
			if d == 0 || d > least {
				continue
			}
			if d < least {
				least = d
				clear(pieces)
			}
			pieces[w] = 0
		}
	}
	for w := range pieces {
		one := term{folded: w, stems: stem.Of(w)}
		l.measure(&one)
		pieces[w] = one.pieces
	}
	found = slices.SortedFunc(maps.Keys(pieces), func(a, b string) int { return cmp.Or(cmp.Compare(pieces[b], pieces[a]), cmp.Compare(a, b)) })
	return found[:min(len(found), mostNear)]
}

// maxEdits is how many edits a word may be from another: one up to seven letters, two
// above; 0 if it is too short to tell, or has a digit.
func maxEdits(word string) int {
	n := utf8.RuneCountInString(word)
	switch {
	case n < 3 || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) || fold.IsDense(r) }):
		return 0
	case n <= 7:
		return 1
	}
	return 2
}

// edits is how many letters are left out, added or exchanged between two words, two that
// changed places being one; if there are more than most it may be any more.
func edits(a, b string, most int) int {
	in, of := fold.Mask(a), fold.Mask(b)
	if bits.OnesCount64(in&^of) > most || bits.OnesCount64(of&^in) > most {
		return most + 1
	}
	n := levenshtein.ComputeDistance(a, b)
	for i, swapped := 1, []rune(a); n > 1 && n <= most+1 && i < len(swapped); i++ {
		swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
		n = min(n, 1+levenshtein.ComputeDistance(string(swapped), b))
		swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
	}
	return n
}
