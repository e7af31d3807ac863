package tokens

import (
	"encoding/binary"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "make the files anew that were made from the tokenizer and the catalogue")

// compareGenerated compares a file with its expected content, or writes it with -update.
func compareGenerated(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		check(t, os.WriteFile(name, []byte(want), 0o644))
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s is not what it is made from (%v): go test ./context/tokens -update", name, err)
	}
}

// TestVocabulary: the file is the vocabulary of the tokenizer.
func TestVocabulary(t *testing.T) {
	o200k := codec.NewO200kBase()
	var all [maxToken + 1][]string
	for rank := range uint(199_998) {
		token, err := o200k.Decode([]uint{rank})
		check(t, err)
		all[len(token)] = append(all[len(token)], token+string([]byte{byte(rank >> 16), byte(rank >> 8), byte(rank)}))
	}
	at := 4 * len(all)
	var ends []byte
	var tokens strings.Builder
	for n, group := range all {
		at += len(group) * (n + rankBytes)
		ends = binary.BigEndian.AppendUint32(ends, uint32(at))
		slices.Sort(group)
		tokens.WriteString(strings.Join(group, ""))
	}
	compareGenerated(t, "o200k.bin", string(ends)+tokens.String())
}

// TestCountLikeTokenizer: the count of a text is the tokenizer's own, but for words beyond
// maxWord, where it is hardly another.
func TestCountLikeTokenizer(t *testing.T) {
	o200k := codec.NewO200kBase()
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"The beds", " want", "n't", "'S", "I'LL", " CamelCaseWords", "südlich", "花壇のトマト",
			"มะเขือเทศในแปลง", "👩‍🌾", "\u0301", "12345", "https://example.org/a?b=c", "\r\n", "\t\t", "   ",
			"\n \n", "=====", "{\"a\":", "\xff\xfe", "ⅷ", "ſ", "ǅ", "٣",
		}),
		rapid.String(), rapid.StringMatching(`[a-zA-Z']{1,80}`), rapid.StringMatching(`[ \n\r\t/]{1,20}`),
	)
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(rt, "text"), "")
		want, err := o200k.Count(text)
		if got := countExactly(text); err != nil || got != want {
			rt.Fatalf("%q: %d tokens, want %d (%v)", text, got, want, err)
		}
	})
	for _, word := range []string{"a", "-", " ", "abcXYZ", "มะเขือเทศ", "花壇", "aGVsbG8gd29ybGQK"} {
		word = strings.Repeat(word, 20_000/len(word))
		want, err := o200k.Count(word)
		if got := countExactly(word); err != nil || got < want || got > want+want/100+len(word)/maxWord {
			t.Errorf("%.20q: %d tokens, want %d (%v)", word, got, want, err)
		}
	}
}
