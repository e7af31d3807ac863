package diff

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"ibid/ui/theme"
	"ibid/vault/edit"
)

const (
	before = "# Week 47\n\n## Plan\n- Mon scales\n- Tue scales in every key that there is, slowly and with both hands\n\n## Notes\n\none\ntwo\nthree\nfour\nfive\nsix\nseven\nSee also [[Lesson 4]]\n"
	after  = "# Week 47\n\n## Plan\n- Mon scales and arpeggios\n- Tue scales in every key that there is, quickly and with both hands\n- Sun rest\n\n## Notes\n\none\ntwo\nthree\nfour\nfive\nsix\nseven\nSee also [[Lesson 4]]\n\tSource: 羅勒 [[Chats/Piano]]"
)

// TestDraw: one column and two, narrow and wide, with colours and without.
func TestDraw(t *testing.T) {
	c := edit.Compare(before, after)
	for name, o := range map[string]Options{
		"80":       {Width: 80},
		"40":       {Width: 40},
		"split120": {Width: 120, Split: true},
		"split60":  {Width: 60, Split: true},
		"dark":     {Width: 80},
		"dropped":  {Width: 80, Dropped: func(n int) bool { return n == 1 }, Current: 1},
	} {
		t.Run(name, func(t *testing.T) {
			th := theme.New(theme.Options{NoColor: name != "dark", Dark: true, ASCII: name == "40"})
			o.Theme = &th
			o.Label = func(int) string { return "the label" }
			d := Draw(&c, o)
			for _, row := range d.Rows {
				if w := ansi.StringWidth(row); w > o.Width {
					t.Errorf("%d wide: %q", w, row)
				}
			}
			if len(d.First) != 2 || d.First[0] != 0 {
				t.Errorf("the hunks begin at %v", d.First)
			}
			golden.RequireEqual(t, strings.ReplaceAll(strings.Join(d.Rows, "\n"), "\x1b", `\e`)+"\n")
		})
	}
}

// FuzzDraw: whatever the texts hold, rows keep to the width, hold no control character
// but styles, and all of the text.
func FuzzDraw(f *testing.F) {
	f.Add("a\tb\x1b]0;x\x07\u202e\n", "a\u0301 \u0301c\n\xff\x9b", 20, true)
	f.Add(before, after, 70, true)
	f.Fuzz(func(t *testing.T, before, after string, width int, split bool) {
		if len(before)+len(after) > 4000 {
			t.Skip()
		}
		th := theme.New(theme.Options{})
		c := edit.Compare(before, after)
		width = 40 + (width%100+100)%100
		d := Draw(&c, Options{Theme: &th, Width: width, Split: split, Label: func(int) string { return "x" }})
		for _, row := range d.Rows {
			if w := ansi.StringWidth(row); w > width {
				t.Fatalf("%d columns of %d: %q", w, width, row)
			}
			if plain := ansi.Strip(row); plain != theme.OneLine(plain) {
				t.Fatalf("a row holds %q", plain)
			}
		}
	})
}

// TestHidden: nothing can hide in what is added, behind blanks or in characters that are
// not drawn, in either layout.
func TestHidden(t *testing.T) {
	text := "one\n" + strings.Repeat("\n", 214) + "behind" + strings.Repeat(" ", 300) + "blanks\n" +
		"tag\U000e0041 filler\u3164 zero\u200bwidth line\u2028end\nlast\n\n\n"
	c := edit.Compare("one\nlast\n", text)
	th := theme.New(theme.Options{NoColor: true})
	for _, o := range []Options{{Width: 80}, {Width: 120, Split: true}} {
		o.Theme = &th
		d := Draw(&c, o)
		all := strings.Join(d.Rows, "\n")
		for _, want := range []string{
			"⋯ 214 blank lines", "behind ⋯ 300 blanks blanks",
			"tag‹U+E0041› filler‹U+3164› zero‹U+200B›width", "line‹U+2028›end",
		} {
			if !strings.Contains(strings.Join(strings.Fields(all), " "), strings.Join(strings.Fields(want), " ")) {
				t.Errorf("%q is not in\n%s", want, all)
			}
		}
		if len(d.Rows) > 12 {
			t.Errorf("%d rows:\n%s", len(d.Rows), all)
		}
	}
	got := Text(c.Unified("a\u200b.md", false))
	want := "--- a/a‹U+200B›.md\n+++ b/a‹U+200B›.md\n@@ -1,2 +1,220 @@\n one\n+⋯ 214 blank lines\n+behind ⋯ 300 blanks blanks\n" +
		"+tag‹U+E0041› filler‹U+3164› zero‹U+200B›width line‹U+2028›end\n last\n+\n+\n"
	if got != want {
		t.Errorf("in words\n%s\nwant\n%s", got, want)
	}
}
