package index

import (
	"slices"
	"unicode/utf8"
)

// Marks are the runes of a line, ascending, that make the hit one: the words of the
// query, what counts as them, and what its regular expressions match.
func (h Hit) Marks(line string) []int {
	if h.found == nil {
		return nil
	}
	return h.found.marks(line)
}

// Meant is the text of the query with the word that was probably meant in place of
// each that stands nowhere, as far as there is one like it: what was looked for in
// truth. It is "" if that is the text itself.
func (h Hit) Meant() string {
	if h.found == nil {
		return ""
	}
	return meantText(h.found.text, h.found.list)
}

func (t *terms) marks(line string) (marks []int) {
	var folded []byte
	var from []int // by byte of folded: the rune of line
	byExpr := make([]bool, len(line)+1)
	for _, e := range t.exprs {
		const most = 100 // of one line
		for _, m := range e.FindAllStringIndex(line, most) {
			for i := m[0]; i < m[1]; i++ {
				byExpr[i] = true
			}
		}
	}
	hit := make([]bool, utf8.RuneCountInString(line))
	n := 0
	for at, r := range line {
		if word := foldText(nil, string(r)); len(word) > 0 {
			folded = append(folded, word...)
		} else if foldRune(r) != droppedRune {
			folded = appendGap(folded)
		}
		for len(from) < len(folded) {
			from = append(from, n)
		}
		hit[n] = byExpr[at]
		n++
	}
	mark := func(at, size int) {
		for end := at + size; at < end; at++ {
			hit[from[at]] = hit[from[at]] || folded[at] > ' '
		}
	}
	for _, w := range slices.Concat(t.all, t.list) {
		for at := 0; ; {
			i, size := w.index(folded[at:])
			if i < 0 {
				break
			}
			mark(at+i, size)
			at += i + size
		}
	}
	c := newCounter(t.list)
	eachToken(folded, func(word []byte) {
		if len(c.matches(word)) > 0 {
			mark(cap(folded)-cap(word), len(word))
		}
	})
	for n, r := range []rune(line) {
		if hit[n] = hit[n] || n > 0 && hit[n-1] && foldRune(r) == droppedRune; hit[n] {
			marks = append(marks, n)
		}
	}
	return marks
}
