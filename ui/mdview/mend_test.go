package mdview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"ibid/ui/theme"
)

// TestNoSyntaxFlashes: while a line is written, no mark is shown that is gone when what
// it belongs to is complete.
func TestNoSyntaxFlashes(t *testing.T) {
	r := NewRenderer(theme.New(theme.Options{Dark: true}))
	for _, doc := range []string{
		"Some ==marked words==, [[Home|the home note]], [[Soil]] with **bold text**, *it*, ***both*** and `code here`, ~~gone~~ **a *b* c**.",
		"- one\n- a [[Home]] and ==two **words** more== and\n  `three`",
		"> **quoted** ==text==",
		"Seen ![[plan.png]] end",
		"Seen %%hidden, [[Home]] **too**%% and 5% of 100%% text",
		"%%\nhidden\n\nall of it\n%%\n\nseen",
		"2 * 3 = 6, a == b, 5*x, x**2 and \\*star",
	} {
		v := New(r, Options{Width: 200, Now: stopped})
		whole := ansi.Strip(theme.StripMarks(strings.Join(r.Render(doc, 200), "\n")))
		for i := range len(doc) {
			v.Append(doc[i : i+1])
			got := ansi.Strip(theme.StripMarks(strings.Join(v.Lines(), "\n")))
			for _, mark := range []string{"==", "[[", "]", "**", "`", "~~", "<", "*", "![", "%%h", "hid"} {
				if strings.Contains(got, mark) && !strings.Contains(whole, mark) {
					t.Errorf("%q shows %q in %q", doc[:i+1], mark, got)
				}
			}
		}
	}
}

// TestCodeIsNotMended: code in a list or a quote is shown as it is while it is written, line
// by line, and nothing of it goes away again.
func TestCodeIsNotMended(t *testing.T) {
	for _, doc := range []string{
		"1. First:\n\n   ```go\n   func f() {\n   x := **p\n   ```\n",
		"- ```go\n  func f() {\n  x := **p\n  ```\n",
		"> ~~~go\n> func f() {\n> x := **p\n> ~~~\n",
	} {
		v := New(dark(), Options{Width: 60, Now: stopped})
		begun, _, _ := strings.Cut(doc, "x := ")
		for i := range len(doc) {
			v.Append(doc[i : i+1])
			got := ansi.Strip(theme.StripMarks(strings.Join(v.Lines(), "\n")))
			if i >= len(begun) && (!strings.Contains(got, "func f() {") || strings.Contains(got, "p**")) {
				t.Errorf("%q is\n%s", doc[:i+1], got)
			}
		}
	}
}

// TestMended: nothing but the end of a text is left out, and complete text stays.
func TestMended(t *testing.T) {
	for text, want := range map[string]string{
		"a **b":                    "a **b**",
		"a **b ":                   "a **b**",
		"a **b*":                   "a **b**",
		"a ==b *c":                 "a ==b *c*==",
		"a [link](https://e":       "a ",
		"a ``co":                   "a ",
		"x [[No|":                  "x ",
		"![[a.p":                   "",
		"a **b %%c** d":            "a **b**",
		"a %%c%% d 100%% e":        "a %%c%% d 100%% e",
		"**one\n\ntwo":             "**one\n\ntwo",
		"**one\ntwo *three":        "**one\ntwo *three*",
		"- **one\n- two":           "- **one\n- two",
		"    x = **y":              "    x = **y",
		"a **b**":                  "a **b**",
		"a **b\n":                  "a **b\n",
		"**fünf ==":                "**fünf**",
		"line <ke":                 "line ",
		"a < b and <kbd>x</k":      "a < b and <kbd>x",
		"a `b` and c * d and 2*3*": "a `b` and c * d and 2*3",
		"a [remark that is made in passing, at length, and has no end yet": "a [remark that is made in passing, at length, and has no end yet",
		"- [ ] a [ and [b] c": "- [ ] a [ and [b] c",
	} {
		is(t, string(mendText([]byte(text))), want, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		doc := soup(t)
		is(t, string(mendText([]byte(doc+"\n"))), doc+"\n", doc)
		from := strings.LastIndex(doc, "\n") + 1
		if got := string(mendText([]byte(doc))); !strings.HasPrefix(got, doc[:from]) {
			t.Errorf("%q is %q", doc, got)
		}
	})
}

// TestMendedAtEnd: what is left out because more may follow is there when nothing does.
func TestMendedAtEnd(t *testing.T) {
	r := NewRenderer(theme.New(theme.Options{NoColor: true}))
	for _, doc := range []string{
		"a *", "a =", "a ==", "a ~~", "a [", "a [[", "a ![[b", "a **b", "a `b", "a <kb",
		"a %%b", "*", "[", "=", "~", "%%\nb", "- a *", "> a [",
	} {
		v := New(r, Options{Width: 40, Now: stopped})
		for i := range len(doc) {
			v.Append(doc[i : i+1])
			v.Lines()
		}
		v.Finish()
		got := ansi.Strip(theme.StripMarks(strings.Join(v.Lines(), "\n")))
		if !strings.HasSuffix(got, strings.TrimLeft(doc, "->* ")) && got != doc || len(got) == 0 {
			t.Errorf("%q ends as %q", doc, got)
		}
	}
}
