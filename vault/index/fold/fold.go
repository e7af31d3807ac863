package fold

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Dropped is returned by Rune for a rune that folding leaves out. It tells strings.Map to do so.
const Dropped = rune(-1)

// Rune folds a rune of NFC text: lower
// case, Latin and Greek letters without their accents, full-width letters as
// plain ones. Other scripts keep their marks, because there they make other
// letters (が is not か, й is not и). A combining accent that stands alone
// gives Dropped.
func Rune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	case 0x3000 <= r && r < 0xA000, 0xAC00 <= r && r < 0xD800:
		return r
	case 0x0300 <= r && r <= 0x036F:
		return Dropped
	case 0xFF01 <= r && r <= 0xFF5E:
		return Rune(r - 0xFEE0)
	}
	switch r {
	case 'ø', 'Ø':
		return 'o'
	case 'ł', 'Ł':
		return 'l'
	case 'đ', 'Đ':
		return 'd'
	case 'ё', 'Ё':
		return 'е'
	case 'ς':
		return 'σ'
	}
	var b [utf8.UTFMax]byte
	n := utf8.EncodeRune(b[:], r)
	if d := norm.NFD.Properties(b[:n]).Decomposition(); len(d) > 0 {
		if base, _ := utf8.DecodeRune(d); unicode.In(base, unicode.Latin, unicode.Greek) {
			r = base
		}
	}
	return unicode.ToLower(r)
}

// IsDense reports whether r belongs to a script that is written without spaces
// between words. Such text is indexed as single runes and overlapping pairs, and each
// of its runes can start a match.
func IsDense(r rune) bool {
	return r >= 0x0E00 && (0x2E80 <= r && r < 0xA000 ||
		unicode.In(r, unicode.Han, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Khmer))
}

// IsWordRune reports whether a folded rune is part of a word.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// Name folds a name rune by rune, so that each rune of the result can be traced to the rune of the NFC form of s that
// it comes from.
func Name(s string) string { return strings.Map(Rune, norm.NFC.String(s)) }

// asciiFold has a lower case letter, a digit or a space for each ASCII byte. It has an entry for
// every byte, so that indexing needs no bounds check.
const asciiFold = "" +
	"                                " +
	"                0123456789      " +
	" abcdefghijklmnopqrstuvwxyz     " +
	" abcdefghijklmnopqrstuvwxyz     " +
	"                                " +
	"                                " +
	"                                " +
	"                                "

// Text appends the folded words of s to dst. Everything between two words
// becomes one space.
func Text(dst []byte, s string) []byte {
	if utf8.RuneCountInString(s) < len(s) { // not only ASCII
		s = norm.NFC.String(width.Fold.String(s))
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < utf8.RuneSelf {
			if c = asciiFold[c]; c > ' ' {
				dst = append(dst, c)
			} else {
				dst = AppendGap(dst)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n - 1
		switch r = Rune(r); {
		case r == Dropped:
		case !IsWordRune(r):
			dst = AppendGap(dst)
		case r == 'ß':
			dst = append(dst, "ss"...)
		case r == 'æ':
			dst = append(dst, "ae"...)
		case r == 'œ':
			dst = append(dst, "oe"...)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return bytes.TrimSuffix(dst, []byte(" "))
}

// Line returns the folded words of s, joined by single spaces.
func Line(s string) string { return string(Text(nil, s)) }

// AppendGap separates two words on one line.
func AppendGap(dst []byte) []byte {
	if n := len(dst); n > 0 && dst[n-1] > ' ' {
		dst = append(dst, ' ')
	}
	return dst
}

// EachToken calls f for the words of folded text, and of dense scripts for each rune and,
// behind it, the pair that it begins: so any run of them is found as a phrase.
func EachToken(folded []byte, f func(word []byte)) {
	for i := 0; i < len(folded); {
		end := i
		for end < len(folded) && folded[end] > ' ' {
			n := 1
			if folded[end] >= utf8.RuneSelf {
				var r rune
				if r, n = utf8.DecodeRune(folded[end:]); IsDense(r) {
					break
				}
			}
			end += n
		}
		if end > i {
			f(folded[i:end])
		}
		if i = end; i == len(folded) || folded[i] <= ' ' {
			i++
			continue
		}
		_, n := utf8.DecodeRune(folded[i:])
		f(folded[i : i+n])
		if next, m := utf8.DecodeRune(folded[i+n:]); IsDense(next) {
			f(folded[i : i+n+m])
		}
		i += n
	}
}

// Mask has a bit for each letter and digit in folded text, and one of a few shared bits for every other rune. Text
// without a bit of a query's mask cannot hold the query; to ask that first saves most of the work.
func Mask(folded string) (m uint64) {
	for _, r := range folded {
		switch {
		case 'a' <= r && r <= 'z':
			m |= 1 << (r - 'a')
		case '0' <= r && r <= '9':
			m |= 1 << (26 + r - '0')
		case r > ' ':
			m |= 1 << (36 + r%28)
		}
	}
	return m
}
