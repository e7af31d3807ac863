package transcript

import (
	"math"
	"strings"
	"testing"
)

// TestLinesOf: the lines of the messages are those of the whole, one after another.
func TestLinesOf(t *testing.T) {
	tr := newPlain(42, 12)
	tr.Reset(conversation())
	var got []string
	for n := range tr.Len() {
		got = append(got, LinesOf(tr, n)...)
	}
	all := LastLines(tr, 0, math.MaxInt)
	is(t, strings.Join(got, "\n"), strings.Join(all, "\n"))
	is(t, strings.Join(LastLines(tr, 1, 5), "\n"), strings.Join(all[len(all)-5:], "\n"))
}
