package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/index/stem"
	"ibid/vault/routine"
)

// The size of a batch: small enough that an edit or another process waits some
// tens of milliseconds for the write lock, large enough to be worth a commit.
const (
	batchNotes = 300
	batchBytes = 1 << 20
)

// pause is how long Sync rests after a batch, so that a machine with few
// cores has time for the screen.
const pause = time.Millisecond

// state is what the index knows of the file that it read a note from.
type state struct {
	mtime, size int64
}

func stateOf(n *vault.Note) state { return state{n.ModTime.UnixNano(), n.Size} }

// document is a note on its way into the index.
type document struct {
	note    *vault.Note
	text    string
	gone    bool  // not to be in the index
	planned bool  // write only if the index still holds before
	before  state // zero: nothing
	left    bool  // the index may hold something else than note says
}

// Sync brings the index up to date with src: it reads the notes whose time or
// size is not what the index knows, and forgets those that are gone or private.
// It works in batches; when ctx ends it stops after the current one, keeps what
// is done, and returns the error of ctx. Notes that cannot be read are left out.
func (x *Index) Sync(ctx context.Context, src Source) error {
	err := x.sync(ctx, src)
	if errors.Is(err, errReopened) { // it was damaged and is empty now
		err = x.sync(ctx, src)
	}
	if err != nil {
		return fmt.Errorf("update search index: %w", err)
	}
	return nil
}

func (x *Index) sync(ctx context.Context, src Source) error {
	if err := x.follow(ctx); err != nil {
		return err
	}
	notes := src.Notes()
	sum := sumOf(notes)
	held, err := x.holds(ctx)
	if err != nil || held == sum && x.Ready() {
		return err
	}
	plan, err := x.plan(ctx, notes)
	if err != nil {
		return err
	}
	x.planned.Store(int64(len(plan)))
	x.stored.Store(0)
	read, done := many(src)
	defer done()
	for len(plan) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := prepareBatch(read, plan)
		if held, err = x.store(ctx, plan[:n]); err != nil {
			return err
		}
		if slices.ContainsFunc(plan[:n], func(d document) bool { return d.left }) {
			sum = held
		}
		x.stored.Add(int64(n))
		clear(plan[:n])
		plan = plan[n:]
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	if x.stored.Load() > 0 {
		_ = x.use(ctx, func(db *sql.DB) error { // without it the pages that were written stay in memory, no more
			_, err := db.ExecContext(ctx, "PRAGMA shrink_memory")
			return err
		})
	}
	if err := x.complete(ctx, held, sum); err != nil || x.inPlace() {
		return err
	}
	return errReopened // the file was deleted meanwhile, or another one put in its place
}

// plan is what it takes to make the index hold notes.
func (x *Index) plan(ctx context.Context, notes []*vault.Note) (plan []document, err error) {
	known, err := x.known(ctx)
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		before, ok := known[n.Path]
		delete(known, n.Path)
		switch {
		case n.Private && ok:
			plan = append(plan, document{note: n, gone: true})
		case !n.Private && before != stateOf(n):
			plan = append(plan, document{note: n, planned: true, before: before})
		}
	}
	for p := range known {
		plan = append(plan, document{note: &vault.Note{Path: p}, gone: true})
	}
	// In the index the notes stand by age: of too many hits the newest are ranked.
	slices.SortStableFunc(plan, func(a, b document) int { return a.note.ModTime.Compare(b.note.ModTime) })
	return plan, nil
}

// Progress is how many notes the Sync that runs, or ran last, has dealt with, and of
// how many. It may be called at any time.
func (x *Index) Progress() (done, all int) { return int(x.stored.Load()), int(x.planned.Load()) }

// Apply brings changed notes into the index, and is done when searches find
// them. A note that src no longer has, or that became private, is forgotten.
// Changes of other files are passed over.
func (x *Index) Apply(ctx context.Context, changes []vault.Change, src Source) error {
	var plan []document
	seen := map[vault.Path]bool{}
	for _, c := range changes {
		for _, p := range []vault.Path{c.From, c.Path} {
			if !p.IsNote() || seen[p] {
				continue
			}
			seen[p] = true
			if n, ok := src.Note(p); ok && !n.Private {
				plan = append(plan, document{note: n})
			} else {
				plan = append(plan, document{note: &vault.Note{Path: p}, gone: true})
			}
		}
	}
	read, done := many(src)
	defer done()
	for len(plan) > 0 {
		n := prepareBatch(read, plan)
		_, err := x.store(ctx, plan[:n])
		if errors.Is(err, errReopened) {
			return x.Sync(ctx, src) // it was damaged and is empty now
		}
		if err != nil {
			return fmt.Errorf("update search index: %w", err)
		}
		plan = plan[n:]
	}
	return nil
}

// sumOf is a number for what the notes are, all that are not private, such that
// others give another one.
func sumOf(notes []*vault.Note) int64 {
	const prime = 1099511628211 // of FNV-1a, which this is
	sum := uint64(14695981039346656037)
	for _, n := range notes {
		if n.Private {
			continue
		}
		for i := range len(n.Path) {
			sum = (sum ^ uint64(n.Path[i])) * prime
		}
		s := stateOf(n)
		sum = (sum ^ uint64(s.mtime)) * prime
		sum = (sum ^ uint64(s.size)) * prime
	}
	return int64(sum)
}

// holds is sumOf what the index holds, if that is known.
func (x *Index) holds(ctx context.Context) (sum int64, err error) {
	err = x.use(ctx, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, "SELECT holds FROM vault").Scan(&sum)
	})
	return sum, err
}

// known is what the index holds.
func (x *Index) known(ctx context.Context) (map[vault.Path]state, error) {
	known := map[vault.Path]state{}
	err := x.use(ctx, func(db *sql.DB) error {
		rows, err := db.QueryContext(ctx, "SELECT path, mtime, size FROM note")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var p vault.Path
			var s state
			if err := rows.Scan(&p, &s.mtime, &s.size); err != nil {
				return err
			}
			known[p] = s
		}
		return rows.Err()
	})
	return known, err
}

// prepareBatch reads the first documents of plan, one batch, and returns how many.
func prepareBatch(read reading, plan []document) int {
	bytes := 0
	for i := range plan {
		if i == batchNotes || bytes > batchBytes {
			return i
		}
		d := &plan[i]
		if d.gone {
			continue
		}
		text, err := read(d.note.Path)
		if err != nil {
			d.gone, d.left = true, true
			continue
		}
		d.note, d.text = text.Note, text.Content
		bytes += len(text.Content)
		runtime.Gosched()
	}
	return len(plan)
}

// store writes a batch in one transaction. held is what then stands for the notes
// that the index holds.
func (x *Index) store(ctx context.Context, batch []document) (held int64, err error) {
	held = rand.Int64()
	return held, x.change(ctx, func(tx *sql.Tx) error {
		w, err := x.newWriter(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE vault SET holds = ?", held); err != nil {
			return err
		}
		for i := range batch {
			if err := w.put(&batch[i]); err != nil {
				return err
			}
		}
		words, err := json.Marshal(slices.Sorted(maps.Keys(w.words)))
		if err == nil {
			_, err = w.addWords.Exec(string(words))
		}
		return err
	})
}

// complete notes that the index holds the whole vault: the notes of which sum is, if
// held still stands for what it holds.
func (x *Index) complete(ctx context.Context, held, sum int64) error {
	err := x.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE vault SET complete = 1, holds = CASE holds WHEN ? THEN ? ELSE holds END", held, sum)
		return err
	})
	if err == nil {
		x.counts.forget()
		x.ready.Store(true)
	}
	return err
}

// writer is the statements of one transaction.
type writer struct {
	find, touch, dropText, dropPiece, dropNames, dropNote, addNote, addName, addText, addPiece, addWords *sql.Stmt
	tokeniser
	words lexicon // of the batch
	stems map[stem.Languages]map[string]string
}

func (x *Index) newWriter(ctx context.Context, tx *sql.Tx) (*writer, error) {
	// A batch is short. Once begun it is written to its end: a statement that
	// watches for ctx costs more than it does.
	ctx = context.WithoutCancel(ctx)
	known := 0
	for _, of := range x.stems {
		known += len(of)
	}
	if x.stems == nil || known > mostStems {
		x.stems = map[stem.Languages]map[string]string{}
	}
	w := &writer{words: lexicon{}, stems: x.stems}
	return w, prepareAll(ctx, tx, []statement{
		{&w.find, "SELECT id, mtime, size, hash, pieces FROM note WHERE path = ?"},
		{&w.touch, "UPDATE note SET mtime = ?, size = ? WHERE id = ?"},
		{&w.dropText, "DELETE FROM text WHERE rowid = ?"},
		{&w.dropPiece, "DELETE FROM piece WHERE rowid = ?"},
		{&w.addPiece, "INSERT INTO piece (rowid, stems) VALUES (?, ?)"},
		{&w.dropNames, "DELETE FROM name WHERE note = ?"},
		{&w.addName, "INSERT OR IGNORE INTO name VALUES (?, ?)"},
		{&w.dropNote, "DELETE FROM note WHERE id = ?"},
		{&w.addNote, "INSERT INTO note (path, mtime, size, hash, words, pieces, piece_words) VALUES (?, ?, ?, ?, ?, ?, ?)"},
		{&w.addWords, "INSERT OR IGNORE INTO word SELECT value FROM json_each(?)"},
		{&w.addText, "INSERT INTO text (rowid, title, tags, body) VALUES (?, ?, ?, ?)"},
	})
}

// statement is what is to be prepared, and where it goes.
type statement struct {
	stmt **sql.Stmt
	sql  string
}

func prepareAll(ctx context.Context, tx *sql.Tx, all []statement) error {
	for _, s := range all {
		var err error
		if *s.stmt, err = tx.PrepareContext(ctx, s.sql); err != nil {
			return err
		}
	}
	return nil
}

// put replaces what the index holds of a note.
func (w *writer) put(d *document) error {
	var id int64
	var now state
	var hash []byte
	var pieces int64
	err := w.find.QueryRow(string(d.note.Path)).Scan(&id, &now.mtime, &now.size, &hash, &pieces)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	found := err == nil
	if d.planned && now != d.before {
		d.left = true
		return nil // an Apply or another process was faster, and read the note later
	}
	want, sum := stateOf(d.note), sha256.Sum256([]byte(d.text))
	if found && !d.gone && bytes.Equal(hash, sum[:]) {
		_, err := w.touch.Exec(want.mtime, want.size, id)
		return err
	}
	var t columns
	if !d.gone && routine.Call(func() { t = w.columns(d) }) != nil {
		d.gone, d.left = true, true // as one that cannot be read
	}
	if found {
		for i := range pieces {
			if _, err := w.dropPiece.Exec(id<<pieceBits | i); err != nil {
				return err
			}
		}
		for _, drop := range []*sql.Stmt{w.dropText, w.dropNames, w.dropNote} {
			if _, err := drop.Exec(id); err != nil {
				return err
			}
		}
	}
	if d.gone {
		return nil
	}
	res, err := w.addNote.Exec(string(d.note.Path), want.mtime, want.size, sum[:], t.words, len(t.pieces), t.pieceWords)
	if err != nil {
		return err
	}
	if id, err = res.LastInsertId(); err != nil {
		return err
	}
	for name := range strings.Lines(titles(d.note)) {
		if _, err := w.addName.Exec(foldLine(name), id); err != nil {
			return err
		}
	}
	for i, tokens := range t.pieces {
		if _, err := w.addPiece.Exec(id<<pieceBits|int64(i), tokens); err != nil {
			return err
		}
	}
	_, err = w.addText.Exec(id, t.title, t.tags, t.body)
	return err
}

// columns are the tokens of a note as the index holds them.
type columns struct {
	title, tags, body string
	pieces            []string // stems of each
	words, pieceWords int
}

// mostStems bounds the words whose stems are remembered.
const mostStems = 100_000

func (w *writer) columns(d *document) (t columns) {
	t.body = w.gathered(d.text)
	in := languageOf(w.folded)
	var headings strings.Builder
	for _, h := range d.note.Headings {
		headings.WriteString(h.Text + "\n")
	}
	t.title, t.tags = w.gathered(titles(d.note)), w.gathered(categories(d.note))
	names, n := w.stemmed(titles(d.note)+"\n"+categories(d.note), in)
	_, t.words = w.stemmed(headings.String(), in)
	t.words += n
	text := vault.Text{Note: d.note, Content: d.text}
	for i, p := range pieces(d.text, sections(&text)) {
		body, size := w.stemmed(visible(d.text[p.from:p.to]), in)
		heads, above := w.stemmed(p.trail, in)
		t.words += size
		t.pieceWords += n + above + size
		if i < mostPieces {
			t.pieces = append(t.pieces, names+heads+body)
		}
	}
	return t
}

// stemmed gives the stems of the words of a text in some language, and how many there are.
func (w *writer) stemmed(s string, in stem.Languages) (stems string, words int) {
	known := w.stems[in]
	if known == nil {
		known = map[string]string{}
		w.stems[in] = known
	}
	w.folded = foldText(w.folded[:0], s)
	w.tokens = w.tokens[:0]
	eachToken(w.folded, func(word []byte) {
		words++
		own, ok := known[string(word)]
		if !ok {
			own = stem.In(string(word), in)
			known[string(word)] = own
		}
		w.tokens = append(append(w.tokens, own...), ' ')
	})
	return string(w.tokens), words
}

// maxWords is how many different words of a text are indexed: the database holds each of
// them in memory, in 200 bytes, until the text is written.
const maxWords = 1 << 17

// gathered gives the tokens of s, and keeps its words for the lexicon.
func (w *writer) gathered(s string) string {
	tokens := w.tokenise(s)
	if len(tokens) > 2*maxWords {
		tokens = firstWords(tokens)
	}
	w.words.add(tokens)
	return string(tokens)
}

// firstWords leaves of tokens the first maxWords different ones, wherever they stand.
func firstWords(tokens []byte) []byte {
	seen, out := map[string]struct{}{}, tokens[:0]
	for word := range bytes.SplitAfterSeq(tokens, []byte(" ")) {
		if len(seen) < maxWords {
			seen[string(word)] = struct{}{}
		}
		if _, ok := seen[string(word)]; ok {
			out = append(out, word...)
		}
	}
	return out
}

// tokeniser cuts text into tokens. It is for one goroutine.
type tokeniser struct{ folded, tokens []byte } // buffers

// tokenise gives the tokens of s; they stand in a buffer until the next call.
func (t *tokeniser) tokenise(s string) []byte {
	t.folded = foldText(t.folded[:0], s)
	t.tokens = appendTokens(t.tokens[:0], t.folded)
	return t.tokens
}
