package composer

import (
	"regexp"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// vim edits the prompt with the keys of vi. The zero value is off.
type vim struct {
	on     bool
	normal bool   // keys are commands; else they are text
	typed  string // keys of an incomplete command
	whole  bool   // the text in cut is whole lines
	cut    [][]cell
}

// Vim controls the keys of vi in a composer.
type Vim struct{ m *Model }

// VimIn returns the control of the keys of vi in a composer; they are off until Set.
func VimIn(m *Model) Vim { return Vim{m} }

// Set switches the keys of vi on or off, beginning in the insert mode.
func (s Vim) Set(on bool) {
	s.m.vim = vim{on: on}
	s.m.buf.edits.held = on // the text of one insert mode is one step
}

// TakesEsc reports whether esc is for the prompt: to leave the insert mode or an incomplete command.
func (s Vim) TakesEsc() bool {
	v, m := &s.m.vim, s.m
	return v.on && !m.blurred && m.chip < 0 && (v.typed != "" || !v.normal && !m.buf.empty())
}

// Commands reports whether keys with text are commands.
func (s Vim) Commands() bool { return s.m.vim.commands() }

func (v *vim) commands() bool { return v.on && v.normal }

// key handles a key; taken is false if the key works as without vi.
func (v *vim) key(m *Model, msg tea.KeyPressMsg) (a Action, taken bool) {
	name, b := msg.String(), &m.buf
	if !v.normal {
		if name != "esc" || b.empty() {
			return Action{}, false
		}
		v.normal = true
		b.col = max(b.col-1, 0)
		return m.moved(true), true
	}
	edited, text := false, msg.Text
	if same, ok := vimNames[name]; ok {
		text = same
	}
	switch {
	case name == "esc":
		began := v.typed != ""
		v.typed = ""
		return Action{Kind: Moved}, began
	case name == "ctrl+r":
		v.typed, edited = "", b.redo()
		v.keepOnCell(b)
		return m.edited(edited), true
	case text == "":
		return Action{}, false // up, down, enter and chords work as always
	}
	b.edits.pause() // text of the insert mode belongs to the step of the command that began it
	v.typed += string([]rune(text)[0])
	edited = v.run(m)
	v.keepOnCell(b)
	if edited {
		return m.edited(true), true
	}
	return m.moved(true), true
}

// vimNames maps other keys to commands.
var vimNames = map[string]string{"left": "h", "backspace": "h", "right": "l", "space": "l", "home": "0", "end": "$"}

// keepOnCell keeps the cursor on a cell: only in the insert mode it can stand after the last one.
func (v *vim) keepOnCell(b *buffer) {
	if v.normal {
		b.col = max(min(b.col, len(b.line())-1), 0)
	}
}

// vimCommand matches a typed command: a count, a verb with another count, and its object of at most two keys.
var vimCommand = regexp.MustCompile(`(?s)^([1-9]\d*)?(?:([dcy])([1-9]\d*)?)?(.?)(.?)`)

// vimShort maps short commands to the full ones.
var vimShort = map[string]string{"x": "dl", "X": "dh", "s": "cl", "D": "d$", "C": "c$", "S": "cc", "Y": "yy"}

// run carries out the typed command if it is complete, and reports whether the text may have changed.
func (v *vim) run(m *Model) (edited bool) {
	b, part := &m.buf, vimCommand.FindStringSubmatch(v.typed)
	verb, how, other := part[2], part[4], part[5]
	second := "gfFtTr"
	if verb != "" {
		second = "gfFtTia"
	}
	if how == "" || other == "" && strings.Contains(second, how) {
		return false
	}
	n, given := 1, part[1]+part[3] != ""
	for _, count := range []string{part[1], part[3]} {
		if times, err := strconv.Atoi(count); err == nil {
			n = min(n*min(times, 9999), 9999)
		}
	}
	v.typed = ""
	row := b.row
	to, inclusive, ok := b.motion(how, other, n, given)
	switch {
	case how == verb: // dd, cc, yy
		return v.lines(b, verb, row, min(row+n-1, len(b.lines)-1))
	case !ok && verb == "":
		return v.command(m, part[1], how, other, n)
	case !ok:
		return false
	case verb == "":
		b.row, b.col = to[0], to[1]
		return false
	case strings.Contains("ia", how):
		b.col, _ = word(b.line(), b.col)
	}
	from := b.cursor()
	switch {
	case strings.Contains("jkGg", how):
		return v.lines(b, verb, min(row, to[0]), max(row, to[0]))
	case how == "w" && verb == "c" && b.col < len(b.line()) && !b.line()[b.col].isSpace():
		_, end := word(b.line(), b.col) // cw changes the word, not the blanks after it
		to = place{row, max(end, wordBack(b, to))}
	case how == "w" && to[0] > row:
		to = place{row, len(b.line())} // dw stays in its line
	case inclusive:
		to[1]++
	}
	if isBefore(to, from) {
		from, to = to, from
	}
	return v.span(b, verb, from, to)
}

// command carries out a command without a motion. times is its count as typed.
func (v *vim) command(m *Model, times, name, other string, n int) (edited bool) {
	b := &m.buf
	line := len(b.line())
	if long := vimShort[name]; long != "" {
		v.typed = times + long
		return v.run(m)
	}
	switch name {
	case "I":
		b.col = indent(b.line())
	case "a":
		b.col = min(b.col+1, line)
	case "A":
		b.col = line
	case "o":
		b.col = line
		b.newline()
	case "O":
		b.col = 0
		b.newline()
		b.row, b.col = b.row-1, 0
	case "i":
	case "J":
		b.col = line
		return b.mergeDown()
	case "p", "P":
		return v.put(b, name == "p", n)
	case "u":
		return b.undo()
	case "r":
		if b.col+n > line || other < " " {
			return false
		}
		at := b.col
		b.cut(at, at+n)
		b.insertText(strings.Repeat(other, n), false)
		b.col = at + n - 1
		return true
	default:
		return false
	}
	v.normal = false
	return true // so that undo takes back the text from here on
}

// wordBack returns the end of the word before a place, in the line of the cursor.
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
