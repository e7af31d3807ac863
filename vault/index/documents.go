package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"ibid/vault"
)

// Document is a text that is no note, such as a saved chat. Words are looked for
// in the whole of it.
type Document struct {
	Path     vault.Path // its name among the documents
	Data     []byte     // what its owner wants back
	Title    string
	Sections []string // nil if its words are not to be found yet: see Holding
}

// Documents gives each the data of a document, in no order. The data is valid
// during the call.
func (x *Index) Documents(ctx context.Context, each func(data []byte)) error {
	return x.rows(ctx, func(data sql.RawBytes) { each(data) }, "SELECT data FROM document")
}

// Put adds documents in place of those with the same paths, and forgets others.
// One without Sections loses the words that were known of it.
func (x *Index) Put(ctx context.Context, docs []Document, gone []vault.Path) error {
	for len(docs) > 0 || len(gone) > 0 {
		n, bytes := 0, 0
		for ; n < min(len(docs), 10*batchNotes) && bytes < batchBytes; n++ {
			for _, s := range docs[n].Sections {
				bytes += len(s)
			}
		}
		if err := x.putDocuments(ctx, docs[:n], gone); err != nil {
			return fmt.Errorf("update search index: %w", err)
		}
		docs, gone = docs[n:], nil
	}
	return nil
}

// putDocuments writes a batch in one transaction.
func (x *Index) putDocuments(ctx context.Context, docs []Document, gone []vault.Path) error {
	return x.change(ctx, func(tx *sql.Tx) error {
		w, err := newDocumentWriter(ctx, tx)
		if err != nil {
			return err
		}
		for _, p := range gone {
			if err := w.drop(p); err != nil {
				return err
			}
		}
		for i := range docs {
			if err := w.put(&docs[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// documentWriter is the statements of one transaction.
type documentWriter struct {
	find, dropText, dropDocument, addDocument, addText *sql.Stmt
	tokeniser
}

func newDocumentWriter(ctx context.Context, tx *sql.Tx) (*documentWriter, error) {
	ctx = context.WithoutCancel(ctx) // as for notes
	w := &documentWriter{}
	err := prepareAll(ctx, tx, []statement{
		{&w.find, "SELECT id FROM document WHERE path = ?"},
		{&w.dropText, "DELETE FROM document_text WHERE rowid = ?"},
		{&w.dropDocument, "DELETE FROM document WHERE id = ?"},
		{&w.addDocument, "INSERT INTO document (path, data, words) VALUES (?, ?, ?)"},
		{&w.addText, "INSERT INTO document_text (rowid, title, body) VALUES (?, ?, ?)"},
	})
	return w, err
}

func (w *documentWriter) drop(p vault.Path) error {
	var id int64
	switch err := w.find.QueryRow(string(p)).Scan(&id); {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	if _, err := w.dropText.Exec(id); err != nil {
		return err
	}
	_, err := w.dropDocument.Exec(id)
	return err
}

func (w *documentWriter) put(d *Document) error {
	if err := w.drop(d.Path); err != nil {
		return err
	}
	res, err := w.addDocument.Exec(string(d.Path), d.Data, d.Sections != nil)
	if err != nil || d.Sections == nil {
		return err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return err
	}
	title := string(w.tokenise(d.Title))
	_, err = w.addText.Exec(id, title, string(w.tokenise(strings.Join(d.Sections, "\n\n"))))
	return err
}

// Pending lists the documents whose words cannot be found yet.
func (x *Index) Pending(ctx context.Context) ([]vault.Path, error) {
	var pending []vault.Path
	err := x.rows(ctx, func(p sql.RawBytes) { pending = append(pending, vault.Path(p)) }, "SELECT path FROM document WHERE words = 0")
	return pending, err
}

// Holding finds the documents that may hold all of w: those that do, and those
// that are Pending. An index that had to be opened anew, so that documents may be
// gone, gives an error.
func (x *Index) Holding(ctx context.Context, w Words) (map[vault.Path]bool, error) {
	if x.again.Load() {
		return nil, errReopened
	}
	found, all := map[vault.Path]bool{}, []string{}
	for _, t := range w.all {
		all = append(all, t.match())
	}
	err := x.rows(ctx, func(p sql.RawBytes) { found[vault.Path(p)] = true }, `
		SELECT path FROM document_text CROSS JOIN document ON document.id = document_text.rowid WHERE document_text MATCH ?
		UNION ALL SELECT path FROM document WHERE words = 0`, strings.Join(all, " AND "))
	return found, err
}

// rows gives each the one column of a query.
func (x *Index) rows(ctx context.Context, each func(sql.RawBytes), query string, args ...any) error {
	return x.use(ctx, func(db *sql.DB) error {
		rows, err := db.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		var column sql.RawBytes
		for rows.Next() {
			if err := rows.Scan(&column); err != nil {
				return err
			}
			each(column)
		}
		return rows.Err()
	})
}

// Words are what to look for in documents. Each stands for itself and for what it
// begins: "gard" finds "gardening". Words in quotes stand next to each other.
type Words struct{ terms }

// ParseWords reads what a person typed.
func ParseWords(text string) Words { return Words{parseTerms(text, anyWord)} }

// None reports whether there is nothing to look for.
func (w Words) None() bool { return len(w.all) == 0 }

// Match reports whether each of the words, of which there is at least one, stands
// in the title or a section. section is the one that holds most of them, -1 if
// only the title does, and snippet a line of it.
func (w Words) Match(title string, sections []string) (section int, snippet string, ok bool) {
	folded := foldText(nil, title)
	missing := make([]bool, len(w.all))
	for i, t := range w.all {
		missing[i] = !t.in(folded)
	}
	best := 0
	section = -1
	for n, s := range sections {
		folded = foldText(folded[:0], s)
		count := 0
		for i, t := range w.all {
			if t.in(folded) {
				missing[i] = false
				count++
			}
		}
		if count > best {
			best, section = count, n
		}
	}
	for _, m := range missing {
		if m {
			return -1, "", false
		}
	}
	if section >= 0 {
		snippet = w.line(sections[section])
	}
	return section, snippet, true
}

// line is the line of text that fits best, cut around the words.
func (w Words) line(text string) string {
	best, bestLine := -1, ""
	var folded []byte
	for line := range strings.Lines(text) {
		folded = foldText(folded[:0], line)
		if score := w.fit(folded); score > best && len(folded) > 0 {
			best, bestLine = score, line
		}
	}
	return w.cut(bestLine)
}
