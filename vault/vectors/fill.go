package vectors

import (
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
	notesAtOnce = 16          // notes that are kept together
	textsAtOnce = 32          // texts of a request, at most
	slow        = time.Second // a request that takes longer is followed by a smaller one: a question waits for it

	firstWait = 5 * time.Second // after an error; the next wait is twice as long
	maxWait   = 10 * time.Minute
	quiet     = 5 * time.Second // after a change: who writes a note saves it more than once
)

var (
	// ErrText is what an [Embed] says of texts that its server does not take. One by itself is left out then.
	ErrText = errors.New("the server does not take the text")
	// ErrNotAgreed is what [Options.Open] says while a person has not agreed. A change may be that.
	ErrNotAgreed = errors.New("nothing is sent before you agree")

	errElsewhere = errors.New("another window of ibid asks for them")
)

// trouble holds the error of a Fill, nil for none.
type trouble struct{ error }

// Run calls Fill now and after each change, until ctx ends. After an error it waits, longer each time up to maxWait.
func (f *Finder) Run(ctx context.Context, changed <-chan struct{}) {
	for wait := firstWait; ctx.Err() == nil; {
		began := time.Now()
		err := f.Fill(ctx)
		if f.trouble.Store(trouble{err}); time.Since(began) > wait { // it went well for a while
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
		wait = min(2*wait, maxWait)
	}
}

// Fill asks for the missing vectors and stores them, until none is missing. It does nothing before the index is ready.
func (f *Finder) Fill(ctx context.Context) error {
	x := f.Index(ctx)
	if x == nil || !x.Ready() {
		return nil
	}
	ask, err := f.Open(ctx, f.Model)
	if err != nil {
		return err
	}
	lock := flock.New(x.File()+".vectors.lock", flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); err == nil && !ok {
		return errElsewhere
	}
	defer lock.Close() //nolint:errcheck // it is given up with the process at the latest
	w := filler{Finder: f, x: x, ask: ask, most: textsAtOnce / 4}
	// One that is not whole serves nobody once another is wanted.
	err = x.Change(ctx, func(exec execFunc) {
		exec("DELETE FROM model WHERE NOT whole AND name <> ?", f.Model)
		exec("INSERT OR IGNORE INTO model VALUES (abs(random()), ?, 0, 0)", f.Model)
	})
	var missing []vault.Path // the newest first
	if err == nil {
		err = x.Rows(ctx, func(rows *sql.Rows) error {
			missing = append(missing, "")
			return rows.Scan(&w.set, &w.size, &missing[len(missing)-1])
		}, "SELECT model.id, model.size, coalesce(path, '') FROM model LEFT JOIN note ON vectors <> model.id WHERE name = ? ORDER BY note.id DESC", f.Model)
	}
	for some := range slices.Chunk(missing, notesAtOnce) {
		if err == nil {
			err = w.notes(ctx, some)
		}
	}
	if err == nil {
		err = x.Change(ctx, func(exec execFunc) {
			exec("UPDATE model SET whole = 1 WHERE id = ?", w.set)
			exec("DELETE FROM model WHERE id <> ?", w.set)
		})
	}
	return err
}

// execFunc changes rows of the file.
type execFunc = func(query string, args ...any) (id int64)

// filler fills the set of one model.
type filler struct {
	*Finder
	x    *index.Index
	ask  Embed
	set  int64
	size int // numbers of its vectors, 0 before the first
	most int // texts of the next request
}

// section is a piece of a note.
type section struct {
	text string // "" for none
	hash uint64 // of text, 0 for none
	data []byte // its vector, nil for none
}

// notes asks for the missing vectors of some notes, and stores them if the index has the same version of the note.
func (w *filler) notes(ctx context.Context, paths []vault.Path) error {
	all := map[*vault.Note][]section{}
	var missing []*section
	for _, p := range paths {
		n, list, err := w.sections(ctx, p)
		if err != nil {
			return err
		}
		if n != nil {
			all[n] = list
		}
		for i := range list {
			if s := &list[i]; s.data == nil && s.text != "" {
				missing = append(missing, s)
			}
		}
	}
	if err := w.embed(ctx, missing); err != nil {
		return err
	}
	return w.x.Change(ctx, func(exec execFunc) {
		exec("UPDATE model SET size = ? WHERE id = ?", w.size, w.set)
		for n, list := range all {
			var hashes, bits []byte
			for _, s := range list {
				if s.data == nil {
					s.hash = 0
				}
				hashes, bits = binary.LittleEndian.AppendUint64(hashes, s.hash), append(bits, signs(s.data)...)
			}
			exec("UPDATE note SET vectors = ? WHERE path = ? AND mtime = ? AND size = ?", w.set, n.Path, n.ModTime.UnixNano(), n.Size)
			exec("DELETE FROM meaning WHERE path IN (SELECT path FROM note WHERE path = ? AND vectors = ?) AND model = ?", n.Path, w.set, w.set)
			exec("INSERT INTO meaning (path, model, hashes, bits) SELECT path, vectors, ?, ? FROM note WHERE path = ? AND vectors = ?", hashes, bits, n.Path, w.set)
			for i, s := range list {
				if s.data != nil {
					exec("INSERT INTO vector SELECT meaning.id << ? | ?, ? FROM meaning JOIN note USING (path) WHERE path = ? AND model = ? AND vectors = model", pieceBits, i, s.data, n.Path, w.set)
				}
			}
		}
	})
}

// sections returns the note at a path and its pieces, with the stored vectors of unchanged pieces. n is nil if the
// note is not sent, or cannot be read now.
func (w *filler) sections(ctx context.Context, p vault.Path) (n *vault.Note, list []section, err error) {
	if n, ok := w.Source.Note(p); !ok || !IsSent(n) {
		return nil, nil, nil
	}
	n, texts, err := index.Texts(w.Source, p)
	if err != nil || !IsSent(n) {
		return nil, nil, nil
	}
	had := map[uint64][]byte{}
	err = w.x.Rows(ctx, func(rows *sql.Rows) error {
		var hash, data []byte
		err := rows.Scan(&hash, &data)
		had[binary.LittleEndian.Uint64(hash)] = data
		return err
	}, "SELECT substr(hashes, 8 * (vector.id & ?) + 1, 8), data FROM meaning JOIN vector ON vector.id BETWEEN meaning.id << ? AND meaning.id << ? | ? WHERE path = ? AND model = ?",
		lastPiece, pieceBits, pieceBits, lastPiece, p, w.set)
	before, _ := introductions(w.Model)
	for _, text := range texts {
		s := section{}
		if text != "" {
			s.hash = crc64.Checksum([]byte(text), crc64.MakeTable(crc64.ECMA))
			s.text, s.data = before+text, had[s.hash]
		}
		list = append(list, s)
	}
	return n, list, err
}

// embed asks for vectors, with as many texts in a request as the server answers in a second.
func (w *filler) embed(ctx context.Context, missing []*section) error {
	for len(missing) > 0 {
		n := min(len(missing), w.most)
		var texts []string
		for _, s := range missing[:n] {
			texts = append(texts, s.text)
		}
		began := time.Now()
		vectors, err := w.ask(ctx, texts)
		refused := errors.Is(err, ErrText)
		if w.most = min(2*n, textsAtOnce); refused || time.Since(began) > slow {
			w.most = max(1, n/2)
		}
		if refused && n > 1 {
			continue
		}
		if err == nil && len(vectors) > 0 && w.size == 0 {
			w.size = len(vectors[0])
		}
		switch {
		case err != nil && !refused:
			return err
		case err == nil && !areVectors(vectors, n, w.size):
			if len(vectors) == n && areVectors(vectors, n, len(vectors[0])) { // of another model by now: all is asked for anew
				err = w.x.Change(ctx, func(exec execFunc) { exec("DELETE FROM model WHERE id = ?", w.set) })
			}
			return errors.Join(errors.New("the server makes other vectors than before, or none"), err)
		}
		for i, v := range vectors {
			missing[i].data = pack(v)
		}
		missing = missing[n:]
	}
	return nil
}

// areVectors reports whether an answer holds n vectors of size numbers each.
func areVectors(answer [][]float32, n, size int) bool {
	return len(answer) == n && size > 0 && size <= maxNumbers && !slices.ContainsFunc(answer, func(v []float32) bool { return len(v) != size })
}
