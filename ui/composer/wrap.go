package composer

import (
	"slices"
	"sort"
)

// row is one row on screen: cells from..to of a line.
type row struct {
	line     int
	from, to int
}

// wrap cuts every line into rows of at most width columns, between words where
// possible. White space that does not fit hangs over the edge of its row, where
// it is not drawn, so that the next row starts with a word.
func wrap(rows []row, lines [][]cell, width int) []row {
	rows = rows[:0]
	for i, line := range lines {
		rows = wrapLine(rows, i, line, 0, width, nil)
	}
	return rows
}

// wrapLine cuts line n from where a row begins. It ends early where a row begins at which
// stop says so; nil never does. How a row is cut depends on nothing before it.
func wrapLine(rows []row, n int, line []cell, start, width int, stop func(start int) bool) []row {
	width = max(width, 1)
	x, brk := 0, start
	for i := start; i < len(line); i++ {
		c := &line[i]
		w := c.width(width)
		// Wide runes and atoms may start a row wherever they stand.
		if (w > 1 || c.kind != text) && !c.isSpace() {
			brk = i
		}
		for x+w > width && i > start {
			if c.isSpace() {
				break // hangs
			}
			if brk <= start {
				brk = i
			}
			rows = append(rows, row{n, start, brk})
			start, x = brk, widthOf(line[brk:i], width)
			if stop != nil && stop(start) {
				return rows
			}
		}
		x += w
		if c.isSpace() && x >= width && i+1 < len(line) && !line[i+1].isSpace() {
			rows = append(rows, row{n, start, i + 1})
			start, x = i+1, 0
			if stop != nil && stop(start) {
				return rows
			}
		}
		if c.isSpace() || w > 1 || c.kind != text {
			brk = i + 1
		}
	}
	return append(rows, row{n, start, len(line)})
}

// damage is the part of a text that changed since it was cut into rows.
type damage struct {
	any    bool
	from   place // nothing before it changed
	behind place // lines behind the part, and cells behind it in its last line
}

// add takes in that what stands between two places is about to be replaced.
func (d *damage) add(lines [][]cell, from, to place) {
	behind := place{len(lines) - 1 - to[0], len(lines[to[0]]) - to[1]}
	if !d.any || isBefore(from, d.from) {
		d.from = from
	}
	if !d.any || isBefore(behind, d.behind) {
		d.behind = behind
	}
	d.any = true
}

// rewrap cuts what changed of a text again, and what that moves from row to row.
func rewrap(rows []row, lines [][]cell, d damage, width int) []row {
	if !d.any {
		return rows
	}
	// What a row begins with may fit in the row before it now.
	first := rowAt(rows, d.from)
	if first > 0 && rows[first-1].line == d.from[0] {
		first--
	}
	old, now := rows[len(rows)-1].line-d.behind[0], len(lines)-1-d.behind[0]
	next, moved := first, 0 // the first row that stays, and by how many cells it moves
	for next < len(rows) && rows[next].line <= old {
		next++
	}
	var stop func(int) bool
	if old == d.from[0] && now == old {
		line, at := lines[old], first+1
		moved = len(line) - rows[next-1].to
		stop = func(start int) bool { // from where the line is cut as it was
			for at < next && rows[at].from < start-moved {
				at++
			}
			if at == next || rows[at].from > start-moved || start < len(line)-d.behind[1] {
				return false
			}
			next = at
			return true
		}
	}
	fresh := wrapLine(nil, d.from[0], lines[d.from[0]], rows[first].from, width, stop)
	for n := d.from[0] + 1; n <= now; n++ {
		fresh = wrapLine(fresh, n, lines[n], 0, width, nil)
	}
	for i := next; i < len(rows); i++ {
		if rows[i].line == old {
			rows[i].from, rows[i].to = rows[i].from+moved, rows[i].to+moved
		}
		rows[i].line += now - old
	}
	return slices.Replace(rows, first, next, fresh...)
}

// rowAt is the row that holds the cell at a place, or behind whose last cell it is.
func rowAt(rows []row, at place) int {
	return sort.Search(len(rows), func(i int) bool { return isBefore(at, place{rows[i].line, rows[i].from}) }) - 1
}

// widthOf is the width of cells when none may be wider than limit.
func widthOf(cells []cell, limit int) int {
	w := 0
	for i := range cells {
		w += cells[i].width(limit)
	}
	return w
}

// locate is the row on which the cursor stands, and its column there.
func locate(rows []row, b *buffer, width int) (at, x int) {
	at = rowAt(rows, b.cursor())
	return at, min(widthOf(b.line()[rows[at].from:b.col], width), width)
}

// rowStart moves to the start of the row, and from there to that of the line.
func rowStart(m *Model) Action {
	at := m.rows[rowAt(m.rows, m.buf.cursor())].from
	if at == m.buf.col {
		at = 0
	}
	return m.moved(m.buf.moveTo(m.buf.row, at))
}

// rowEnd moves to the end of the row, and from there to that of the line.
func rowEnd(m *Model) Action {
	was := m.buf.cursor()
	m.place(rowAt(m.rows, was), m.width)
	if m.buf.cursor() != was {
		return m.moved(true)
	}
	return m.moved(m.buf.lineEnd())
}

// columnAt is the column of the line at which a cursor on row r comes closest to
// x columns from the left.
func columnAt(r row, line []cell, x, width int, last bool) int {
	end := r.to
	if !last {
		end-- // the place behind the last cell is the next row's first
	}
	w, i := 0, r.from
	for i < end {
		cw := line[i].width(width)
		if w+cw > x {
			break
		}
		w += cw
		i++
	}
	return i
}
