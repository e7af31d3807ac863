package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// breaker breaks one line of styled text into several.
type breaker struct {
	lines []string
	buf   []byte // the current line
	col   int    // its width
	last  chance // the last possible break in buf
}

// chance is a possible line break.
type chance struct {
	on       bool
	end      int  // end of the line above, in buf
	next     int  // beginning of the line below, in buf
	col      int  // width up to next
	mark     byte // of the line below
	inSpaces bool // next is not reached yet
}

// wrap appends the lines of s, which must not contain a newline.
func (b *breaker) wrap(s string, w int) {
	b.buf, b.col, b.last = b.buf[:0], 0, chance{}
	for s != "" {
		n, cols := piece(s)
		part := s[:n]
		s = s[n:]
		switch {
		case cols == 0: // an escape sequence, or a combining mark
			b.buf = append(b.buf, part...)
			continue
		case part == " ":
			b.space()
			continue
		}
		b.last.inSpaces = false
		if cols > 1 && b.col > 0 && !opens(b.buf) && !closes(part) {
			b.last = b.here()
		}
		if b.col+cols > w && b.col > 0 {
			b.cut()
			if b.col+cols > w && b.col > 0 { // the word alone is too wide
				b.last = b.here()
				b.cut()
			}
		}
		b.buf = append(b.buf, part...)
		b.col += cols
	}
	if b.last.inSpaces { // only spaces and styles follow it
		b.buf = append(b.buf[:b.last.end], strings.ReplaceAll(string(b.buf[b.last.end:]), " ", "")...)
	}
	b.lines = append(b.lines, strings.TrimRight(string(b.buf), " "))
}

// here returns the chance to break at the end of the current line.
func (b *breaker) here() chance {
	return chance{on: true, end: len(b.buf), next: len(b.buf), col: b.col, mark: afterBreak}
}

// space adds a space, after which the line may break; consecutive spaces are one place.
func (b *breaker) space() {
	if !b.last.inSpaces {
		b.last = chance{on: b.col > 0, end: len(b.buf), mark: afterSpace, inSpaces: true}
	}
	b.buf = append(b.buf, ' ')
	b.col++
	b.last.next, b.last.col = len(b.buf), b.col
}

// cut ends the line at the last possible break, else at its end.
func (b *breaker) cut() {
	c := b.last
	if !c.on && c.col < b.col { // else the line is blank
		c = b.here()
	}
	b.lines = append(b.lines, strings.TrimRight(string(b.buf[:c.end]), " "))
	rest := []byte{c.mark}
	for _, x := range strings.Split(string(b.buf[c.end:c.next]), " ") { // keep the styles between spaces
		rest = append(rest, x...)
	}
	b.buf = append(rest, b.buf[c.next:]...)
	b.col -= c.col
	b.last = chance{}
}

// piece returns the length of the escape sequence or the character at the beginning of s, and its
// columns.
func piece(s string) (n, cols int) {
	switch c := s[0]; {
	case c < ' ' || c == 0x7f:
		_, _, n, _ = ansi.DecodeSequence(s, ansi.NormalState, nil)
		return n, 0
	case c < 0x80 && (len(s) == 1 || s[1] < 0x80): // nothing can join it
		return 1, 1
	}
	cluster, cols := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(cluster), cols
}

// closes reports whether a wide character must not begin a line.
func closes(s string) bool {
	return strings.Contains("、。，．：；？！）」』】》〉〕］｝ー"+
		"ぁぃぅぇぉっゃゅょァィゥェォッャュョ々", s)
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
