package inspector

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// pager has a text as rows of one width.
type pager struct {
	text string
	w    int
	rows []string
	top  int // first row on screen
}

// visible makes the characters visible that Sanitize would leave out or follow.
var visible = strings.NewReplacer("\x1b", "␛", "\r", "␍", "\t", "    ")

// newPager wraps a text at any character, so that no byte of it is left out.
func newPager(text string, w int) pager {
	w = max(w, 2)
	shown := theme.Sanitize(visible.Replace(text))
	return pager{text: text, w: w, rows: strings.Split(ansi.Hardwrap(shown, w, true), "\n")}
}

// resize wraps again for another width. About the same text stays on top.
func (p *pager) resize(w, h int) {
	if w = max(w, 2); w != p.w {
		was := *p
		*p = newPager(p.text, w)
		p.top = was.top * len(p.rows) / max(len(was.rows), 1)
	}
	p.scroll(0, h)
}

// scroll moves by delta rows, with h of them on screen.
func (p *pager) scroll(delta, h int) { p.top = max(min(p.top+delta, len(p.rows)-h), 0) }

// row returns row y of the screen, "" if there is none.
func (p *pager) row(y int) string {
	if p.top+y >= len(p.rows) {
		return ""
	}
	return p.rows[p.top+y]
}
