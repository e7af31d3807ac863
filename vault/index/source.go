package index

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"ibid/vault"
	"ibid/vault/md"
	"ibid/vault/routine"
)

// Source is the vault as this package needs it: *vault.Vault, or notes that are
// nowhere on disk. It must be safe for use by several goroutines.
type Source interface {
	// Notes are all notes, without excluded ones. Private ones may be among them.
	Notes() []*vault.Note
	// Note finds one of them.
	Note(p vault.Path) (*vault.Note, bool)
	// Read gives the text of a note, or an error for one that may not or cannot
	// be read.
	Read(p vault.Path) (vault.Text, error)
}

// section is the part of a note from one heading to the next: what is indexed
// and found as one.
type section struct {
	heading    string // text of the heading, "" before the first
	trail      string // the headings above it and its own
	start, end int    // 1-based lines, inclusive
	from, to   int    // byte offsets of its text, without the heading's own
}

// read is the text of a note without what ibid hides in a saved chat.
func read(src Source, p vault.Path) (vault.Text, error) {
	t, err := src.Read(p)
	return searchedText(src, p, t, err)
}

// searchedText is what is searched of a note that was read. One that is too large, not
// downloaded, or no text, is as if it were empty: it is found by its names.
func searchedText(src Source, p vault.Path, t vault.Text, err error) (vault.Text, error) {
	if errors.Is(err, vault.ErrTooLarge) || errors.Is(err, vault.ErrBinary) || errors.Is(err, vault.ErrNotDownloaded) {
		if n, ok := src.Note(p); ok {
			return vault.Text{Note: n, ModTime: n.ModTime, Size: n.Size}, nil
		}
	}
	t.Content = md.BlankHidden(t.Content)
	return t, err
}

// Texts are the note at a path as it is now and the texts of its pieces, each with the title
// and the headings above it in front; "" is one of properties and blanks alone.
func Texts(src Source, p vault.Path) (n *vault.Note, texts []string, err error) {
	t, err := read(src, p)
	if err != nil {
		return nil, nil, err
	}
	body := bodyStart(&t)
	for _, piece := range pieces(t.Content, sections(&t)) {
		seen, _ := visibleText(t.Content[max(piece.from, min(body, piece.to)):piece.to])
		if seen = strings.TrimSpace(seen); seen != "" {
			seen = t.Note.Title + "\n" + piece.trail + seen
		}
		texts = append(texts, seen)
	}
	return t.Note, texts[:min(len(texts), addressPiece)], nil
}

// readNote reads notes for one goroutine.
type readNote func(vault.Path) (vault.Text, error)

// batchReader is how a goroutine reads many notes of src, and what it calls then.
func batchReader(src Source) (_ readNote, done func()) {
	read, done := src.Read, func() {}
	if v, ok := src.(interface{ BulkReader() *vault.BulkReader }); ok {
		r := v.BulkReader()
		read, done = r.Read, r.Close
	}
	return func(p vault.Path) (vault.Text, error) {
		t, err := read(p)
		return searchedText(src, p, t, err)
	}, done
}

// run is how many notes in a row a goroutine takes at once: those of one folder are read
// together.
const run = 8

// forEachNote calls functions that start makes, one for each goroutine, for the notes. The
// goroutines end before it returns.
func forEachNote(ctx context.Context, src Source, notes []*vault.Note, start func(readNote) (look func(*vault.Note))) error {
	var next atomic.Int64
	var wg routine.Group
	for range min(runtime.GOMAXPROCS(0), len(notes)) {
		wg.Go(func() {
			read, done := batchReader(src)
			defer done()
			look := start(read)
			for {
				from := int(next.Add(run)) - run
				if from >= len(notes) {
					return
				}
				for _, n := range notes[from:min(from+run, len(notes))] {
					if ctx.Err() != nil {
						return
					}
					_ = routine.Call(func() { look(n) }) // a fault costs this note
				}
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// sections cuts a note at its headings. Properties and what stands before the
// first heading are a section of their own.
func sections(t *vault.Text) (list []section) {
	l, heads := newLines(t.Content), append([]vault.Heading{{}}, t.Note.Headings...)
	var above []vault.Heading
	for i, h := range heads {
		end := l.count()
		if i+1 < len(heads) {
			end = heads[i+1].Line - 1
		}
		for len(above) > 0 && above[len(above)-1].Level >= h.Level {
			above = above[:len(above)-1]
		}
		s := section{heading: h.Text, start: max(h.Line, 1), end: end, from: l.start(h.Line + 1), to: l.start(max(h.Line, end) + 1)}
		if above = append(above, h); i == 0 {
			if above = nil; len(heads) > 1 && strings.TrimSpace(l.text[:s.to]) == "" {
				continue
			}
		}
		for _, a := range above {
			s.trail += a.Text + "\n"
		}
		list = append(list, s)
	}
	return list
}

// lines is a text and where its lines start.
type lines struct {
	text   string
	starts []int
}

func newLines(text string) lines {
	l := lines{text, append(make([]int, 0, 64), 0)}
	for at := lineEndAt(text, 0); at < len(text); at = lineEndAt(text, at) {
		l.starts = append(l.starts, at)
	}
	return l
}

func (l *lines) count() int { return len(l.starts) }

// start is where a line starts, 1-based; one behind the last at the end of the text.
func (l *lines) start(line int) int {
	if line > len(l.starts) {
		return len(l.text)
	}
	return l.starts[line-1]
}

// between gives the text of some lines, 1-based and inclusive.
func (l *lines) between(first, last int) string { return l.text[l.start(first):l.start(last+1)] }

// titles is the text of a note's title field: every name that it goes by.
func titles(n *vault.Note) string {
	return strings.Join(slices.Compact(slices.Concat([]string{n.Title, n.Path.Base()}, n.Aliases)), "\n")
}
