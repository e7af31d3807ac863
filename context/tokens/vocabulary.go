package tokens

import (
	_ "embed"
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
	_ "github.com/tiktoken-go/tokenizer/codec" // brings wordPattern as a program that was generated
)

// vocabulary is o200k_base, which a test converts from the tokenizer's own file into a form to be searched
// directly: as a map it would take 30 ms and 16 MB of every run that counts something. It begins with the ends of
// the tokens of each length, from 0 to maxToken, in four bytes each; the tokens follow in order, each with its
// rank in rankBytes.
//
//go:embed o200k.bin
var vocabulary string

const (
	maxToken  = 128
	rankBytes = 3
	noRank    = math.MaxInt
)

// maxWord limits the bytes of a word that are merged at once, because that takes quadratic time. Hardly any
// word is longer; such a word may be wrong by one token per maxWord bytes.
const maxWord = 512

// wordPattern splits a text into words; no token spans two words.
const wordPattern = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
	`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
	`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`

var wordRegexp = sync.OnceValue(func() *regexp2.Regexp { return regexp2.MustCompile(wordPattern, regexp2.None) })

// countExactly counts a text in full.
func countExactly(text string) (n int) {
	m, err := wordRegexp().FindStringMatch(text)
	for ; m != nil && err == nil; m, err = wordRegexp().FindNextMatch(m) {
		word := m.String()
		for len(word) > maxWord {
			end := maxWord
			for !utf8.RuneStart(word[end]) {
				end--
			}
			n += countMerged(word[:end])
			word = word[end:]
		}
		n += countMerged(word)
	}
	if err != nil {
		return (len(text) + 3) / 4 // four bytes a token
	}
	return n
}

// countMerged returns the number of tokens of a word: 1 if the word is a token, else the number of parts that remain
// after repeatedly joining the two neighbours that make the token of the lowest rank, starting with single bytes.
func countMerged(word string) int {
	if rankOf(word) != noRank {
		return 1
	}
	starts, ranks := make([]int, len(word)+1), make([]int, len(word))
	rank := func(i int) {
		if ranks[i] = noRank; i+2 < len(starts) {
			ranks[i] = rankOf(word[starts[i]:starts[i+2]])
		}
	}
	for i := range starts {
		starts[i] = i
	}
	for i := range ranks {
		rank(i)
	}
	for {
		least := slices.Min(ranks)
		if least == noRank {
			return len(ranks)
		}
		i := slices.Index(ranks, least)
		starts, ranks = slices.Delete(starts, i+1, i+2), slices.Delete(ranks, i+1, i+2)
		rank(i)
		if i > 0 {
			rank(i - 1)
		}
	}
}

// rankOf returns the rank of a token, noRank if there is none.
func rankOf(token string) int {
	n := len(token)
	if n == 0 || n > maxToken {
		return noRank
	}
	end := func(n int) int { return int(binary.BigEndian.Uint32([]byte(vocabulary[4*n : 4*n+4]))) }
	all, size := vocabulary[end(n-1):end(n)], n+rankBytes
	i, found := sort.Find(len(all)/size, func(i int) int { return strings.Compare(token, all[i*size:i*size+n]) })
	if !found {
		return noRank
	}
	rank := all[i*size+n:]
	return int(rank[0])<<16 | int(rank[1])<<8 | int(rank[2])
}
