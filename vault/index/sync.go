package index

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
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
type state struct{ mtime, size int64 }

func stateOf(n *vault.Note) state { return state{n.ModTime.UnixNano(), n.Size} }

// Sync brings the index up to date with src: it reads the notes whose time or
// size is not what the index knows, and forgets those that are gone or private.
// It works in batches; when ctx ends it stops after the current one, keeps what
// is done, and returns the error of ctx. Notes that cannot be read are left out.
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
	if len(plan) > 0 {
		_ = x.use(ctx, func(db *sql.DB) error { // without it the pages that were written stay in memory, no more
			_, err := db.ExecContext(ctx, "PRAGMA shrink_memory")
			return err
		})
	}
	if err := x.change(ctx, func(c *change) { c.exec("UPDATE vault SET complete = 1") }); err != nil {
		return err
	}
	x.counts.Clear()
	x.ready.Store(true)
	if !x.inPlace() {
		return errReopened // the file was deleted meanwhile, or another one put in its place
	}
	return nil
}

// plan are the notes to be read anew, or forgotten, where known is what the index holds,
// in the order of their age: of too many hits the newest are ranked.
func plan(known map[vault.Path]state, notes []*vault.Note) (plan []vault.Path) {
	for _, n := range slices.Backward(byAge(notes, func(n *vault.Note) bool { return !n.Private && known[n.Path] != stateOf(n) })) {
		plan = append(plan, n.Path)
	}
	for _, n := range notes {
		if !n.Private {
			delete(known, n.Path)
		}
	}
	return slices.AppendSeq(plan, maps.Keys(known))
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
	changed := map[vault.Path]bool{}
	for _, c := range changes {
		changed[c.From], changed[c.Path] = true, true
	}
	maps.DeleteFunc(changed, func(p vault.Path, _ bool) bool { return !p.IsNote() })
	err := x.storeAll(ctx, src, slices.Sorted(maps.Keys(changed)), 0)
	if errors.Is(err, errReopened) {
		return x.Sync(ctx, src) // it was damaged and is empty now
	}
	return updateError(err)
}

// storeAll brings notes into the index as they are now, in batches, with a rest after each.
func (x *Index) storeAll(ctx context.Context, src Source, plan []vault.Path, rest time.Duration) error {
	read, done := batchReader(src)
	defer done()
	for len(plan) > 0 && ctx.Err() == nil {
		x.synced.Store(0)
		n := 0
		if err := x.change(ctx, func(c *change) {
			w := writer{change: c, words: map[string]bool{}}
			for size := 0; n < min(len(plan), batchNotes) && size <= batchBytes; n++ {
				size += w.put(src, read, plan[n])
			}
			w.putWords()
		}); err != nil {
			return err
		}
		x.stored.Add(int64(n))
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

// writer writes notes.
type writer struct {
	*change
	tokeniser
	words map[string]bool // of the batch, without those of dense scripts
}

// put replaces what the index holds of a note by what it is now, and gives its size.
func (w *writer) put(src Source, read readNote, p vault.Path) (size int) {
	var id int64
	if w.row("SELECT id FROM note WHERE path = ?", string(p), &id) {
		w.exec("DELETE FROM text WHERE rowid BETWEEN ? AND ?", id<<pieceBits, id<<pieceBits|addressPiece)
		w.exec("DELETE FROM title WHERE rowid = ?", id<<pieceBits)
		w.exec("DELETE FROM name WHERE note = ?", id)
		w.exec("DELETE FROM note WHERE id = ?", id)
	}
	if n, ok := src.Note(p); !ok || n.Private {
		return 0
	}
	var text vault.Text
	var t columns
	var err error
	if routine.Call(func() {
		if text, err = read(p); err == nil {
			t = w.columns(&text)
		}
	}) != nil || err != nil || text.Note.Private {
		return 0
	}
	n := text.Note
	id = w.exec("INSERT INTO note (path, mtime, size, pieces) VALUES (?, ?, ?, ?)", string(p), n.ModTime.UnixNano(), n.Size, len(t.pieces))
	w.exec("INSERT INTO title (rowid, names) VALUES (?, ?)", id<<pieceBits, t.title)
	for _, name := range append(n.Aliases[:len(n.Aliases):len(n.Aliases)], n.Title, p.Base()) {
		w.exec("INSERT OR IGNORE INTO name VALUES (?, ?)", foldLine(name), id)
	}
	for i, tokens := range t.pieces {
		w.exec("INSERT INTO text (rowid, tags, body) VALUES (?, ?, ?)", id<<pieceBits|int64(i), t.tags, tokens)
	}
	if t.addresses != "" {
		w.exec("INSERT INTO text (rowid, body) VALUES (?, ?)", id<<pieceBits|addressPiece, t.addresses)
	}
	return len(text.Content)
}

// columns are the tokens of a note as the index holds them.
type columns struct {
	title, tags, addresses string
	pieces                 []string // of each
}

func (w *writer) columns(text *vault.Text) columns {
	t := columns{title: w.gathered(titles(text.Note)), tags: w.gathered(categories(text.Note))}
	addresses := ""
	for i, p := range pieces(text.Content, sections(text)) {
		seen, hidden := visibleText(text.Content[p.from:p.to])
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
