package desk

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ibid/vault"
	"ibid/vault/edit"
)

// TestPlace: whatever a note looks like, what is put into it stands there in one piece,
// with a blank line on both sides, and everything else stays byte for byte.
func TestPlace(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"", "", " ", "# One", "## Two", "## Three", "- item", "text\twith tab",
		"```", "---", "a: b", "> quote", "é\u2028x",
	})
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line end")
		all := rapid.SliceOfN(line, 0, 12).Draw(t, "lines")
		before := rapid.SampledFrom([]string{"", "\uFEFF", "---" + end + "a: b" + end + "---" + end}).Draw(t,
			"beginning") + strings.Join(all, end)
		after := ""
		if rapid.Bool().Draw(t, "at a heading") {
			var err error
			if after, err = textBelow("A.md", before,
				rapid.SampledFrom([]string{"One", "Two", "One#Two"}).Draw(t, "heading"), "NEW\nTEXT\n"); err != nil {
				t.Skip(err)
			}
		} else {
			n := strings.Count(plainText(before), "\n") + 1
			after = edit.Insert(before, rapid.IntRange(0, n).Draw(t, "line"), "NEW\nTEXT\n")
		}
		plain := plainText(after)
		if !strings.Contains(plain, "NEW\nTEXT") {
			t.Fatalf("%q in %q", after, before)
		}
		lines := slices.Collect(strings.Lines(plain))
		n := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "NEW" })
		blank := func(i int) bool { return i < 0 || i >= len(lines) || strings.TrimSpace(lines[i]) == "" }
		if !blank(n-1) || !blank(n+2) {
			t.Fatalf("no blank line beside it in\n%s", plain)
		}
		if vault.ParseNote("A.md", plain).BodyLine > n+1 {
			t.Fatalf("it is among the properties of\n%s", plain)
		}
		isOurs := func(l string) bool { // a fence may have been closed
			return slices.Contains([]string{"NEW", "TEXT", "```", ""}, strings.TrimSpace(l))
		}
		rest := slices.DeleteFunc(slices.Clone(lines), isOurs)
		was := slices.DeleteFunc(slices.Collect(strings.Lines(plainText(before))), isOurs)
		trim := func(all []string) string { return strings.TrimRight(strings.Join(all, ""), "\n") }
		if trim(rest) != trim(was) {
			t.Fatalf("other lines were changed:\n%q\n%q", before, after)
		}
		change := edit.Compare(before, after)
		if change.Select([]int{}) != before {
			t.Fatalf("the change does not know what was there: %q", before)
		}
	})
}

// TestPlaceBelowProperties: what is put into a note that is nothing but properties stands
// below them, where their last line has no end too.
func TestPlaceBelowProperties(t *testing.T) {
	for before, want := range map[string]string{
		"---\n---":              "---\n---\n\nNEW",
		"---\r\na: b\r\n---":    "---\r\na: b\r\n---\r\n\r\nNEW",
		"---\na: b\n---\n":      "---\na: b\n---\n\nNEW\n",
		"\uFEFF---\na: b\n--- ": "\uFEFF---\na: b\n--- \n\nNEW",
	} {
		for _, line := range []int{0, 1} {
			if got := edit.Insert(before, line, "NEW\n"); got != want {
				t.Errorf("%q behind line %d gives %q, want %q", before, line, got, want)
			}
		}
	}
}
