package index_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"ibid/vault/index"
)

// What an expression finds is what it matches, whatever is known of its matches
// beforehand.
func TestExpressionsFindWhatTheyMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	pieces := []string{"sail", "SAIL", "keel", "\u212aeel", "rope", "\n", " ", "mast", "\u017fail", "ä", "12"}
	m, texts := newMemory(nil), map[string]string{}
	for i := range 200 {
		var b strings.Builder
		for range 1 + rng.IntN(6) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		name := fmt.Sprintf("%d.md", i)
		texts[name] = b.String()
		m.put(name, b.String())
	}
	for _, expr := range []string{
		"sail|keel", "(?i)sail|keel", "(sail|rope) (keel|mast)", "sa.l|(ro|ma)[ps]", "x|", "(?i)(keel|mast)+$", "(?s)sail.*rope", "[0-9]|keel",
		"a|b|c|d|e|f|g|h|i|j", "rope(?:sail|)mast", "(?i)ſ|k", "[12]", "[kx]", "(?i)[kx]", "[^ -z]", "[pt][0-2]+",
	} {
		q, _, err := index.ParseQuery("/"+expr+"/", time.Now())
		check(t, err)
		q.Limit = len(texts)
		found := map[string]bool{}
		for _, h := range search(t, index.Searcher{Source: m}, q) {
			found[string(h.Path)] = true
		}
		re := regexp.MustCompile("(?im)" + expr)
		for name, text := range texts {
			if want := re.MatchString(text); found[name] != want {
				t.Errorf("/%s/ in %q: found %v, matches %v", expr, text, found[name], want)
			}
		}
	}
}
