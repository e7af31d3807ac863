package theme

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// joiner is what joins the parts of an emoji, and partMark what stands in its place
// where they are drawn one beside the other.
const (
	joiner   = "\u200d"
	partMark = '\x1a'
)

// Parted is clean text as it can be measured and wrapped for the terminal: where that
// does not draw an emoji of several joined ones as one, a mark parts them. Terminals
// never see it, see [Unmarked], and [Piece] joins them again. Letters stay joined.
func (t *Theme) Parted(s string) string {
	if !t.Options.Apart || !strings.Contains(s, joiner) {
		return s
	}
	var b strings.Builder
	for i, part := range strings.Split(s, joiner) {
		if i > 0 {
			if r, _ := utf8.DecodeRuneInString(part); isEmoji(r) {
				b.WriteByte(partMark)
			} else {
				b.WriteString(joiner)
			}
		}
		b.WriteString(part)
	}
	return b.String()
}

// isEmoji reports whether a character is one of those that joined emoji are made of.
func isEmoji(r rune) bool {
	return r >= 0x2190 && !unicode.IsLetter(r) && !unicode.IsMark(r) && unicode.IsSymbol(r)
}

// keycap is drawn around the character before it.
const keycap = '\u20e3'

// SeparateEmoji is drawn text for a terminal that does not take several characters for one
// (mode 2027): of an emoji that is made of several, which would be as wide as all of
// them there, only the first ones that fit are left. Letters stay what they are.
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
