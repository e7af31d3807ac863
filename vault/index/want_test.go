package index

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ibid/vault/index/stem"
)

// What is counted in text of ASCII as it is written is what is counted in it folded.
func TestCountASCII(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"garden", "Gardens", "GARDENING", "bed", "Beds", "bad", "an", "a", "gx1", "the", "EARS", " ", " ", "-", ".\n", "x"}), 0, 30)
		text := strings.Join(pieces.Draw(t, "text"), "")
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"garden", "gardens", "bed", "beds", "a", "an", "gx1", "bed-garden", "the", "ears", `"ab bed"`, "Ä"}), 1, 4).Draw(t, "words")
		query := strings.Join(words, " ")
		terms := parseTerms(query, lastWord)
		wants := terms.wants(stem.Any)
		for i := range wants {
			if rapid.Bool().Draw(t, "slip") {
				wants[i].near = []string{"bad", "garden", "beds"}
			}
		}
		if len(wants) == 0 {
			return
		}
		var got, want [2][]float64
		for i := range 2 {
			got[i], want[i] = make([]float64, len(wants)), make([]float64, len(wants))
		}
		if !newMatcher(wants).countASCII(text, stem.English, 2, got[0], got[1]) {
			return
		}
		newMatcher(wants).count(foldText(nil, text), stem.English, 2, want[0], want[1])
		if !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
			t.Fatalf("%q in %q: %v, folded %v", query, text, got, want)
		}
	})
}

// A word that a slip of a want begins with is counted once.
func TestCountASCIISlip(t *testing.T) {
	wants := []want{{term: term{folded: "gardens", prefix: true}, start: "gardens", word: true, near: []string{"garden", "bed"}}}
	exact, loose := make([]float64, 1), make([]float64, 1)
	if !newMatcher(wants).countASCII("Gardens gardensx, garden", stem.English, 1, exact, loose) || exact[0] != 3 || loose[0] != 3 {
		t.Errorf("%v, %v", exact, loose)
	}
}
