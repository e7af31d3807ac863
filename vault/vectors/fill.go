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
	notesAtOnce = 16          // notes that are stored together
	textsAtOnce = 32          // texts of a request, at most
	slow        = time.Second // a request that takes longer is followed by a smaller one: a question waits for it

	firstWait = 5 * time.Second // after an error, then twice as long each time; and after a change: more may follow
	maxWait   = 10 * time.Minute
)

var (
	// ErrText is for [Finder.Embed] to return for texts that the server does not take. One by itself is left out then.
	ErrText = errors.New("the server does not take the text")
	// ErrNotAgreed is for [Finder.Embed] to return while a person has not agreed. Run waits for a change then.
	ErrNotAgreed = errors.New("nothing is sent before you agree")
)

// Run calls Fill now and after each change, until ctx ends. After an error it waits, longer each time up to maxWait.
func (f *Finder) Run(ctx context.Context, changed <-chan struct{}) {
	for wait := firstWait; ctx.Err() == nil; wait = min(2*wait, maxWait) {
		began := time.Now()
		err := f.Fill(ctx)
		if f.trouble.Store(&err); time.Since(began) > wait { // it went well for a while
			wait = firstWait
		}
		if err == nil || errors.Is(err, ErrNotAgreed) {
			select {
			case <-ctx.Done():
			case <-changed:
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
	w := filler{Finder: f, x: x, most: textsAtOnce / 4}
	var missing []vault.Path // the newest first
	err := cmp.Or(x.Change(ctx, func(exec index.Exec) {
		exec("INSERT OR IGNORE INTO model VALUES (abs(random()), ?, 0, 0)", f.Model)
	}), x.Rows(ctx, func(rows *sql.Rows) error {
		missing = append(missing, "")
		return rows.Scan(&w.set, &w.size, &missing[len(missing)-1])
	}, "SELECT model.id, model.size, coalesce(path, '') FROM model LEFT JOIN note ON vectors <> model.id WHERE name = ? ORDER BY note.id DESC", f.Model))
	for some := range slices.Chunk(missing, notesAtOnce) {
		if err == nil {
			err = w.notes(ctx, some)
		}
	}
	if err == nil {
		err = x.Change(ctx, func(exec index.Exec) {
			exec("UPDATE model SET whole = 1 WHERE id = ?", w.set)
			exec("DELETE FROM model WHERE id <> ?", w.set)
		})
	}
	return err
}

// filler fills the set of one model.
type filler struct {
	*Finder
	x    *index.Index
	set  int64
	size int // numbers of its vectors, 0 before the first
	most int // texts of the next request
}

// notes asks for the missing vectors of some notes, and stores them if the index has the same version of the note.
func (w *filler) notes(ctx context.Context, paths []vault.Path) error {
	all, vectors := map[*vault.Note][]string{}, map[uint64][]byte{} // texts, and vectors by hash
	var missing []string
	for _, p := range paths {
		if n, ok := w.Source.Note(p); !ok || !IsSent(n) {
			continue
		}
		n, texts, err := index.Texts(w.Source, p)
		if err != nil || !IsSent(n) {
			continue // it cannot be read, or changed just now
		}
		if err := w.x.Rows(ctx, func(rows *sql.Rows) error {
			var hash, data []byte
			err := rows.Scan(&hash, &data)
			vectors[binary.LittleEndian.Uint64(hash)] = data
			return err
		}, "SELECT substr(hashes, 8 * (vector.id & 4095) + 1, 8), data FROM meaning JOIN vector ON vector.id BETWEEN meaning.id << 12 AND meaning.id << 12 | 4095 WHERE path = ? AND model = ?", p, w.set); err != nil {
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
			if _, same := exec("UPDATE note SET vectors = ? WHERE path = ? AND mtime = ? AND size = ?", w.set, n.Path, n.ModTime.UnixNano(), n.Size); same == 0 {
				continue
			}
			exec("DELETE FROM meaning WHERE path = ? AND model = ?", n.Path, w.set)
			id, _ := exec("INSERT INTO meaning (path, model) VALUES (?, ?)", n.Path, w.set)
			var hashes, bits []byte
			for i, text := range texts {
				h := hash(text)
				data := vectors[h]
				if data == nil {
					h = 0
				} else {
					exec("INSERT INTO vector VALUES (? << 12 | ?, ?)", id, i, data)
				}
				hashes, bits = binary.LittleEndian.AppendUint64(hashes, h), append(bits, signs(data)...)
			}
			exec("UPDATE meaning SET hashes = ?, bits = ? WHERE id = ?", hashes, bits, id)
		}
	})
}

// hash identifies the text of an unchanged piece; that of an empty one is 0.
func hash(text string) uint64 { return crc64.Checksum([]byte(text), crc64.MakeTable(crc64.ECMA)) }

// embed asks for vectors, with as many texts in a request as the server answers in a second, and adds them to vectors.
func (w *filler) embed(ctx context.Context, missing []string, vectors map[uint64][]byte) error {
	before, _ := introductions(w.Model)
	for len(missing) > 0 {
		n := min(len(missing), w.most)
		var texts []string
		for _, text := range missing[:n] {
			texts = append(texts, before+text)
		}
		began := time.Now()
		answer, err := w.Embed(ctx, w.Model, texts)
		refused := errors.Is(err, ErrText)
		if w.most = min(2*n, textsAtOnce); refused || time.Since(began) > slow {
			w.most = max(1, n/2)
		}
		size := sizeOf(answer, n)
		w.size = cmp.Or(w.size, size)
		switch {
		case refused && n > 1:
			continue
		case err != nil && !refused:
			return err
		case err == nil && (size == 0 || size != w.size):
			if size > 0 { // the name is another model's by now: all is asked for anew
				_ = w.x.Change(ctx, func(exec index.Exec) { exec("DELETE FROM model WHERE id = ?", w.set) })
			}
			return errors.New("the server makes other vectors than before, or none")
		}
		for i, v := range answer {
			vectors[hash(missing[i])] = pack(v)
		}
		missing = missing[n:]
	}
	return nil
}

// sizeOf returns the number of numbers in each of n vectors, 0 if the answer does not hold so many alike.
func sizeOf(answer [][]float32, n int) int {
	if len(answer) != n || slices.ContainsFunc(answer, func(v []float32) bool { return len(v) != len(answer[0]) }) {
		return 0
	}
	return len(answer[0])
}
