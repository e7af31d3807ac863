package mdview

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// nested is code in everything that can hold code.
const nested = sample + "\n1. First:\n\n   ```go\n   func f() error { return nil }\n   ```\n\n   - then\n\n     ```go\n     var x = \"a\tb\"\n     ```\n\n" +
	"> [!tip]+ How\n> ```sh\n> echo \"hello\" # twice\n> ```\n\n```go\nfunc f() error { return nil }\n```\n\n```go\nfunc f() error { return nil }\n```\n\n```go\n```\n"

// TestLazyColours: code that is coloured when it becomes visible looks like code that is
// coloured at once, and has the same lines before.
func TestLazyColours(t *testing.T) {
	r := dark()
	for _, width := range []int{24, 40, 80, 120} {
		for _, scroll := range []bool{true, false} {
			lazy := New(r, Options{Width: width, Scroll: scroll, Lazy: true, Now: stopped})
			eager := New(r, Options{Width: width, Scroll: scroll, Now: stopped})
			for _, v := range []*View{lazy, eager} {
				v.Append(nested)
				v.Finish()
			}
			want, got := eager.Lines(), lazy.Lines()
			if len(got) != len(want) || ansi.Strip(strings.Join(got, "\n")) != ansi.Strip(strings.Join(want, "\n")) {
				t.Fatalf("width %d: other text without colours:\n%s", width, strings.Join(got, "\n"))
			}
			if slices.Equal(got, want) {
				t.Fatalf("width %d: coloured before it is seen", width)
			}
			for line := len(got) - 1; line >= -1; line-- {
				lazy.Colour(line, false)
			}
			lazy.Colour(len(got), false)
			if got = lazy.Lines(); !slices.Equal(got, want) {
				t.Errorf("width %d, scroll %v:\n%s\nwant\n%s", width, scroll, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			eager.SetWidth(width+3, 0)
			lazy.SetWidth(width+3, 0)
			is(t, lazy.Lines(), eager.Lines(), "width", width)
		}
	}
}

// TestColoursWhileStreaming: a block gets its colours no earlier than colourPause after its
// end, unless they are requested or the document ends, and keeps them at the end.
func TestColoursWhileStreaming(t *testing.T) {
	const doc = "```go\nreturn nil\n```\n\nText.\n\n"
	now := time.Unix(0, 0)
	coloured := func(v *View, wanted bool) bool {
		v.Lines()
		v.Colour(1, wanted)
		return strings.Contains(v.Lines()[1], "\x1b[")
	}
	begin := func() *View {
		v := New(dark(), Options{Lazy: true, Now: func() time.Time { return now }})
		v.Append(doc)
		v.Lines()
		return v
	}
	v := begin()
	if coloured(v, false) {
		t.Error("coloured at once")
	}
	now = now.Add(colourPause)
	if !coloured(v, false) {
		t.Error("not coloured after the pause")
	}
	if v.Finish(); !strings.Contains(v.Lines()[1], "\x1b[") {
		t.Error("the end takes the colours away")
	}
	if !coloured(begin(), true) {
		t.Error("not coloured although it is wanted")
	}
	v = begin()
	if v.Finish(); !coloured(v, false) {
		t.Error("not coloured after the end")
	}
}
