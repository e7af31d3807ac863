package mdview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"ibid/ui/theme"
)

// TestFold: callouts are folded as they are written, and unfold where they stand,
// also those in others; equal ones apart, and while the text goes on.
func TestFold(t *testing.T) {
	v := New(plain(), Options{Now: stopped})
	shown := func(want string) {
		t.Helper()
		is(t, ansi.Strip(theme.StripMarks(strings.Join(v.Lines(), "\n"))), want)
	}
	v.Append("> [!a]-\n> one\n\n> [!a]-\n> one\n\n> [!b]+\n> two\n> > [!c]-\n> > three\n\nEnd")
	const folded, end = "│ ▸ i A\n\n│ ▸ i A\n\n│ ▾ i B\n│ two\n│ \n│ │ ▸ i C\n\n", "End"
	shown(folded + end)
	if v.Fold(1, 2) || v.Fold(8, 20) {
		t.Error("something was folded that is no callout")
	}
	v.Fold(2, 3)
	shown("│ ▸ i A\n\n│ ▾ i A\n│ one\n\n│ ▾ i B\n│ two\n│ \n│ │ ▸ i C\n\n" + end)
	v.Append(".")
	v.Finish()
	shown("│ ▸ i A\n\n│ ▾ i A\n│ one\n\n│ ▾ i B\n│ two\n│ \n│ │ ▸ i C\n\n" + end + ".")
	v.Fold(0, 100) // all, as one is folded
	shown("│ ▾ i A\n│ one\n\n│ ▾ i A\n│ one\n\n│ ▾ i B\n│ two\n│ \n│ │ ▾ i C\n│ │ three\n\n" + end + ".")
	v.Fold(0, 100)
	shown("│ ▸ i A\n\n│ ▸ i A\n\n│ ▸ i B\n\n" + end + ".")
	if !v.Unfold() || v.Unfold() {
		t.Error("all was unfolded, and nothing was left")
	}
	shown("│ ▾ i A\n│ one\n\n│ ▾ i A\n│ one\n\n│ ▾ i B\n│ two\n│ \n│ │ ▾ i C\n│ │ three\n\n" + end + ".")
	for i, l := range v.Lines() {
		is(t, Folds(l), strings.ContainsAny(l, "▸▾"), "line", i)
	}
}

// TestPaint: a long line of code stays one line, and every part of it can be seen.
func TestPaint(t *testing.T) {
	th := theme.New(theme.Options{NoColor: true})
	r := NewRenderer(th)
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.SampledFrom([]string{"", "- ", "> ", "> - "}).Draw(t, "in")
		lines := []string{"```go", rapid.StringMatching(`[a-z(語"/ ]{0,30}x`).Draw(t, "code"), "```"}
		doc := code + strings.Join(lines, "\n"+strings.NewReplacer("-", " ").Replace(code)) + "\n"
		width := rapid.IntRange(12, 24).Draw(t, "width")
		v := New(r, Options{Width: width, Scroll: true, Now: stopped})
		feed(t, v, doc)
		v.Finish()
		if n := len(v.Lines()); n != 2 {
			t.Fatalf("%d lines of %q", n, doc)
		}
		line := v.Lines()[1]
		_, most := Scrolls(line, width)
		seen := ""
		for moved := range most + 1 {
			shown := Paint(&th, line, width, moved)
			if err := checkSafe([]string{shown}, width); err != nil {
				t.Fatal(err)
			}
			if most > 0 && strings.HasSuffix(ansi.Strip(shown), "→") != (moved < most) {
				t.Fatalf("the end of %q, moved by %d of %d", shown, moved, most)
			}
			seen += ansi.Strip(shown)
		}
		for _, word := range strings.Fields(lines[1]) {
			for _, c := range word {
				if !strings.ContainsRune(seen, c) {
					t.Fatalf("%q is not to be seen in %q", c, seen)
				}
			}
		}
	})
	is(t, fmt.Sprint(Scrolls("no code, however long it is", 9)), "0 0", "a line of text scrolls")
}
