package query

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"ibid/vault"
)

// punctuation are the punctuation marks and signs of names, in the order of the root locale of CLDR.
const punctuation = "_-–—,，、;；:：!！?？.。…·'‘’\"“”«»()（）[]【】{}「」『』《》§¶@*/\\&#%•`´^°+±÷×<=>|~¢$£¥€"

// compareText orders texts as people do: marks before numbers, numbers by value before letters. Accents and
// case count only where all else is equal, small letters first. Different Unicode encodings of one text are
// equal.
func compareText(a, b string) int {
	if a == b {
		return 0
	}
	same := 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		if a[i] < utf8.RuneSelf && !isDigit(rune(a[i])) {
			same = i + 1
		}
	}
	a, b = norm.NFD.String(a[same:]), norm.NFD.String(b[same:])
	if c := compareLetters(a, b); c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(b, a))
}

// comparePaths orders files by name; if two names differ only in the encoding of accents, by their bytes.
func comparePaths(a, b vault.Path) int {
	return cmp.Or(compareText(string(a), string(b)), cmp.Compare(a, b))
}

// compareLetters orders texts ignoring accents and case.
func compareLetters(a, b string) int {
	for {
		x, n := nextLetter(a)
		y, m := nextLetter(b)
		switch {
		case n == 0 || m == 0:
			return cmp.Compare(n, m)
		case isDigit(x) && isDigit(y):
			x, y := leadingNumber(a[n-1:]), leadingNumber(b[m-1:])
			v, w := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if c := cmp.Or(cmp.Compare(len(v), len(w)), strings.Compare(v, w)); c != 0 {
				return c
			}
			n, m = n-1+len(x), m-1+len(y)
		case x != y:
			if c := cmp.Compare(weight(x), weight(y)); c != 0 {
				return c
			}
		}
		a, b = a[n:], b[m:]
	}
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func leadingNumber(s string) string { return s[:len(s)-len(strings.TrimLeftFunc(s, isDigit))] }

// nextLetter returns the first letter or sign of s, in lower case, and the offset behind it; 0, 0 if there is
// none.
func nextLetter(s string) (r rune, end int) {
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		end += n
		if r < utf8.RuneSelf || !unicode.In(r, unicode.M, unicode.Cf) {
			return unicode.ToLower(r), end
		}
	}
	return 0, 0
}

// weight returns the rank of a character: white space, marks, other signs and emoji, numbers, letters.
func weight(r rune) rune {
	const kind = unicode.MaxRune + 1
	switch known := strings.IndexRune(punctuation, r); {
	case unicode.IsSpace(r):
		return 0
	case known >= 0:
		return rune(known) + 1
	case unicode.IsLetter(r):
		return 3*kind + r
	case unicode.IsNumber(r):
		return 2*kind + r
	}
	return kind + r
}
