package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// breaker breaks one line of styled text into several.
type breaker struct {
	lines []string
	buf   []byte // the line that is being made
	col   int    // its width
	last  chance // the last place in buf where it may be broken
	word  wordState
}

// chance is a place where a line may be broken.
type chance struct {
	on       bool
	end      int  // of the line above, in buf
	next     int  // of the line below, in buf
	col      int  // the width up to next
	mark     byte // of the line below
	inSpaces bool // next is still to come
}

// wordState is what of a word was read.
type wordState int

const (
	noWord  wordState = iota
	letters           // nothing but letters
	hyphen            // letters, and a hyphen behind them
	other             // anything else: an option, a path, an address
)

// wrap appends the lines of s, which holds no newline.
func (b *breaker) wrap(s string, w int) {
	b.buf, b.col, b.last, b.word = b.buf[:0], 0, chance{}, noWord
	wide := false // the character before is
	for s != "" {
		n, cols := piece(s)
		part := s[:n]
		s = s[n:]
		switch {
		case cols == 0: // an escape sequence, or a mark on what stands before
			b.buf = append(b.buf, part...)
			continue
		case part == " ":
			b.space()
			wide = false
			continue
		}
		b.last.inSpaces = false
		if cols > 1 && b.col > 0 && (wide && !opens(b.buf) || b.word == other) && !closes(part) ||
			b.word == hyphen && isLetter(part[0]) {
			b.last = chance{on: true, end: len(b.buf), next: len(b.buf), col: b.col, mark: afterBreak}
		}
		if b.col+cols > w && b.col > 0 {
			b.cut()
			if b.col+cols > w && b.col > 0 { // the word alone is too wide
				b.last = chance{on: true, end: len(b.buf), next: len(b.buf), col: b.col, mark: afterBreak}
				b.cut()
			}
		}
		b.buf = append(b.buf, part...)
		b.col += cols
		wide = cols > 1
		b.read(part, wide)
	}
	if b.last.inSpaces { // nothing but spaces and styles stands behind it
		b.buf = append(b.buf[:b.last.end], strings.ReplaceAll(string(b.buf[b.last.end:]), " ", "")...)
	}
	b.lines = append(b.lines, strings.TrimRight(string(b.buf), " "))
}

// space adds a space, where the line may be broken; spaces in a row are one place.
func (b *breaker) space() {
	if !b.last.inSpaces {
		b.last = chance{on: b.col > 0, end: len(b.buf), mark: afterSpace, inSpaces: true}
	}
	b.buf = append(b.buf, ' ')
	b.col++
	b.last.next, b.last.col = len(b.buf), b.col
	b.word = noWord
}

// read goes on in a word.
func (b *breaker) read(part string, wide bool) {
	letter := isLetter(part[0])
	switch {
	case letter && (b.word == noWord || b.word == letters || b.word == hyphen), wide:
		b.word = letters
	case part == "-" && b.word == letters:
		b.word = hyphen
	default:
		b.word = other
	}
}

// cut ends the line at the last place where it may be broken, else at its end.
func (b *breaker) cut() {
	c := b.last
	if !c.on {
		c = chance{end: len(b.buf), next: len(b.buf), col: b.col, mark: afterBreak}
	}
	b.lines = append(b.lines, strings.TrimRight(string(b.buf[:c.end]), " "))
	rest := []byte{c.mark}
	for _, x := range strings.Split(string(b.buf[c.end:c.next]), " ") { // the styles between spaces
		rest = append(rest, x...)
	}
	b.buf = append(rest, b.buf[c.next:]...)
	b.col -= c.col
	b.last = chance{}
}

// piece is the length of the escape sequence or the character that s begins with,
// and its columns.
func piece(s string) (n, cols int) {
	switch c := s[0]; {
	case c == ansi.ESC:
		return escape(s), 0
	case c < 0x20 || c == 0x7f:
		return 1, 0
	case c < 0x80 && (len(s) == 1 || s[1] < 0x80): // nothing joins it
		return 1, 1
	}
	cluster, cols := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(cluster), cols
}

// escape is the length of the escape sequence that s begins with.
func escape(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
		return len(s)
	case ']':
		for i := 2; i < len(s); i++ {
			if s[i] == ansi.BEL {
				return i + 1
			}
			if s[i] == ansi.ESC && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
		return len(s)
	}
	return 2
}

// isLetter reports whether a character that begins with c counts as a letter: those
// beyond ASCII do, whatever they are.
func isLetter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// closes reports whether a wide character must not begin a line.
func closes(s string) bool {
	return strings.Contains("、。，．：；？！）」』】》〉〕］｝ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々", s)
}

// opens reports whether the last character of a line must not end it.
func opens(line []byte) bool {
	for _, s := range []string{"（", "「", "『", "【", "《", "〈", "〔", "［", "｛"} {
		if strings.HasSuffix(string(line[max(len(line)-len(s), 0):]), s) {
			return true
		}
	}
	return false
}
