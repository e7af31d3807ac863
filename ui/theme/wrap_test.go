package theme

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
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
		for _, l := range Wrap(tt.text, tt.w) {
			pieces = append(pieces, Piece("  "+l, 2, 200))
		}
		is(t, JoinPieces(pieces), want, tt.text, tt.w)
	}
}

// TestWrapCodeJoins breaks lines anywhere: joined they are what they were.
func TestWrapCodeJoins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z ]{0,60}[a-z]`).Draw(t, "text")
		var pieces []string
		for _, l := range WrapCode(text, rapid.IntRange(3, 20).Draw(t, "width")) {
			pieces = append(pieces, Piece(l, 0, 200))
		}
		is(t, JoinPieces(pieces), text)
	})
}

// TestWrapPlaces: where lines are broken, and where not.
func TestWrapPlaces(t *testing.T) {
	for _, tt := range []struct {
		text string
		w    int
		want []string
	}{
		{"run it with --dry-run now", 16, []string{"run it with", "--dry-run now"}},
		{"a well-known place", 11, []string{"a", "well-known", "place"}},
		{"see src/ui/theme/wrap.go please", 20, []string{"see", "src/ui/theme/wrap.go", "please"}},
		{"at https://example.org/a-b/c now", 29, []string{"at https://example.org/a-b/c", "now"}},
		{"go at https://example.org/a-b/c", 29, []string{"go at", "https://example.org/a-b/c"}},
		{"at https://example.org/a-b/c", 12, []string{"at", "https://exam", "ple.org/a-b/", "c"}},
		{"from 2026-11-22 on", 12, []string{"from", "2026-11-22", "on"}},
		{"a -- b -x", 6, []string{"a -- b", "-x"}},
		{"水をやる。土が乾く。", 8, []string{"水をや", "る。土が", "乾く。"}},
		{"pots 「水」と言う", 9, []string{"pots", "「水」と", "言う"}},
		{"e\u0301te\u0301 pots", 4, []string{"e\u0301te\u0301", "pots"}},
		{"👩‍🌾👩‍🌾👩‍🌾", 5, []string{"👩‍🌾👩‍🌾", "👩‍🌾"}},
		{"a  \x1b[1m", 2, []string{"a\x1b[1m"}},
		{"   \x1b[1ma", 2, []string{"", "\x1b[1ma"}},
		{"  kept indent of text", 10, []string{"  kept", "indent of", "text"}},
		{"x水", 1, []string{"x", "水"}},
	} {
		var got []string
		for _, l := range Wrap(tt.text, tt.w) {
			got = append(got, StripMarks(l))
		}
		is(t, got, tt.want, tt.text, tt.w)
	}
}

// TestWrapAnything: lines fit, and joined they are what they were but for spaces and
// styles.
func TestWrapAnything(t *testing.T) {
	bare := strings.NewReplacer(" ", "")
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{
			"a", "word", "-", "--", " ", "  ", "/", "水", "。", "「", "👩‍🌾", "🇫🇷", "e\u0301",
			"\x1b[1m", "\x1b[m", "\x1b]8;;https://a.b\a", "\x1b]8;;\a", "\n", "שלום", "ไทย",
		})
		text := strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "text"), "")
		w := rapid.IntRange(2, 20).Draw(t, "width")
		var pieces []string
		for _, l := range Wrap(text, w) {
			if n := ansi.StringWidth(l); n > w {
				t.Fatalf("%q is %d columns wide, not %d", l, n, w)
			}
			pieces = append(pieces, Piece(l, 0, 200))
		}
		if got := JoinPieces(pieces); bare.Replace(got) != bare.Replace(ansi.Strip(text)) {
			t.Errorf("%q became %q", text, got)
		}
		if got := strings.Join(Wrap(text, w), ""); strings.Count(got, "\x1b") != strings.Count(text, "\x1b") {
			t.Errorf("%q has other styles than %q", got, text)
		}
	})
}

// TestApart: both ways to count agree, and other text stays as it is.
func TestApart(t *testing.T) {
	for text, want := range map[string]string{
		"a 👩‍🌾 b":                "a 👩 b",
		"❤️ 👍🏽":                  "❤  👍",
		"🇫🇷 e\u0301 क्षि":        "🇫🇷 e\u0301 क्षि",
		"\x1b[1m👨‍👩‍👧\x1b[m│":    "\x1b[1m👨\x1b[m│",
		"plain 語":                "plain 語",
		"1\ufe0f\u20e3 d\ufe0fx": "1⃣  d x",
	} {
		got := SeparateEmoji(text)
		is(t, got, want, text)
		is(t, ansi.StringWidth(got), ansi.StringWidth(text), got, text)
	}
}
