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

// vocabulary is o200k_base, as a test made it of the tokenizer's own, to be searched where
// it lies: as a map, it takes 30 ms and 16 MB of every run that counts something. First
// stands where the tokens of each length end, from 0 to longestToken, in four bytes each;
// then they follow in order, each with its rank in rankBytes.
//
//go:embed o200k.bin
var vocabulary string

const (
	longestToken = 128
	rankBytes    = 3
	noRank       = math.MaxInt
)

// longestWord is how many bytes of a word are merged at once, which takes the square of
// that. Hardly any is longer; such a one may be off by a token for each so many bytes.
const longestWord = 512

// wordPattern splits a text into words, across which no token reaches.
const wordPattern = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
	`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
	`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`

var wordRegexp = sync.OnceValue(func() *regexp2.Regexp { return regexp2.MustCompile(wordPattern, regexp2.None) })

// countExactly counts a text in full.
func countExactly(text string) (n int) {
	m, err := wordRegexp().FindStringMatch(text)
	for ; m != nil && err == nil; m, err = wordRegexp().FindNextMatch(m) {
		word := m.String()
		for len(word) > longestWord {
			end := longestWord
			for !utf8.RuneStart(word[end]) {
				end--
			}
			n += merged(word[:end])
			word = word[end:]
		}
		n += merged(word)
	}
	if err != nil {
		return Approximate(text)
	}
	return n
}

// merged is how many tokens a word is: one if there is one, else what is left of its bytes
// when the two neighbours that make the token of the lowest rank are joined, again and
// again.
func merged(word string) int {
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

// rankOf is the rank of a token, noRank if there is none.
func rankOf(token string) int {
	n := len(token)
	if n == 0 || n > longestToken {
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
