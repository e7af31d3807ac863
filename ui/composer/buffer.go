package composer

import (
	"slices"
	"strings"
)

// buffer is the text and the cursor in it. There is always at least one line,
// and the cursor always stands between two cells of an existing line.
type buffer struct {
	lines [][]cell
	row   int // line of the cursor
	col   int // cells before the cursor in its line
	kill  []cell
	model string // that is to answer, "" for the usual one
}

func newBuffer() buffer { return buffer{lines: [][]cell{nil}} }

func (b *buffer) line() []cell { return b.lines[b.row] }

func (b *buffer) empty() bool { return len(b.lines) == 1 && len(b.lines[0]) == 0 }

// insertText puts text at the cursor; newlines in it make lines.
func (b *buffer) insertText(s string, literal bool) {
	for {
		line, rest, more := strings.Cut(s, "\n")
		b.insert(segment(line, literal)...)
		if !more {
			return
		}
		b.newline()
		s = rest
	}
}

// insert puts cells of one line at the cursor and moves behind them.
func (b *buffer) insert(cells ...cell) {
	if len(cells) == 0 {
		return
	}
	b.lines[b.row] = slices.Insert(b.line(), b.col, cells...)
	b.col += len(cells)
	b.join(b.col-len(cells), b.col)
}

// join segments the text around cells from..to of the cursor's line anew: a
// combining mark, half a flag or a joiner may make one cluster of what were
// two. Only the stretch up to the next plain character on each side can
// change.
func (b *buffer) join(from, to int) {
	line := b.line()
	for from > 0 && line[from-1].kind == text {
		from--
		if line[from].ascii() {
			break
		}
	}
	for to < len(line) && line[to].kind == text {
		to++
		if line[to-1].ascii() {
			break
		}
	}
	for from < to {
		if line[from].kind != text {
			from++ // an atom bounds what can join
			continue
		}
		end := from
		for end < to && line[end].kind == text {
			end++
		}
		n := b.resegment(from, end)
		line, to, from = b.line(), to+n-(end-from), from+n
	}
}

// resegment replaces the text cells from..end of the cursor's line by their
// joint segmentation, keeping the cursor behind the byte that it was behind. It
// returns how many cells the stretch has now.
func (b *buffer) resegment(from, end int) int {
	old := b.line()[from:end]
	if len(old) < 2 || !slices.ContainsFunc(old, func(c cell) bool { return !c.ascii() }) {
		return len(old)
	}
	joined := segment(plain(old), false)
	cursor, col := 0, 0
	for _, c := range old[:max(min(b.col, end)-from, 0)] {
		cursor += len(c.s)
	}
	at, i, start := 0, 0, 0 // bytes before the new cell ends, and the old cell with the bytes before it
	for j := range joined {
		if at < cursor {
			col = j + 1
		}
		// A joined cluster is literal if any part was.
		for at += len(joined[j].s); start < at; i++ {
			joined[j].literal = joined[j].literal || old[i].literal
			if start+len(old[i].s) > at {
				break // it reaches into the next new cell
			}
			start += len(old[i].s)
		}
	}
	if b.col > from {
		b.col = from + col + max(b.col-end, 0)
	}
	b.lines[b.row] = slices.Replace(b.line(), from, end, joined...)
	return len(joined)
}

func (b *buffer) newline() bool {
	line := b.line()
	tail := slices.Clone(line[b.col:])
	b.lines[b.row] = line[:b.col:b.col]
	b.row++
	b.lines = slices.Insert(b.lines, b.row, tail)
	b.col = 0
	return true
}

// cut removes the cells from..to of the cursor's line and leaves the cursor
// where they were.
func (b *buffer) cut(from, to int) []cell {
	gone := slices.Clone(b.line()[from:to])
	b.lines[b.row] = slices.Delete(b.line(), from, to)
	b.col = from
	b.join(from, from)
	return gone
}

// mergeUp joins the cursor's line to the one above it.
func (b *buffer) mergeUp() bool {
	if b.row == 0 {
		return false
	}
	tail := b.line()
	b.lines = slices.Delete(b.lines, b.row, b.row+1)
	b.row--
	b.col = len(b.line())
	at := b.col
	b.lines[b.row] = append(b.line(), tail...)
	b.join(at, at)
	return true
}

// mergeDown joins the line below to the cursor's line.
func (b *buffer) mergeDown() bool {
	if b.row == len(b.lines)-1 {
		return false
	}
	b.row++
	return b.mergeUp()
}

func (b *buffer) backspace() bool {
	if b.col == 0 {
		return b.mergeUp()
	}
	b.cut(b.col-1, b.col)
	return true
}

func (b *buffer) deleteForward() bool {
	if b.col == len(b.line()) {
		return b.mergeDown()
	}
	b.cut(b.col, b.col+1)
	return true
}

// killTo removes the cells from..to of the cursor's line and keeps them for yank.
func (b *buffer) killTo(from, to int) bool {
	if from == to {
		return false
	}
	b.kill = b.cut(from, to)
	return true
}

func (b *buffer) yank() bool {
	b.insert(slices.Clone(b.kill)...)
	return len(b.kill) > 0
}

// wordStart is the column of the start of the word at or before the cursor.
func (b *buffer) wordStart() int {
	line, i := b.line(), b.col
	for i > 0 && !line[i-1].isWord() {
		i--
	}
	if i > 0 && line[i-1].kind != text {
		return i - 1
	}
	for i > 0 && line[i-1].kind == text && line[i-1].isWord() {
		i--
	}
	return i
}

// wordEnd is the column of the end of the word at or after the cursor.
func (b *buffer) wordEnd() int {
	line, i := b.line(), b.col
	for i < len(line) && !line[i].isWord() {
		i++
	}
	if i < len(line) && line[i].kind != text {
		return i + 1
	}
	for i < len(line) && line[i].kind == text && line[i].isWord() {
		i++
	}
	return i
}

func (b *buffer) left() bool {
	switch {
	case b.col > 0:
		b.col--
	case b.row > 0:
		b.row--
		b.col = len(b.line())
	default:
		return false
	}
	return true
}

func (b *buffer) right() bool {
	switch {
	case b.col < len(b.line()):
		b.col++
	case b.row < len(b.lines)-1:
		b.row++
		b.col = 0
	default:
		return false
	}
	return true
}

func (b *buffer) wordLeft() bool {
	if b.col == 0 {
		return b.left()
	}
	b.col = b.wordStart()
	return true
}

func (b *buffer) wordRight() bool {
	if b.col == len(b.line()) {
		return b.right()
	}
	b.col = b.wordEnd()
	return true
}

func (b *buffer) moveTo(row, col int) bool {
	b.row, b.col = row, col
	return true
}

func (b *buffer) toEnd() bool {
	last := len(b.lines) - 1
	return b.moveTo(last, len(b.lines[last]))
}
