package mdview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// TestReadingText: a note is read with its properties and embeds folded, and the lines of a
// passage are found in it.
func TestReadingText(t *testing.T) {
	const note = "---\ntags:\n  - roof\n  - barn\nstatus: a | b\n---\n# Barn\n\n![[Slate]]\n\n## Roof\n\nIt leaks.\n\n```\n![[code]]\n```\n"
	text, start, end := ReadingText(note, 11, 13, func(target string) string {
		return "first of " + target + "\n" + strings.Repeat("more\n", 20)
	})
	is(t, text[start:end], "## Roof\n\nIt leaks.\n", "the passage")
	v := New(NewRenderer(theme.New(theme.Options{NoColor: true})), Options{Width: 40})
	v.Append(text)
	v.Finish()
	shown := func() string { return ansi.Strip(theme.StripMarks(strings.Join(v.Lines(), "\n"))) }
	const folded = "│ ▸ i PROPERTIES\n\nBarn\n────\n\n│ ▸ i EMBED · Slate\n\nRoof\n\nIt leaks.\n\n▏ ![[code]]"
	is(t, shown(), folded)
	v.Unfold()
	for _, want := range []string{"roof, barn", "a | b", "first of Slate", "…"} {
		if got := shown(); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
