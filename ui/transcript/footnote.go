package transcript

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
)

// footnote returns the target of the footnote mark at column x of line n of the body: the line where
// the footnote begins, and the first link in that line, "" for none. The line is -1 if there is no
// mark, or no such footnote.
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

// showLine scrolls to line n of the body, unless it is on the screen.
func showLine(t *Transcript, it *item, n int) {
	if n += len(it.head); !(itemLine{it, n}).isShown(t) {
		t.scrollTo(it, n)
	}
}
