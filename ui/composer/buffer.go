package composer

import (
	"slices"
	"strings"
)

// buffer holds the text and the cursor. There is always at least one line, and the cursor is always
// between two cells of an existing line.
type buffer struct {
	lines [][]cell
	row   int // line of the cursor
	col   int // number of cells before the cursor in its line
	kill  []cell

	edits undo
	model string // model of this message, "" for the default
}

func newBuffer() buffer { return buffer{lines: [][]cell{nil}} }

func (b *buffer) line() []cell { return b.lines[b.row] }

// cursor returns the place of the cursor.
func (b *buffer) cursor() place { return place{b.row, b.col} }

func (b *buffer) empty() bool { return len(b.lines) == 1 && len(b.lines[0]) == 0 }

// insertText inserts text at the cursor; newlines in it begin lines.
func (b *buffer) insertText(s string, literal bool) {
	for {
		line, rest, more := strings.Cut(s, "\n")
		b.insert(splitCells(line, literal)...)
		if !more {
			return
		}
		b.newline()
		s = rest
	}
}

// insert inserts cells of one line at the cursor and moves the cursor behind them.
func (b *buffer) insert(cells ...cell) {
	if len(cells) == 0 {
		return
	}
	b.replace(b.cursor(), b.cursor(), cells)
	b.join(b.col-len(cells), b.col)
}

// picks returns the picks of the mentions, in the order of the text.
func (b *buffer) picks() (all []string) {
	for _, line := range b.lines {
		for i := range line {
			if pick := line[i].pick(); pick != "" {
				all = append(all, pick)
			}
		}
	}
	return all
}

// join segments the text around cells from..to of the cursor's line again: a combining mark, half a
// flag or a joiner may turn two clusters into one. Only the text up to the next cell on each side that
// never joins can change.
func (b *buffer) join(from, to int) {
	line := b.line()
	for from > 0 && line[from-1].kind == text {
		from--
		if line[from].neverJoins() {
			break
		}
	}
	for to < len(line) && line[to].kind == text {
		to++
		if line[to-1].neverJoins() {
			break
		}
	}
	for from < to {
		if line[from].kind != text {
			from++ // an atom bounds the cells that can join
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

// resegment replaces the text cells from..end of the cursor's line by their joint segmentation. The
// cursor stays behind the same byte. It returns the new number of cells.
func (b *buffer) resegment(from, end int) int {
	old := b.line()[from:end]
	if len(old) < 2 || !slices.ContainsFunc(old, func(c cell) bool { return !c.neverJoins() }) {
		return len(old)
	}
	joined := splitCells(plainText(old), false)
	if slices.EqualFunc(joined, old, func(a, b cell) bool { return a.s == b.s && a.label() == b.label() }) {
		return len(old)
	}
	literal := slices.ContainsFunc(old, func(c cell) bool { return c.literal })
	for i := range joined {
		joined[i].literal = literal
	}
	col, behind := b.col, len(plainText(old[min(max(b.col-from, 0), len(old)):]))
	b.replace(place{b.row, from}, place{b.row, end}, joined)
	switch {
	case col >= end:
		b.col = col + len(joined) - len(old)
	case col <= from:
		b.col = col
	default:
		for b.col > from && len(b.line()[b.col-1].s) <= behind {
			b.col--
			behind -= len(b.line()[b.col].s)
		}
	}
	return len(joined)
}

// newline breaks the line at the cursor.
func (b *buffer) newline() bool {
	b.replace(b.cursor(), b.cursor(), nil, nil)
	return true
}

// cut removes and returns the cells from..to of the cursor's line, and moves the cursor to their place.
func (b *buffer) cut(from, to int) []cell {
	gone := b.replace(place{b.row, from}, place{b.row, to}, nil)
	b.join(from, from)
	return gone[0]
}

// mergeUp joins the cursor's line to the line above. It reports false on the first line.
func (b *buffer) mergeUp() bool {
	if b.row == 0 {
		return false
	}
	b.merge(b.row - 1)
	return true
}

// mergeDown joins the line below to the cursor's line. It reports false on the last line.
func (b *buffer) mergeDown() bool {
	if b.row == len(b.lines)-1 {
		return false
	}
	b.merge(b.row)
	return true
}

// merge joins the line below row to it, with the cursor between them.
func (b *buffer) merge(row int) {
	b.replace(place{row, len(b.lines[row])}, place{row + 1, 0}, nil)
	b.join(b.col, b.col)
}

func (b *buffer) backspace() bool {
	b.edits.begin(editDelete)
	if b.col == 0 {
		return b.mergeUp()
	}
	b.cut(b.col-1, b.col)
	return true
}

func (b *buffer) deleteForward() bool {
	b.edits.begin(editDelete)
	if b.col == len(b.line()) {
		return b.mergeDown()
	}
	b.cut(b.col, b.col+1)
	return true
}

// killTo removes the cells from..to of the cursor's line and keeps them for yank, together with those
// that the preceding keys have killed. It reports false if there are none.
func (b *buffer) killTo(from, to int) bool {
	on := b.edits.begin(editKill)
	if from == to {
		return false
	}
	back := from < b.col
	switch gone := b.cut(from, to); {
	case !on:
		b.kill = gone
	case back:
		b.kill = append(gone, b.kill...)
	default:
		b.kill = append(slices.Clip(b.kill), gone...)
	}
	return true
}

func (b *buffer) yank() bool {
	b.edits.begin(editAlone)
	b.insert(slices.Clone(b.kill)...)
	return len(b.kill) > 0
}

// inWord reports whether a cell is part of a word for the keys that move and delete by words. As in
// other programs, a word is letters, digits and _; each mention or paste is a word of its own.
func inWord(c cell) bool { return kindOf(c) == 1 }

// wordStart returns the column of the start of the word at or before the cursor.
func (b *buffer) wordStart() int { return b.startOf(inWord) }

// blankBefore returns the column after the last blank before the word at or before the cursor.
func (b *buffer) blankBefore() int {
	return b.startOf(func(c cell) bool { return !c.isSpace() })
}

// startOf returns the column of the start of the last cells before the cursor that belong to a word; a mention or paste
// is a word of its own.
func (b *buffer) startOf(belongs func(c cell) bool) int {
	line, i := b.line(), b.col
	for i > 0 && line[i-1].kind == text && !belongs(line[i-1]) {
		i--
	}
	if i > 0 && line[i-1].kind != text {
		return i - 1
	}
	for i > 0 && line[i-1].kind == text && belongs(line[i-1]) {
		i--
	}
	return i
}

// wordEnd returns the column of the end of the word at or after the cursor.
func (b *buffer) wordEnd() int {
	line, i := b.line(), b.col
	for i < len(line) && !inWord(line[i]) && line[i].kind == text {
		i++
	}
	if i < len(line) && line[i].kind != text {
		return i + 1
	}
	for i < len(line) && inWord(line[i]) {
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

func (b *buffer) lineStart() bool { return b.moveTo(b.row, 0) }

// lineEnd moves to the end of the line. It reports false if the cursor is there.
func (b *buffer) lineEnd() bool { return b.col < len(b.line()) && b.moveTo(b.row, len(b.line())) }

func (b *buffer) moveTo(row, col int) bool {
	b.row, b.col = row, col
	return true
}

func (b *buffer) toEnd() bool {
	last := len(b.lines) - 1
	return b.moveTo(last, len(b.lines[last]))
}
