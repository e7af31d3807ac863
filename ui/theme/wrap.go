package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A line that goes on from the one above, because the column ended there, holds a
// mark in front of its text; what stands before that is indentation. Foreign text
// cannot hold one: Sanitize draws control characters. Terminals never see them,
// see [Unmarked].
const (
	afterSpace = '\x1e' // a space stood at the break
	afterBreak = '\x1f' // nothing did
	marks      = "\x1e\x1f"
)

// Wrap breaks styled text into lines of at most w columns: at spaces, behind the
// hyphen of a compound word, between wide characters, and anywhere in a word that
// is wider than a line. Lines that go on have their mark.
func Wrap(s string, w int) []string {
	var b breaker
	for line := range strings.SplitSeq(s, "\n") {
		if len(line) <= w { // no character is wider than it is long
			b.lines = append(b.lines, strings.TrimRight(line, " "))
		} else {
			b.wrap(line, w)
		}
	}
	return b.lines
}

// WrapCode breaks a styled line anywhere, so that every column stays in place.
func WrapCode(s string, w int) []string {
	lines := strings.Split(ansi.Hardwrap(s, w, true), "\n")
	for i := range lines[1:] {
		lines[i+1] = string(afterBreak) + lines[i+1]
	}
	return lines
}

// StripMarks is drawn text as a terminal may see it, whatever it was made of: without
// marks, which are those of lines that go on, those of [Theme.Parted], and \x19, \x1c and \x1d,
// which are for who lays text out; and with no control characters but newlines, tabs and
// those of styles and links. Others are drawn as [Sanitize] does.
func StripMarks(s string) string {
	n := drawnLength(s)
	if n == len(s) {
		return s
	}
	var b strings.Builder
	for ; n < len(s); n = drawnLength(s) {
		b.WriteString(s[:n])
		text, size := "", 0
		if c := rune(s[n]); c != partMark && !isMark(c) {
			text, size, _ = replaceUnsafe(s[n:])
		}
		b.WriteString(text)
		s = s[n+max(size, 1):] // 0: nothing ends it
	}
	return b.String() + s
}

func isMark(r rune) bool { return r >= '\x1c' && r <= '\x1f' || r == '\x19' }

// drawnLength is the length of the beginning of s that a terminal may see.
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

// sequence is the length of the style or the hyperlink that s begins with, 0 if it does
// with neither.
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

// Piece is what the columns from..to of a drawn line say: its text without styles,
// and behind its mark, if it has one, without the indentation.
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
	text := strings.Trim(ansi.Strip(ansi.Cut(line, from, to)), string(partMark))
	return mark + strings.ReplaceAll(text, string(partMark), joiner)
}

// JoinPieces is the text of pieces, one below the other: those that go on are one
// line with what is above, and no line ends in spaces.
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

// Reverse shows the columns from..to of a drawn line as selected: what was written
// there in reverse video, which is seen without colour too.
func Reverse(line string, from, to int) string {
	const on, off = "\x1b[7m", "\x1b[27m"
	from = max(from, 0)
	text := ansi.Strip(ansi.Cut(line, from, max(to, from)))
	if text == "" {
		return line
	}
	return ansi.Truncate(line, from, "") + on + text + off + ansi.TruncateLeft(line, from+ansi.StringWidth(text), "")
}
