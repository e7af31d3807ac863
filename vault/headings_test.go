package vault_test

import (
	"strings"
	"testing"

	"ibid/vault"
)

// TestManyHeadings: a note of nothing but headings has no more of them than a bound, which
// no dictionary reaches.
func TestManyHeadings(t *testing.T) {
	for n, want := range map[int]int{50_000: 50_000, 200_000: 1 << 16} {
		if got := len(vault.ParseNote("a.md", strings.Repeat("# a\n", n)).Headings); got != want {
			t.Errorf("of %d headings %d are recorded, want %d", n, got, want)
		}
	}
}
