package transcript

import (
	"math"
	"strings"
	"testing"

	"ibid/ui/theme"
)

// TestWritten prints a reply as its blocks are complete: the pieces are the lines that
// it has when it is whole, and nothing that was printed changes.
func TestWritten(t *testing.T) {
	const reply = "# Plan\n\nSome *styled* prose that goes on for more than one line of this screen, as prose does.\n\n- one\n- two\n  - three\n\n" +
		"1. first\n\n2. second\n\n```go\nfunc f() {\n\n}\n```\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n> a quote\n> of two lines\n\nThe end"
	for _, size := range []int{1, 3, 17, 1000} {
		tr := New(Options{Theme: theme.New(theme.Options{NoColor: true}), Now: stopped})
		tr.SetSize(40, 20)
		tr.Append(Message{ID: "q", Role: You, Text: "How?"})
		tr.Append(Message{ID: "a", Role: Assistant, Status: Streaming, Detail: "a-model"})
		s, _ := tr.Stream("a")
		s.AppendReasoning("Let me think.")
		var got []string
		at := Mark{}
		for text := reply; text != ""; {
			n := min(size, len(text))
			s.AppendText(text[:n])
			text = text[n:]
			if to := StableMark(tr); to.Blocks > at.Blocks {
				got = append(got, LinesBetween(tr, at, to)...)
				at = to
			}
			tail := LastLines(tr, at, 5)
			if header := strings.Contains(strings.Join(tail, "\n"), "assistant"); header && at.Blocks > 0 {
				t.Fatalf("what was printed is shown too: %q", tail)
			}
		}
		if at.Blocks < 5 && size < 100 {
			t.Errorf("pieces of %d: %d blocks while it was written", size, at.Blocks)
		}
		s.Finish(Complete)
		got = append(got, LastLines(tr, at, math.MaxInt)...)
		if want := LastLines(tr, Mark{}, math.MaxInt); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("pieces of %d:\n%s\nwant\n%s", size, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		is(t, StableMark(tr), Mark{}, "of a whole reply")
	}
}
