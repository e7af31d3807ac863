package vault

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever the value of private is, only a no and nothing leave the note public. The reason names what was read
// generously.
func TestPrivateValues(t *testing.T) {
	for _, no := range []string{
		"", " ", "false", "False", "FALSE", "no", "No", "off", "OFF", "0", "null", "NULL", "~", `""`, "''", `"false"`, "'no'", "false # really",
		"[]", "{}", "!!str false", "&a false", "!!null ''", "|\n  false", ">-\n  no",
	} {
		n := parseNote("n.md", "---\ntitle: x\nprivate: "+no+"\nlast: 1\n---\nbody\n")
		is(t, n.Private, false, no)
		is(t, n.PrivateBecause, "", no)
	}
	for _, yes := range []string{"true", "True", "yes", "on", "y", "1", `"true"`, "'YES'", "&a true", "!!str yes", "true # really"} {
		n := parseNote("n.md", "---\ntitle: x\nprivate: "+yes+"\nlast: 1\n---\nbody\n")
		is(t, n.Private, true, yes)
		is(t, n.PrivateBecause, "", yes)
	}
	for _, other := range []string{
		"[true]", "[false]", "[\"\"]", "\n  - true", "\n- yes", "{on: true}", "\n  from: all", "*a", "*b", "maybe", "very", "2", "-1", "0.5",
		"no, really", "n", "\"of course\"", "|\n  true\n  more", "2026-11-29", "!secret x", "[[Someone]]", "\"[[Someone]]\"", "¡sí!", "🔒",
	} {
		n := parseNote("n.md", "---\na: &a true\nb: &b false\nprivate: "+other+"\nlast: 1\n---\nbody\n")
		is(t, n.Private, true, other)
		if !strings.Contains(n.PrivateBecause, "private") {
			t.Errorf("%q: reason = %q", other, n.PrivateBecause)
		}
	}
}

func TestPrivateKeys(t *testing.T) {
	for yaml, want := range map[string]bool{
		"Private: true": true, "PRIVATE: true": true, `"private": true`: true, "'Private': true": true, "private : yes": true,
		"private:\ttrue": true, "? private\n: true": true, "\u200Bprivate: true": true, "pri\u00ADvate: true": true, "private\u200B: true": true,
		"private: false\nprivate: true": true, "private: true\nprivate: false": true, "{private: true}": true,
		`{"title": "x", "private": true}`: true, "meta: {private: true}": true, "meta:\n  - private: yes": true,
		"base: &b {private: true}\n<<: *b": true, "meta: {private: true}\nprivate: false": false, "meta: {private: false}": false,
		"title: x\n...\nprivate: true": true, "private_key: true": false, "privately: true": false, "semi-private: true": false,
		"a: b: c\nprivate_key: x": false, "text: |\n  private: true": false, "title: \"private: true\"": false, "# private: true": false,
		"x: {{a}}\n{title: x, private: true": true, "a: b\u2028private: true": true, "a: b: c\u0085private: true": true,
	} {
		is(t, parseNote("n.md", "---\n"+yaml+"\n---\nbody\n").Private, want, yaml)
	}
}

// Properties count where other programs put them, and where a person thinks that they stand.
func TestPrivateInUnusualPlaces(t *testing.T) {
	heads := map[string]string{
		"TOML":               "+++\ntitle = \"a: b\"\nprivate = VALUE\n+++\n",
		"TOML first":         "+++\nprivate=VALUE\ntitle = \"x\"\n+++\n",
		"table of TOML":      "+++\n[params]\n  private = VALUE\n+++\n",
		"dotted TOML":        "+++\nparams.private = VALUE\n+++\n",
		"inline TOML":        "+++\nparams = { private = VALUE }\n+++\n",
		"open TOML":          "+++\nprivate = VALUE\n\nbody\n",
		"JSON":               "{\n  \"title\": \"x\",\n  \"private\": VALUE,\n}\n",
		"one line of JSON":   "{\"title\": \"x\", \"private\": VALUE}\n",
		"semicolons":         ";;;\n\"private\": VALUE\n;;;\n",
		"Logseq":             "title:: x\nprivate:: VALUE\n\n- body\n",
		"block of Logseq":    "- private:: VALUE\n",
		"HTML comment":       "<!-- made by\n a program -->\n---\nprivate: VALUE\n---\n",
		"Obsidian's comment": "%% made by\n a program %%\n\n---\nprivate: VALUE\n---\n",
		"YAML's comment":     "# made by a program\n---\ntitle: x\nprivate: VALUE\n---\n",
		"comment, TOML":      "# made by a program\n\n+++\nprivate = VALUE\n+++\n",
		"directive":          "%YAML 1.2\n---\nprivate: VALUE\n---\n",
		"blank line":         "\n\n---\nprivate: VALUE\n---\n",
		"zero width":         "\u200B---\nprivate: VALUE\n---\n",
		"marks":              "\uFEFF\u200B\u2060---\u200B\nprivate: VALUE\n---\n",
		"no-break space":     "\u00A0---\nprivate: VALUE\n---\n",
		"long dashes":        "—-\nprivate: VALUE\n—-\n",
		"many dashes":        "-----\nprivate: VALUE\n-----\n",
		"comment alone":      "---\n# nothing here\n---\nprivate: VALUE\n---\n",
		"TOML behind YAML":   "---\n---\n+++\nprivate = VALUE\n+++\n",
	}
	for name, head := range heads {
		for _, end := range []string{"\n", "\r\n", "\r"} {
			for value, want := range map[string]bool{"true": true, "[ true ]": true, "\"maybe\"": true, "false": false, "\"\"": false, "0": false} {
				text, _ := Normalize([]byte(strings.ReplaceAll(strings.ReplaceAll(head, "VALUE", value), "\n", end) + "body" + end))
				n := parseNote("n.md", text)
				is(t, n.Private, want, name, value)
				is(t, n.PrivateBecause != "", want, name, value, n.PrivateBecause)
			}
		}
	}
}

// Text is no property, even where it looks a bit like one.
func TestPublicText(t *testing.T) {
	for _, text := range []string{
		"Private: true\n", "# Private: true\n", "# Title\n---\nPrivate lessons cost more.\n---\n", "> private: true\n", "* private: true\n",
		"<!-- private: true -->\ntext\n", "# Title\n\nText\n\n---\nprivate: true\n---\n", "{{title}}\nprivate lessons\n", "— said the cat\nprivate: true\n",
		"```\n---\nprivate: true\n---\n```\n", "- item\n- private: true\n", "+ item\nprivate: true\n", "---\n---\nPrivate lessons\n---\n",
		"---\ntitle: x\n---\n+++\nprivate = true\n+++\n",
	} {
		if n := parseNote("n.md", text); n.Private {
			t.Errorf("%q is private: %s", text, n.PrivateBecause)
		}
	}
}

// Of a note that is too large to be parsed, the beginning is read, since its name goes to models, too.
func TestLargePrivateNote(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("a long note\n", 1000)
	check(t, os.WriteFile(filepath.Join(dir, "private.md"), []byte("---\nprivate: [true]\n---\n"+long), 0o600))
	check(t, os.WriteFile(filepath.Join(dir, "public.md"), []byte("---\ntitle: x\n---\n"+long), 0o600))
	v, err := Open(dir, Options{MaxNote: 1000})
	check(t, err)
	t.Cleanup(func() { check(t, v.Close()) })
	check(t, v.Scan(t.Context()))
	for _, n := range v.Notes() {
		is(t, n.Large, true, n.Path)
		is(t, n.Private, n.Path == "private.md", n.Path)
	}
}
