package index

import (
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
	text       string // without the heading's own text
}

// read is the text of a note without what ibid hides in a saved chat.
func read(src Source, p vault.Path) (vault.Text, error) { return shown(src.Read(p)) }

func shown(t vault.Text, err error) (vault.Text, error) {
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
	return func(p vault.Path) (vault.Text, error) { return shown(read(p)) }, done
}

// sections cuts a note at its headings. Properties and what stands before the
// first heading are a section of their own.
func sections(t *vault.Text) []section {
	n, text := t.Note, t.Content
	lines := lineStarts(text)
	last := len(lines)
	cut := func(from, to int) string { // lines from..to, 1-based, inclusive
		if from > to {
			return ""
		}
		end := len(text)
		if to < last {
			end = lines[to]
		}
		return text[lines[from-1]:end]
	}
	heads := n.Headings
	out := make([]section, 0, len(heads)+1)
	first := last
	if len(heads) > 0 {
		first = heads[0].Line - 1
	}
	if body := cut(1, first); len(heads) == 0 || strings.TrimSpace(body) != "" {
		out = append(out, section{start: 1, end: max(first, 1), text: body})
	}
	var above []vault.Heading
	for i, h := range heads {
		end := last
		if i+1 < len(heads) {
			end = heads[i+1].Line - 1
		}
		for len(above) > 0 && above[len(above)-1].Level >= h.Level {
			above = above[:len(above)-1]
		}
		above = append(above, h)
		trail := ""
		for _, a := range above {
			trail += a.Text + "\n"
		}
		out = append(out, section{heading: h.Text, trail: trail, start: h.Line, end: end, text: cut(h.Line+1, end)})
	}
	return out
}

// lineStarts are the byte offsets at which the lines of text start.
func lineStarts(text string) []int {
	starts := make([]int, 1, 64)
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
