package theme_test

import (
	"fmt"

	"ibid/ui/theme"
)

// Every state of context has a glyph of its own, so nothing is lost where there
// is no colour, and ASCII signs where there is no Unicode.
func ExampleNew() {
	th := theme.New(theme.Options{NoColor: true})
	g := th.Glyphs.Context
	fmt.Println(g.Library, "project-spec", th.Styles.Context.Cached.Render(g.Cached))

	g = theme.New(theme.Options{NoColor: true, ASCII: true}).Glyphs.Context
	fmt.Println(g.Library, "project-spec", g.Cached)
	// Output:
	// ● project-spec ▓
	// * project-spec #
}

// Foreign text may try to steer the terminal; it gets shown instead.
func ExampleSanitize() {
	fmt.Println(theme.Sanitize("harmless \x1b[32mgreen\x1b[m, rude \x1b[2J"))
	// Output: harmless green, rude ␛[2J
}
