package vault

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestFrontmatterFence(t *testing.T) {
	tests := []struct {
		name, text string
		props      int
		body       int
	}{
		{"plain", "---\na: 1\n---\nx", 1, 4},
		{"closed at the end of the file", "---\na: 1\n---", 1, 4},
		{"white space behind the end", "---\na: 1\n---  \nx", 1, 4},
		{"empty", "---\n---\nx", 0, 3},
		{"not on the first line", "\n---\na: 1\n---\n", 0, 1},
		{"four dashes", "----\na: 1\n----\n", 0, 1},
		{"something behind the start", "--- \na: 1\n---\n", 0, 1},
		{"never closed", "---\na: 1\n", 0, 1},
		{"no line end", "---", 0, 1},
		{"a rule further down", "---\na: 1\n---\nx\n---\n", 1, 4},
	}
	for _, tt := range tests {
		n := parseNote("n.md", tt.text)
		if len(n.Props()) != tt.props || n.BodyLine != tt.body {
			t.Errorf("%s: %d properties, body on line %d; want %d, %d", tt.name, len(n.Props()), n.BodyLine, tt.props, tt.body)
		}
		is(t, n.Warning, "", tt.name)
	}
}

func TestFrontmatterCRLFAndBOM(t *testing.T) {
	text, _ := Normalize([]byte("\uFEFF---\r\ntitle: Tea\r\n---\r\n# a\r\n"))
	n := parseNote("n.md", text)
	if n.Title != "Tea" || n.BodyLine != 4 || n.Headings[0] != (Heading{1, "a", 4}) {
		t.Errorf("%+v", n)
	}
}

// Invalid YAML costs a warning, never the note: whatever line reads like a
// property is one.
func TestBrokenYAML(t *testing.T) {
	tests := []struct {
		name, yaml string
		want       []Property
	}{
		{"second colon", "title: Tea: hot\ntags: [tea]", []Property{{"title", "Tea: hot"}, {"tags", []any{"tea"}}}},
		{
			"template", "created: {{date}}\ntags:\n  - tea\nrank: 3",
			[]Property{{"created", "{{date}}"}, {"tags", []any{"tea"}}, {"rank", 3}},
		},
		{"at sign", "by: @ada\ntags: tea", []Property{{"by", "@ada"}, {"tags", "tea"}}},
		{"backtick", "cmd: `ls`\ntags: tea", []Property{{"cmd", "`ls`"}, {"tags", "tea"}}},
		{"open bracket", "x: [a\ntags: tea", []Property{{"x", "[a"}, {"tags", "tea"}}},
		{"open quote", "x: \"a\ntags: tea", []Property{{"x", "\"a"}, {"tags", "tea"}}},
		{"tab", "x:\n\t- a\ntags: tea", []Property{{"x", []any{"a"}}, {"tags", "tea"}}},
		{"words", "just words\ntags: tea", []Property{{"tags", "tea"}}},
		{"no properties at all", "just words", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := parseNote("n.md", "---\n"+tt.yaml+"\n---\n#body")
			is(t, n.Props(), tt.want)
			if len(tt.want) > 0 && n.Tags[0] != "tea" || n.Tags[len(n.Tags)-1] != "body" {
				t.Errorf("tags = %v", n.Tags)
			}
			if !strings.Contains(n.Warning, "line by line") {
				t.Errorf("warning = %q", n.Warning)
			}
		})
	}
}

func TestPrivate(t *testing.T) {
	for yaml, want := range map[string]bool{
		"private: true":          true,
		"Private: \"true\"":      true,
		"private: yes":           true,
		"private: 1":             true,
		"x: a: b\nprivate: true": true,
		"private: false":         false,
		"private:":               false,
		"private: [true]":        true,
		"note: private":          false,
	} {
		is(t, parseNote("n.md", "---\n"+yaml+"\n---\n").Private, want, yaml)
	}
}

// Properties that cannot be read may have said that the note is private.
func TestPrivateInBrokenProperties(t *testing.T) {
	const broken = "a: b: c\n" // no YAML
	for line, want := range map[string]bool{
		"private: true": true, "private:true": true, "private true": true, "private = yes": true, "private": true,
		"private:":    true,
		"PRIVATE: on": true, "  private: 1": true, "\tprivate: true": true, `"private": true`: true,
		"'private' : 'true'": true,
		"private: \"true":    true, "private: [true": true, "private: maybe": true, "private: note": true,
		"private: off":            false,
		"private:\tTrue # really": true, "private: false\nprivate: true": true,
		"private: false": false, "Private: NO": false, "private:no": false, "private = false": false,
		"private: 'false'":         false,
		"private: \"no\" # shared": false, "private:\tFalse": false, `"private": false`: false,
		"note: private": false, "is private: true": false, "priv: true": false, "- private: true": false, "title: [x": false,
	} {
		for name, text := range map[string]string{
			"not YAML":       "---\n" + broken + line + "\n---\nbody\n",
			"first line":     "---\n" + line + "\n" + broken + "---\nbody\n",
			"unclosed":       "---\ntitle: x\n" + line + "\n\nbody\n",
			"ends at once":   "---\n" + line,
			"no last dash":   "---\n" + line + "\n--\nbody\n",
			"dots":           "---\n" + line + "\n...\nbody\n",
			"four dashes":    "----\n" + line + "\n---\nbody\n",
			"space behind":   "--- \n" + line + "\n---\nbody\n",
			"blank line":     "\n---\n" + line + "\n---\nbody\n",
			"indented marks": "  ---\n" + line + "\n  ---\nbody\n",
		} {
			for _, end := range []string{"\n", "\r\n", "\r"} {
				content, _ := Normalize([]byte("\uFEFF" + strings.ReplaceAll(text, "\n", end)))
				if n := parseNote("n.md", content); n.Private != want {
					t.Errorf("%s, %q as line end: %q: Private = %v", name, end, line, n.Private)
				}
			}
		}
	}
}

// A line of the text is no property: neither of a note that has none, nor behind
// those that end.
func TestPrivateInTheText(t *testing.T) {
	for _, text := range []string{
		"private: true\n", "# A\nprivate: true\n", "---\ntitle: x\n---\nprivate: true\n",
		"---\na: b: c\n---\nprivate: true\n", "- - -\nprivate: true\n",
	} {
		if n := parseNote("n.md", text); n.Private {
			t.Errorf("%q is private", text)
		}
	}
}

func TestPropertyLinks(t *testing.T) {
	n := parseNote("n.md", `---
up: "[[Tea|cup]]"
related:
  - "[[A#b]]"
  - '[[C]] and [[D]]'
bare: [[E]]
loose: see [[F]]
deep:
  x: "[[G]]"
---
[[H]]
`)
	want := []string{
		"prop 2 Tea|cup <up>", "prop 4 A#b <related.0>", "prop 5 C <related.1>", "prop 5 D <related.1>",
		"prop 9 G <deep.x>", "wiki 11 H",
	}
	is(t, linksOf(n), want)
}

// What the fast path reads, it reads as the library does.
func samePlain(t *testing.T, block string) {
	t.Helper()
	fast, ok := lineFields(block, true)
	if !ok {
		return
	}
	slow, err := yamlFields(block)
	if err != nil {
		t.Fatalf("%q: read without the library, which says: %v", block, err)
	}
	opts := []cmp.Option{cmp.AllowUnexported(field{}, node{}), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(node{}, "line")}
	if diff := cmp.Diff(slow, fast, opts...); diff != "" {
		t.Fatalf("%q (-library +own)\n%s", block, diff)
	}
}

func TestPlainFields(t *testing.T) {
	accepted := []string{
		"a: b", "a: 'b'", "a: \"b c\"", "a:\nb: 1", "a: [x, 'y z', \"w\"]", "a:\n- x\n- y", "a:\n  - x\n  -\nb: 2",
		"# c\n\na b: http://x/y\n", "a: -5", "日本: 茶", "a: x,y", "a: b#c", "a:\n\n  - x\n\n  - y\n",
	}
	for _, block := range accepted {
		if _, ok := lineFields(block, true); !ok {
			t.Errorf("%q: not read by the fast path", block)
		}
		samePlain(t, block)
	}
	for _, block := range []string{
		"a: b: c", "a: [x, [y]]", "a: {b: c}", "a: |\n  x", "a: b\n  c", "a:\n  b: c", "a: &x y", "a: *x", "a: 'b''c'",
		"a: \"\\n\"", "a: b # c",
		"a:\n  - x\n    y", "a:\n  - b: c", "a:\n  - x\n - y", "? a", "a", "- a", "a: [x", "a: @b", "a: `b`", "a: %b",
		"a:\tb", "a: \u0085", "\"a\": b", "a': b", "...", "a: [x]\n  y",
	} {
		if _, ok := lineFields(block, true); ok {
			t.Errorf("%q: read by the fast path", block)
		}
	}
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t rapid.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}

// check ends the test if there is an error.
func check(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
