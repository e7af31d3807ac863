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
	return h.found.meant
}

func (t *terms) marks(line string) []int {
	folded := foldText(nil, line)
	hit := make([]bool, len(folded))
	for _, w := range slices.Concat(t.all, t.words) {
		for from := 0; ; {
			at, size := w.index(folded[from:])
			if at < 0 {
				break
			}
			for i := range size {
				hit[from+at+i] = true
			}
			from += at + size
		}
	}
	byExpr := make([]bool, len(line))
	for _, e := range t.exprs {
		const most = 100 // of one line
		for _, m := range e.FindAllStringIndex(line, most) {
			for i := m[0]; i < m[1]; i++ {
				byExpr[i] = true
			}
		}
	}
	var marks []int
	at, n := 0, 0 // in folded, in the runes of line
	for i, r := range line {
		if f := foldRune(r); f != dropped && wordRune(f) {
			for at < len(folded) && (folded[at] == ' ' || folded[at] == '\n') {
				at++
			}
			if at < len(folded) && hit[at] || byExpr[i] {
				marks = append(marks, n)
			}
			_, size := utf8.DecodeRune(folded[at:])
			if at += size; f == 'ß' || f == 'æ' || f == 'œ' {
				at++ // two letters
			}
			at = min(at, len(folded))
		} else if byExpr[i] || f == dropped && len(marks) > 0 && marks[len(marks)-1] == n-1 {
			marks = append(marks, n)
		}
		n++
	}
	return marks
}
