package mdview

import (
	"strings"
	"testing"
)

func TestMarkdownKeepsMeaningWithoutColour(t *testing.T) {
	drawn := strings.Join(plain().Render("# One\n\n#### Four\n\n**b** *i* ~~s~~ `code` [text](https://example.org)\n", 80), "\n")
	if strings.Contains(drawn, "38;") {
		t.Errorf("a colour in the NO_COLOR style: %q", drawn)
	}
	for _, want := range []string{"`code`", "~~", "\x1b[1mOne"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%q is not in %q", want, drawn)
		}
	}
}
