package vault

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
		n := parseNote("n.md", tt.text, nil)
		if len(n.Props()) != tt.props || n.BodyLine != tt.body {
			t.Errorf("%s: %d properties, body on line %d; want %d, %d", tt.name, len(n.Props()), n.BodyLine, tt.props, tt.body)
		}
		if n.Warning != "" {
			t.Errorf("%s: warning %q", tt.name, n.Warning)
		}
	}
}

func TestFrontmatterCRLFAndBOM(t *testing.T) {
	text, _ := normalize([]byte("\uFEFF---\r\ntitle: Tea\r\n---\r\n# a\r\n"))
	n := parseNote("n.md", text, nil)
	if n.Title != "Tea" || n.BodyLine != 4 || n.Headings[0] != (Heading{1, "a", 4}) {
		t.Errorf("%+v", n)
	}
}

func TestPropertyValues(t *testing.T) {
	day := time.Date(2024, 3, 9, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		yaml string
		want any
	}{
		{"a", "a"},
		{"a b:c", "a b:c"},
		{`"a: b"`, "a: b"},
		{`'it''s'`, "it's"},
		{`"tab\t"`, "tab\t"},
		{"", nil},
		{"~", nil},
		{"null", nil},
		{`""`, ""},
		{"true", true},
		{"False", false},
		{"yes", "yes"},
		{"no", "no"},
		{"on", "on"},
		{"12", 12},
		{"-3", -3},
		{"0x1F", 31},
		{"0o17", 15},
		{"017", 17},
		{"1.50", 1.5},
		{"1e3", 1000.0},
		{".inf", math.Inf(1)},
		{"-.inf", math.Inf(-1)},
		{"1_000", "1_000"},
		{"12:30", "12:30"},
		{"1.2.3", "1.2.3"},
		{`"12"`, "12"},
		{"2024-03-09", day},
		{"2024-03-09T10:20:30", day.Add(10*time.Hour + 20*time.Minute + 30*time.Second)},
		{"2024-03-09 10:20", day.Add(10*time.Hour + 20*time.Minute)},
		{"2024-13-09", "2024-13-09"},
		{"[a, 1, true]", []any{"a", 1, true}},
		{"[]", []any{}},
		{"[a, 'b, c', ]", []any{"a", "b, c"}},
		{"\n- a\n- 2", []any{"a", 2}},
		{"\n  - a\n  -\n  - \"b\"", []any{"a", nil, "b"}},
		{"\n  b: 1\n  c: [x]", map[string]any{"b": 1, "c": []any{"x"}}},
		{"|\n  two\n  lines", "two\nlines\n"},
		{">\n  one\n  line", "one line\n"},
		{"two\n  words", "two words"},
		{"a # comment", "a"},
		{"{b: 1}", map[string]any{"b": 1}},
		{"!!str 5", "5"},
	}
	for _, tt := range tests {
		n := parseNote("n.md", "---\nkey: "+tt.yaml+"\n---\n", nil)
		if n.Warning != "" || len(n.Props()) != 1 || n.Props()[0].Key != "key" {
			t.Errorf("%q: %+v", tt.yaml, n)
			continue
		}
		if diff := cmp.Diff(tt.want, n.Props()[0].Value, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%q (-want +got)\n%s", tt.yaml, diff)
		}
	}
}

func TestTagsAliasesTitle(t *testing.T) {
	tests := []struct {
		name, yaml    string
		tags, aliases []string
		title         string
	}{
		{"block lists", "tags:\n  - tea\n  - a/b\naliases:\n- Chai\n- Cha, hot", []string{"tea", "a/b"}, []string{"Chai", "Cha, hot"}, "n"},
		{"flow lists", "tags: [tea, \"#cup\"]\naliases: [Chai]", []string{"tea", "cup"}, []string{"Chai"}, "n"},
		{"a string", "tags: tea, cup pot\naliases: Chai, hot", []string{"tea", "cup", "pot"}, []string{"Chai, hot"}, "n"},
		{"old names, any case", "Tag: tea\nALIAS: Chai", []string{"tea"}, []string{"Chai"}, "n"},
		{"empty", "tags:\naliases: []\ntitle:", nil, nil, "n"},
		{"what is no tag", "tags: [1984, two words, 1990s]", []string{"1990s"}, nil, "n"},
		{"numbers as text", "title: 2024\naliases: [007, 1.10]", nil, []string{"007", "1.10"}, "2024"},
		{"title", "title: \"Tea: hot\"", nil, nil, "Tea: hot"},
		{"a list is no title", "title: [a]", nil, nil, "n"},
		{"given twice", "title: a\ntitle: b", nil, nil, "b"},
		{"JSON", `{"tags": ["tea"], "title": "Tea"}`, []string{"tea"}, nil, "Tea"},
		{"text makes no tags", "note: \"about #tea\"", nil, nil, "n"},
		{"an anchor is not expanded", "a: &x [1, 2]\ntitle: *x", nil, nil, "*x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := parseNote("n.md", "---\n"+tt.yaml+"\n---\n", nil)
			got := []any{n.Tags, n.Aliases, n.Title, n.Warning}
			if diff := cmp.Diff([]any{tt.tags, tt.aliases, tt.title, ""}, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
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
		{"template", "created: {{date}}\ntags:\n  - tea\nrank: 3", []Property{{"created", "{{date}}"}, {"tags", []any{"tea"}}, {"rank", 3}}},
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
			n := parseNote("n.md", "---\n"+tt.yaml+"\n---\n#body", nil)
			if diff := cmp.Diff(tt.want, n.Props()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(tt.want) > 0 && n.Tags[0] != "tea" || n.Tags[len(n.Tags)-1] != "body" {
				t.Errorf("tags = %v", n.Tags)
			}
			if !strings.Contains(n.Warning, "line by line") {
				t.Errorf("warning = %q", n.Warning)
			}
		})
	}
}

func TestWarningNamesTheLine(t *testing.T) {
	n := parseNote("n.md", "---\na: 1\nb: c: d\n---\n", nil)
	if !strings.Contains(n.Warning, "line 3") {
		t.Errorf("warning = %q", n.Warning)
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
		"private: [true]":        false,
		"note: private":          false,
	} {
		if got := parseNote("n.md", "---\n"+yaml+"\n---\n", nil).Private; got != want {
			t.Errorf("%q: Private = %v", yaml, got)
		}
	}
}

// Properties that cannot be read may have said that the note is private.
func TestPrivateInBrokenProperties(t *testing.T) {
	const broken = "a: b: c\n" // no YAML
	for line, want := range map[string]bool{
		"private: true": true, "private:true": true, "private true": true, "private = yes": true, "private": true, "private:": true,
		"PRIVATE: on": true, "  private: 1": true, "\tprivate: true": true, `"private": true`: true, "'private' : 'true'": true,
		"private: \"true": true, "private: [true": true, "private: maybe": true, "private: note": true, "private: off": true,
		"private:\tTrue # really": true, "private: false\nprivate: true": true,
		"private: false": false, "Private: NO": false, "private:no": false, "private = false": false, "private: 'false'": false,
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
				content, _ := normalize([]byte("\uFEFF" + strings.ReplaceAll(text, "\n", end)))
				if n := parseNote("n.md", content, nil); n.Private != want {
					t.Errorf("%s, %q as line end: %q: Private = %v", name, end, line, n.Private)
				}
			}
		}
	}
}

// A line of the text is no property: neither of a note that has none, nor behind
// those that end.
func TestPrivateInTheText(t *testing.T) {
	for _, text := range []string{"private: true\n", "# A\nprivate: true\n", "---\ntitle: x\n---\nprivate: true\n", "---\na: b: c\n---\nprivate: true\n", "- - -\nprivate: true\n"} {
		if n := parseNote("n.md", text, nil); n.Private {
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
`, nil)
	want := []string{
		"prop 2 Tea|cup <up>", "prop 4 A#b <related.0>", "prop 5 C <related.1>", "prop 5 D <related.1>",
		"prop 9 G <deep.x>", "wiki 11 H",
	}
	if diff := cmp.Diff(want, linksOf(n)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
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
		"a: b: c", "a: [x, [y]]", "a: {b: c}", "a: |\n  x", "a: b\n  c", "a:\n  b: c", "a: &x y", "a: *x", "a: 'b''c'", "a: \"\\n\"", "a: b # c",
		"a:\n  - x\n    y", "a:\n  - b: c", "a:\n  - x\n - y", "? a", "a", "- a", "a: [x", "a: @b", "a: `b`", "a: %b", "a:\tb", "a: \u0085", "\"a\": b", "a': b", "...", "a: [x]\n  y",
	} {
		if _, ok := lineFields(block, true); ok {
			t.Errorf("%q: read by the fast path", block)
		}
	}
}
