package index

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// droppedRune is what foldRune returns for a rune that folding leaves out, as strings.Map
// does.
const droppedRune = rune(-1)

// foldRune brings a rune of NFC text into the form that is compared: lower
// case, Latin and Greek letters without their accents, full-width letters as
// plain ones. Other scripts keep their marks, because there they make other
// letters (が is not か, й is not и). A combining accent that stands alone
// gives dropped.
func foldRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	case 0x3000 <= r && r < 0xA000, 0xAC00 <= r && r < 0xD800:
		return r
	case 0x0300 <= r && r <= 0x036F:
		return droppedRune
	case 0xFF01 <= r && r <= 0xFF5E:
		return foldRune(r - 0xFEE0)
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

// isDense reports whether r belongs to a script that is written without spaces
// between words. Such text is indexed as overlapping pairs of runes, and each
// of its runes can start a match.
func isDense(r rune) bool {
	return r >= 0x0E00 && (0x2E80 <= r && r < 0xA000 || unicode.In(r, unicode.Han, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Khmer))
}

// wordRune reports whether a folded rune is part of a word.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// foldName folds a name rune by rune, so that a rune of the result can be
// traced to the rune of the NFC form of s that it comes from.
func foldName(s string) string { return strings.Map(foldRune, norm.NFC.String(s)) }

// asciiFold has for each ASCII byte what folding makes of it: a letter or digit, or a
// space for all that is between words. It is as long as there are bytes, so that looking
// one up needs no check.
const asciiFold = "" +
	"                                " +
	"                0123456789      " +
	" abcdefghijklmnopqrstuvwxyz     " +
	" abcdefghijklmnopqrstuvwxyz     " +
	"                                " +
	"                                " +
	"                                " +
	"                                "

// foldText appends the folded words of s to dst. Everything between two words
// becomes one space.
func foldText(dst []byte, s string) []byte {
	if !plainASCII(s) {
		s = norm.NFC.String(width.Fold.String(s))
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < utf8.RuneSelf {
			if c = asciiFold[c]; c > ' ' {
				dst = append(dst, c)
			} else {
				dst = appendGap(dst)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n - 1
		switch r = foldRune(r); {
		case r == droppedRune:
		case !wordRune(r):
			dst = appendGap(dst)
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

// appendGap separates two words on one line.
func appendGap(dst []byte) []byte {
	if n := len(dst); n > 0 && dst[n-1] > ' ' {
		dst = append(dst, ' ')
	}
	return dst
}

// eachToken calls f for the words of folded text, and of dense scripts for each rune and,
// behind it, the pair that it begins: so any run of them is found as a phrase.
func eachToken(folded []byte, f func(word []byte)) {
	for i := 0; i < len(folded); {
		end := i
		for end < len(folded) && folded[end] > ' ' {
			r, n := rune(folded[end]), 1
			if r >= utf8.RuneSelf {
				r, n = utf8.DecodeRune(folded[end:])
			}
			if isDense(r) {
				break
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
		if next, m := utf8.DecodeRune(folded[i+n:]); isDense(next) {
			f(folded[i : i+n+m])
		}
		i += n
	}
}

// plainASCII reports whether s has no other bytes than those of ASCII.
func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
