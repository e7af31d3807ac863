package fold_test

import (
	"strings"
	"testing"

	"ibid/vault/index/fold"
)

// Case, accents of Latin and Greek letters, width and what stands between words make no
// difference; marks that make another letter do. A run of a dense script is cut into single
// runes and pairs.
func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		" -- ":                    "",
		"Café, cafe\u0301 ＣＡＦＥ":   "cafe cafe cafe",
		"Łódź Øre Straße Œuvre":   "lodz ore strasse oeuvre",
		"Ἀθήνα Ёлка й":            "αθηνα елка й",
		"gpt-4\tnext_line\r\nend": "gpt 4 next line end",
		"知识 X光":                   "知 知识 识 x 光",
		"がか":                      "が がか か",
	} {
		var words []string
		fold.EachToken([]byte(fold.Line(text)), func(word []byte) { words = append(words, string(word)) })
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := fold.Name("Ünïcode Straße.md"); got != "unicode straße.md" {
		t.Errorf("a name: %q", got)
	}
}
