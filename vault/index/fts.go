package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"math/bits"
	"slices"
	"strconv"
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
	mostRows     = 4000 // of terms that propose notes, at about 1 µs each
	newestOf     = 1500 // rows of a term with too many
	titleWorth   = 2    // of a term in a title, compared with 1 elsewhere
	mostNear     = 2    // words in place of an unknown one
	worthKeeping = 500  // rows of a term before its count is cached: it took milliseconds
	shortestPart = 3    // bytes of each half of a word that may be two
	longestWord  = 40   // bytes of a word in the lexicon: a longer one is an address or data
)

// The number of a row of text has the id of the note and, in its last pieceBits, the number of the piece. Behind the
// pieces of a note come rows of words that go with its first piece but are too many for one row. From addressRow on they
// are no pieces but the addresses of links, for operators and not for the ranking. FTS5 takes a time for a row that
// grows with the square of its different words, so rowBytes bounds each.
const (
	pieceBits  = 12
	lastRow    = 1<<pieceBits - 1
	addressRow = lastRow - 95
	mostPieces = addressRow - 1000
	rowBytes   = 100_000
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

	notes, pieces map[int64]float64 // proposed so far, with the worth of the terms in them
}

// lookUp calls f to search in the index, with the statistics of all notes.
func (x *Index) lookUp(ctx context.Context, f func(l *lookup)) error {
	return x.use(ctx, func(db *sql.DB) error {
		l := lookup{ctx: ctx, x: x, db: db, notes: map[int64]float64{}, pieces: map[int64]float64{}}
		known, ok := x.counts.Load("")
		if ok {
			l.st = known.(statistics)
		} else {
			l.row("SELECT count(*), coalesce(sum(pieces), 0), coalesce(max(id), 0) FROM note",
				nil, &l.st.notes, &l.st.pieces, &l.st.newest)
			x.counts.Store("", l.st)
		}
		f(&l)
		return l.err
	})
}

// row reads the only row of a query.
func (l *lookup) row(query string, args []any, to ...any) {
	if l.err == nil {
		l.err = l.db.QueryRowContext(l.ctx, query, args...).Scan(to...)
	}
}

// list reads the column "one" of a query, as one row: reading each row by itself takes a microsecond.
func (l *lookup) list(to any, query string, args ...any) {
	var list []byte
	if l.row("SELECT json_group_array(one) FROM ("+query+")", args, &list); l.err == nil {
		l.err = json.Unmarshal(list, to)
	}
}

// matching returns the newest rows of a table that match.
func (l *lookup) matching(table, expr string, limit int) (rows []int64) {
	var list string // read as one text, too
	l.row("SELECT coalesce(group_concat(one, ' '), '') FROM (SELECT rowid AS one FROM "+table+
		" WHERE "+table+" MATCH ? AND rowid & ? < ? ORDER BY rowid DESC LIMIT ?)",
		[]any{expr, lastRow, addressRow, limit}, &list)
	for one := range strings.FieldsSeq(list) {
		row, _ := strconv.ParseInt(one, 10, 64) // the database wrote it
		rows = append(rows, row)
	}
	return rows
}

// words returns the words of the index that start with prefix.
func (l *lookup) words(prefix string) (words []string) {
	l.list(&words, "SELECT DISTINCT folded AS one FROM word WHERE folded BETWEEN ? AND ?", prefix, prefix+"\U0010FFFF")
	return words
}

// candidates returns at most so many notes that pass and may fit best, the likely ones first, and the
// statistics of the vault. It completes the terms of the list.
func (x *Index) candidates(ctx context.Context, src Source, list []term, m *mentions, most int,
	pass func(*vault.Note) bool,
) (found []*vault.Note, st statistics, err error) {
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
			l.list(&paths, "SELECT note.path AS one FROM json_each(?) CROSS JOIN note ON note.id = value ->> 1", string(ids))
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

// complete counts the notes and pieces with a term. An unknown term is replaced by words that begin
// with it, else by the most similar ones, else by two words in a row.
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
	best := *t // of all ways to split it, the one that most notes have
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

// measure finds the forms of a term and counts the notes and pieces with it. If these are many, the
// counts are estimates.
func (l *lookup) measure(t *term) {
	t.forms = nil
	if len(t.stems) > 0 {
		l.list(&t.forms,
			"SELECT DISTINCT folded AS one FROM word WHERE stem IN (SELECT value FROM json_each(?))",
			`["`+strings.Join(t.stems, `","`)+`"]`)
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

// propose collects notes with a name or a tag of the query, and notes with the rarest terms. If these
// are few, the newest notes with all other terms, or with the rarest of those, are added; if they are
// many, notes with a term in their title get more worth.
func (l *lookup) propose(list []term, m *mentions, most int) {
	for _, name := range m.names {
		l.add(namedWorth, l.matching("title", `"`+nameToken(name)+`"`, most))
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

// worth returns how distinctive a term is.
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

// best returns the collected notes, each as the worth of the terms in it and in its best piece, and its
// id; the most worth first.
func (l *lookup) best() (list [][2]float64) {
	best := map[int64]float64{}
	for row, score := range l.pieces {
		id := row >> pieceBits
		best[id] = max(best[id], l.notes[id]+score)
	}
	for id, worth := range best {
		list = append(list, [2]float64{worth, float64(id)})
	}
	slices.SortFunc(list, func(a, b [2]float64) int { return slices.Compare(b[:], a[:]) })
	return list
}

// similar returns the words of the index with the fewest edits from word, the most frequent first.
// Those that start with its first or second letter go before all others.
func (l *lookup) similar(word string) (found []string) {
	least, pieces, runes := maxEdits(word), map[string]int{}, []rune(word)
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
		pieces[w] = int(one.pieces)
	}
	found = MostFrequent(pieces)
	return found[:min(len(found), mostNear)]
}

// maxEdits returns the number of edits that a typing error may have: one in up to seven letters, two
// in more; 0 for a word that is too short, has a digit, or is of a dense script.
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

// edits returns the number of letters to leave out, add, replace or swap with the next to get from
// one word to another; above most it may be any larger number.
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
