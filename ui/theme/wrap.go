package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Marks of wrapped lines. A line that continues the one above, because the column ended there, has a
// mark before its text; what comes before the mark is indentation. Foreign text cannot contain one:
// Sanitize replaces control characters. Terminals never get them, see [StripMarks].
const (
	afterSpace = '\x1e' // there was a space at the break
	afterBreak = '\x1f' // there was none
	marks      = "\x1e\x1f"
)

// Wrap breaks styled text into lines of at most w columns: at spaces, before wide characters,
// and anywhere in a word that is wider than a line. Lines that continue
// the one above have a mark.
func Wrap(s string, w int) []string {
	var b breaker
	for line := range strings.SplitSeq(s, "\n") {
		if len(line) <= w { // no character has more columns than bytes
			b.lines = append(b.lines, strings.TrimRight(line, " "))
		} else {
			b.wrap(line, w)
		}
	}
	return b.lines
}

// WrapCode breaks a styled line at any character, so that every column stays in place.
func WrapCode(s string, w int) []string {
	lines := strings.Split(ansi.Hardwrap(s, w, true), "\n")
	for i := range lines[1:] {
		lines[i+1] = string(afterBreak) + lines[i+1]
	}
	return lines
}

// StripMarks returns drawn text in a form that is safe for a terminal, whatever it was made of. It
// removes the marks of wrapped lines, and \x16, \x17, \x19, \x1c and \x1d, which are for layout; of
// control characters it keeps only newlines, tabs and those of styles and links. Others are drawn as by
// [Sanitize].
func StripMarks(s string) string {
	n := drawnLength(s)
	if n == len(s) {
		return s
	}
	var b strings.Builder
	for ; n < len(s); n = drawnLength(s) {
		b.WriteString(s[:n])
		text, size := "", 0
		if c := rune(s[n]); !isMark(c) {
			text, size, _ = replaceUnsafe(s[n:])
		}
		b.WriteString(text)
		s = s[n+max(size, 1):] // 0: the sequence is unfinished
	}
	return b.String() + s
}

func isMark(r rune) bool { return strings.ContainsRune("\x16\x17\x19\x1c\x1d\x1e\x1f", r) }

// drawnLength returns the length of the beginning of s that is safe for a terminal.
func drawnLength(s string) (n int) {
	for {
		n += firstUnsafe(s[n:])
		size := sequence(s[n:])
		if size == 0 {
			return n
		}
		n += size
	}
}

// sequence returns the length of the style or the hyperlink at the beginning of s, 0 for neither.
func sequence(s string) (n int) {
	switch {
	case strings.HasPrefix(s, "\x1b]8;"):
		if n = 1 + firstUnsafe(s[1:]); n < len(s) && s[n] == ansi.BEL {
			return n + 1
		}
		return 0
	case strings.HasPrefix(s, "\x1b"):
		n, _ = colourSequence(s)
	}
	return n
}

// Piece returns the text in the columns from..to of a drawn line, without styles. If the line has a
// mark, the text begins with it, without the indentation.
func Piece(line string, from, to int) string {
	mark := ""
	if at := strings.IndexAny(line, marks); at >= 0 {
		mark = line[at : at+1]
		from = max(from, ansi.StringWidth(line[:at]))
	}
	if from >= to {
		return mark
	}
	line = strings.Map(func(r rune) rune {
		if isMark(r) {
			return -1
		}
		return r
	}, line)
	return mark + ansi.Strip(ansi.Cut(line, from, to))
}

// JoinPieces joins pieces to a text: pieces that continue the one above are joined to it, and no line
// ends in spaces.
func JoinPieces(pieces []string) string {
	var b strings.Builder
	line := ""
	for i, p := range pieces {
		goesOn := p != "" && i > 0 && strings.IndexByte(marks, p[0]) >= 0
		text := strings.TrimLeft(p, marks)
		switch {
		case goesOn && p[0] == afterSpace:
			line += " " + text
		case goesOn:
			line += text
		default:
			if i > 0 {
				b.WriteString(strings.TrimRight(line, " ") + "\n")
			}
			line = text
		}
	}
	return b.String() + strings.TrimRight(line, " ")
}

// Reverse shows the columns from..to of a drawn line as selected: in reverse video, which is visible
// without colour, too.
func Reverse(line string, from, to int) string {
	return Restyle(line, from, to, Ink{"\x1b[7m", "\x1b[27m"})
}

// Restyle shows the columns from..to of a drawn line in an ink, without the styles that they had.
func Restyle(line string, from, to int, k Ink) string {
	from = max(from, 0)
	text := ansi.Strip(ansi.Cut(line, from, max(to, from)))
	if text == "" {
		return line
	}
	return ansi.Truncate(line, from, "") + k.Render(text) + ansi.TruncateLeft(line, from+ansi.StringWidth(text), "")
}
