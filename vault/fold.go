package vault

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold returns the form in which names are compared: lower case, NFC. A name in that form is returned as it is,
// without allocating.
func fold(s string) string {
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return norm.NFC.String(strings.ToLower(s))
		}
	}
	return s
}

// hasDotPart reports whether an element of p starts with a dot: such files belong to an editor or the system
// and are never notes.
func hasDotPart(p Path) bool {
	return strings.HasPrefix(string(p), ".") || strings.Contains(string(p), "/.")
}
