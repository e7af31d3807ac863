package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/index/fold"
)

// Documents gives each the data of a document, in no order. The data is valid
// during the call.
func (x *Index) Documents(ctx context.Context, each func(data []byte)) error {
	return x.column(ctx, func(data sql.RawBytes) { each(data) }, "SELECT data FROM document")
}

// Put keeps data of documents in place of what was kept of them, and forgets others.
func (x *Index) Put(ctx context.Context, docs map[vault.Path][]byte, gone []vault.Path) error {
	return updateError(x.change(ctx, func(c *change) {
		for p, data := range docs {
			c.exec("INSERT OR REPLACE INTO document VALUES (?, ?)", string(p), data)
		}
		for _, p := range gone {
			c.exec("DELETE FROM document WHERE path = ?", string(p))
		}
	}))
}

// Holding finds which of some notes, with the times when they were changed last, may hold
// all of w: those that do, and those that are not in the index as they are now.
func (x *Index) Holding(ctx context.Context, w Words, changed map[vault.Path]time.Time) (map[vault.Path]bool, error) {
	times, found := map[vault.Path]int64{}, map[vault.Path]bool{}
	for p, at := range changed {
		times[p] = at.UnixNano()
	}
	asked, err := json.Marshal(times)
	args := []any{string(asked)}
	for _, t := range w.list {
		args = append(args, pieceBits, t.match())
	}
	return found, cmp.Or(err, x.column(ctx, func(p sql.RawBytes) { found[vault.Path(p)] = true }, `
		SELECT asked.key FROM json_each(?) AS asked LEFT JOIN note ON note.path = asked.key
		WHERE note.mtime IS NOT asked.value OR note.id IS NOT NULL`+strings.Repeat(" AND note.id IN (SELECT rowid >> ? FROM text WHERE text MATCH ?)", len(w.list)), args...))
}

// Words are what to look for in documents. Each stands for itself and for what it
// begins: "gard" finds "gardening". Words in quotes stand next to each other.
type Words struct{ terms }

// ParseWords reads what a person typed.
func ParseWords(text string) Words {
	w := Words{parseTerms(text, false)}
	w.list = slices.DeleteFunc(w.list, func(t term) bool { return t.added })
	for i := range w.list {
		t := &w.list[i]
		t.prefix = !t.quoted && t.runes() > 1
	}
	return w
}

// None reports whether there is nothing to look for.
func (w Words) None() bool { return len(w.list) == 0 }

// Match reports whether each of the words, of which there is at least one, stands
// in the title or a section. section is the one that holds most of them, -1 if
// only the title does, and snippet a line of it.
func (w Words) Match(title string, sections []string) (section int, snippet string, ok bool) {
	c, held, most, section := newCounter(w.list), map[int]bool{}, 0, -1
	for n, text := range append([]string{title}, sections...) {
		in := map[int]bool{}
		c.each(fold.Text(nil, text), func(_, _ int, m match) { in[m.term], held[m.term] = true, true })
		if n > 0 && len(in) > most {
			most, section = len(in), n-1
		}
	}
	if len(held) < len(w.list) {
		return -1, "", false
	}
	if section >= 0 {
		h := Hit{Start: 1, found: &w.terms}
		h.place(newPage(&vault.Text{Note: &vault.Note{}, Content: sections[section]}), c)
		snippet = h.Snippet
	}
	return section, snippet, true
}
