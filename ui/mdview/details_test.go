package mdview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// TestDetails: the tags of details are text, and nothing in them is hidden.
func TestDetails(t *testing.T) {
	for _, tt := range []struct{ doc, want string }{
		{
			"<details><summary>More</summary>\n\n**text**\n\n</details>\n\nend",
			"<details><summary>More</summary>\n\ntext\n\n</details>\n\nend",
		},
		{"<details open>one line</details>", "<details open>one line</details>"},
		{"Use `<details>` or\n<detailed> text.", "Use `<details>` or\n<detailed> text."},
	} {
		is(t, ansi.Strip(theme.StripMarks(strings.Join(plain().Render(tt.doc, 40), "\n"))), tt.want, tt.doc)
	}
}
