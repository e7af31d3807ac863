package md

import "testing"

func TestParts(t *testing.T) {
	const text = "# A\nso:\n- a\n- b\n\n  more of b\n\n- c\n\n```go\n- x\n\n```\n| x | y |\n|---|---|\n| 1 | 2 |\n\n> d\n> e"
	want := []string{
		"# A", "so:", "- a\n- b\n\n  more of b\n\n- c", "```go\n- x\n\n```", "| x | y |\n|---|---|\n| 1 | 2 |", "> d\n> e",
	}
	var got []string
	for i, p := range Parts(text) {
		got = append(got, text[p.Start:p.End])
		is(t, PartsText(text, i+1, i+1), text[p.Start:p.End], "part", i+1)
	}
	is(t, got, want)
	is(t, PartsText(text, 1, 2), "# A\nso:", "the first two")
	for _, no := range [][2]int{{0, 1}, {2, 1}, {6, 7}} {
		is(t, PartsText(text, no[0], no[1]), "", no)
	}
}
