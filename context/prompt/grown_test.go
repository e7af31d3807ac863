package prompt_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ibid/context/prompt"
	"ibid/context/tokens"
)

// TestGrown: a long text that was counted, and what comes behind it, are as many tokens
// as the whole, give or take two at the seam.
func TestGrown(t *testing.T) {
	c := tokens.NewCounter()
	words := strings.Fields("the kettle, harbour. ledger: (quartz) `code` **bold** naïve 漢字 1234 x. ... --- | ```")
	seams := []string{" ", "\n", "\n\n", "  ", "\t", ".", "|.", "...", "\r\n", "[ibid note: looked up a.md]"}
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	for range 100 {
		var b strings.Builder
		for b.Len() < prompt.LongText {
			b.WriteString(pick(words) + pick(seams[:5]))
		}
		counted := strings.TrimSpace(b.String()) + pick(seams)
		text := counted + pick(seams) + pick(seams)
		if got, want := prompt.CountGrown(counted, text, c.Count), c.Count(text); max(got-want, want-got) > 2 {
			t.Errorf("%d tokens, not %d: %q + %q", got, want, counted[len(counted)-20:], text[len(counted):])
		}
	}
}
