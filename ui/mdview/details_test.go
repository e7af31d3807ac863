package mdview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// read returns a document as a reader sees it, without styles.
func read(doc string) string {
	return ansi.Strip(theme.StripMarks(strings.Join(plain().Render(doc, 40), "\n")))
}

// TestDetails: they are folded like callouts, whatever is in them, and what is never
// closed hides nothing.
func TestDetails(t *testing.T) {
	for _, tt := range []struct{ doc, want string }{
		{"<details><summary>More</summary>\n\ntext\n\n</details>\n\nend", "│ ▸ More\n\nend"},
		{"<details>\n<summary>\n <b>More</b> `x`\n</summary>\ntext\n</details>\nend", "│ ▸ More `x`\n\nend"},
		{"<details open>\n<summary>More</summary>\n\n- a\n- b\n\n</details>", "│ ▾ More\n│ • a\n│ • b"},
		{"<DETAILS OPEN=\"\">\ntext</DETAILS> rest", "│ Details\n│ text</DETAILS> rest"},
		{"<details open>one line</details>", "│ ▾ Details\n│ one line"},
		{"<details open>\n```\n</details>\n```\n</details>", "│ ▾ Details\n│ ▏ </details>"},
		{
			"<details open>\n\n<details><summary>in</summary>\n\na\n\n</details>\n\nb\n</details> c",
			"│ ▾ Details\n│ │ ▸ in\n│ \n│ b\n\nc",
		},
		{"<details><summary>never closed</summary>\n\ntext", "│ never closed\n│ text"},
		{"Use `<details>` or\n<detailed> text.", "Use `<details>` or\n<detailed> text."},
		{"> <details><summary>quoted</summary>\n> a\n> </details>\n> b", "│ │ ▸ quoted\n│ \n│ b"},
		{"- item\n\n  <details><summary>x</summary>\n  a\n  </details>", "• item\n\n  │ ▸ x"},
	} {
		is(t, read(tt.doc), tt.want, tt.doc)
	}
	if deep := read(strings.Repeat("<details open>\n", 400) + "text"); !strings.Contains(deep, "text") {
		t.Error(deep)
	}
	v := New(plain(), Options{Now: stopped})
	v.Append("<details><summary>a</summary>\ntext\n</details>\n\n<details><summary>a</summary>\ntext\n</details>\n\nend")
	v.Lines()
	v.Fold(2, 3)
	v.Finish()
	is(t, ansi.Strip(theme.StripMarks(strings.Join(v.Lines(), "\n"))), "│ ▸ a\n\n│ ▾ a\n│ text\n\nend")
}

// TestAsides: a note within the text stands below its block.
func TestAsides(t *testing.T) {
	for _, tt := range []struct{ doc, want string }{
		{"one^[first, **bold** [x]] two^[second\nline].", "oneᵃ twoᵇ.\nᵃ first, bold [x]\nᵇ second\n  line"},
		{"- a^[why]\n- b", "• aᵃ\n  ᵃ why\n• b"},
		{"x ^[] y ^[open", "x ^[] y ^[open"},
		{"`^[code]` and \\^[escaped]", "`^[code]` and ^[escaped]"},
		{"| a |\n|---|\n| b^[c] |", "┌────┐\n│ a  │\n├────┤\n│ bᵃ │\n└────┘\nᵃ c"},
		{"a^[b^[c]]", "aᵃ\nᵃ bᵃ\n  ᵃ c"},
	} {
		is(t, read(tt.doc), tt.want, tt.doc)
	}
	is(t, strings.Join(NewRenderer(theme.New(theme.Options{NoColor: true, ASCII: true})).Render("a^[b]", 40),
		"\n"), "a[a]\n[a] b")
}
