package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/index/fold"
	"ibid/vault/index/stem"
	"ibid/vault/routine"
)

// The size of a batch: small enough that an edit or another process waits some
// tens of milliseconds for the write lock, large enough to be worth a commit.
const (
	batchNotes = 300
	batchBytes = 1 << 20
)

// pause is the rest after a batch: a machine with few cores has time for the screen.
const pause = time.Millisecond

// state identifies the version of a note in the index.
type state struct{ mtime, size int64 }

func stateOf(n *vault.Note) state { return state{n.ModTime.UnixNano(), n.Size} }

// Sync brings the index up to date with src: it reads the notes with another time or size
// than in the index, and removes those that are gone or private. It works in batches; when
// ctx ends it keeps those that are done and returns the error of ctx. Notes that cannot be
// read are left out.
func (x *Index) Sync(ctx context.Context, src Source) error {
	err := x.sync(ctx, src)
	if errors.Is(err, errReopened) { // it was damaged and is empty now
		err = x.sync(ctx, src)
	}
	return updateError(err)
}

func updateError(err error) error {
	if err != nil {
		err = fmt.Errorf("update search index: %w", err)
	}
	return err
}

func (x *Index) sync(ctx context.Context, src Source) error {
	if err := x.follow(ctx); err != nil {
		return err
	}
	notes := src.Notes()
	if held := x.synced.Load(); held != nil && slices.Equal(*held, notes) && x.Ready() {
		return nil
	}
	known, err := x.known(ctx)
	if err != nil {
		return err
	}
	plan := plan(known, notes)
	if len(plan) == 0 && x.Ready() {
		x.synced.Store(&notes)
		x.purge(ctx)
		return nil
	}
	x.planned.Store(int64(len(plan)))
	x.stored.Store(0)
	if err = x.storeAll(ctx, src, plan); err == nil && !x.Ready() {
		err = x.merge(ctx)
	}
	if err == nil {
		err = x.change(ctx, func(c *change) { c.exec("UPDATE vault SET complete = 1") })
	}
	if err != nil {
		return err
	}
	x.purge(ctx)
	// Else the pages that were written stay in memory.
	_ = x.column(ctx, func(sql.RawBytes) {}, "PRAGMA shrink_memory")
	x.counts.Clear()
	x.ready.Store(true)
	if !x.inPlace() {
		return errReopened // the file was deleted meanwhile, or another one put in its place
	}
	return nil
}

// merge makes one list of words of the lists that the batches left, since a search looks into each. It works in steps
// of some megabytes, so that others can write. A table with nothing left to merge changes one row.
func (x *Index) merge(ctx context.Context) (err error) {
	for before, after := 0, 3; err == nil && after > before+2; time.Sleep(pause) {
		err = x.change(ctx, func(c *change) {
			const changes = "SELECT total_changes() + ?"
			c.row(changes, 0, &before)
			c.exec("INSERT INTO text(text, rank) VALUES ('merge', -500)")
			c.exec("INSERT INTO title(title, rank) VALUES ('merge', -500)")
			c.row(changes, 0, &after)
		})
	}
	return err
}

// known returns the notes in the index.
func (x *Index) known(ctx context.Context) (map[vault.Path]state, error) {
	known := map[vault.Path]state{}
	return known, x.Rows(ctx, func(rows *sql.Rows) error {
		var p vault.Path
		var s state
		err := rows.Scan(&p, &s.mtime, &s.size)
		known[p] = s
		return err
	}, "SELECT path, mtime, size FROM note")
}

// plan returns the notes to read or to remove, where known are the notes in the index. The newest
// notes are written last: searches look at the newest rows first.
func plan(known map[vault.Path]state, notes []*vault.Note) (plan []vault.Path) {
	for _, n := range slices.Backward(byAge(notes, func(n *vault.Note) bool {
		return !n.Private && known[n.Path] != stateOf(n)
	})) {
		plan = append(plan, n.Path)
	}
	for _, n := range notes {
		if !n.Private {
			delete(known, n.Path)
		}
	}
	return slices.AppendSeq(plan, maps.Keys(known))
}

// Progress returns the number of notes that the running or last Sync has done, and of all that it
// plans. It may be called at any time.
func (x *Index) Progress() (done, all int) {
	return int(min(x.stored.Load(), x.planned.Load())), int(x.planned.Load())
}

// Apply brings changed notes into the index; when it returns, searches find them. A note
// that src no longer has, or that became private, is removed. Changes of other files are
// ignored.
func (x *Index) Apply(ctx context.Context, changes []vault.Change, src Source) error {
	var paths []vault.Path
	for _, c := range changes {
		paths = append(paths, c.From, c.Path)
	}
	err := x.storeAll(ctx, src, slices.DeleteFunc(paths, func(p vault.Path) bool { return !p.IsNote() }))
	if errors.Is(err, errReopened) {
		return x.Sync(ctx, src) // it was damaged and is empty now
	}
	isPrivate := slices.ContainsFunc(paths, func(p vault.Path) bool {
		n, ok := src.Note(p)
		return ok && n.Private
	})
	if err == nil && (isPrivate || time.Since(time.Unix(x.purged.Load(), 0)) > purgePause) {
		x.purge(ctx)
	}
	return updateError(err)
}

// storeAll brings the current versions of notes into the index, in batches.
func (x *Index) storeAll(ctx context.Context, src Source, plan []vault.Path) error {
	read, done := bulkReader(src)
	defer done()
	for len(plan) > 0 && ctx.Err() == nil {
		n, err := x.storeBatch(ctx, src, read, plan)
		if err != nil {
			return err
		}
		x.stored.Add(int64(n))
		plan = plan[n:]
		time.Sleep(pause)
	}
	return ctx.Err()
}

// storeBatch brings the first notes of a plan into the index, and returns their number. It locks the
// file only while it writes, so that other processes can write, too.
func (x *Index) storeBatch(ctx context.Context, src Source, read readNote, plan []vault.Path) (n int, err error) {
	x.write.Lock() // else an older version of a note could be written last
	defer x.write.Unlock()
	x.synced.Store(nil)
	w := writer{words: map[string]bool{}}
	for size := 0; len(w.docs) < min(len(plan), batchNotes) && size <= batchBytes; {
		p := plan[len(w.docs)]
		d := document{path: p}
		_ = routine.Call(func() { // a fault costs this note
			if n, ok := src.Note(p); !ok || n.Private {
				return
			}
			if text, err := read(p); err == nil && !text.Note.Private {
				d = w.document(p, text)
				size += len(text.Content)
			}
		})
		w.docs = append(w.docs, d)
	}
	return len(w.docs), x.change(ctx, w.write)
}

// writer writes a batch of notes.
type writer struct {
	*change
	docs  []document
	words map[string]bool // of the batch, without those of dense scripts

	folded, tokens []byte // buffers
}

// document is a note in tokens, for writer.put. Without a note, the path is removed from the index.
type document struct {
	path             vault.Path
	note             *vault.Note
	title, addresses string
	tags             string // all of them, for the first piece
	head, headTags   string // in front of each piece
	pieces           []string
}

func (w *writer) document(p vault.Path, text *page) document {
	n := text.Note
	d := document{path: p, note: n, title: w.tokenise(titles(n)), tags: w.tokenise(categories(n))}
	d.head = w.tokenise(head(n))
	d.headTags = w.tokenise(clipHead(categories(n)))
	var addresses strings.Builder
	for _, p := range text.pieces() {
		seen, hidden := visibleText(text.Content[p.from:p.to])
		addresses.WriteString(hidden)
		d.pieces = append(d.pieces, w.tokenise(p.trail)+w.tokenise(seen))
	}
	d.addresses = w.tokenise(addresses.String())
	return d
}

// tokenise returns the tokens of s, and adds its words to those of the batch.
func (w *writer) tokenise(s string) string {
	w.folded, w.tokens = fold.Text(w.folded[:0], s), w.tokens[:0]
	fold.EachToken(w.folded, func(word []byte) {
		w.tokens = append(append(w.tokens, word...), ' ')
		if len(word) > 1 && len(word) <= longestWord && !w.words[string(word)] && mayBeMistyped(string(word)) {
			w.words[string(word)] = true
		}
	})
	return string(w.tokens)
}

// write writes the notes of the batch and the new words of the lexicon.
func (w *writer) write(c *change) {
	w.change = c
	for i := range w.docs {
		w.put(&w.docs[i])
	}
	words, err := json.Marshal(slices.Collect(maps.Keys(w.words)))
	w.err = cmp.Or(w.err, err)
	var added string
	w.row("SELECT coalesce(group_concat(value, ' '), '') FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM word WHERE folded = value)",
		string(words), &added)
	for word := range strings.FieldsSeq(added) {
		for _, s := range stem.Of(word) {
			w.exec("INSERT OR IGNORE INTO word VALUES (?, ?)", word, s)
		}
	}
}

func (w *writer) put(d *document) {
	var id int64
	var now state
	if w.row("SELECT id, mtime, size FROM note WHERE path = ?", string(d.path), &id, &now.mtime, &now.size) {
		if d.note != nil && now == stateOf(d.note) {
			return // another process was faster
		}
		w.exec("DELETE FROM text WHERE rowid BETWEEN ? AND ?", id<<pieceBits, id<<pieceBits|lastRow)
		w.exec("DELETE FROM title WHERE rowid BETWEEN ? AND ?", id<<pieceBits, id<<pieceBits|lastRow)
		w.exec("DELETE FROM note WHERE id = ?", id)
	}
	n := d.note
	if n == nil {
		w.exec("DELETE FROM meaning WHERE path = ?", string(d.path))
		w.exec("UPDATE vault SET gone = gone + 1")
		return
	}
	id, _ = w.exec("INSERT INTO note (path, mtime, size, pieces) VALUES (?, ?, ?, ?)",
		string(d.path), n.ModTime.UnixNano(), n.Size, len(d.pieces))
	for i, names := range d.titleRows() {
		w.exec("INSERT INTO title (rowid, names) VALUES (?, ?)", id<<pieceBits|int64(i), names)
	}
	for i, row := range d.textRows() {
		w.exec("INSERT INTO text (rowid, tags, body) VALUES (?, ?, ?)", id<<pieceBits|int64(i), row.tags, row.body)
	}
	for i, addresses := range cutTokens(d.addresses, lastRow-addressRow) {
		w.exec("INSERT INTO text (rowid, body) VALUES (?, ?)", id<<pieceBits|int64(addressRow+i), addresses)
	}
}

// titleRows returns the rows of the table title.
func (d *document) titleRows() []string {
	var names strings.Builder
	names.WriteString(d.title)
	for _, name := range namesOf(d.note) {
		names.WriteString(nameToken(fold.Line(name)))
		names.WriteByte(' ')
	}
	return cutTokens(names.String(), lastRow)
}

// textRow is a row of the table text.
type textRow struct{ tags, body string }

// textRows returns the rows of the pieces, and behind them those of what is too long for the first one.
func (d *document) textRows() (rows []textRow) {
	const more = (addressRow - mostPieces) / 2 // rows for tags, and as many for text
	tags := cutTokens(d.tags, more)
	for i, tokens := range d.pieces {
		row := textRow{d.headTags, d.head + tokens}
		if i == 0 && len(tags) > 0 {
			row.tags = tags[0]
		}
		rows = append(rows, row)
	}
	body := cutTokens(rows[0].body, more)
	for i, part := range body {
		if i == 0 {
			rows[0].body = part
			continue
		}
		rows = append(rows, textRow{body: part})
	}
	for i, part := range tags {
		if i > 0 {
			rows = append(rows, textRow{tags: part})
		}
	}
	return rows
}

// cutTokens cuts tokens into at most so many rows, of rowBytes if that is enough.
func cutTokens(tokens string, most int) (rows []string) {
	size := max(rowBytes, len(tokens)/(most/2))
	for len(tokens) > size {
		to := strings.LastIndexByte(tokens[:size], ' ') + 1
		if to == 0 { // one word, of which FTS5 keeps the beginning
			to = strings.IndexByte(tokens, ' ') + 1
		}
		if to == 0 {
			break
		}
		rows = append(rows, tokens[:to])
		tokens = tokens[to:]
	}
	if tokens != "" {
		rows = append(rows, tokens)
	}
	return rows
}

// nameToken returns a token for a whole folded name. It differs from the token of any word because a
// no-break space, which SQLite takes for a letter, begins it and joins its words.
func nameToken(name string) string {
	const join = "\u00a0"
	return join + strings.ReplaceAll(name, " ", join)
}
