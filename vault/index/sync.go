package index

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
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
	if sum == x.synced.Load() && x.Ready() {
		return nil
	}
	known, err := x.known(ctx)
	if err != nil {
		return err
	}
	plan := plan(known, notes)
	if len(plan) == 0 && x.Ready() {
		x.synced.Store(sum)
		return nil
	}
	x.planned.Store(int64(len(plan)))
	x.stored.Store(0)
	if err := x.storeAll(ctx, src, plan, pause); err != nil {
		return err
	}
	if x.stored.Load() > 0 {
		_ = x.use(ctx, func(db *sql.DB) error { // without it the pages that were written stay in memory, no more
			_, err := db.ExecContext(ctx, "PRAGMA shrink_memory")
			return err
		})
	}
	if err := x.complete(ctx); err != nil || x.inPlace() {
		return err
	}
	return errReopened // the file was deleted meanwhile, or another one put in its place
}

// plan is what it takes to make an index that holds what is known hold notes.
func plan(known map[vault.Path]state, notes []*vault.Note) (plan []document) {
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
	return plan
}

// Progress is how many notes the Sync that runs, or ran last, has dealt with, and of
// how many. It may be called at any time.
func (x *Index) Progress() (done, all int) {
	return int(min(x.stored.Load(), x.planned.Load())), int(x.planned.Load())
}

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
	err := x.storeAll(ctx, src, plan, 0)
	if errors.Is(err, errReopened) {
		return x.Sync(ctx, src) // it was damaged and is empty now
	}
	if err != nil {
		return fmt.Errorf("update search index: %w", err)
	}
	return nil
}

// storeAll writes a plan in batches, with a rest after each.
func (x *Index) storeAll(ctx context.Context, src Source, plan []document, rest time.Duration) error {
	read, done := batchReader(src)
	defer done()
	for len(plan) > 0 && ctx.Err() == nil {
		n := prepareBatch(read, plan)
		if err := x.store(ctx, plan[:n]); err != nil {
			return err
		}
		x.stored.Add(int64(n))
		clear(plan[:n])
		plan = plan[n:]
		time.Sleep(rest)
	}
	return ctx.Err()
}

// seed is of sums of this process.
var seed = maphash.MakeSeed()

// sumOf is a number for what the notes are, all that are not private.
func sumOf(notes []*vault.Note) (sum uint64) {
	type held struct {
		vault.Path
		state
	}
	for _, n := range notes {
		if !n.Private {
			sum += maphash.Comparable(seed, held{n.Path, stateOf(n)})
		}
	}
	return sum
}

// known is what the index holds.
func (x *Index) known(ctx context.Context) (map[vault.Path]state, error) {
	known := map[vault.Path]state{}
	err := x.use(ctx, func(db *sql.DB) error {
		return eachRow(ctx, db, func(rows *sql.Rows) (bool, error) {
			var p vault.Path
			var s state
			err := rows.Scan(&p, &s.mtime, &s.size)
			known[p] = s
			return true, err
		}, "SELECT path, mtime, size FROM note")
	})
	return known, err
}

// prepareBatch reads the first documents of plan, one batch, and returns how many.
func prepareBatch(read readNote, plan []document) int {
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
			d.gone = true
			continue
		}
		d.note, d.text = text.Note, text.Content
		bytes += len(text.Content)
		runtime.Gosched()
	}
	return len(plan)
}

// store writes a batch in one transaction.
func (x *Index) store(ctx context.Context, batch []document) error {
	x.synced.Store(0)
	return x.change(ctx, func(c *change) {
		w := writer{change: c, words: map[string]bool{}}
		for i := range batch {
			w.put(&batch[i])
		}
		w.putWords()
	})
}

// putWords puts the words of the batch that are new into the lexicon.
func (w *writer) putWords() {
	words, err := json.Marshal(slices.Collect(maps.Keys(w.words)))
	w.err = cmp.Or(w.err, err)
	var added string
	w.row("SELECT coalesce(group_concat(value, ' '), '') FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM word WHERE folded = value)", string(words), &added)
	for word := range strings.FieldsSeq(added) {
		for _, s := range stem.Of(word) {
			w.exec("INSERT OR IGNORE INTO word VALUES (?, ?)", word, s)
		}
	}
}

// complete notes that the index has held the whole vault.
func (x *Index) complete(ctx context.Context) error {
	err := x.change(ctx, func(c *change) { c.exec("UPDATE vault SET complete = 1") })
	if err == nil {
		x.counts.Clear()
		x.ready.Store(true)
	}
	return err
}

// writer writes notes.
type writer struct {
	*change
	tokeniser
	words map[string]bool // of the batch, without those of dense scripts
}

// put replaces what the index holds of a note.
func (w *writer) put(d *document) {
	var id int64
	var now state
	var hash []byte
	found := w.row("SELECT id, mtime, size, hash FROM note WHERE path = ?", string(d.note.Path), &id, &now.mtime, &now.size, &hash)
	if d.planned && now != d.before {
		return // an Apply or another process was faster, and read the note later
	}
	want, sum := stateOf(d.note), sha256.Sum256([]byte(d.text))
	if found && !d.gone && bytes.Equal(hash, sum[:]) {
		w.exec("UPDATE note SET mtime = ?, size = ? WHERE id = ?", want.mtime, want.size, id)
		return
	}
	var t columns
	if !d.gone && routine.Call(func() { t = w.columns(d) }) != nil {
		d.gone = true // as one that cannot be read
	}
	if found {
		w.exec("DELETE FROM text WHERE rowid BETWEEN ? AND ?", id<<pieceBits, id<<pieceBits|addressPiece)
		w.exec("DELETE FROM title WHERE rowid = ?", id<<pieceBits)
		w.exec("DELETE FROM note WHERE id = ?", id)
	}
	if d.gone {
		return
	}
	id = w.exec("INSERT INTO note (path, mtime, size, hash, pieces) VALUES (?, ?, ?, ?, ?)",
		string(d.note.Path), want.mtime, want.size, sum[:], len(t.pieces))
	w.exec("INSERT INTO title (rowid, names) VALUES (?, ?)", id<<pieceBits, t.title)
	for i, tokens := range t.pieces {
		w.exec("INSERT INTO text (rowid, tags, body) VALUES (?, ?, ?)", id<<pieceBits|int64(i), t.tags, tokens)
	}
	if t.addresses != "" {
		w.exec("INSERT INTO text (rowid, body) VALUES (?, ?)", id<<pieceBits|addressPiece, t.addresses)
	}
}

// columns are the tokens of a note as the index holds them.
type columns struct {
	title, tags, addresses string
	pieces                 []string // of each
}

func (w *writer) columns(d *document) columns {
	t := columns{title: w.gathered(titles(d.note)), tags: w.gathered(categories(d.note))}
	addresses := ""
	text := vault.Text{Note: d.note, Content: d.text}
	for i, p := range pieces(d.text, sections(&text)) {
		seen, hidden := visibleText(d.text[p.from:p.to])
		if addresses += hidden; i == addressPiece {
			break
		}
		t.pieces = append(t.pieces, t.title+w.gathered(p.trail)+w.gathered(seen))
	}
	t.addresses = w.gathered(addresses)
	return t
}

// gathered gives the tokens of s, and keeps its words for the lexicon.
func (w *writer) gathered(s string) string {
	t := w.tokenise(s)
	for word := range bytes.FieldsSeq(t) {
		if !w.words[string(word)] && len(word) > 1 && len(word) <= longestWord && mayBeMistyped(string(word)) {
			w.words[string(word)] = true
		}
	}
	return string(t)
}

// tokeniser cuts text into tokens. It is for one goroutine.
type tokeniser struct{ folded, tokens []byte } // buffers

// tokenise gives the tokens of s; they stand in a buffer until the next call.
func (t *tokeniser) tokenise(s string) []byte {
	t.folded = foldText(t.folded[:0], s)
	t.tokens = appendTokens(t.tokens[:0], t.folded)
	return t.tokens
}
