package composer

// row is one row on screen: cells from..to of a line.
type row struct {
	line     int
	from, to int
}

// wrap cuts every line into rows of at most width columns, between words where
// possible. White space that does not fit hangs over the edge of its row, where
// it is not drawn, so that the next row starts with a word.
func wrap(rows []row, lines [][]cell, width int) []row {
	width = max(width, 1)
	rows = rows[:0]
	for i, line := range lines {
		rows = wrapLine(rows, i, line, width)
	}
	return rows
}

func wrapLine(rows []row, n int, line []cell, width int) []row {
	start, x, brk := 0, 0, 0
	for i, c := range line {
		w := min(c.w, width)
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
		}
		x += w
		if c.isSpace() && x >= width && i+1 < len(line) && !line[i+1].isSpace() {
			rows = append(rows, row{n, start, i + 1})
			start, x = i+1, 0
		}
		if c.isSpace() || w > 1 || c.kind != text {
			brk = i + 1
		}
	}
	return append(rows, row{n, start, len(line)})
}

// widthOf is the width of cells when none may be wider than limit.
func widthOf(cells []cell, limit int) int {
	w := 0
	for _, c := range cells {
		w += min(c.w, limit)
	}
	return w
}

// locate is the row on which the cursor stands, and its column there.
func locate(rows []row, b *buffer, width int) (at, x int) {
	for i, r := range rows {
		if r.line != b.row || b.col < r.from {
			continue
		}
		last := i+1 == len(rows) || rows[i+1].line != r.line
		if b.col < r.to || (b.col == r.to && last) {
			return i, min(widthOf(b.line()[r.from:b.col], width), width)
		}
	}
	return 0, 0
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
		cw := min(line[i].w, width)
		if w+cw > x {
			break
		}
		w += cw
		i++
	}
	return i
}
