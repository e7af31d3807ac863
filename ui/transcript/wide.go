package transcript

import (
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
)

// ShiftCode moves the long lines of code of a reply to the left by a number of columns, to the right if by is
// negative: of the selected reply if it has any, else of the first one on screen. It reports whether
// there are any.
func ShiftCode(t *Transcript, by int) bool {
	t.settle()
	it := t.sel
	if it == nil || it.widest(codeWidth(t)) == 0 {
		it = nil
		for _, l := range t.shown() {
			if l.it.widest(codeWidth(t)) > 0 {
				it = l.it
				break
			}
		}
	}
	if it != nil {
		shiftCode(t, it, by)
	}
	return it != nil
}

func shiftCode(t *Transcript, it *item, by int) {
	it.codeShift = min(max(it.codeShift+by, 0), it.widest(codeWidth(t)))
	t.dirty = true
}

// widest returns the largest number of columns by which code of an item can move, in a column of this
// width.
func (it *item) widest(width int) (most int) {
	for _, line := range it.body {
		_, n := mdview.Scrolls(line, width)
		most = max(most, n)
	}
	return most
}

// column returns the column of a line at column x of the text. The last visible column of a line that
// continues maps to its end.
func (it *item) column(line string, x, width int) int {
	from, most := mdview.Scrolls(line, width)
	moved := min(it.codeShift, most)
	switch {
	case most == 0 || x < from:
		return x
	case x >= width-2 && moved < most:
		return width + most
	}
	return x + moved
}

// onScreen is the inverse of column.
func (it *item) onScreen(line string, col, width int) int {
	from, most := mdview.Scrolls(line, width)
	if most == 0 || col <= from {
		return col
	}
	return min(max(col-min(it.codeShift, most), from), width-1)
}

// unfold makes a hit visible: it unfolds the rest of a long prompt or a callout, or moves a line of
// code.
func (it *item) unfold(h hit, t *Transcript) {
	t.layOut(it)
	shown := 0
	for _, line := range it.body {
		shown += t.find.count(ansi.Strip(line))
	}
	if shown > h.n || h.reasoning {
		return
	}
	switch {
	case it.Role == You && it.foldable > 0 && !it.open:
		it.open = true
	case it.Role == Assistant && it.view != nil && it.view.Unfold():
	default:
		return
	}
	t.invalidate(it)
}
