package theme

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestVisible: what terminals do not draw is spelled out, unless what stands beside it
// needs it.
func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain text, naïve 音楽\t.":                     "plain text, naïve 音楽\t.",
		"tag \U000e0041\U000e007f":                    "tag ‹U+E0041›‹U+E007F›",
		"fillers \u3164\uffa0\u115f\u2800":            "fillers ‹U+3164›‹U+FFA0›‹U+115F›‹U+2800›",
		"a\ufe0f\U000e0101":                           "a‹U+FE0F›‹U+E0101›",
		"❤\ufe0f 1\ufe0f\u20e3 ❤\ufe0f\ufe0f":         "❤\ufe0f 1\ufe0f\u20e3 ❤\ufe0f‹U+FE0F›",
		"👩\u200d🌾 x\u200dy\u200bz\u00ad":              "👩\u200d🌾 x‹U+200D›y‹U+200B›z‹U+00AD›",
		"می\u200cخواهم क्\u200dष":                     "می\u200cخواهم क्\u200dष",
		"a\u2028b\u2029c\ufeff":                       "a‹U+2028›b‹U+2029›c‹U+FEFF›",
		"\u202euser\u2066 \u200e":                     "‹U+202E›user‹U+2066› ‹U+200E›",
		"\x1b[31mred\x1b[m \x07 \x9b \u009b":          "‹U+001B›[31mred‹U+001B›[m ‹U+0007› \ufffd ‹U+009B›",
		"x" + strings.Repeat(" ", 300) + "y":          "x ⋯ 300 blanks y",
		strings.Repeat("\u3000\t", 1000) + "y":        " ⋯ 2,000 blanks y",
		strings.Repeat(" ", 33):                       " ⋯ 33 blanks ",
		strings.Repeat(" ", 32) + "deep \u0600number": strings.Repeat(" ", 32) + "deep \u0600number",
	} {
		is(t, ShowHidden(in), want, in)
	}
}

// TestUnmarked: of what was drawn, styles and links stay, marks go, and whatever else
// terminals act on is drawn.
func TestUnmarked(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[1;38;2;1;2;3mbold\x1b[m\n\x1b]8;id=1;https://x.org\alink\x1b]8;;\a": "\x1b[1;38;2;1;2;3mbold\x1b[m\n\x1b]8;id=1;https://x.org\alink\x1b]8;;\a",
		"\x1d\x1ea\x1fb\x1cc\x19\x16\x17":                                         "abc",
		"\x1b]52;c;aGk=\a\x1b]0;t\x1b\\":                                          "␛]52;c;aGk=␇␛]0;t␛\\",
		"\x1b[2J\x1bc\x1b[3":                                                      "␛[2J␛c[3",
		"\x1b]8;;https://x \x1b]8;;\x1b[2J\a":                                     "␛]8;;https://x ␛]8;;␛[2J␇",
		"\u009b2J \x9b \u202e\r":                                                  "\ufffd2J \ufffd <U+202E>",
	} {
		is(t, StripMarks(in), want, in)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := StripMarks(hostile().Draw(t, "in"))
		if StripMarks(text) != text {
			t.Fatalf("not the same again: %q", text)
		}
		for text != "" {
			if n := sequence(text); n > 0 {
				text = text[n:]
				continue
			}
			if text[0] == '\x1b' || Sanitize(text[:1]) != text[:1] && text[0] < 0x80 {
				t.Fatalf("%q is left", text)
			}
			text = text[1:]
		}
	})
}

func TestUnmarkedDoesNotAllocate(t *testing.T) {
	in := strings.Repeat("\x1b[1mAn ordinary\x1b[m row, with 音楽 and \x1b]8;;https://x.org\aa link\x1b]8;;\a.\n", 50)
	is(t, testing.AllocsPerRun(10, func() { _ = StripMarks(in) }), 0)
}
