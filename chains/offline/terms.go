package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// scriptKind tells apart the scripts that write words without spaces. Runs of
// one script are cut into pairs of characters.
type scriptKind uint8

const (
	noScript scriptKind = iota
	hiragana
	otherScript
)

func script(r rune) scriptKind {
	switch {
	case r < 0x0E00:
		return noScript
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case r == 'ー', unicode.In(r, unicode.Han, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar):
		return otherScript
	}
	return noScript
}

// eachWord calls f for every word of text in order: letters, digits and marks
// that stand together, with the apostrophes inside, or a run of one script
// without spaces. Text should be in a composed normal form.
func eachWord(text string, f func(word string, s scriptKind)) {
	start, kind := -1, noScript
	for i, r := range text {
		inWord := isWordRune(r) || start >= 0 && kind == noScript && isApostrophe(r) && wordFollows(text[i:])
		s := noScript
		if inWord && r >= utf8.RuneSelf {
			s = script(r)
		}
		if start >= 0 && (!inWord || s != kind) {
			f(text[start:i], kind)
			start = -1
		}
		if start < 0 && inWord {
			start, kind = i, s
		}
	}
	if start >= 0 {
		f(text[start:], kind)
	}
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

func wordFollows(s string) bool {
	_, n := utf8.DecodeRuneInString(s)
	r, _ := utf8.DecodeRuneInString(s[n:])
	return isWordRune(r) && script(r) == noScript
}

// composeText is text in the form that eachWord wants: composed, and without the
// wide and narrow variants of characters.
func composeText(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFKC.String(text)
		}
	}
	return text
}

// termsIn are the terms that text is found by: folded words, and for scripts without
// spaces single characters and pairs.
func termsIn(text string) (terms []string) {
	eachWord(composeText(text), func(word string, s scriptKind) {
		if s == noScript {
			terms = append(terms, fold(word))
			return
		}
		prev := -1
		for i, r := range word {
			end := i + utf8.RuneLen(r)
			terms = append(terms, word[i:end])
			if prev >= 0 {
				terms = append(terms, word[prev:end])
			}
			prev = i
		}
	})
	return terms
}

// fold removes what a person may leave out when asking: case, diacritics,
// apostrophes, and the article that one of them joins to a word in French.
func fold(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") == "" {
		return word
	}
	if i := strings.IndexFunc(word, isApostrophe); i > 0 && isIn("elisions", strings.ToLower(word[:i])) {
		return fold(strings.TrimLeftFunc(word[i:], isApostrophe))
	}
	var b strings.Builder
	b.Grow(len(word))
	for _, r := range norm.NFKD.String(strings.ToLower(word)) {
		if plain, ok := plainLetters[r]; ok {
			b.WriteString(plain)
		} else if !isDiacritic(r) && !isApostrophe(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plainLetters stand for letters that people type without them.
var plainLetters = map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ı': "i", 'ς': "σ"}

// isDiacritic reports marks that words are commonly written without: accents,
// Arabic vowel signs, Hebrew points. Marks that make another letter, as in the
// scripts of India, stay.
func isDiacritic(r rune) bool {
	return r >= 0x0300 && r <= 0x036F || r >= 0x064B && r <= 0x0652 || r >= 0x0591 && r <= 0x05C7
}

// sameStem reports whether a and b, both folded, differ in nothing but common endings,
// as "director" and "directed", which no stemmer takes for forms of one word.
func sameStem(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	ends := func(rest string) bool { return rest == "" || isIn("endings", rest) }
	return n >= 4 && ends(a[n:]) && ends(b[n:])
}

// inflects reports whether a term is compared with other forms of words at all: numbers,
// names with digits and short words are not, nor are characters of scripts
// without spaces.
func inflects(term string) bool {
	n := 0
	for _, r := range term {
		if unicode.IsDigit(r) || script(r) != noScript {
			return false
		}
		n++
	}
	return n >= 3
}
