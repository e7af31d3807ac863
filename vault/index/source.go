package index

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/legible"
	"ibid/vault/routine"
)

// Source is the vault as this package needs it: *vault.Vault, or notes that are
// nowhere on disk. It must be safe for use by several goroutines.
type Source interface {
	// Notes returns all notes, without excluded ones but with private ones.
	Notes() []*vault.Note
	// Note returns one of them.
	Note(p vault.Path) (*vault.Note, bool)
	// Read returns the text of a note, or an error if it may not or cannot be read.
	Read(p vault.Path) (vault.Text, error)
}

// readNote reads notes for one goroutine.
type readNote func(vault.Path) (*page, error)

// reader returns a reader for one goroutine, which blanks the hidden parts of saved chats. A note
// that is too large, not downloaded, or no text reads as empty, so that it is found by its names.
func reader(src Source, read func(vault.Path) (vault.Text, error)) readNote {
	return func(p vault.Path) (*page, error) {
		t, err := read(p)
		if errors.Is(err, vault.ErrTooLarge) || errors.Is(err, vault.ErrBinary) ||
			errors.Is(err, vault.ErrNotDownloaded) {
			if n, ok := src.Note(p); ok {
				t, err = vault.Text{Note: n}, nil
			}
		}
		t.Content = legible.Lines(t.Content)
		return newPage(&t), err
	}
}

// Texts returns the note at a path as it is now, and the texts of its pieces, each with the title and
// the headings above it in front; "" for a piece with nothing but properties and blanks.
func Texts(src Source, p vault.Path) (n *vault.Note, texts []string, err error) {
	t, err := reader(src, src.Read)(p)
	if err != nil {
		return nil, nil, err
	}
	body := t.bodyStart()
	for _, piece := range t.pieces() {
		seen, _ := visibleText(t.Content[max(piece.from, min(body, piece.to)):piece.to])
		if seen = strings.TrimSpace(seen); seen != "" {
			seen = clipHead(t.Note.Title) + "\n" + piece.trail + seen
		}
		texts = append(texts, seen)
	}
	return t.Note, texts, nil
}

// isGone reports whether a note cannot be read because it went away or may no
// longer be read.
func isGone(err error) bool {
	return errors.Is(err, vault.ErrPrivate) || errors.Is(err, vault.ErrIgnored) || errors.Is(err, fs.ErrNotExist)
}

// bulkReader returns a reader for many notes and one goroutine, which calls done at the end.
func bulkReader(src Source) (_ readNote, done func()) {
	if v, ok := src.(interface{ BulkReader() *vault.BulkReader }); ok {
		r := v.BulkReader()
		return reader(src, r.Read), r.Close
	}
	return reader(src, src.Read), func() {}
}

// neighbours is the number of successive notes for one goroutine: those of one folder are read faster
// together.
const neighbours = 8

// forEachNote calls look for each note, in goroutines that end before it returns. start makes a look
// for each of them.
func forEachNote(ctx context.Context, src Source, notes []*vault.Note,
	start func(readNote) (look func(*vault.Note)),
) error {
	return routine.Share(ctx, len(notes), neighbours, func(mine iter.Seq[int]) {
		read, done := bulkReader(src)
		defer done()
		look := start(read)
		for i := range mine {
			_ = routine.Call(func() { look(notes[i]) }) // a fault costs this note
		}
	})
}

// namesOf returns every name that a note goes by.
func namesOf(n *vault.Note) []string {
	return slices.Compact(slices.Concat([]string{n.Title, n.Path.Base()}, n.Aliases))
}

// titles returns the names of a note as one text.
func titles(n *vault.Note) string { return strings.Join(namesOf(n), "\n") }

// head returns the names of a note, to stand in front of each of its pieces.
func head(n *vault.Note) string {
	all := titles(n)
	if len(all) <= headRunes {
		return all
	}
	aliases := strings.Join(n.Aliases, "\n")
	return clipHead(n.Title) + "\n" + clipHead(n.Path.Base()) + "\n" + clipHead(aliases)
}

// clipHead shortens a text that is repeated in front of each piece of a note.
func clipHead(text string) string { return text[:breakAt(text, headRunes)] }
