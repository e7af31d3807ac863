package index

import "ibid/vault/index/fold"

// Marks are the runes of a line, ascending, that make the hit one: the words of the
// query, what counts as them, and what its regular expressions match.
func (h Hit) Marks(line string) []int { return h.found.marks(line) }

// Meant is the text of the query with the word that was probably meant in place of
// each that stands nowhere, as far as there is one like it: what was looked for in
// truth. It is "" if that is the text itself.
func (h Hit) Meant() string { return meantText(h.found.text, h.found.list) }

func (t *terms) marks(line string) (marks []int) {
	hit := make([]bool, len(line)+1) // by byte
	for _, e := range t.exprs {
		const most = 100 // of one line
		for _, m := range e.FindAllStringIndex(line, most) {
			for i := m[0]; i < m[1]; i++ {
				hit[i] = true
			}
		}
	}
	var folded []byte
	var from []int // by byte of folded: where in line its rune stands
	for i, r := range line {
		if word := fold.Text(nil, string(r)); len(word) > 0 {
			folded = append(folded, word...)
		} else if fold.Rune(r) != fold.Dropped {
			folded = fold.AppendGap(folded)
		}
		for len(from) < len(folded) {
			from = append(from, i)
		}
	}
	newCounter(t.list).each(folded, func(at, size int, _ match) {
		for i := at; i < at+size; i++ {
			hit[from[i]] = hit[from[i]] || folded[i] > ' '
		}
	})
	n, marked := 0, false
	for i, r := range line {
		if marked = hit[i] || marked && fold.Rune(r) == fold.Dropped; marked {
			marks = append(marks, n)
		}
		n++
	}
	return marks
}
