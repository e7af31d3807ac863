package md

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// URLs returns the distinct http and https addresses in a text. Code is skipped.
func URLs(text string) []string {
	return targets(text, 'h', func(rest string) (url string, n int) {
		if !StartsURL(rest) {
			return "", 1
		}
		n = URLLen(rest)
		return rest[:n], n
	})
}

// StartsURL reports whether s begins with an http or https address.
func StartsURL(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// URLLen returns the length in bytes of the URL at the beginning of s, running text: up to white space or a
// character that no URL contains, without the punctuation of the sentence.
func URLLen(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>\"`", r) })
	if end < 0 {
		end = len(s)
	}
	for end > 0 {
		last, size := utf8.DecodeLastRuneInString(s[:end])
		switch opening, ok := map[rune]string{')': "(", ']': "[", '}': "{"}[last]; {
		case ok && strings.Count(s[:end], opening) >= strings.Count(s[:end], string(last)):
			return end // the bracket belongs to the address
		case !IsClosing(last):
			return end
		}
		end -= size
	}
	return end
}

// IsClosing reports whether a character can end a sentence, a quotation or a bracket.
func IsClosing(r rune) bool {
	return strings.ContainsRune(".,;:!?…)]}\"'”’»。，、；：！？」』）】", r)
}
