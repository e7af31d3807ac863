package theme

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBlanks is the largest number of consecutive blanks that ShowHidden leaves as they are.
const maxBlanks = 32

// ShowHidden returns a line that a user is to approve with everything in it visible: control
// characters, and characters that terminals draw only together with a neighbour, are spelled out, like
// ‹U+200B›; many consecutive blanks become their number. Tabs stay.
func ShowHidden(line string) string {
	var b strings.Builder
	before := ' '
	for line != "" {
		rest := strings.TrimLeftFunc(line, isBlank)
		if n := utf8.RuneCountInString(line) - utf8.RuneCountInString(rest); n > maxBlanks {
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

// joinsNeighbour reports whether a hidden character forms one character with a neighbour: an emoji, or
// joined letters.
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
