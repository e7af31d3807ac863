package theme_test

import (
	"testing"

	"pgregory.net/rapid"

	"ibid/ui/theme"
)

// TestJoinPieces wraps texts and joins the lines again: nothing is different but
// spaces at the ends of lines, and more than one where a line was broken.
func TestJoinPieces(t *testing.T) {
	red := "\x1b[31m"
	for _, tt := range []struct {
		text string
		w    int
		want string
	}{
		{"one two three four", 9, ""},
		{"one two\nthree four five", 9, ""},
		{"an-ever-lasting-word with-hyphens", 8, ""},
		{"abcdefghijklmnopqrstuvwxyz", 7, ""},
		{"wide  gaps   stay where they fit", 12, "wide  gaps stay where they fit"},
		{red + "one two\x1b[m three " + red + "four five\x1b[m six", 8, "one two three four five six"},
		{"日本語の文は空白なしで折り返す", 9, ""},
		{"trailing   \nspaces go", 30, "trailing\nspaces go"},
		{"", 5, ""},
	} {
		want := tt.want
		if want == "" {
			want = tt.text
		}
		var pieces []string
		for _, l := range theme.Wrap(tt.text, tt.w) {
			pieces = append(pieces, theme.Piece("  "+l, 2, 200))
		}
		if got := theme.JoinPieces(pieces); got != want {
			t.Errorf("%q at %d columns: %q", tt.text, tt.w, got)
		}
	}
}

// TestWrapCodeJoins breaks lines anywhere: joined they are what they were.
func TestWrapCodeJoins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z ]{0,60}[a-z]`).Draw(t, "text")
		var pieces []string
		for _, l := range theme.WrapCode(text, rapid.IntRange(3, 20).Draw(t, "width")) {
			pieces = append(pieces, theme.Piece(l, 0, 200))
		}
		if got := theme.JoinPieces(pieces); got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}
