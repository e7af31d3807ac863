package composer

import "slices"

// place is a place between two cells: the index of a line, and the number of cells before it there.
type place [2]int

func isBefore(a, b place) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

// change is one replacement. Both texts have at least one line.
type change struct {
	at                place
	removed, inserted [][]cell
}

// endOf returns the end of a text that begins at a place.
func endOf(at place, lines [][]cell) place {
	last := len(lines) - 1
	if last > 0 {
		at[1] = 0
	}
	return place{at[0] + last, at[1] + len(lines[last])}
}

// step holds the changes that are undone together, and the cursor before them.
type step struct {
	changes []change
	cursor  place
}

// editKind is the kind of a change; consecutive changes of some kinds form one step.
type editKind uint8

const (
	editAlone  editKind = iota // a step of its own
	editWord                   // a typed character that is not blank
	editBlank                  // a typed blank: it ends a word
	editDelete                 // one cell was deleted
	editKill                   // several cells were deleted, to be restored together
)

// maxUndo limits the steps that can be undone.
const maxUndo = 200

// undo holds the changes of a text, to be undone and repeated.
type undo struct {
	past, undone []step   // the last step of each is at its end
	kind         editKind // of the current change
	ended        bool     // the next change begins a step
	held         bool     // typing and deleting is one step until a pause
}

// begin sets the kind of the next changes, and reports whether they continue the last ones.
func (u *undo) begin(kind editKind) (on bool) {
	on = kind == u.kind && kind != editAlone || kind == editBlank && u.kind == editWord
	u.ended = u.ended || !u.held && (!on || kind == editKill)
	u.kind = kind
	return on
}

// pause makes the next change begin a step.
func (u *undo) pause() { u.kind, u.ended = editAlone, true }

// add records a change; cursor is the place of the cursor before it.
func (u *undo) add(c change, cursor place) {
	u.undone = nil
	if u.ended || len(u.past) == 0 {
		u.past = append(u.past, step{cursor: cursor})
		if len(u.past) > maxUndo {
			u.past = u.past[1:]
		}
	}
	u.ended = false
	last := &u.past[len(u.past)-1]
	last.changes = append(last.changes, c)
}

// move moves the last step of one list to the end of another, and returns it. It reports false if there is none.
func (u *undo) move(from, to *[]step) (s step, ok bool) {
	n := len(*from)
	if n == 0 {
		return s, false
	}
	s = (*from)[n-1]
	*from, *to = (*from)[:n-1], append(*to, s)
	u.pause()
	return s, true
}

// undo takes the last step back. It reports false if there is none.
func (b *buffer) undo() bool {
	s, ok := b.edits.move(&b.edits.past, &b.edits.undone)
	for _, c := range slices.Backward(s.changes) {
		b.put(c.at, endOf(c.at, c.inserted), c.removed)
	}
	return ok && b.moveTo(s.cursor[0], s.cursor[1])
}

// redo repeats the step that was undone last. It reports false if there is none.
func (b *buffer) redo() bool {
	s, ok := b.edits.move(&b.edits.undone, &b.edits.past)
	for _, c := range s.changes {
		b.put(c.at, endOf(c.at, c.removed), c.inserted)
	}
	return ok
}

// replace replaces the text between two places by lines, moves the cursor behind them, and returns the
// old text. Every change of the text goes through it.
func (b *buffer) replace(from, to place, came ...[]cell) (gone [][]cell) {
	cursor := place{b.row, b.col}
	gone = b.put(from, to, came)
	b.edits.add(change{from, gone, copyLines(came)}, cursor)
	return gone
}

// put is like replace, but records nothing.
func (b *buffer) put(from, to place, came [][]cell) (gone [][]cell) {
	first, at := b.lines[from[0]], endOf(from, came)
	b.row, b.col = at[0], at[1]
	gone = b.copyRange(from, to)
	if from[0] == to[0] && len(came) == 1 {
		b.lines[from[0]] = slices.Replace(first, from[1], to[1], came[0]...)
		return gone
	}
	tail := b.lines[to[0]][to[1]:]
	lines := copyLines(came)
	lines[0] = append(first[:from[1]:from[1]], lines[0]...)
	lines[len(lines)-1] = append(lines[len(lines)-1], tail...)
	b.lines = slices.Replace(b.lines, from[0], to[0]+1, lines...)
	return gone
}

// copyRange returns a copy of the text between two places.
func (b *buffer) copyRange(from, to place) (lines [][]cell) {
	for n := from[0]; n <= to[0]; n++ {
		start, end := 0, len(b.lines[n])
		if n == from[0] {
			start = from[1]
		}
		if n == to[0] {
			end = to[1]
		}
		lines = append(lines, slices.Clone(b.lines[n][start:end]))
	}
	return lines
}

func copyLines(lines [][]cell) [][]cell {
	out := make([][]cell, len(lines))
	for i, line := range lines {
		out[i] = slices.Clone(line)
	}
	return out
}
