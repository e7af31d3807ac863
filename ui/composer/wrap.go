package composer

import "sort"

// row is one row on screen: cells from..to of a line.
type row struct {
	line     int
	from, to int
}

// wrap splits every line into rows of at most width columns, between words where possible, and appends
// them to rows. White space that does not fit hangs over the edge of its row, where it is not drawn, so
// that the next row starts with a word.
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
			// wide runes and atoms may start a row anywhere
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

// rowAt returns the index of the row that contains a place.
func rowAt(rows []row, at place) int {
	return sort.Search(len(rows), func(i int) bool { return isBefore(at, place{rows[i].line, rows[i].from}) }) - 1
}

// widthOf returns the width of cells, each at most limit wide.
func widthOf(cells []cell, limit int) int {
	w := 0
	for i := range cells {
		w += cells[i].width(limit)
	}
	return w
}

// locate returns the index of the cursor's row, and its column there.
func locate(rows []row, b *buffer, width int) (at, x int) {
	at = rowAt(rows, b.cursor())
	return at, min(widthOf(b.line()[rows[at].from:b.col], width), width)
}

// columnAt returns the column of the line at which a cursor on row r comes closest to x columns from
// the left.
func columnAt(r row, line []cell, x, width int, last bool) int {
	end := r.to
	if !last {
		end-- // the place after the last cell belongs to the next row
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
