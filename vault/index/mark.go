package index

import "ibid/vault/index/fold"

// Marks returns the numbers of the runes of a line to highlight, ascending: words of the query, their
// forms, and matches of its regular expressions.
func (h Hit) Marks(line string) []int { return h.found.marks(line) }

// Meant returns the text of the query with typing errors corrected, as it was searched for; "" if
// nothing was corrected.
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
	var from []int // the offset in line of each byte of folded
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
