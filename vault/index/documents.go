package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/index/fold"
)

// Documents calls each with the data of every document, in no order. The data is valid
// only during the call.
func (x *Index) Documents(ctx context.Context, each func(data []byte)) error {
	return x.column(ctx, func(data sql.RawBytes) { each(data) }, "SELECT data FROM document")
}

// Put replaces the data of some documents and removes that of others.
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

// Holding returns the notes that may contain all of w: those that do, and those of which the index
// has another version. The times are those of their last change, in Unix nanoseconds.
func (x *Index) Holding(ctx context.Context, w Words, changed map[vault.Path]int64) (map[vault.Path]bool, error) {
	found := map[vault.Path]bool{}
	asked, err := json.Marshal(changed)
	args := []any{string(asked)}
	for _, t := range w.list {
		args = append(args, pieceBits, t.match())
	}
	return found, cmp.Or(err, x.column(ctx, func(p sql.RawBytes) { found[vault.Path(p)] = true }, `
		SELECT asked.key FROM json_each(?) AS asked LEFT JOIN note ON note.path = asked.key
		WHERE note.mtime IS NOT asked.value OR note.id IS NOT NULL`+
		strings.Repeat(" AND note.id IN (SELECT rowid >> ? FROM text WHERE text MATCH ?)", len(w.list)), args...))
}

// Words are the words of a search in documents. Each matches longer words too: "gard" finds
// "gardening". Words in quotes stand next to each other.
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

// None reports whether there are no words.
func (w Words) None() bool { return len(w.list) == 0 }

// Match reports whether every word, of at least one, stands in the title or a section.
// section has most of them, -1 if only the title has any, and snippet is a line of it.
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
