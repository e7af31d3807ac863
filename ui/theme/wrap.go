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

// Wrap breaks styled text into lines of at most w columns, at words, and within
// words that do not fit. Lines that go on have their mark.
func Wrap(s string, w int) []string {
	lines := strings.Split(ansi.Wrap(s, w, ""), "\n")
	markWrapped(lines, s)
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return lines
}

// WrapCode breaks a styled line anywhere, so that every column stays in place.
func WrapCode(s string, w int) []string {
	lines := strings.Split(ansi.Hardwrap(s, w, true), "\n")
	markWrapped(lines, s)
	return lines
}

// markWrapped puts marks into the lines that text was broken into. Breaking
// changes nothing but spaces; where something else differs the marks end.
func markWrapped(lines []string, text string) {
	at := 0
	for i, l := range lines {
		if i > 0 {
			spaces := at
			for at < len(text) && text[at] == ' ' && !strings.HasPrefix(text[at:], l) {
				at++
			}
			switch {
			case at < len(text) && text[at] == '\n':
				at++
			case at > spaces:
				lines[i] = string(afterSpace) + l
			default:
				lines[i] = string(afterBreak) + l
			}
		}
		for k := 0; k < len(l); k++ {
			for at < len(text) && text[at] == ' ' && l[k] != ' ' {
				at++ // a space that was dropped
			}
			if at == len(text) || text[at] != l[k] {
				return
			}
			at++
		}
	}
}

// Unmarked is drawn text without marks, as a terminal may see it.
func Unmarked(s string) string {
	if strings.IndexByte(s, afterSpace) < 0 && strings.IndexByte(s, afterBreak) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == afterSpace || r == afterBreak {
			return -1
		}
		return r
	}, s)
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
	return mark + ansi.Strip(ansi.Cut(Unmarked(line), from, to))
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
