package mdview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestSpans: what is a formula, a comment, a tag or a mark, and what only looks like
// one.
func TestSpans(t *testing.T) {
	for text, want := range map[string]string{
		"costs $5, or 4$ later":                    "costs $5, or 4$ later",
		"from $5 to $10 or US$5 and CA$6":          "from $5 to $10 or US$5 and CA$6",
		"$HOME/bin:$PATH, echo $$ is":              "$HOME/bin:$PATH, echo $$ is",
		"the $n$th, $\\alpha$. and `$x^2$`":        "the nth, α. and `$x^2$`",
		"$$x^2 \\le\ny$$ and \\(O(n \\log n)\\)":   "x² ≤ y and O(n log n)",
		"\\[not a link\\] and \\(see below\\)":     "[not a link] and (see below)",
		"\\[\n\\frac{a}{b}\n\\]":                   "                            a/b",
		"$$x = 1$$\n\n$$\ny$$":                     "                           x = 1\n\n                             y",
		"a $placeholder$, $5 and 4$, $x = 5$":      "a $placeholder$, $5 and 4$, x = 5",
		"$$\nopen\n\n\\never":                      "$$\nopen\n\n\\never",
		"a %%b%% c %%d\ne%% f":                     "a c f",
		"100%% of 50%%, %%open":                    "100%% of 50%%, %%open",
		"%%\na\n\n# b\n%%\nc":                      "c",
		"a == b and c == d, ==e *f*==":             "a == b and c == d, ==e f==",
		"[^1], [^note] and [^a b]":                 "¹, [note] and [^a b]",
		"[^1]: word":                               "¹ word",
		"- [/] half\n- [x] done\n- [a] letter":     "• [/] half\n☑ done\n• [a] letter",
		"[[a|b]] [[a#b]] ![[a.png|30]] ![[a^b|c]]": "b a › b image · a.png ▣ c",
		"&#39;a&#39; &#39;":                        "'a' '",
		"\\$1 and \\# and \\\\":                    "$1 and # and \\",
	} {
		got := ansi.Strip(strings.Join(plain().Render(text, 60), "\n"))
		is(t, got, want, text)
	}
}
