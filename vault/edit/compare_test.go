package edit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ibid/vault/edit"
)

func numberedLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	before := numberedLines(30)
	after := strings.Replace(before, "line 4\n", "line four\nline 4b\n", 1)
	after = strings.Replace(after, "line 20\n", "", 1)
	after = strings.Replace(after, "line 30\n", "line 30\nlast", 1)
	c := edit.Compare(before, after)
	if a, r := c.Count(); len(c.Hunks) != 3 || a != 3 || r != 2 {
		t.Fatalf("%d hunks, +%d −%d", len(c.Hunks), a, r)
	}
	want := `--- a/N.md
+++ b/N.md
@@ -1,7 +1,8 @@
 line 1
 line 2
 line 3
-line 4
+line four
+line 4b
 line 5
 line 6
 line 7
@@ -17,7 +18,6 @@
 line 17
 line 18
 line 19
-line 20
 line 21
 line 22
 line 23
@@ -28,3 +28,4 @@
 line 28
 line 29
 line 30
+last
\ No newline at end of file
`
	is(t, c.Unified("N.md", false), want)
	var spans [][2]int
	for i := range c.Hunks {
		from, to := c.Hunks[i].Span()
		spans = append(spans, [2]int{from, to})
	}
	is(t, spans, [][2]int{{4, 4}, {20, 20}, {31, 30}})
	is(t, c.Select([]int{1}), strings.Replace(before, "line 20\n", "", 1), "the second hunk alone")
	if c.Select([]int{}) != before || c.Select(nil) != after {
		t.Error("no hunk is the old text, nil is all")
	}
	changed := c.Hunks[0].Lines[3]
	if !slices.Equal(changed.Parts, []edit.Part{{"line ", false}, {"4", true}}) || changed.Old != 4 || changed.New != 0 {
		t.Errorf("%+v", changed)
	}
}

func TestCompareEnds(t *testing.T) {
	for _, c := range [][2]string{{"", "a\nb"}, {"a\nb", ""}, {"a", "a\n"}, {"", ""}, {"\uFEFFa\r\n", "\uFEFFb\r\n"}} {
		change := edit.Compare(c[0], c[1])
		if change.Select(nil) != c[1] || change.Select([]int{}) != c[0] || len(change.Hunks) > 1 {
			t.Errorf("%q: %+v", c, change)
		}
	}
	c := edit.Compare("", "a\nb\n")
	is(t, c.Unified("N.md", true), "--- /dev/null\n+++ b/N.md\n@@ -0,0 +1,2 @@\n+a\n+b\n")
}

func TestRebase(t *testing.T) {
	base := numberedLines(30)
	proposed := strings.NewReplacer("line 5\n", "line five\n", "line 20\n", "line twenty\nline 20b\n").Replace(base)
	c := edit.Compare(base, proposed)
	for _, s := range []struct {
		name, now, want string
		conflicts       []int
	}{
		{"unchanged", base, proposed, nil},
		{"moved", "new\n" + base, "new\n" + proposed, nil},
		{
			"changed beside it", strings.Replace(base, "line 7\n", "seven\n", 1),
			strings.Replace(proposed, "line 7\n", "seven\n", 1), nil,
		},
		{
			"changed in it", strings.Replace(base, "line 20\n", "other\n", 1),
			strings.NewReplacer("line 5\n", "line five\n", "line 20\n", "other\n").Replace(base),
			[]int{1},
		},
		{"gone", "", "", []int{0, 1}},
		{"doubled", base + base, base + base, []int{0, 1}},
	} {
		got, conflicts := edit.Rebase(&c, s.now)
		if got.After != s.want || got.Before != s.now || !slices.Equal(conflicts, s.conflicts) {
			t.Errorf("%s: conflicts %v, %q", s.name, conflicts, got.After)
		}
	}
}

// TestRebaseProperties: properties that are written in an odd way stay what they are to
// the byte when the body is written, when they change meanwhile, and when the write is
// taken back after that.
func TestRebaseProperties(t *testing.T) {
	const body = "# Garden\n\n- beans\n- peas\n"
	for name, front := range map[string]string{
		"comments":      "# above\na: 1 # behind\n\n# below\n",
		"anchors":       "base: &base {x: 1}\nother: *base\nlist: [&a one, *a]\n",
		"block scalars": "text: |-\n  one\n  # no comment\n\n  -- - --\nfold: >+\n  two\n\n",
		"quotes":        "'a b': \"x: \\\"y\\\"\"\n? long key\n: value\n",
		"not YAML":      "a: [1\n\tb: }\n",
	} {
		for _, end := range []string{"\n", "\r\n"} {
			in := func(text string) string { return strings.ReplaceAll(text, "\n", end) }
			properties, others := in("---\n"+front+"---\n"), in("---\n"+front+"changed: meanwhile # yes\n---\n")
			before := properties + in(body)
			after := edit.Prepend(edit.Append(edit.Rewrite(before, strings.Replace(body, "beans", "leeks", 1)),
				"- figs\n"), "First.\n")
			want := in(strings.Replace("\nFirst.\n\n"+body, "beans", "leeks", 1) + "- figs\n")
			is(t, after, properties+want, name)
			write, back := edit.Compare(before, after), edit.Compare(after, before)
			if c, conflicts := edit.Rebase(&write, others+in(body)); c.After != others+want || len(conflicts) > 0 {
				t.Errorf("%s, changed before the write: conflicts %v, %q", name, conflicts, c.After)
			}
			if c, conflicts := edit.Rebase(&back, others+want); c.After != others+in(body) || len(conflicts) > 0 {
				t.Errorf("%s, changed before it is taken back: conflicts %v, %q", name, conflicts, c.After)
			}
		}
	}
}

// texts generates random texts of few different lines, with all kinds of line ends.
func texts() *rapid.Generator[string] {
	line := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{
			"", "- beans", "- peas", "# Garden", "“plum” – fig", "\tcode", "end  ", "日本",
		}).Draw(t, "line") +
			rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", "\r"}).Draw(t, "end")
	})
	return rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "", "\uFEFF"}).Draw(t, "mark") +
			strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, "lines"), "") +
			rapid.SampledFrom([]string{"", "open"}).Draw(t, "last")
	})
}

// Hunks partition a change: all of them make the new text, none the old one, and
// applied one after another in any two portions they lead to the same.
func TestSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := texts().Draw(t, "before"), texts().Draw(t, "after")
		c := edit.Compare(before, after)
		var all, some, rest []int
		for i := range c.Hunks {
			all = append(all, i)
			if rapid.Bool().Draw(t, "chosen") {
				some = append(some, i)
			} else {
				rest = append(rest, i)
			}
		}
		if c.Select(all) != after && len(all) > 0 || c.Select([]int{}) != before {
			t.Fatal("all or none of the hunks are another text")
		}
		half := c.Select(append([]int{}, some...))
		back := edit.Compare(half, before)
		if back.After != before || back.Select(nil) != before {
			t.Fatal("there is no way back")
		}
		restOf := edit.Compare(before, c.Select(append([]int{}, rest...)))
		if whole, conflicts := edit.Rebase(&restOf, half); len(conflicts) == 0 && whole.After != after &&
			len(some)*len(rest) > 0 && unique(before) {
			t.Fatalf("in two portions: %q, want %q", whole.After, after)
		}
		for i := range c.Hunks {
			for _, l := range c.Hunks[i].Lines {
				text := ""
				for _, p := range l.Parts {
					text += p.Text
				}
				if l.Parts != nil && text != l.Text {
					t.Fatalf("%q in parts is %q", l.Text, text)
				}
			}
		}
	})
}

// unique reports whether no line of a text is there twice.
func unique(text string) bool {
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		if seen[line] {
			return false
		}
		seen[line] = true
	}
	return true
}

// What a replacement does not match stays byte for byte.
func TestReplaceKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		a := rapid.IntRange(0, len(text)).Draw(t, "from")
		b := rapid.IntRange(a, len(text)).Draw(t, "to")
		old := strings.ToValidUTF8(text[a:b], "")
		got, err := edit.Replace(text, old, "", false)
		if err != nil {
			return
		}
		n := len(text) - len(got)
		for i := 0; i+n <= len(text); i++ {
			if text[:i]+text[i+n:] == got {
				return
			}
		}
		t.Fatalf("%q without %q is %q", text, old, got)
	})
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
