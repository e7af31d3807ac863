package mdview_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"ibid/ui/mdview"
	"ibid/ui/theme"
	"ibid/ui/uitest"
)

// TestNothingForeignLeaves: whatever stands where in markdown, and however it is spelled,
// no line holds a sequence that the theme did not make, also while it streams.
func TestNothingForeignLeaves(t *testing.T) {
	for _, o := range []theme.Options{{NoColor: true}, {}, {ASCII: true, NoColor: true}, {Apart: true, Dark: true}} {
		r := mdview.NewRenderer(theme.New(o))
		rapid.Check(t, func(t *rapid.T) {
			doc := uitest.HostileMarkdown(t)
			v := mdview.New(r, mdview.Options{Width: rapid.IntRange(mdview.MinWidth, 90).Draw(t, "width"), Links: mdview.Links{
				Sources: []string{"note"}, Address: func(target string) string { return "obsidian://open?file=" + target },
			}})
			for _, piece := range strings.SplitAfter(doc, rapid.SampledFrom([]string{"#", "]", ";", "\n"}).Draw(t, "cut")) {
				v.Append(piece)
				check(t, doc, v.Lines())
			}
			v.Finish()
			v.Unfold()
			check(t, doc, v.Lines())
		})
	}
}

func check(t *rapid.T, doc string, lines []string) {
	t.Helper()
	for _, line := range lines {
		shown := theme.StripMarks(line)
		if bad := uitest.ForeignSequence(shown); bad != "" {
			t.Fatalf("%q holds %s\nfrom %q", line, bad, doc)
		}
		for _, r := range line {
			if r < ' ' && r != ansi.ESC && r != ansi.BEL && (r < '\x16' || r == '\x1b') {
				t.Fatalf("%q holds %q\nfrom %q", line, r, doc)
			}
		}
	}
}
