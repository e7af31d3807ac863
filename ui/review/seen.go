package review

import (
	"slices"

	"ibid/ui/page"
)

// seenRows is which rows of what is asked about have been on the screen. The first yes
// goes on to those that have not.
type seenRows struct {
	of   any // what the rows are of
	rows []bool
	told bool // a yes went on to some of them
}

// lay takes in how many rows there are of what is asked about. Where all were seen, all
// are in another layout.
func (s *seenRows) lay(of any, n int) {
	if s.of != of {
		*s = seenRows{of: of}
	}
	if len(s.rows) != n {
		_, more := s.next(0)
		s.rows = slices.Repeat([]bool{len(s.rows) > 0 && !more}, n)
	}
}

// show counts some rows as seen.
func (s *seenRows) show(from, to int) {
	for i := max(from, 0); i < min(to, len(s.rows)); i++ {
		s.rows[i] = true
	}
}

// next is the first row from some row on that was not seen, else the first of all.
func (s *seenRows) next(from int) (row int, more bool) {
	from = min(from, len(s.rows))
	if row = slices.Index(s.rows[from:], false); row >= 0 {
		return from + row, true
	}
	row = slices.Index(s.rows, false)
	return row, row >= 0
}

// says where what was not seen stands, if there is anything: below a row, or above.
func (s *seenRows) says(p page.Pen, what string, from int) string {
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

// missing is how many of some rows were not seen.
func (s *seenRows) missing(from, to int) (n int) {
	for _, seen := range s.rows[min(from, len(s.rows)):min(to, len(s.rows))] {
		if !seen {
			n++
		}
	}
	return n
}

// goesOn reports whether a yes goes on to a row, in place of answering.
func (s *seenRows) goesOn(from int) (row int, yes bool) {
	row, more := s.next(from)
	yes = more && !s.told
	s.told = s.told || yes
	return row, yes
}
