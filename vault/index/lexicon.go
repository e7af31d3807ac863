package index

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// lexicon gathers words of notes, without those of dense scripts.
type lexicon map[string]struct{}

// longestWord bounds the bytes of a word in the lexicon: what is longer is an
// address or data.
const longestWord = 40

// add adds the words among tokens.
func (l lexicon) add(tokens []byte) {
	for word := range bytes.FieldsSeq(tokens) {
		if _, ok := l[string(word)]; !ok && len(word) > 1 && len(word) <= longestWord && mayBeMistyped(word) {
			l[string(word)] = struct{}{}
		}
	}
}

// mayBeMistyped reports whether word is one that a person may mistype, or of which there
// may be other forms: it starts with a letter, and is of no dense script.
func mayBeMistyped(word []byte) bool {
	r, _ := utf8.DecodeRune(word)
	return unicode.IsLetter(r) && !isDense(r)
}

// words are those of the index that start with prefix, with spaces between.
func (l *lookup) words(prefix string) (list string, err error) {
	return l.list("SELECT DISTINCT folded AS one FROM word WHERE folded BETWEEN ? AND ?", prefix, prefix+"\U0010FFFF")
}

// forms are the words of the index with one of some stems.
func (l *lookup) forms(stems []string) ([]string, error) {
	if len(stems) == 0 {
		return nil, nil
	}
	list, err := l.list("SELECT DISTINCT folded AS one FROM word WHERE stem IN (SELECT value FROM json_each(?))", `["`+strings.Join(stems, `","`)+`"]`)
	return strings.Fields(list), err
}

// similar lists the words of the index that word may be a slip of: those that start with
// its first or second letter, or if there are none, all others. Only the nearest count.
func (l *lookup) similar(word string) (found []string, err error) {
	_, n := utf8.DecodeRuneInString(word)
	_, m := utf8.DecodeRuneInString(word[n:])
	least := maxEdits(word)
	for _, start := range []string{word[:n], word[n : n+m], ""} {
		if start == "" && len(found) > 0 {
			break
		}
		list, err := l.words(start)
		if err != nil {
			return nil, err
		}
		for w := range strings.FieldsSeq(list) {
			switch d := edits(word, w, least); {
			case d == 0 || d > least:
			case d < least:
				least, found = d, []string{w}
			case !slices.Contains(found, w):
				found = append(found, w)
			}
		}
	}
	return found, nil
}

// shortestPart bounds the bytes of the parts of a word that may be two.
const shortestPart = 3

// maxEdits is how many edits a word may be from another: one up to seven letters, two
// above; 0 if it is too short to tell, or has a digit.
func maxEdits(word string) int {
	n := utf8.RuneCountInString(word)
	switch {
	case n < 3 || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) || isDense(r) }):
		return 0
	case n <= 7:
		return 1
	}
	return 2
}

// edits is how many letters are left out, added or exchanged between two words, two that
// changed places being one; if there are more than most it may be any more.
func edits(a, b string, most int) int {
	in, of := mask(a), mask(b)
	if bits.OnesCount64(in&^of) > most || bits.OnesCount64(of&^in) > most {
		return most + 1
	}
	n := levenshtein.ComputeDistance(a, b)
	for i, swapped := 1, []rune(a); n > 1 && n <= most+1 && i < len(swapped); i++ {
		swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
		n = min(n, 1+levenshtein.ComputeDistance(string(swapped), b))
		swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
	}
	return n
}
