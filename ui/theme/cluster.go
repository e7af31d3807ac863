package theme

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Apart is drawn text for a terminal that does not take several characters for one
// (mode 2027): of an emoji that is made of several, which would be as wide as all of
// them there, only the first ones that fit are left. Letters stay what they are.
func Apart(s string) string {
	if !strings.Contains(s, "\u200d") && !strings.Contains(s, "\ufe0f") && !strings.Contains(s, "\U0001f3fb"[:3]) {
		return s
	}
	var b strings.Builder
	for s != "" {
		n, cols := piece(s)
		part := s[:n]
		s = s[n:]
		if first, size := utf8.DecodeRuneInString(part); size == n || cols == 0 || unicode.IsLetter(first) && ansi.StringWidthWc(part) >= cols {
			b.WriteString(part)
			continue
		}
		if ansi.StringWidthWc(part) == cols && !strings.ContainsAny(part, "\u200d\ufe0f") {
			b.WriteString(part)
			continue
		}
		left := cols
		for _, r := range part {
			if w := ansi.StringWidthWc(string(r)); w > 0 && w <= left {
				b.WriteRune(r)
				left -= w
			}
		}
		b.WriteString(strings.Repeat(" ", left))
	}
	return b.String()
}
