package theme

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxEscape limits the bytes of an unfinished escape sequence that SanitizeChunk holds back. Colour
// sequences are far shorter; anything longer is not one.
const maxEscape = 64

// Sanitize makes foreign text safe to write to a terminal. The result has no control character but
// newline and tab, and no invisible character that reorders text.
//
//   - Escape sequences that only set colours are dropped: they are decoration.
//   - Every other control character, ESC included, becomes its visible picture (␛, ␇, ␡), so nothing
//     that was in the text is hidden.
//   - C1 controls and bytes that are not UTF-8 become U+FFFD: some terminals act on the bare bytes.
//   - Bidirectional embeddings, overrides and isolates are spelled out, like <U+202E>.
//   - A carriage return before a newline is dropped.
//
// Text that needs none of this is returned as it is, without an allocation. Sanitize(Sanitize(s))
// equals Sanitize(s).
func Sanitize(s string) string {
	i := firstUnsafe(s)
	if i == len(s) {
		return s
	}
	clean, rest := sanitize(s, i)
	if rest != "" { // the added space ends it: it is no longer a prefix of a sequence
		clean += strings.TrimSuffix(Sanitize(rest+" "), " ")
	}
	return clean
}

// SanitizeChunk is like Sanitize for text that arrives in pieces: clean is safe to show, rest is an
// unfinished sequence (at most 64 bytes) that belongs before the next piece. The clean texts of all
// pieces, with Sanitize of the last rest, equal Sanitize of the whole.
func SanitizeChunk(s string) (clean, rest string) {
	return sanitize(s, firstUnsafe(s))
}

// OneLine is like Sanitize for text that must stay on one line, like a title or a file name: newlines
// and tabs become spaces. It does not allocate if there is nothing to do.
func OneLine(s string) string {
	s = Sanitize(s)
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, s)
}

// firstUnsafe returns the offset of the first byte that Sanitize would change, or len(s).
func firstUnsafe(s string) int {
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			if (b < 0x20 && b != '\n' && b != '\t') || b == 0x7f {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if (r == utf8.RuneError && n == 1) || unsafeRune(r) {
			return i
		}
		i += n
	}
	return len(s)
}

// unsafeRune reports whether the non-ASCII r is a C1 control, a line separator or reorders text.
func unsafeRune(r rune) bool {
	return r >= 0x80 && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 ||
		r == 0x2028 || r == 0x2029
}

// sanitize cleans s, whose first from bytes are known to be safe, and holds back a suffix that may be
// the start of a longer sequence.
func sanitize(s string, from int) (clean, rest string) {
	if from == len(s) {
		return s, ""
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	b.WriteString(s[:from])
	for i := from; i < len(s); {
		n := firstUnsafe(s[i:])
		b.WriteString(s[i : i+n])
		i += n
		if i == len(s) {
			break
		}
		text, size, partial := replaceUnsafe(s[i:])
		if partial {
			return b.String(), s[i:]
		}
		b.WriteString(text)
		i += size
	}
	return b.String(), ""
}

// replaceUnsafe returns the text to show for the unsafe sequence at the start of s, and the length of
// the sequence. partial reports that more bytes may change the answer.
func replaceUnsafe(s string) (text string, size int, partial bool) {
	switch b := s[0]; {
	case b == '\r':
		if len(s) == 1 {
			return "", 0, true
		}
		if s[1] == '\n' {
			return "", 1, false
		}
		return "␍", 1, false
	case b == 0x1b:
		n, partial := colourSequence(s)
		if n == 0 && !partial {
			return "␛", 1, false
		}
		return "", n, partial
	case b < 0x20:
		return string(rune(0x2400 + int(b))), 1, false
	case b == 0x7f:
		return "␡", 1, false
	case !utf8.FullRuneInString(s):
		return "", 0, true
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && n == 1, r <= 0x9f:
		return "\ufffd", n, false
	default:
		return fmt.Sprintf("<U+%04X>", r), n, false
	}
}

// colourSequence returns the length of the SGR sequence at the beginning of s, which starts with ESC; 0
// if it is none. partial reports that it may become one.
func colourSequence(s string) (n int, partial bool) {
	if len(s) == 1 {
		return 0, true
	}
	if s[1] != '[' {
		return 0, false
	}
	for i := 2; i < len(s) && i < maxEscape; i++ {
		switch b := s[i]; {
		case b >= '0' && b <= '9', b == ';', b == ':':
		case b == 'm':
			return i + 1, false
		default:
			return 0, false
		}
	}
	return 0, len(s) < maxEscape
}
