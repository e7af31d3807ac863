package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a character is to the vocabulary o200k_base. A character may be in
// several of the classes of the expression that splits text for it.
type kind uint8

const (
	upper   kind = 1 << iota // \p{Lu} \p{Lt} \p{Lm} \p{Lo} \p{M}: the head of a word
	lower                    // \p{Ll} \p{Lm} \p{Lo} \p{M}: its tail
	letter                   // \p{L}
	digit                    // \p{N}
	space                    // \s
	newline                  // \r \n
)

// asciiKinds are the kinds of the characters of one byte.
var asciiKinds = func() (kinds [utf8.RuneSelf]kind) {
	for c := range kinds {
		switch {
		case c >= 'A' && c <= 'Z':
			kinds[c] = upper | letter
		case c >= 'a' && c <= 'z':
			kinds[c] = lower | letter
		case c >= '0' && c <= '9':
			kinds[c] = digit
		case c == '\r' || c == '\n':
			kinds[c] = space | newline
		case c == ' ' || c >= '\t' && c <= '\r':
			kinds[c] = space
		}
	}
	return kinds
}()

// kindAt is the kind of the first character of s, and its size in bytes, 0 at the end.
func kindAt(s string) (kind, int) {
	if s == "" {
		return 0, 0
	}
	if s[0] < utf8.RuneSelf {
		return asciiKinds[s[0]], 1
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case unicode.Is(unicode.Ll, r):
		return lower | letter, n
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return upper | letter, n
	case unicode.Is(unicode.L, r):
		return upper | lower | letter, n
	case unicode.Is(unicode.M, r):
		return upper | lower, n
	case unicode.Is(unicode.N, r):
		return digit, n
	case unicode.IsSpace(r):
		return space, n
	}
	return 0, n
}

// pieceEnd is where the first piece of s ends, which is not empty: no token reaches
// from one piece into the next. It is what this expression matches:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func pieceEnd(s string) int {
	k, n := kindAt(s)
	head := 0 // of a word: one character that is no letter
	if k&(letter|digit|newline) == 0 {
		head = n
	}
	for _, tail := range [...]bool{true, false} {
		if end := wordEnd(s, head, tail); end > 0 {
			return end
		}
		if head > 0 {
			if end := wordEnd(s, 0, tail); end > 0 {
				return end
			}
		}
	}
	switch {
	case k&digit != 0:
		return digitsEnd(s)
	case k&space == 0:
		return signsEnd(s, 0)
	case s[0] == ' ':
		if end := signsEnd(s, 1); end > 1 {
			return end
		}
	}
	return spaceEnd(s)
}

// wordEnd is the end of the word that begins at from, 0 if there is none. With tail,
// it ends in characters of a tail; without, it begins with one of a head.
func wordEnd(s string, from int, tail bool) int {
	end, last := from, 0 // last: the end of the last character of a head that a tail may have too
	k, n := kindAt(s[end:])
	for ; k&upper != 0; k, n = kindAt(s[end:]) {
		if end += n; k&lower != 0 {
			last = end
		}
	}
	switch {
	case tail && k&lower == 0:
		if end = last; last == 0 {
			return 0
		}
	case !tail && end == from:
		return 0
	default:
		for ; k&lower != 0; k, n = kindAt(s[end:]) {
			end += n
		}
	}
	return end + contraction(s[end:])
}

// contraction is the length of what stands at the start of s of 's, 't, 're, 've, 'm,
// 'll and 'd, in any case.
func contraction(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	switch s[1] {
	case 's', 'S', 't', 'T', 'm', 'M', 'd', 'D':
		return 2
	}
	if strings.HasPrefix(s[1:], "ſ") {
		return 1 + len("ſ")
	}
	if len(s) > 2 {
		switch strings.ToLower(s[1:3]) {
		case "re", "ve", "ll":
			return 3
		}
	}
	return 0
}

// digitsEnd is the end of up to three digits.
func digitsEnd(s string) (end int) {
	for range 3 {
		k, n := kindAt(s[end:])
		if k&digit == 0 {
			break
		}
		end += n
	}
	return end
}

// signsEnd is the end of the signs from a place on, with the line breaks and slashes
// behind them, from itself if there are none.
func signsEnd(s string, from int) int {
	end := from
	for end < len(s) {
		k, n := kindAt(s[end:])
		if k&(space|letter|digit) != 0 {
			break
		}
		end += n
	}
	if end == from {
		return from
	}
	for end < len(s) && (s[end] == '\r' || s[end] == '\n' || s[end] == '/') {
		end++
	}
	return end
}

// spaceEnd is the end of white space: of its last line break, or else before its last
// character, if a word follows that may take it along.
func spaceEnd(s string) int {
	end, last, broken := 0, 0, 0
	for end < len(s) {
		k, n := kindAt(s[end:])
		if k&space == 0 {
			break
		}
		last = end
		if end += n; k&newline != 0 {
			broken = end
		}
	}
	switch {
	case broken > 0:
		return broken
	case end < len(s) && last > 0:
		return last
	}
	return end
}
