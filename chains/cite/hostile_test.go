package cite

import (
	"strings"
	"testing"
	"time"
)

// TestHostileReplies: no text takes much longer than its length, in one piece or in many.
func TestHostileReplies(t *testing.T) {
	for _, part := range []string{
		"$a ", "\\[", "\\(x\\] ", "<a", "](", "`", "` `` ", "【", "石", "((((", " ", "\t\n", "-", "=", "* ", "> ", "[^1] and ", "[^9], ",
		"[^9]", "[[a", "[^1]: x\n", "## Sources\n", "Sources", "[^", "[1-", "\xff", "1. ", "$$", "**", "<writeToFile>\n", "(", "[source ",
		"```\n", "- [^9]: ", "\\", "\n\n", "a\n", "`a\n[^9] ",
	} {
		for _, piece := range []int{1 << 20, 7} {
			reply := strings.Repeat(part, (1<<16)/len(part))
			began := time.Now()
			check(reply, piece)
			Draw(reply, func(n int) (string, bool) { return "A", n == 1 })
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("%q in pieces of %d: %s", part, piece, took)
			}
		}
	}
}
