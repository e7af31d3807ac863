package vectors

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"ibid/vault"
	"ibid/vault/index"
)

const (
	notesAtOnce = 16 // notes that are stored together
	hashBytes   = 8  // of a hash in a row of the table meaning

	firstWait = 5 * time.Second // after an error, then twice as long each time; and after a change: more may follow
	maxWait   = 10 * time.Minute
)

var (
	// ErrText is for [Finder.Embed] to return where the server refused a request because of its texts, as far as the
	// answer tells: fewer and shorter ones are tried then.
	ErrText = errors.New("the server does not take the text")
	// ErrOtherSize is the error of a Fill that found another model behind the name. Its vectors are dropped, and the
	// next Fill makes them anew.
	ErrOtherSize = errors.New("the model makes vectors of another size than before: all are made anew")
	// ErrNotAgreed is for [Finder.Embed] to return while a person has not agreed. Run waits for a change then.
	ErrNotAgreed = errors.New("nothing is sent before you agree")
)

// Run calls Fill now and after each change, until ctx ends. After an error it waits, longer each time up to maxWait.
// There is one Run of a Finder.
func (f *Finder) Run(ctx context.Context, changed <-chan struct{}) {
	f.mu.Lock()
	f.dropped = make(chan struct{}, 1)
	f.mu.Unlock()
	for wait := firstWait; ctx.Err() == nil; wait = min(2*wait, maxWait) {
		began := time.Now()
		err := f.Fill(ctx)
		f.trouble.Store(&err)
		if time.Since(began) > wait { // it went well for a while
			wait = firstWait
		}
		if err == nil || errors.Is(err, ErrNotAgreed) {
			select {
			case <-ctx.Done():
			case <-changed:
			case <-f.dropped:
			}
			wait = firstWait
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// Fill asks for the missing vectors and stores them, until none is missing. It does nothing before the index is ready.
func (f *Finder) Fill(ctx context.Context) error {
	x := f.Index(ctx)
	if x == nil || !x.Ready() {
		return nil
	}
	lock := flock.New(x.File() + ".vectors.lock")
	if ok, err := lock.TryLock(); err == nil && !ok {
		return errors.New("another window of ibid asks for them")
	}
	defer lock.Close() //nolint:errcheck // it is given up with the process at the latest
	w := filler{x: x, source: f.Source}
	w.ask = f.Embed
	w.model = f.Model
	w.most = textsAtOnce / 4
	missing, err := w.begin(ctx, f.current(ctx, x).damaged) // the newest first
	for some := range slices.Chunk(missing, notesAtOnce) {
		if err == nil {
			err = w.notes(ctx, some)
		}
	}
	if errors.Is(err, ErrOtherSize) {
		err = cmp.Or(dropSet(ctx, x, w.set), err)
	}
	if err == nil {
		err = x.Change(ctx, func(exec index.Exec) {
			exec("UPDATE model SET whole = 1 WHERE id = ?", w.set)
			exec("DELETE FROM model WHERE id <> ?", w.set)
		})
	}
	return err
}

// dropSet removes the vectors of a set.
func dropSet(ctx context.Context, x *index.Index, set int64) error {
	return x.Change(ctx, func(exec index.Exec) { exec("DELETE FROM model WHERE id = ?", set) })
}

// Again has the texts that the server did not take asked for by the next Fill, as when it takes longer ones by now.
func (f *Finder) Again(ctx context.Context) error {
	x := f.Index(ctx)
	if x == nil {
		return nil
	}
	return x.Change(ctx, func(exec index.Exec) {
		exec("UPDATE note SET vectors = 0 WHERE path IN (SELECT path FROM meaning WHERE refused > 0)")
	})
}

// filler fills the set of one model.
type filler struct {
	asker
	x      *index.Index
	source index.Source
	set    int64
}

// begin makes the set if there is none, and returns the notes without vectors in it, the newest first. Vectors of
// damaged notes are made anew.
func (w *filler) begin(ctx context.Context, damaged []vault.Path) (missing []vault.Path, err error) {
	err = w.x.Change(ctx, func(exec index.Exec) {
		exec("INSERT OR IGNORE INTO model VALUES (abs(random()), ?, 0, 0)", w.model)
		for _, p := range damaged {
			exec("UPDATE note SET vectors = 0 WHERE path = ?", p)
		}
	})
	if err != nil {
		return nil, err
	}
	err = w.x.Rows(ctx, func(rows *sql.Rows) error {
		missing = append(missing, "")
		return rows.Scan(&w.set, &w.size, &missing[len(missing)-1])
	}, `SELECT model.id, model.size, coalesce(path, '') FROM model LEFT JOIN note ON vectors <> model.id
		WHERE name = ? ORDER BY note.id DESC`, w.model)
	return missing, err
}

// notes asks for the missing vectors of some notes, and stores them if the index has the same version of the note.
func (w *filler) notes(ctx context.Context, paths []vault.Path) error {
	all := map[*vault.Note][]string{} // the texts of each note
	vectors := map[uint64][]byte{}    // by the hash of their text
	var missing []string
	for _, p := range paths {
		if n, ok := w.source.Note(p); !ok || !IsSent(n) {
			continue
		}
		n, texts, err := index.Texts(w.source, p)
		if err != nil || !IsSent(n) {
			continue // it cannot be read, or changed just now
		}
		if err := w.stored(ctx, p, vectors); err != nil {
			return err
		}
		all[n] = texts
		for _, text := range texts {
			if text != "" && vectors[hash(text)] == nil {
				missing = append(missing, text)
			}
		}
	}
	if err := w.embed(ctx, missing, vectors); err != nil {
		return err
	}
	return w.x.Change(ctx, func(exec index.Exec) {
		exec("UPDATE model SET size = ? WHERE id = ?", w.size, w.set)
		for n, texts := range all {
			w.store(exec, n, texts, vectors)
		}
	})
}

// stored adds the vectors to a map that the set has of a note, by the hashes of their texts.
func (w *filler) stored(ctx context.Context, p vault.Path, vectors map[uint64][]byte) error {
	return w.x.Rows(ctx, func(rows *sql.Rows) error {
		var hash, data []byte
		err := rows.Scan(&hash, &data)
		if len(hash) == hashBytes && len(data) == w.size && len(data) > 0 {
			vectors[binary.LittleEndian.Uint64(hash)] = data
		}
		return err
	}, `SELECT substr(hashes, 8 * (vector.id & 4095) + 1, 8), data FROM meaning
		JOIN vector ON vector.id BETWEEN meaning.id << 12 AND meaning.id << 12 | 4095
		WHERE path = ? AND model = ?`, p, w.set)
}

// store replaces the vectors of a note, unless the index has another version of it. A text without a vector has the
// hash 0: a hash stands for bits in the same row, by their order.
func (w *filler) store(exec index.Exec, n *vault.Note, texts []string, vectors map[uint64][]byte) {
	_, same := exec("UPDATE note SET vectors = ? WHERE path = ? AND mtime = ? AND size = ?",
		w.set, n.Path, n.ModTime.UnixNano(), n.Size)
	if same == 0 {
		return
	}
	exec("DELETE FROM meaning WHERE path = ? AND model = ?", n.Path, w.set)
	id, _ := exec("INSERT INTO meaning (path, model) VALUES (?, ?)", n.Path, w.set)
	var hashes, bits []byte
	refused := 0
	for i, text := range texts {
		h := hash(text)
		data := vectors[h]
		switch {
		case len(data) > 0:
			exec("INSERT INTO vector VALUES (? << 12 | ?, ?)", id, i, data)
			bits = append(bits, signs(data)...)
		case text != "":
			refused++
			fallthrough
		default:
			h = 0
		}
		hashes = binary.LittleEndian.AppendUint64(hashes, h)
	}
	exec("UPDATE meaning SET hashes = ?, bits = ?, refused = ? WHERE id = ?", hashes, bits, refused, id)
}

// hash identifies the text of an unchanged piece; that of an empty one is 0.
func hash(text string) uint64 { return crc64.Checksum([]byte(text), crc64.MakeTable(crc64.ECMA)) }
