package composer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// motion returns the target of a motion from the cursor, n times; given reports that n was typed. An
// inclusive motion includes the cell at the target. ok is false if how is no motion, or leads nowhere.
func (b *buffer) motion(how, other string, n int, given bool) (to place, inclusive, ok bool) {
	at := buffer{lines: b.lines, row: b.row, col: b.col}
	line, last := b.line(), len(b.lines)-1
	switch how {
	case "h":
		at.col = max(at.col-n, 0)
	case "l":
		at.col += n
	case "j":
		at.row = min(at.row+n, last)
	case "k":
		at.row = max(at.row-n, 0)
	case "0":
		at.col = 0
	case "^":
		at.col = indent(line)
	case "$":
		at.row = min(at.row+n-1, last)
		at.col = max(len(at.line())-1, 0)
	case "G", "g":
		if at.row = last; given || how == "g" {
			at.row = min(n-1, last)
		}
		at.col = indent(at.line())
	case "w", "b", "e":
		for range n {
			at.byWord(how)
		}
	case "f", "F", "t", "T":
		step := 1
		if how < "a" {
			step = -1
		}
		for n > 0 {
			if at.col += step; at.col < 0 || at.col >= len(line) {
				return to, false, false
			}
			if line[at.col].s == other {
				n--
			}
		}
		if strings.EqualFold(how, "t") {
			at.col -= step
		}
	case "i", "a":
		from, end := word(line, b.col)
		at.col = max(end-1, from)
		ok = other != "w" || b.empty()
	default:
		ok = true
	}
	ok = !ok && (how != "g" || other == "g")
	return place{at.row, min(at.col, len(at.line()))}, strings.Contains("e$ftia", how), ok
}

// byWord moves to the next word (w), the one before (b) or the end of one (e).
func (b *buffer) byWord(how string) {
	kind := func() int { // of the cell at the cursor; the end of a line is a blank
		if b.col >= len(b.line()) {
			return 0
		}
		return kindOf(b.line()[b.col])
	}
	step := b.right
	if how == "b" {
		step = b.left
	}
	if how == "w" {
		from, row := kind(), b.row
		for kind() == from && from != 0 && b.row == row && step() {
		}
		for kind() == 0 && (b.row == row || len(b.line()) > 0) && step() {
		}
		return
	}
	step()
	for kind() == 0 && step() {
	}
	from, row := kind(), b.row
	for { // to the last cell of the word in this direction
		was := b.col
		if !step() {
			return
		}
		if kind() != from || b.row != row {
			b.row, b.col = row, was
			return
		}
	}
}

// kindOf returns 0 for a blank, 1 for a character of words, 2 for another character, 3 for a mention or
// a paste.
func kindOf(c cell) int {
	r, _ := utf8.DecodeRuneInString(c.s)
	switch {
	case c.kind != text:
		return 3
	case c.isSpace():
		return 0
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return 1
	}
	return 2
}

// word returns the range of cells of the word, or of the blanks, at a column.
func word(line []cell, col int) (from, to int) {
	if col >= len(line) {
		return len(line), len(line)
	}
	kind := kindOf(line[col])
	for from = col; from > 0 && kindOf(line[from-1]) == kind; from-- {
	}
	for to = col; to < len(line) && kindOf(line[to]) == kind; to++ {
	}
	return from, to
}

// indent returns the column of the first cell that is not blank.
func indent(line []cell) int {
	return max(slices.IndexFunc(line, func(c cell) bool { return !c.isSpace() }), 0)
}

// span applies a verb to the cells between two places.
func (v *vim) span(b *buffer, verb string, from, to place) (edited bool) {
	from[1] = min(from[1], len(b.lines[from[0]]))
	if to[1] = min(to[1], len(b.lines[to[0]])); isBefore(to, from) {
		to = from
	}
	v.cut, v.whole = b.copyRange(from, to), false
	b.moveTo(from[0], from[1])
	if verb == "y" {
		return false
	}
	b.replace(from, to, nil)
	b.join(b.col, b.col)
	if verb == "c" {
		v.normal = false
	}
	return true
}

// lines applies a verb to whole lines.
func (v *vim) lines(b *buffer, verb string, from, to int) (edited bool) {
	end := place{to, len(b.lines[to])}
	v.cut, v.whole = b.copyRange(place{from, 0}, end), true
	switch {
	case verb == "y":
		b.row = from
		return false
	case verb == "c":
		b.replace(place{from, 0}, end, nil)
		v.normal = false
		return true
	case to+1 < len(b.lines):
		b.replace(place{from, 0}, place{to + 1, 0}, nil)
	case from > 0:
		b.replace(place{from - 1, len(b.lines[from-1])}, end, nil)
	default:
		b.replace(place{}, end, nil)
	}
	b.col = indent(b.line())
	return true
}

// put inserts the cut or yanked text n times, behind the cursor or before it.
func (v *vim) put(b *buffer, behind bool, n int) (edited bool) {
	if len(v.cut) == 0 {
		return false
	}
	if v.whole {
		at, lines := place{b.row, 0}, append(slices.Clip(v.cut), nil)
		if behind {
			at, lines = place{b.row, len(b.line())}, append([][]cell{nil}, v.cut...)
		}
		row := b.row
		for range n {
			b.replace(at, at, lines...)
		}
		if behind {
			row++
		}
		b.moveTo(row, indent(b.lines[row]))
		return true
	}
	if behind && len(b.line()) > 0 {
		b.col++
	}
	for range n {
		for i, line := range v.cut {
			if i > 0 {
				b.newline()
			}
			b.insert(slices.Clone(line)...)
		}
	}
	b.col = max(b.col-1, 0)
	return true
}
