package composer

import "sort"

// row is one row on screen: cells from..to of a line.
type row struct {
	line     int
	from, to int
}

// wrap cuts every line into rows of at most width columns, between words where
// possible, and adds them to rows. White space that does not fit hangs over the edge of
// its row, where it is not drawn, so that the next row starts with a word.
func wrap(rows []row, lines [][]cell, width int) []row {
	width = max(width, 1)
	for n, line := range lines {
		start, x, brk := 0, 0, 0
		cut := func(at, width int) {
			rows = append(rows, row{n, start, at})
			start, x = at, width
		}
		for i := range line {
			c := &line[i]
			w := c.width(width)
			// Wide runes and atoms may start a row wherever they stand.
			apart := w > 1 || c.kind != text
			if apart && !c.isSpace() {
				brk = i
			}
			for x+w > width && i > start && !c.isSpace() {
				if brk <= start {
					brk = i
				}
				cut(brk, widthOf(line[brk:i], width))
			}
			x += w
			if c.isSpace() && x >= width && i+1 < len(line) && !line[i+1].isSpace() {
				cut(i+1, 0)
			}
			if c.isSpace() || apart {
				brk = i + 1
			}
		}
		rows = append(rows, row{n, start, len(line)})
	}
	return rows
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
