package vaulttest

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

// meanings are rows of words with similar meanings.
var meanings = [][]string{
	{"car", "automobile", "vehicle", "engine"},
	{"slug", "slugs", "snail", "snails", "mollusc"},
	{"soup", "broth", "bouillon"},
	{"doctor", "physician", "medic"},
	{"money", "budget", "funds", "cash"},
}

// MeaningSize is the number of components of a meaning.
const MeaningSize = 64

// Meaning returns the meaning of a text by a fixed table, in place of a model that makes
// vectors: texts with words of one row have the same direction, and others random ones.
func Meaning(text string) []float32 {
	v := make([]float32, MeaningSize)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		seed, weight := word, float32(0.1)
		if row := slices.IndexFunc(meanings, func(words []string) bool { return slices.Contains(words, word) }); row >= 0 {
			seed, weight = meanings[row][0], 2
		}
		sum := fnv.New64a()
		_, _ = sum.Write([]byte("meaning of " + seed))
		bits := sum.Sum64()
		bits = (bits ^ bits>>29) * 0xbf58476d1ce4e5b9
		for i := range v {
			if bits>>i&1 > 0 {
				v[i] += weight
			} else {
				v[i] -= weight
			}
		}
	}
	return v
}
