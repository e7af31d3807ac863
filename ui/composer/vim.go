package composer

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// vim edits the prompt as vi does. The zero value is off.
type vim struct {
	on     bool
	mode   vimMode
	count  int   // typed before a command, 0 for none
	verb   rune  // d, c or y, which waits for a motion; 0 for none
	times  int   // count of the verb
	second rune  // g, i, r, f and the like, which wait for one more key; 0 for none
	anchor place // where the visual mode began
	whole  bool  // what was deleted or yanked last is whole lines
	cut    [][]cell
}

// vimMode is what keys do.
type vimMode int

const (
	vimInsert vimMode = iota
	vimNormal
	vimVisual
)

// Vim is the keys of vi in a composer.
type Vim struct{ m *Model }

// VimIn is the keys of vi in a composer; they are off until they are set.
func VimIn(m *Model) Vim { return Vim{m} }

// Set has the prompt edited with the keys of vi, beginning in the insert mode.
func (s Vim) Set(on bool) {
	s.m.vim = vim{on: on}
	s.m.buf.edits.held = on // what one insert mode writes is one step
}

// TakesEsc reports whether esc is for the prompt: to leave the insert or visual mode, or
// a command that was begun.
func (s Vim) TakesEsc() bool {
	v, m := &s.m.vim, s.m
	return v.on && !m.blurred && m.chip < 0 && (v.mode == vimVisual || v.verb != 0 || v.second != 0 || v.count > 0 || v.mode == vimInsert && !m.buf.empty())
}

// Commands reports whether keys that write text are commands.
func (s Vim) Commands() bool { return s.m.vim.commands() }

func (v *vim) commands() bool { return v.on && v.mode != vimInsert }

// key acts on a key; taken is false if it means what it does without vi.
func (v *vim) key(m *Model, msg tea.KeyPressMsg) (a Action, taken bool) {
	name, b := msg.String(), &m.buf
	if v.mode == vimInsert {
		if name != "esc" || b.empty() {
			return Action{}, false
		}
		v.mode = vimNormal
		b.col = max(b.col-1, 0)
		m.moved(true)
		return Action{Kind: Moved}, true
	}
	switch {
	case name == "esc":
		began := v.mode == vimVisual || v.verb != 0 || v.second != 0 || v.count > 0
		v.mode = vimNormal
		v.clear()
		return Action{Kind: Moved}, began
	case name == "ctrl+r":
		v.clear()
		edited := b.redo()
		v.stay(b)
		return m.edited(edited), true
	case msg.Text == "" && !slices.Contains([]string{"left", "right", "backspace", "space", "home", "end"}, name):
		return Action{}, false // up, down, enter and chords do what they always do
	}
	b.edits.pause() // what is written in the insert mode goes on with what led there
	edited := v.press(m, keyRune(name, msg.Text))
	v.stay(b)
	if edited {
		return m.edited(true), true
	}
	m.moved(true)
	return Action{Kind: Moved}, true
}

// keyRune is the command that a key is.
func keyRune(name, text string) rune {
	switch name {
	case "left", "backspace":
		return 'h'
	case "right", "space":
		return 'l'
	case "home":
		return '0'
	case "end":
		return '$'
	}
	return []rune(text)[0]
}

func (v *vim) clear() { v.count, v.verb, v.times, v.second = 0, 0, 0, 0 }

// stay keeps the cursor on a cell: behind the last one it stands in the insert mode alone.
func (v *vim) stay(b *buffer) {
	if v.mode != vimInsert {
		b.col = max(min(b.col, len(b.line())-1), 0)
	}
}

// press acts on a key of the normal and visual modes, and reports whether the text may
// have changed.
func (v *vim) press(m *Model, r rune) (edited bool) {
	b := &m.buf
	switch {
	case v.second != 0:
		return v.after(m, r)
	case unicode.IsDigit(r) && (r != '0' || v.count > 0):
		v.count = min(10*v.count+int(r-'0'), 9999)
		return false
	case slices.Contains([]rune("gifFtT"), r) && (r != 'i' || v.verb != 0 || v.mode == vimVisual), r == 'r' && v.verb == 0 && v.mode == vimNormal:
		v.second = r
		return false
	case r == 'a' && (v.verb != 0 || v.mode == vimVisual):
		v.second = 'i'
		return false
	}
	n, given := max(v.count, 1)*max(v.times, 1), v.count > 0
	if v.verb != 0 || v.mode == vimVisual {
		if v.mode == vimNormal && r == v.verb { // dd, cc, yy
			return v.lines(m, r, b.row, min(b.row+n-1, len(b.lines)-1))
		}
		if to, ok := v.motion(b, r, n, given); ok {
			return v.reach(m, r, to)
		}
		if v.mode == vimVisual {
			return v.visual(m, r)
		}
		v.clear()
		return false
	}
	if to, ok := v.motion(b, r, n, given); ok {
		v.clear()
		b.moveTo(to[0], to[1])
		return false
	}
	return v.command(m, r, n)
}

// command is one of the normal mode that needs no motion.
func (v *vim) command(m *Model, r rune, n int) (edited bool) {
	b := &m.buf
	line := len(b.line())
	switch r {
	case 'd', 'c', 'y':
		v.verb, v.times, v.count = r, v.count, 0
		return false
	case 'i', 'I', 'a', 'A', 'o', 'O':
		v.clear()
		v.mode = vimInsert
		switch r {
		case 'I':
			b.col = indent(b.line())
		case 'a':
			b.col = min(b.col+1, line)
		case 'A':
			b.col = line
		case 'o':
			b.col = line
			b.newline()
		case 'O':
			b.col = 0
			b.newline()
			b.row, b.col = b.row-1, 0
		}
		return true // so that undo takes back what is written from here
	case 'x', 's':
		return v.span(m, map[rune]rune{'x': 'd', 's': 'c'}[r], b.cursor(), place{b.row, min(b.col+n, line)})
	case 'X':
		return v.span(m, 'd', place{b.row, max(b.col-n, 0)}, b.cursor())
	case 'D', 'C':
		return v.span(m, unicode.ToLower(r), b.cursor(), place{b.row, line})
	case 'S':
		return v.lines(m, 'c', b.row, min(b.row+n-1, len(b.lines)-1))
	case 'Y':
		return v.lines(m, 'y', b.row, min(b.row+n-1, len(b.lines)-1))
	case 'J':
		v.clear()
		b.col = line
		return b.mergeDown()
	case 'p', 'P':
		v.clear()
		return v.put(b, r == 'p', n)
	case 'u':
		v.clear()
		return b.undo()
	case 'v':
		v.clear()
		v.mode, v.anchor = vimVisual, b.cursor()
	default:
		v.clear()
	}
	return false
}

// visual is a command on what is between the anchor and the cursor.
func (v *vim) visual(m *Model, r rune) (edited bool) {
	verb, ok := map[rune]rune{'d': 'd', 'x': 'd', 'c': 'c', 's': 'c', 'y': 'y'}[r]
	if !ok {
		v.clear()
		if r == 'v' {
			v.mode = vimNormal
		}
		return false
	}
	from, to := v.selected(&m.buf)
	v.mode = vimNormal
	return v.span(m, verb, from, to)
}

// selected is what the visual mode has chosen, its end behind the last cell.
func (v *vim) selected(b *buffer) (from, to place) {
	from, to = v.anchor, b.cursor()
	from[0] = min(from[0], len(b.lines)-1)
	from[1] = min(from[1], len(b.lines[from[0]]))
	if isBefore(to, from) {
		from, to = to, from
	}
	to[1] = min(to[1]+1, len(b.lines[to[0]]))
	return from, to
}

// after is the key that follows g, i, r, f and the like.
func (v *vim) after(m *Model, r rune) (edited bool) {
	b, second := &m.buf, v.second
	v.second = 0
	n := max(v.count, 1) * max(v.times, 1)
	switch {
	case second == 'r':
		if v.clear(); b.col+n > len(b.line()) || r < ' ' {
			return false
		}
		at := b.col
		b.cut(at, at+n)
		b.insertText(strings.Repeat(string(r), n), false)
		b.col = at + n - 1
		return true
	case second == 'i':
		if r != 'w' || b.empty() {
			v.clear()
			return false
		}
		from, to := word(b.line(), b.col)
		if v.mode == vimVisual {
			v.anchor, b.col = place{b.row, from}, max(to-1, from)
			v.clear()
			return false
		}
		return v.span(m, v.verb, place{b.row, from}, place{b.row, to})
	}
	to, ok := place{min(max(v.count-1, 0), len(b.lines)-1), 0}, second == 'g' && r == 'g'
	if second != 'g' {
		to, ok = v.find(b, second, r, n)
	}
	switch {
	case !ok:
		v.clear()
	case v.verb != 0 || v.mode == vimVisual:
		return v.reach(m, second, to)
	default:
		v.clear()
		b.moveTo(to[0], to[1])
	}
	return false
}

// find is where the n-th r of the line is, for f, F, t and T.
func (v *vim) find(b *buffer, how, r rune, n int) (to place, ok bool) {
	step, line := 1, b.line()
	if how == 'F' || how == 'T' {
		step = -1
	}
	for i := b.col + step; i >= 0 && i < len(line); i += step {
		if line[i].s != string(r) {
			continue
		}
		if n--; n == 0 {
			if how == 't' || how == 'T' {
				i -= step
			}
			return place{b.row, i}, true
		}
	}
	return to, false
}

// reach acts with the verb from the cursor to where a motion leads; the visual mode goes
// there.
func (v *vim) reach(m *Model, r rune, to place) (edited bool) {
	b := &m.buf
	if v.mode == vimVisual {
		v.clear()
		b.moveTo(to[0], to[1])
		return false
	}
	from := b.cursor()
	if slices.Contains([]rune("jkGg"), r) { // by lines
		return v.lines(m, v.verb, min(from[0], to[0]), max(from[0], to[0]))
	}
	switch {
	case r == 'w' && v.verb == 'c' && b.col < len(b.line()) && !b.line()[b.col].isSpace():
		_, end := word(b.line(), b.col) // cw changes the word, not the blanks behind it
		to = place{b.row, max(end, wordBack(b, to))}
	case r == 'w' && to[0] > from[0]:
		to = place{from[0], len(b.line())} // dw stays in its line
	case slices.Contains([]rune("e$ft"), r):
		to[1] = min(to[1]+1, len(b.lines[to[0]]))
	}
	if isBefore(to, from) {
		from, to = to, from
	}
	return v.span(m, v.verb, from, to)
}

// wordBack is the end of the word before a place, in the line of the cursor.
func wordBack(b *buffer, to place) int {
	line := b.line()
	end := len(line)
	if to[0] == b.row {
		end = to[1]
	}
	for end > 0 && line[end-1].isSpace() {
		end--
	}
	return end
}
