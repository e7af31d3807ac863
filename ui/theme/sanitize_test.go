package theme

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSanitize(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a note\n\twith a tab", "a note\n\twith a tab"},
		{"wide and combining", "音楽 é 👩‍🎓", "音楽 é 👩‍🎓"},
		{"colours are dropped", "\x1b[1;38:2::1:2:3mred\x1b[m", "red"},
		{"clear screen", "a\x1b[2Jb", "a␛[2Jb"},
		{"cursor home", "\x1b[H", "␛[H"},
		{"title", "\x1b]0;own\x07", "␛]0;own␇"},
		{"clipboard", "\x1b]52;c;aGk=\x1b\\", "␛]52;c;aGk=␛\\"},
		{"hyperlink", "\x1b]8;;http://x\x1b\\t\x1b]8;;\x1b\\", "␛]8;;http://x␛\\t␛]8;;␛\\"},
		{"device control", "\x1bP$q\x1b\\", "␛P$q␛\\"},
		{"bare C1 byte", "a\x9b2Jb", "a\ufffd2Jb"},
		{"encoded C1", "a\u009b2Jb", "a\ufffd2Jb"},
		{"C0", "bell\a back\b null\x00", "bell␇ back␈ null␀"},
		{"delete", "a\x7fb", "a␡b"},
		{"windows newline", "a\r\nb", "a\nb"},
		{"overwriting", "safe\revil", "safe␍evil"},
		{"bidi override", "user\u202etxt.exe", "user<U+202E>txt.exe"},
		{"bidi isolate", "\u2066x\u2069", "<U+2066>x<U+2069>"},
		{"line separator", "a\u2028b", "a<U+2028>b"},
		{"broken UTF-8", "caf\xc3", "caf\ufffd"},
		{"unfinished", "x\x1b[3", "x␛[3"},
		{"nested", "\x1b\x1b[31m[31mx", "␛[31mx"},
		{"far too long", "\x1b[" + strings.Repeat("1", 99) + "m", "␛[" + strings.Repeat("1", 99) + "m"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is(t, Sanitize(tt.in), tt.want, tt.in)
		})
	}
	is(t, OneLine("two\nlines\there\x1b[2J"), "two lines here␛[2J")
}

// hostile draws text rich in the bytes that matter.
func hostile() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"\x1b", "[", "]", "31", ";", "m", "\x07", "\x1b[1m", "\x1b[2J", "\r", "\n", "\t", "\x9b", "\u009b",
		"\u202e", "\x00", "\x7f", "a", "音", "\xe9\x9f", "\xff", "8;;", "\\", "\ufeff", "\u2028",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
	})
}

func TestSanitizeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := hostile().Draw(t, "in")
		out := Sanitize(in)
		if !utf8.ValidString(out) {
			t.Fatalf("invalid UTF-8: %q", out)
		}
		for _, r := range out {
			if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || unsafeRune(r) {
				t.Fatalf("%q left in %q", r, out)
			}
		}
		if again := Sanitize(out); again != out {
			t.Fatalf("not idempotent: %q, then %q", out, again)
		}
		var b strings.Builder
		rest, clean := "", ""
		for len(in) > 0 {
			n := rapid.IntRange(1, min(7, len(in))).Draw(t, "n")
			clean, rest = SanitizeChunk(rest + in[:n])
			if len(rest) > maxEscape {
				t.Fatalf("held back %d bytes", len(rest))
			}
			b.WriteString(clean)
			in = in[n:]
		}
		b.WriteString(Sanitize(rest))
		if b.String() != out {
			t.Fatalf("in chunks %q, at once %q", b.String(), out)
		}
	})
}

func TestSanitizeDoesNotAllocate(t *testing.T) {
	in := strings.Repeat("An ordinary note, with 音楽 and naïve words.\n", 50)
	is(t, testing.AllocsPerRun(10, func() { _ = Sanitize(in); _ = OneLine("a title") }), 0)
}

func FuzzSanitize(f *testing.F) {
	f.Add("\x1b]52;c;x\x07\u202e\x9b\r")
	f.Fuzz(func(t *testing.T, in string) {
		out := Sanitize(in)
		if strings.ContainsAny(out, "\x1b\x07\u009b\r\x00\x7f") || Sanitize(out) != out {
			t.Errorf("Sanitize(%q) = %q", in, out)
		}
	})
}
