package theme

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostBlanks is how many blanks in a row Visible leaves as they are.
const mostBlanks = 32

// ShowHidden is a line that somebody is to agree to, with everything in it drawn: control
// characters, and characters that terminals do not draw unless those beside them need
// them, are spelled out, like ‹U+200B›; of many blanks in a row the number is said. Tabs
// stay.
func ShowHidden(line string) string {
	var b strings.Builder
	before := ' '
	for line != "" {
		rest := strings.TrimLeftFunc(line, isBlank)
		if n := utf8.RuneCountInString(line) - utf8.RuneCountInString(rest); n > mostBlanks {
			b.WriteString(" ⋯ " + Plural(n, "blank") + " ")
		} else {
			b.WriteString(line[:len(line)-len(rest)])
		}
		if rest == "" {
			break
		}
		r, n := utf8.DecodeRuneInString(rest)
		line = rest[n:]
		if isHidden(r) && !joinsNeighbour(before, r, line) {
			fmt.Fprintf(&b, "‹U+%04X›", r)
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

func isBlank(r rune) bool { return r == '\t' || unicode.Is(unicode.Zs, r) }

// isHidden reports whether terminals do not draw a character, or act on it.
func isHidden(r rune) bool {
	return r < ' ' || r > '~' && (r == '\u2800' || !unicode.Is(unicode.Prepended_Concatenation_Mark, r) && unicode.In(r,
		unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point))
}

// joinsNeighbour reports whether a hidden character makes one of those beside it: an emoji, or
// letters that join.
func joinsNeighbour(before, r rune, behind string) bool {
	next, _ := utf8.DecodeRuneInString(behind)
	switch r {
	case '\ufe0e', '\ufe0f':
		return before > '~' && unicode.IsSymbol(before) || next == keycap
	case '\u200c', '\u200d':
		return (before == '\ufe0f' || isEmoji(before)) && isEmoji(next) ||
			unicode.In(before, unicode.Arabic, unicode.Mn)
	}
	return false
}
