package composer

import "slices"

// place is a place between two cells: a line, and the cells before it there.
type place [2]int

func isBefore(a, b place) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

// change is that what stood at a place was replaced. Both texts have one line at least.
type change struct {
	at         place
	gone, came [][]cell
}

// end is where a text ends that begins at a place.
func end(at place, lines [][]cell) place {
	last := len(lines) - 1
	if last > 0 {
		at[1] = 0
	}
	return place{at[0] + last, at[1] + len(lines[last])}
}

// step is the changes that are undone at once, and where the cursor was before them.
type step struct {
	changes []change
	cursor  place
}

// editKind says which changes in a row are one step.
type editKind uint8

const (
	editAlone  editKind = iota // a step of its own
	editWord                   // typed, but for blanks
	editBlank                  // a typed blank: it ends a word
	editDelete                 // one cell was deleted
	editKill                   // several were, to be put back together
)

// mostUndo is how many steps can be undone.
const mostUndo = 200

// undo is the changes of a text, to be undone and done again.
type undo struct {
	past, undone []step   // the last of each at its end
	kind         editKind // of what is done now
	ended        bool     // the next change begins a step
	held         bool     // what is typed and deleted is one step until a pause
}

// begin says what the next changes are, and reports whether they go on with what the
// last ones did.
func (u *undo) begin(kind editKind) (on bool) {
	on = kind == u.kind && kind != editAlone || kind == editBlank && u.kind == editWord
	u.ended = u.ended || !u.held && (!on || kind == editKill)
	u.kind = kind
	return on
}

// pause has the next change begin a step, whatever it is.
func (u *undo) pause() { u.kind, u.ended = editAlone, true }

// add takes in a change that was made while the cursor was at a place.
func (u *undo) add(c change, cursor place) {
	u.undone = nil
	if u.ended || len(u.past) == 0 {
		u.past = append(u.past, step{cursor: cursor})
		if len(u.past) > mostUndo {
			u.past = u.past[1:]
		}
	}
	u.ended = false
	last := &u.past[len(u.past)-1]
	last.changes = append(last.changes, c)
}

// undo takes the last step back, if there is one.
func (b *buffer) undo() bool {
	n := len(b.edits.past)
	if n == 0 {
		return false
	}
	s := b.edits.past[n-1]
	for _, c := range slices.Backward(s.changes) {
		b.put(c.at, end(c.at, c.came), c.gone)
	}
	b.edits.past, b.edits.undone = b.edits.past[:n-1], append(b.edits.undone, s)
	b.edits.pause()
	return b.moveTo(s.cursor[0], s.cursor[1])
}

// redo makes the step again that was undone last, if there is one.
func (b *buffer) redo() bool {
	n := len(b.edits.undone)
	if n == 0 {
		return false
	}
	s := b.edits.undone[n-1]
	for _, c := range s.changes {
		b.put(c.at, end(c.at, c.gone), c.came)
	}
	b.edits.undone, b.edits.past = b.edits.undone[:n-1], append(b.edits.past, s)
	b.edits.pause()
	return true
}

// replace puts lines in the place of what stands between two places, with the cursor
// behind them. It returns what stood there. Every change of the text comes through here.
func (b *buffer) replace(from, to place, came ...[]cell) (gone [][]cell) {
	cursor := place{b.row, b.col}
	gone = b.put(from, to, came)
	b.edits.add(change{from, gone, copyLines(came)}, cursor)
	return gone
}

// put is replace without a trace.
func (b *buffer) put(from, to place, came [][]cell) (gone [][]cell) {
	first, at := b.lines[from[0]], end(from, came)
	b.row, b.col = at[0], at[1]
	gone = b.between(from, to)
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

// between is a copy of what stands between two places.
func (b *buffer) between(from, to place) (lines [][]cell) {
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
