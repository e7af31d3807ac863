package mdview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
	"ibid/vault/md"
)

// TestLinesOfDetails: a part within details has its own lines, not all of them.
func TestLinesOfDetails(t *testing.T) {
	const src = "Above.\n\n<details open>\n<summary>More</summary>\n\nFirst part.\n\n- one\n- two\n\n<details open>\n<summary>Inner</summary>\n\nDeep.\n\nDeeper.\n\n</details>\n\nLast part.\n\n</details>\n\nBelow.\n"
	th := theme.New(theme.Options{NoColor: true})
	for _, before := range []int{0, 7, len(src)} { // bytes that come while it is written
		v := New(NewRenderer(th), Options{Width: 60})
		v.Append(src[:before])
		v.Lines()
		v.Append(src[before:])
		v.Finish()
		var got []string
		for _, part := range md.Parts(v.Source()) {
			from, to := v.LinesOf(part.Start, part.End)
			got = append(got, strings.Fields(ansi.Strip(theme.StripMarks(strings.Join(v.Lines()[from:to], " / ")))+" ;")...)
		}
		const want = "Above. ; │ ▾ More ; │ First part. ; │ • one / │ • two ; │ │ ▾ Inner ; │ │ Deep. ; │ │ Deeper. ; │ │ Deeper. ; │ Last part. ; │ Last part. ; Below. ;"
		is(t, strings.Join(got, " "), want)
	}
}

// TestFoldAround: a part within details that holds nothing to fold folds these.
func TestFoldAround(t *testing.T) {
	v := New(NewRenderer(theme.New(theme.Options{NoColor: true})), Options{Width: 60})
	v.Append("Above.\n\n<details open>\n<summary>More</summary>\n\nFirst.\n\nSecond.\n\n</details>\n")
	v.Finish()
	at := strings.Index(v.Source(), "Second")
	from, to := v.LinesOf(at, at+1)
	if !v.Fold(from, to) || strings.Contains(strings.Join(v.Lines(), "\n"), "Second") {
		t.Errorf("not folded:\n%s", strings.Join(v.Lines(), "\n"))
	}
	if v.Fold(0, 1) {
		t.Error("what stands above folds")
	}
}
