package md

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}

func TestFences(t *testing.T) {
	for text, want := range map[string]string{ // per line: c code, . text
		"a\n```\nb\n```\nc":                      ".ccc.",
		"````\n```\nb\n```\n````\nc":             "ccccc.",
		"~~~\n```\n~~~\n```\nx":                  "ccccc",
		"``` a`b\nx":                             "..",
		"```go\n``` x\n```  \ny":                 "ccc.",
		"   ```\nx\n  ```\ny":                    "ccc.",
		"\n    ```\n    x\n    ```\n\ny":         "......",
		"1. a\n\n    ```sh\n    x\n    ```\n\ny": "..ccc..",
		"- ```\n  x\n  ```\ny":                   "ccc.",
		"- a\n\nb\n\n    ```\nc":                 "......",
		"```\n    ```\nx\n```\ny":                "cccc.",
		"```\r\nx\r\n```\r\ny":                   "ccc.",
		"\t```\nx":                               "..",
		"* * *\n\n    ```\nx":                    "....",
		"- ```\n# a\n":                           "c..",
		"> ```\n> x\ny":                          "cc.",
		"<pre>\n```\n</pre>\nx":                  "....",
		"-\t```\n\tx\n\n  y\nz":                  "ccc..",
	} {
		var s Fences
		got := ""
		for line := range strings.SplitSeq(text, "\n") {
			if s.Line(line) {
				got += "c"
			} else {
				got += "."
			}
		}
		is(t, got, want, text)
	}
}

// TestCodeBlocks looks at the last block of each text.
func TestCodeBlocks(t *testing.T) {
	for text, want := range map[string]string{
		"none":                               "",
		"```go\na\n```\n\n~~~\nb\nc\n~~~\n":  "b\nc\n",
		"````\n```\ninner\n```\n````\n":      "```\ninner\n```\n",
		"```\nopen\n":                        "",
		"```\nfirst\n```\n\n```\nstill open": "first\n",
		// Indented code shows how a fence is written: it is none.
		"```\nreal\n```\n\nWrite it so:\n\n    ```\n    example\n    ```\n": "real\n",
		"```\n```": "",
		// The indentation of the fence is not part of the code.
		"- so:\n  ```py\n  if x:\n      y\n\n  ```\n": "if x:\n    y\n\n",
		"1. ```\n   a\n   ```\n":                      "a\n",
		"  ```\n ":                                    "",
		" ```\n a\nb\n ```":                           "a\nb\n",
	} {
		all, got := CodeBlocks(text), ""
		if len(all) > 0 {
			got = all[len(all)-1].Text
		}
		if got != want || (len(all) > 0) != (want != "" || text == "```\n```") {
			t.Errorf("%q: %q, want %q", text, all, want)
		}
	}
}

func TestCodeSpans(t *testing.T) {
	for text, want := range map[string]int{
		"`a`b": 3, "``a`b``c": 7, "`a": 1, "```": 3, "`": 1, "`` ` ``": 7, strings.Repeat("`", 40) + "a": 40,
	} {
		var c CodeSpans
		is(t, c.Len(text), want, text)
		is(t, c.Len(text), want, text)
	}
}

func TestClip(t *testing.T) {
	for _, tc := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"äöü", 3, "äöü"},
		{"äöüß", 3, "äö…"},
		{"ab", 1, "…"},
		{"a", 1, "a"},
		{"a", 0, ""},
		{"a", -1, ""},
	} {
		is(t, Clip(tc.text, tc.most), tc.want, tc.text, tc.most)
	}
}

func TestWikilink(t *testing.T) {
	for text, want := range map[string]string{
		"[[a|b]] c": "a|b 7", "[[a\n]]": " 3", "[[a[[b]]": " 3", "[[[a]]": "a 6", "[[": " 2", "[[a]": " 4", "[[]]": " 4",
		"[[a]b]]": "a]b 7",
	} {
		inner, n := Wikilink(text)
		is(t, fmt.Sprint(inner, " ", n), want, text)
	}
	for ref, want := range map[string]string{" ![[a#b|c]] ": "a#b", `[[a\|b]]`: "a", "a b": "a b", "[[a": "a", "!a": "a"} {
		is(t, Unlink(ref), want, ref)
	}
}

func TestLines(t *testing.T) {
	if level, text, ok := Heading("## a #b ## "); level != 2 || text != "a #b" || !ok {
		t.Error(level, text, ok)
	}
	for _, no := range []string{"#a", "####### a", "", "a #"} {
		if _, _, ok := Heading(no); ok {
			t.Errorf("%q is a heading", no)
		}
	}
	for line, want := range map[string]int{
		"- a": 1, "12. a": 3, "3) ": 2, "-a": 0, "1a. b": 0, "*": 1, "1234567890. a": 0, "": 0,
	} {
		is(t, ListMark(line), want, line)
	}
	if columns, bytes := Indent(" \t x"); columns != 5 || bytes != 3 {
		t.Error(columns, bytes)
	}
	if Underline("=== ") != 1 || Underline("-") != 2 || Underline("=-") != 0 || !Rule("* * *") || Rule("--") {
		t.Error("underlines and rules")
	}
	if block, rest, ok := Frontmatter("---\na: b\n--- \nc"); block != "a: b\n" || rest != 14 || !ok {
		t.Error(block, rest, ok)
	}
}

// FuzzParts holds that everything read is a part of what was given, and that no
// text is too odd.
func FuzzParts(f *testing.F) {
	for _, s := range []string{"[[a]]", "```\na\n```", "# h\n", "- x\n    ```", "---\na\n---\nb", "``a`b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if inner, n := Wikilink("[[" + s); n < 2 || n > len(s)+2 || !strings.Contains(s, inner) {
			t.Errorf("%q %d", inner, n)
		}
		var c CodeSpans
		if n := c.Len(s); n < 0 || n > len(s) {
			t.Error(n)
		}
		if n := TagLen(s); n < 0 || n > len(s) || utf8.ValidString(s) && !utf8.ValidString(s[:n]) {
			t.Error(n)
		}
		if block, rest, ok := Frontmatter(s); ok && !strings.HasPrefix(s[4:rest], block) {
			t.Errorf("%q %d", block, rest)
		}
		if all := CodeBlocks(s); len(all) > 0 && !strings.Contains(s, all[len(all)-1].Text) {
			t.Errorf("%q", all)
		}
	})
}

func TestBlocks(t *testing.T) {
	const text = "---\na: b\n---\nOne.\nTwo.\n\n# H #\n\n- a\n  - b\n\n  more\n- c\nlazy\n\nSet\next\n===\n| x | y |\n|---|---|\n| z | w |\n\n````\n```\n````\n> q\n> r\n***\n%%\nhidden\n%%\n<!-- x\ny -->\n\n    code\n    more\n\n$$\nx\n$$\nlast\n<pre>\n```\n\n# no\n</pre>\n<div>\n```\n\n```\nopen"
	_, from, _ := Frontmatter(text)
	names := []string{"p", "h", "c", "q", "i", "t"}
	var got []string
	for b := range Blocks(text, from) {
		got = append(got, fmt.Sprintf("%s%d %q %s", names[b.Kind], b.Level, text[b.Start:b.End], b.Text))
	}
	want := []string{
		`p0 "One.\nTwo." `, `h1 "# H #" H`, `i0 "- a\n  - b\n\n  more" `, `i0 "- c\nlazy" `, `h1 "Set\next\n===" Set ext`,
		`t0 "| x | y |\n|---|---|\n| z | w |" `, "c0 \"````\\n```\\n````\" ", `q0 "> q\n> r" `, `c0 "    code\n    more" `,
		`c0 "$$\nx\n$$" `, `p0 "last" `,
		"p0 \"<pre>\\n```\\n\\n# no\\n</pre>\" ", "p0 \"<div>\\n```\" ", "c0 \"```\\nopen\" ",
	}
	is(t, got, want)
}

// FuzzBlocks holds that blocks are stretches of the text in order.
func FuzzBlocks(f *testing.F) {
	f.Add("a\n===\n- b\n\n\n  c\n|x|\n|-|\n```")
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for b := range Blocks(s, 0) {
			if b.Start < at || b.End <= b.Start || b.End > len(s) {
				t.Fatalf("%+v after %d in %q", b, at, s)
			}
			at = b.End
		}
	})
}

func TestHidden(t *testing.T) {
	const block = "<!-- ibid {\"v\":2,\"turns\":[\n{\"h\":\"abcd\"}\n]} -->"
	for text, want := range map[string][2]string{
		"a\n" + block + "\n\nb":          {"a\nb", "a\n\n\n\n\nb"},
		block + "\n" + block + "\nb":     {"b", "\n\n\n\n\n\nb"},
		"a " + block:                     {"a " + block, "a " + block},
		"<!-- ibid is a word -->":        {"<!-- ibid is a word -->", "<!-- ibid is a word -->"},
		"<!-- ibid {":                    {"<!-- ibid {", "<!-- ibid {"},
		"<!-- ibid-variants\n{}\n-->\nb": {"b", "\n\n\nb"},
	} {
		is(t, CutHidden(text), want[0], text)
		is(t, BlankHidden(text), want[1], text)
	}
}

func TestWikilinks(t *testing.T) {
	const text = "See [[a/b|B]], [[C#D]] and again [[a/b]].\n`[[code]]` [x] [[unclosed\n```\n[[fenced]]\n```\n![[pic.png]] [[]] [[ ]] [[broken\n]] [[E]]"
	want := []string{"a/b", "C#D", "pic.png", "E"}
	is(t, Wikilinks(text), want)
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 notes", 1: "1 note", 2: "2 notes", 1000: "1,000 notes", 1234567: "1,234,567 notes", -1000: "-1,000 notes",
	} {
		is(t, Plural(n, "note"), want, n)
	}
}

// TestAllBlocks tells kind and closing line of each block.
func TestAllBlocks(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\n---\n":                   "paragraph, break",
		"%% x\na\n%%\nb":               "comment, paragraph",
		"%% x %%\nb":                   "paragraph",
		"%%%\nb":                       "paragraph",
		"%% 50 % off\nb":               "comment %%",
		"<!-- a\n\nb":                  "comment -->",
		"a\n\n~~~~ sh\nb\n~~~\n":       "paragraph, code ~~~~",
		"```\n```":                     "code",
		"$$":                           "code $$",
		"<?php":                        "paragraph ?>",
		"<STYLE>\n\na\n":               "paragraph </style>",
		"<div>\na":                     "paragraph",
		"> ```\n> a":                   "quote",
		"- ```\n  a":                   "item",
		"a\n2. b\n-\n":                 "title",
		"a\n2. b\n1. c\n2. d":          "paragraph, item, item",
		"|a|\n|-|\n|1|\nb\n\n    code": "table, paragraph, code",
	} {
		names := []string{"paragraph", "title", "code", "quote", "item", "table", "break", "comment"}
		var all []string
		for b := range AllBlocks(text, 0) {
			all = append(all, strings.TrimSpace(names[b.Kind]+" "+b.Closing))
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
