package index

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// similar lists the words of the index that word may be a slip of: those that
// start with its first or second letter, or if there are none, all others.
func (l *lookup) similar(word string) ([]string, error) {
	_, n := utf8.DecodeRuneInString(word)
	_, m := utf8.DecodeRuneInString(word[n:])
	s := newSlips(word)
	for _, starts := range [][]string{{word[:n], word[n : n+m]}, {""}} {
		for _, start := range starts {
			list, err := l.words(start)
			if err != nil {
				return nil, err
			}
			for w := range strings.FieldsSeq(list) {
				s.try(w)
			}
		}
		if len(s.found) > 0 {
			break
		}
	}
	return s.found, nil
}

// slips finds the words that a word may be a slip of: letters left out, added, exchanged
// for another or with their neighbour. Only the nearest count.
type slips struct {
	text  string
	word  []rune // of text
	mask  uint64
	least int // edits of those that were found, at first the most that may be
	found []string

	rows  [3][]int
	other []rune
}

// shortestPart bounds the bytes of the parts of a word that may be two.
const shortestPart = 3

func newSlips(word string) *slips {
	s := &slips{text: word, word: []rune(word), mask: mask(word), least: maxEdits(word)}
	for i := range s.rows {
		s.rows[i] = make([]int, len(s.word)+1)
	}
	return s
}

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

// try takes w if no other word is closer.
func (s *slips) try(w string) {
	d, m := len(w)-len(s.text), mask(w)
	if max(d, -d) > s.least*utf8.UTFMax || bits.OnesCount64(m&^s.mask) > s.least || bits.OnesCount64(s.mask&^m) > s.least {
		return // which is plain to see
	}
	switch d := s.edits(w); {
	case d == 0 || d > s.least:
	case d < s.least:
		s.least, s.found = d, []string{w}
	case !slices.Contains(s.found, w):
		s.found = append(s.found, w)
	}
}

// edits is how many w is from the word, as far as least allows.
func (s *slips) edits(w string) int {
	most := s.least
	s.other = s.other[:0]
	for _, r := range w {
		s.other = append(s.other, r)
	}
	a, b := s.word, s.other
	if d := len(a) - len(b); max(d, -d) > most {
		return most + 1
	}
	before, last, row := s.rows[0], s.rows[1], s.rows[2]
	for j := range last {
		last[j] = j
	}
	for i := range b {
		row[0] = i + 1
		least := row[0]
		for j := range a {
			cost := 1
			if a[j] == b[i] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[j] == b[i-1] && a[j-1] == b[i] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > most {
			return least
		}
		before, last, row = last, row, before
	}
	return last[len(a)]
}
