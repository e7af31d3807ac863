package theme

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// isEmoji reports whether a character can be part of a joined emoji.
func isEmoji(r rune) bool {
	return r >= 0x2190 && !unicode.IsLetter(r) && !unicode.IsMark(r) && unicode.IsSymbol(r)
}

// keycap is drawn around the character before it.
const keycap = '\u20e3'

// SeparateEmoji converts drawn text for a terminal that does not draw a cluster of several characters
// as one (mode 2027). Of an emoji made of several characters, which would be as wide there as all of
// them, only the first ones that fit are kept. Letters stay as they are.
func SeparateEmoji(s string) string {
	if !strings.Contains(s, "\u200d") && !strings.Contains(s, "\ufe0f") && !strings.Contains(s, "\U0001f3fb"[:3]) {
		return s
	}
	var b strings.Builder
	for s != "" {
		n, cols := piece(s)
		part := s[:n]
		s = s[n:]
		if first, size := utf8.DecodeRuneInString(part); size == n || cols == 0 ||
			unicode.IsLetter(first) && ansi.StringWidthWc(part) >= cols {
			b.WriteString(part)
			continue
		}
		if ansi.StringWidthWc(part) == cols && !strings.ContainsAny(part, "\u200d\ufe0f") {
			b.WriteString(part)
			continue
		}
		left := cols
		for _, r := range part {
			w := ansi.StringWidthWc(string(r))
			if w > 0 && w <= left || r == keycap {
				b.WriteRune(r)
				left -= w
			}
		}
		b.WriteString(strings.Repeat(" ", left))
	}
	return b.String()
}
