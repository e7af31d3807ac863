package tool

import (
	"strings"
	"testing"
)

func TestTruncated(t *testing.T) {
	a := func(n int) string { return strings.Repeat("a", n) }
	tail := strings.Repeat("b", 100)
	for i, tt := range []struct{ text, want string }{
		{a(100), a(100)},
		{a(101), a(100) + "... [Content truncated]"},
		{a(80) + "\n\n" + tail, a(80) + "\n\n[Content truncated...]"},
		{a(70) + "\n\n" + tail, a(70) + "\n\n" + tail[:28] + "... [Content truncated]"},
		{a(71) + "\n\n" + tail, a(71) + "\n\n[Content truncated...]"},
		{a(75) + ". " + tail, a(75) + ". [Content truncated...]"},
		{a(72) + "\n\n" + tail[:10] + ". " + tail, a(72) + "\n\n[Content truncated...]"},
		{a(99) + "\n\n" + tail[:10], a(99) + "\n... [Content truncated]"},
		{a(98) + ". " + tail[:10], a(98) + ". [Content truncated...]"},
		{strings.Repeat("é", 101), strings.Repeat("é", 100) + "... [Content truncated]"},
	} {
		if got := truncateText(tt.text, 100); got != tt.want {
			t.Errorf("%d: %q, want %q", i+1, got, tt.want)
		}
	}
	// 119 is not later than 0.7 × 170 as integers, and later as floating-point numbers.
	text := a(119) + "\n\n" + tail
	if got, want := truncateText(text, 170), a(119)+"\n\n[Content truncated...]"; float64(119) > 0.7*170 && got != want {
		t.Errorf("%q", got)
	}
	if got := truncateText(a(500), 0); got != a(500) {
		t.Error("0 is a limit")
	}
}
