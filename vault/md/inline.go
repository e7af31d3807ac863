package md

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTicks limits the backticks of a code span's mark.
const maxTicks = 32

// CodeSpans finds the code spans of one stretch of text, from its start to its end. The zero value is the state
// at the start.
type CodeSpans struct{ none uint64 } // bit n: no run of n backticks follows

// Len returns the length of the code span at the beginning of rest, the rest of the stretch, or of its opening
// mark if nothing closes it.
func (c *CodeSpans) Len(rest string) int {
	n := 0
	for n < len(rest) && rest[n] == '`' {
		n++
	}
	if n > maxTicks || c.none&(1<<n) != 0 {
		return n
	}
	for at := n; ; {
		k := strings.IndexByte(rest[at:], '`')
		if k < 0 {
			c.none |= 1 << n
			return n
		}
		at += k
		from := at
		for at < len(rest) && rest[at] == '`' {
			at++
		}
		if at-from == n {
			return at
		}
	}
}

// Wikilink parses the wikilink at the beginning of s, which starts with "[[". inner is the text between the
// brackets, "" if they are not closed on their line or another link opens inside; n is the offset at which to
// continue.
func Wikilink(s string) (inner string, n int) {
	from := 2
	for from < len(s) && s[from] == '[' {
		from++
	}
	for i := from; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			return "", i
		case i+1 == len(s):
		case c == '[' && s[i+1] == '[':
			return "", i
		case c == ']' && s[i+1] == ']':
			return s[from:i], i + 2
		}
	}
	return "", len(s)
}

// Unlink returns a reference without the brackets of a wikilink or embed, and without display text.
func Unlink(ref string) string {
	ref = strings.TrimPrefix(strings.TrimSpace(ref), "!")
	inner, ok := strings.CutPrefix(ref, "[[")
	if !ok {
		return ref
	}
	target, _ := Target(strings.TrimSuffix(inner, "]]"))
	return target
}

// Target splits the inside of a wikilink, "path#subpath|display", after the subpath. In tables the bar is
// written "\|".
func Target(inner string) (target, display string) {
	target, display, piped := strings.Cut(inner, "|")
	if piped {
		target = strings.TrimSuffix(target, `\`)
	}
	return strings.TrimSpace(target), strings.TrimSpace(display)
}

// TagLen returns the length in bytes of the tag at the beginning of s, the text after a '#'; 0 if it is no tag.
// A tag ends at white space, at ASCII punctuation except - _ and /, and at the general punctuation of Unicode;
// emoji and full-width marks are part of it. At least one character must not be a digit: #1984 is no tag.
func TagLen(s string) int {
	end := len(s)
	for i, r := range s {
		if !isTagRune(r) {
			end = i
			break
		}
	}
	end = len(strings.TrimRight(s[:end], "/"))
	if strings.Trim(s[:end], "0123456789") == "" {
		return 0
	}
	return end
}

func isTagRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '-' || r == '_' || r == '/' ||
			'0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return !unicode.IsSpace(r) && (r < 0x2000 || r > 0x206F) && (r < 0x2E00 || r > 0x2E7F)
}

// Wikilinks returns the distinct targets of the wikilinks in a text. Code is skipped.
func Wikilinks(text string) []string {
	return targets(text, '[', func(rest string) (target string, n int) {
		if !strings.HasPrefix(rest, "[[") {
			return "", 1
		}
		inner, n := Wikilink(rest)
		target, _ = Target(inner)
		return target, n
	})
}

// targets returns the distinct results of at in a text outside of code. at gets the rest of a line that begins
// with first; n is the number of bytes that it used.
func targets(text string, first byte, at func(rest string) (target string, n int)) (out []string) {
	seen := map[string]bool{}
	var code Fences
	stops := "`" + string(first)
	for line := range strings.Lines(text) {
		if code.Line(strings.TrimRight(line, "\r\n")) {
			continue
		}
		var spans CodeSpans
		for line != "" {
			n, target := 0, ""
			switch line[0] {
			case '`':
				n = spans.Len(line)
			case first:
				target, n = at(line)
			default:
				if n = strings.IndexAny(line[1:], stops) + 1; n == 0 {
					n = len(line)
				}
			}
			if target != "" && !seen[target] {
				seen[target] = true
				out = append(out, target)
			}
			line = line[n:]
		}
	}
	return out
}
