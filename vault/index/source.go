package index

import (
	"errors"
	"strings"

	"ibid/vault"
	"ibid/vault/md"
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
	return shown(src, p, t, err)
}

// shown is what is searched of a note that was read. One that is too large, not
// downloaded, or no text, is as if it were empty: it is found by its names.
func shown(src Source, p vault.Path, t vault.Text, err error) (vault.Text, error) {
	if errors.Is(err, vault.ErrTooLarge) || errors.Is(err, vault.ErrBinary) || errors.Is(err, vault.ErrNotDownloaded) {
		if n, ok := src.Note(p); ok {
			return vault.Text{Note: n, ModTime: n.ModTime, Size: n.Size}, nil
		}
	}
	t.Content = md.BlankHidden(t.Content)
	return t, err
}

// reading reads notes for one goroutine.
type reading func(vault.Path) (vault.Text, error)

// many is how a goroutine reads many notes of src, and what it calls then.
func many(src Source) (_ reading, done func()) {
	read, done := src.Read, func() {}
	if v, ok := src.(interface{ BulkReader() *vault.BulkReader }); ok {
		r := v.BulkReader()
		read, done = r.Read, r.Close
	}
	return func(p vault.Path) (vault.Text, error) {
		t, err := read(p)
		return shown(src, p, t, err)
	}, done
}

// sections cuts a note at its headings. Properties and what stands before the
// first heading are a section of their own.
func sections(t *vault.Text) []section {
	text := t.Content
	lines := lineStarts(text)
	out := make([]section, 0, len(t.Note.Headings)+1)
	var above []vault.Heading
	eachSection(t, lines, func(heading, from, to int) bool {
		if heading < 0 {
			out = append(out, section{start: from, end: to, to: lineEnd(lines, to, len(text))})
			return true
		}
		h := t.Note.Headings[heading]
		for len(above) > 0 && above[len(above)-1].Level >= h.Level {
			above = above[:len(above)-1]
		}
		above = append(above, h)
		trail := ""
		for _, a := range above {
			trail += a.Text + "\n"
		}
		out = append(out, section{heading: h.Text, trail: trail, start: from, end: to, from: lineEnd(lines, from, len(text)), to: lineEnd(lines, max(from, to), len(text))})
		return true
	})
	return out
}

// eachSection calls f with the number of the heading, -1 for none, and the first and
// last line of each section, until f returns false.
func eachSection(t *vault.Text, lines []int, f func(heading, from, to int) bool) {
	heads, first := t.Note.Headings, len(lines)
	if len(heads) > 0 {
		first = heads[0].Line - 1
	}
	if (len(heads) == 0 || strings.TrimSpace(t.Content[:lineEnd(lines, first, len(t.Content))]) != "") && !f(-1, 1, max(first, 1)) {
		return
	}
	for i, h := range heads {
		end := len(lines)
		if i+1 < len(heads) {
			end = heads[i+1].Line - 1
		}
		if !f(i, h.Line, end) {
			return
		}
	}
}

// lineStarts are the byte offsets at which the lines of text start.
func lineStarts(text string) []int { return appendLineStarts(make([]int, 0, 64), text) }

func appendLineStarts(starts []int, text string) []int {
	starts = append(starts, 0)
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 || i+n+1 == len(text) {
			return starts
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// titles is the text of a note's title field: every name that it goes by.
func titles(n *vault.Note) string {
	t := n.Title
	if base := n.Path.Base(); base != n.Title {
		t += "\n" + base
	}
	for _, a := range n.Aliases {
		t += "\n" + a
	}
	return t
}
