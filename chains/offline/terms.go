package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"ibid/vault/index/fold"
)

// scriptKind distinguishes the scripts without spaces between words. Runs of one script are split into pairs of
// characters.
type scriptKind uint8

const (
	noScript scriptKind = iota
	hiragana
	otherScript
)

func script(r rune) scriptKind {
	switch {
	case !fold.IsDense(r):
		return noScript
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	}
	return otherScript
}

// eachWord calls f for every word of text in order: adjacent letters, digits and marks, with the apostrophes
// inside, or a run of one script without spaces. Words are composed, without wide and narrow variants of characters.
func eachWord(text string, f func(word string, s scriptKind)) {
	start, kind := -1, noScript
	text = norm.NFKC.String(text)
	for i, r := range text {
		inWord := fold.IsWordRune(r) || start >= 0 && kind == noScript && isApostrophe(r) && wordFollows(text[i:])
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

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

func wordFollows(s string) bool {
	_, n := utf8.DecodeRuneInString(s)
	r, _ := utf8.DecodeRuneInString(s[n:])
	return fold.IsWordRune(r) && script(r) == noScript
}

// termsIn returns the terms of a text: folded words, and for scripts without spaces single characters and pairs.
func termsIn(text string) (terms []string) {
	eachWord(text, func(word string, s scriptKind) {
		if s == noScript {
			terms = append(terms, foldWord(word))
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

// foldWord removes what people often leave out in questions: case, diacritics, apostrophes, the vowel signs of Arabic
// and the points of Hebrew, and the French article before an apostrophe.
func foldWord(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") == "" {
		return word
	}
	if i := strings.IndexFunc(word, isApostrophe); i > 0 && isIn("elisions", strings.ToLower(word[:i])) {
		return foldWord(strings.TrimLeftFunc(word[i:], isApostrophe))
	}
	return fold.Line(strings.Map(func(r rune) rune {
		switch {
		case isApostrophe(r), r >= 0x0591 && r <= 0x05C7, r >= 0x064B && r <= 0x0652:
			return -1
		case r == 'ı':
			return 'i'
		}
		return r
	}, word))
}

// sameStem reports whether a and b, both folded, differ only in common endings, such as "director" and "directed",
// which stemmers treat as different words.
func sameStem(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	ends := func(rest string) bool { return rest == "" || isIn("endings", rest) }
	return n >= 4 && ends(a[n:]) && ends(b[n:])
}

// inflects reports whether a term is compared with other forms of words: not numbers, names with digits, short
// words and characters of scripts without spaces.
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
