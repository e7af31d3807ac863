package inspector

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// pager wraps text into rows of one width, as far as they are needed.
type pager struct {
	text  string
	w     int
	rows  []int // offsets of the rows
	next  int   // offset of the first row that was not wrapped yet
	whole bool  // all rows are wrapped
	top   int   // first row on screen
}

func newPager(text string, w int) pager {
	return pager{text: text, w: max(w, 2)}
}

// resize wraps again for another width. The text on top stays.
func (p *pager) resize(w, h int) {
	if w = max(w, 2); w == p.w {
		p.scroll(0, h)
		return
	}
	at := 0
	if p.top < len(p.rows) {
		at = p.rows[p.top]
	}
	*p = newPager(p.text, w)
	for !p.whole && p.next <= at {
		p.wrapTo(len(p.rows) + 1)
	}
	p.top = max(len(p.rows)-1, 0)
	p.scroll(0, h)
}

// wrapTo wraps until there are n rows or the text ends.
func (p *pager) wrapTo(n int) {
	for len(p.rows) < n && !p.whole {
		p.rows = append(p.rows, p.next)
		p.next = p.rowEnd(p.next)
		if p.next >= len(p.text) {
			p.whole = true
		}
	}
}

// scroll moves by delta rows, with h of them on screen.
func (p *pager) scroll(delta, h int) {
	p.wrapTo(p.top + delta + h)
	p.top = max(min(p.top+delta, len(p.rows)-h), 0)
}

// rowEnd returns the end of the row that starts at i, its line break included. A row ends after a blank
// if it has one; no byte is left out in either case.
func (p *pager) rowEnd(i int) int {
	used, blank := 0, 0
	for i < len(p.text) {
		if p.text[i] == '\n' {
			return i + 1
		}
		s, n := drawCharacter(p.text[i:])
		w := ansi.StringWidth(s)
		if used+w > p.w && used > 0 {
			if blank > 0 {
				return blank
			}
			return i
		}
		used += w
		i += n
		if p.text[i-1] == ' ' {
			blank = i
		}
	}
	return i
}

// row returns row y of the screen as it is drawn, and reports whether there is one.
func (p *pager) row(y int) (string, bool) {
	n := p.top + y
	if n >= len(p.rows) {
		return "", false
	}
	end := p.next
	if n+1 < len(p.rows) {
		end = p.rows[n+1]
	}
	var b strings.Builder
	for i := p.rows[n]; i < end && p.text[i] != '\n'; {
		s, k := drawCharacter(p.text[i:])
		b.WriteString(s)
		i += k
	}
	return b.String(), true
}

// drawCharacter returns the first character of s as it is shown, and its length in bytes. Nothing is
// hidden: a control character becomes its picture, and a mark without a base gets one, so that it
// cannot join the character on its left.
func drawCharacter(s string) (string, int) {
	switch c := s[0]; {
	case c == '\t':
		return "    ", 1
	case c < ' ':
		return string(rune(0x2400 + int(c))), 1
	case c == 0x7f:
		return "␡", 1
	case c < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf):
		return s[:1], 1
	}
	if r, n := utf8.DecodeRuneInString(s); r == utf8.RuneError && n == 1 {
		return "\ufffd", 1
	}
	g, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	shown := theme.Sanitize(g)
	if shown == g && (w == 0 || theme.Joins(g)) {
		return "◌", len(g)
	}
	return shown, len(g)
}
