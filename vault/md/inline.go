package md

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTicks bounds the marks of a code span.
const maxTicks = 32

// CodeSpans finds the code spans of one stretch of text, from its start to its
// end. The zero value stands before the stretch.
type CodeSpans struct{ none uint64 } // bit n: no run of n backticks follows

// Len is the length of the code span that rest, the rest of the stretch,
// begins with, or of its opening mark if nothing closes it.
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

// Wikilink reads the wikilink that s, which starts with "[[", begins with.
// inner is what stands between the brackets, "" if they do not close on their
// line or another link opens inside; n is where to go on.
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

// Unlink is a reference without the brackets of a wikilink or an embed, if it
// has any, and without display text.
func Unlink(ref string) string {
	ref = strings.TrimPrefix(strings.TrimSpace(ref), "!")
	inner, ok := strings.CutPrefix(ref, "[[")
	if !ok {
		return ref
	}
	target, _ := Target(strings.TrimSuffix(inner, "]]"))
	return target
}

// Target takes the inside of a wikilink, "path#subpath|display", apart behind
// the path and subpath. In tables the bar is written "\|".
func Target(inner string) (target, display string) {
	target, display, piped := strings.Cut(inner, "|")
	if piped {
		target = strings.TrimSuffix(target, `\`)
	}
	return strings.TrimSpace(target), strings.TrimSpace(display)
}

// TagLen is the length in bytes of the tag that s starts with, s being what
// follows a '#'; 0 if that is no tag. A tag ends at white space, at ASCII
// punctuation but for - _ and /, and at the general punctuation of Unicode;
// emoji and full-width marks are part of it. One character must not be a
// digit: #1984 is none.
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

// Wikilinks lists the targets of the links in a text, each once. What stands in
// code is none.
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

// targets lists what at finds in a text outside of code, each once. at gets the rest of
// a line that begins with first; n is how much of it was read.
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
