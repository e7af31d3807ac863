package md

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// URLs lists the http and https addresses in a text, each once. What stands in code
// is none.
func URLs(text string) []string {
	return targets(text, 'h', func(rest string) (url string, n int) {
		if !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") {
			return "", 1
		}
		n = URLLen(rest)
		return rest[:n], n
	})
}

// URLLen is the length in bytes of the URL that s, running text, starts with: up to
// white space or what no URL holds, without the punctuation that belongs to the
// sentence.
func URLLen(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>\"`", r) })
	if end < 0 {
		end = len(s)
	}
	for end > 0 {
		last, size := utf8.DecodeLastRuneInString(s[:end])
		switch opening, ok := map[rune]string{')': "(", ']': "[", '}': "{"}[last]; {
		case ok && strings.Count(s[:end], opening) >= strings.Count(s[:end], string(last)):
			return end // it belongs to the address
		case !IsClosing(last):
			return end
		}
		end -= size
	}
	return end
}

// IsClosing reports whether a character ends a sentence, a quotation or a bracket.
func IsClosing(r rune) bool {
	return strings.ContainsRune(".,;:!?…)]}\"'”’»。，、；：！？」』）】", r)
}
