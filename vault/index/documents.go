package index

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
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
	return x.column(ctx, func(data sql.RawBytes) { each(data) }, "SELECT data FROM document")
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
		if err := x.change(ctx, func(c *change) {
			for _, p := range gone {
				c.dropDocument(p)
			}
			var t tokeniser
			for i := range docs[:n] {
				c.putDocument(&docs[i], &t)
			}
		}); err != nil {
			return fmt.Errorf("update search index: %w", err)
		}
		docs, gone = docs[n:], nil
	}
	return nil
}

func (c *change) dropDocument(p vault.Path) {
	c.exec("DELETE FROM document_text WHERE rowid = (SELECT id FROM document WHERE path = ?)", string(p))
	c.exec("DELETE FROM document WHERE path = ?", string(p))
}

func (c *change) putDocument(d *Document, t *tokeniser) {
	c.dropDocument(d.Path)
	id := c.exec("INSERT INTO document (path, data, words) VALUES (?, ?, ?)", string(d.Path), d.Data, d.Sections != nil)
	if d.Sections != nil {
		title := string(t.tokenise(d.Title))
		c.exec("INSERT INTO document_text (rowid, title, body) VALUES (?, ?, ?)", id, title, string(t.tokenise(strings.Join(d.Sections, "\n\n"))))
	}
}

// Pending lists the documents whose words cannot be found yet.
func (x *Index) Pending(ctx context.Context) ([]vault.Path, error) {
	var pending []vault.Path
	err := x.column(ctx, func(p sql.RawBytes) { pending = append(pending, vault.Path(p)) }, "SELECT path FROM document WHERE words = 0")
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
	err := x.column(ctx, func(p sql.RawBytes) { found[vault.Path(p)] = true }, `
		SELECT path FROM document_text CROSS JOIN document ON document.id = document_text.rowid WHERE document_text MATCH ?
		UNION ALL SELECT path FROM document WHERE words = 0`, strings.Join(all, " AND "))
	return found, err
}

// Words are what to look for in documents. Each stands for itself and for what it
// begins: "gard" finds "gardening". Words in quotes stand next to each other.
type Words struct{ terms }

// ParseWords reads what a person typed.
func ParseWords(text string) Words {
	w := Words{parseTerms(text, false)}
	for i := range w.all {
		w.all[i].prefix = w.all[i].mayGoOn()
	}
	return w
}

// None reports whether there is nothing to look for.
func (w Words) None() bool { return len(w.all) == 0 }

// Match reports whether each of the words, of which there is at least one, stands
// in the title or a section. section is the one that holds most of them, -1 if
// only the title does, and snippet a line of it.
func (w Words) Match(title string, sections []string) (section int, snippet string, ok bool) {
	missing := slices.Clone(w.all)
	holding := func(text string) (count int) {
		folded := foldText(nil, text)
		for _, t := range w.all {
			if t.in(folded) {
				missing = slices.DeleteFunc(missing, func(m term) bool { return m.folded == t.folded })
				count++
			}
		}
		return count
	}
	holding(title)
	best, section := 0, -1
	for n, s := range sections {
		if count := holding(s); count > best {
			best, section = count, n
		}
	}
	switch {
	case len(missing) > 0:
		return -1, "", false
	case section >= 0:
		snippet = w.line(sections[section])
	}
	return section, snippet, true
}

// line is the line of text that fits best, cut around the words.
func (w Words) line(text string) string {
	best, bestLine := -1, ""
	var folded []byte
	c := newCounter(nil)
	for line := range strings.Lines(text) {
		folded = foldText(folded[:0], line)
		if score := w.fit(folded, c); score > best && len(folded) > 0 {
			best, bestLine = score, line
		}
	}
	return w.cut(bestLine)
}
