package md_test

import (
	"slices"
	"testing"

	"ibid/vault/md"
)

func TestParts(t *testing.T) {
	const text = "# A\nso:\n- a\n- b\n\n  more of b\n\n- c\n\n```go\n- x\n\n```\n| x | y |\n|---|---|\n| 1 | 2 |\n\n> d\n> e"
	want := []string{
		"# A", "so:", "- a\n- b\n\n  more of b\n\n- c", "```go\n- x\n\n```", "| x | y |\n|---|---|\n| 1 | 2 |", "> d\n> e",
	}
	var got []string
	for i, p := range md.Parts(text) {
		got = append(got, text[p.Start:p.End])
		if one := md.PartsText(text, i+1, i+1); one != text[p.Start:p.End] {
			t.Errorf("part %d alone is %q", i+1, one)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := md.PartsText(text, 1, 2); got != "# A\nso:" {
		t.Errorf("the first two are %q", got)
	}
	for _, no := range [][2]int{{0, 1}, {2, 1}, {6, 7}} {
		if got := md.PartsText(text, no[0], no[1]); got != "" {
			t.Errorf("%v is %q", no, got)
		}
	}
}
