package transcript

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
)

// footnote is what the mark of a footnote in column x of line n of the body of it
// leads to: the line where the footnote begins, and the first link that stands in that
// line, "" for none. The line is -1 where there is no mark, or no such footnote.
func (it *item) footnote(n, x int) (line int, address string) {
	if n < 0 || n >= len(it.body) {
		return -1, ""
	}
	mark := mdview.FootnoteAt(it.body[n], x)
	if mark == "" {
		return -1, ""
	}
	line = slices.IndexFunc(it.body, func(l string) bool {
		return strings.HasPrefix(strings.TrimLeft(ansi.Strip(l), " │|"), mark+" ")
	})
	if line < 0 || line == n {
		return -1, ""
	}
	for col := range ansi.StringWidth(it.body[line]) {
		if address = mdview.Address(it.body[line], col); address != "" {
			break
		}
	}
	return line, address
}

// showLine scrolls to line n of the body of it, if that is not on the screen.
func showLine(t *Transcript, it *item, n int) {
	n += t.gapOf(it.index) + len(it.head)
	last := t.pos
	for rows := t.height - 1; rows > 0 && last.item < len(t.items); rows-- {
		if last.line++; last.line >= t.itemHeight(last.item) {
			last = position{last.item + 1, 0}
		}
	}
	at := position{it.index, n}
	before := func(a, b position) bool { return a.item < b.item || a.item == b.item && a.line < b.line }
	if !before(at, t.pos) && !before(last, at) {
		return
	}
	t.leave()
	t.pos = at
	t.settle()
}
