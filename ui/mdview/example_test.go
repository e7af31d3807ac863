package mdview_test

import (
	"fmt"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// A reply arrives in pieces that end anywhere; what is on screen grows.
func ExampleView() {
	r := mdview.NewRenderer(theme.New(theme.Options{NoColor: true, ASCII: true}))
	v := mdview.New(r, mdview.Options{Width: 30})
	for _, piece := range []string{"- bas", "il\n- mi", "nt, in [[Pots]] of", " its own\n"} {
		v.Append(piece)
	}
	v.Finish()
	for _, line := range v.Lines() {
		fmt.Printf("%q\n", line)
	}
	// Output:
	// "* basil"
	// "* mint, in \x1b[4;4m<Pots>\x1b[m of its own"
}
