package review

import (
	"slices"

	"ibid/ui/page"
)

// seenRows records which rows of a question were visible. The first yes scrolls to those that were not.
type seenRows struct {
	content  any // identifies the content of the rows
	rows     []bool
	scrolled bool // a yes has scrolled to some of them
}

// lay sets the number of rows. If all were seen before, all count as seen in another layout.
func (s *seenRows) lay(of any, n int) {
	if s.content != of {
		*s = seenRows{content: of}
	}
	if len(s.rows) != n {
		_, more := s.next(0)
		s.rows = slices.Repeat([]bool{len(s.rows) > 0 && !more}, n)
	}
}

// show counts rows as seen.
func (s *seenRows) show(from, to int) {
	for i := max(from, 0); i < min(to, len(s.rows)); i++ {
		s.rows[i] = true
	}
}

// next returns the first row from from on that was not seen, else the first of all; more reports
// whether there is one.
func (s *seenRows) next(from int) (row int, more bool) {
	from = min(from, len(s.rows))
	if row = slices.Index(s.rows[from:], false); row >= 0 {
		return from + row, true
	}
	row = slices.Index(s.rows, false)
	return row, row >= 0
}

// describeMissing returns a line about the rows that were not seen, below the row from or above; "" if all were.
func (s *seenRows) describeMissing(p page.Pen, what string, from int) string {
	row, more := s.next(from)
	if !more {
		return ""
	}
	arrow, where := p.Glyphs.Down, " below"
	if row < from {
		arrow, where = p.Glyphs.Up, " above"
	}
	return arrow + " " + what + where + ", not seen yet"
}

// missing returns the number of rows that were not seen.
func (s *seenRows) missing(from, to int) (n int) {
	for _, seen := range s.rows[min(from, len(s.rows)):min(to, len(s.rows))] {
		if !seen {
			n++
		}
	}
	return n
}

// scrollTo returns the row that a yes scrolls to instead of answering, and whether there is one. It does so once.
func (s *seenRows) scrollTo(from int) (row int, yes bool) {
	row, more := s.next(from)
	yes = more && !s.scrolled
	s.scrolled = s.scrolled || yes
	return row, yes
}
