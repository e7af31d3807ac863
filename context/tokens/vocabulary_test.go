package tokens

import (
	"encoding/binary"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"github.com/tiktoken-go/tokenizer/codec"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write o200k.bin")

// makeVocabulary is the file of a vocabulary.
func makeVocabulary(t *testing.T, vocabulary *codec.Codec) []byte {
	table, tokens := make([]uint32, slots), []byte(nil)
	for rank := uint(0); ; rank++ {
		token, err := vocabulary.Decode([]uint{rank})
		if err != nil {
			if rank < 199_998 {
				t.Fatalf("token %d: %v", rank, err)
			}
			break
		}
		if len(token) > longest || len(tokens) >= 1<<offsetBits-1 {
			t.Fatalf("token %d has %d bytes at %d", rank, len(token), len(tokens))
		}
		h := hashOf(token)
		at := h % slots
		for table[at] != 0 {
			at = (at + 1) % slots
		}
		table[at] = h>>offsetBits<<offsetBits | uint32(len(tokens)+1)
		tokens = append(append(tokens, byte(len(token))), token...)
	}
	out := make([]byte, 0, tokensFrom+len(tokens))
	for _, v := range table {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return append(out, tokens...)
}

// TestVocabulary: the file in the program is what the module makes of its vocabulary.
func TestVocabulary(t *testing.T) {
	want := makeVocabulary(t, codec.NewO200kBase())
	if *update {
		if err := os.WriteFile("o200k.bin", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if vocabularyFile != string(want) {
		t.Errorf("o200k.bin has %d bytes that are not the %d of the vocabulary: go test -run TestVocabulary -update writes it", len(vocabularyFile), len(want))
	}
}

// textOf draws text of pieces that the splitting has rules for.
func textOf() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{
		"a", "b", "s", "S", "ſ", "Word", "HTMLParser", "'s", "'S", "'ſ", "'ll", "'LL", "'re", "'Ve", "'d", "'", "’", " ", "  ", "\t", "\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u00a0", "\u3000", "\u2028",
		"1", "22", "4444", "٣", "½", "Ⅷ", "ǅ", "ʰ", "ª", "é", "e\u0301", "\u0301", "\u0903", "日本", "กำ", "한글", "ß", "İ", "K", "/", "//", ".", "...", "!=", "$", "€", "👩‍🌾", "\u200b", "\ufffd", "\x00", "\x1b", "\xff", "\xe2\x82", "_", "<|endoftext|>",
	})
	return rapid.Custom(func(t *rapid.T) string {
		s := ""
		for range rapid.IntRange(0, 12).Draw(t, "pieces") {
			if rapid.IntRange(0, 9).Draw(t, "any") == 0 {
				s += rapid.String().Draw(t, "string")
			} else {
				s += pieces.Draw(t, "piece")
			}
		}
		return strings.ReplaceAll(s, "\x7f", "") // which the module passes over
	})
}

// TestPieces: a text is split as the expression says, and each piece counts as the
// module counts it, whose own code for the expression splits some white space wrongly.
func TestPieces(t *testing.T) {
	const word, tail = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
	const contracted = `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`
	expression := regexp2.MustCompile("(?:"+word+"*"+tail+"+"+contracted+"|"+word+"+"+tail+"*"+contracted+`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)`, regexp2.None)
	vocabulary := codec.NewO200kBase()
	rapid.Check(t, func(t *rapid.T) {
		text := string([]rune(textOf().Draw(t, "text")))
		var m merger
		for at := 0; at < len(text); {
			match, err := expression.FindStringMatch(text[at:])
			if err != nil {
				t.Fatal(err)
			}
			piece := text[at : at+pieceEnd(text[at:])]
			if match == nil || match.String() != piece {
				t.Fatalf("%q: the piece %q, want %q", text, piece, match)
			}
			at += len(piece)
			if strings.TrimSpace(piece) == "" {
				continue
			}
			if want, err := vocabulary.Count(piece); err != nil || m.count(piece) != want {
				t.Fatalf("%q: %d tokens, want %d (%v)", piece, m.count(piece), want, err)
			}
		}
	})
}
