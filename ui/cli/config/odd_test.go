package config

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// oddFiles are configurations in forms that a program would not write.
var oddFiles = map[string]string{
	"dotted":                   "screen.theme = \"dark\"\nscreen.ascii = true\n",
	"dotted with spaces":       "screen . \"theme\" = \"dark\"\nmodel = \"m\"\n",
	"inline table":             "screen = { theme = \"dark\", ascii = true } # so\nmodel = \"m\"\n",
	"inline table below":       "[tools]\nrounds = 3\nweb = { fetch = true }\n",
	"table below a table":      "[tools.web]\nfetch = true\n",
	"super table last":         "[tools.web]\nfetch = true\n[tools]\nrounds = 3\n",
	"quoted header":            "['screen'] # \"[tools]\"\n\"theme\" = 'dark' # \"#\"\n",
	"header with a comment":    "[screen] # [tools]\nascii = true\n",
	"CRLF":                     "# a\r\nmodel = \"m\"\r\n\r\n[screen]\r\nascii = true\r\n",
	"CRLF and no end":          "[screen]\r\nascii = true",
	"mixed ends":               "model = \"m\"\r\n[screen]\nascii = true\n",
	"BOM":                      "\ufeff[screen]\nascii = true\n",
	"BOM and a key":            "\ufeffmodel = \"m\"\n",
	"multi-line table":         "system = \"\"\"\n[screen]\ntheme = \"nord\"\n\"\"\"\nmodel = \"m\"\n",
	"multi-line literal":       "system = '''\n[tools]\nrounds = 9\n'''\n[screen]\nascii = true\n",
	"multi-line in the table":  "[screen]\ntheme = \"\"\"\ndark\"\"\"\n",
	"multi-line with the key":  "system = \"\"\"\ntheme = 'x'\nmodel = 'y'\n\"\"\"\n",
	"multi-line with a hash":   "system = \"\"\"a # b\n# [screen]\n\"\"\" # c\n",
	"list over lines":          "[files]\nignore = [\n  \"a\", # [screen]\n  \"[tools]\",\n]\n[screen]\nascii = true\n",
	"list of tables like keys": "[files]\nignore = [\n\"model = 1\",\n\"[screen]\"\n]\n",
	"array of tables":          "[[screen]]\nascii = true\n",
	"array of unknown tables":  "model = \"m\"\n[[extra]]\na = 1\n[[extra]]\na = 2\n",
	"duplicate tables":         "[screen]\nascii = true\n[screen]\ntheme = \"dark\"\n",
	"duplicate keys":           "model = \"a\"\nmodel = \"b\"\n",
	"escaped key":              "\"mod\\u0065l\" = \"m\" # so\n",
	"tabs":                     "\t[screen]\n\t\ttheme\t=\t\"dark\"\t# so\n",
	"nothing but a comment":    "# [screen]\n# theme = \"dark\"",
	"table that is commented":  "#[screen]\n#theme = \"dark\"\n[tools]\nrounds = 3\n",
	"no line end":              "model = \"m\"",
	"blank lines at the end":   "model = \"m\"\n\n\n\n",
	"header at the very end":   "model = \"m\"\n[screen]",
	"chats as a text":          "chats = \"Talks\"\n",
	"dotted in a table":        "[tools]\nweb.fetch = true # so\nrounds = 3\n",
	"dotted and nothing else":  "# a\nscreen.ascii = true\n\n[tools]\nrounds = 3\n",
	"dotted over lines":        "files.ignore = [\n  \"a\",\n]\nmodel = \"m\"\n",
	"lists in a list":          "[tools]\noff = [\n  \"a\"\n, # [screen]\n]\n[screen]\n",
	"quote in a literal":       "system = 'a \"\"\" b'\n[screen]\nascii = true\n",
	"escaped quote":            "system = \"a \\\"[screen]\\\" # b\" # c\n[screen]\nascii = true\n",
}

// TestOddConfigurations sets and removes settings in oddFiles. Either only that value changes
// and every comment stays in its place, or the file stays as it was and an error is returned.
func TestOddConfigurations(t *testing.T) {
	changes := []struct {
		key   Key
		value string
		want  any
	}{
		{Key{"model"}, "other", "other"},
		{Key{"screen", "theme"}, "nord", "nord"},
		{Key{"screen", "ascii"}, "false", false},
		{Key{"tools", "web", "fetch"}, "off", false},
		{Key{"files", "ignore"}, `["x"]`, []any{"x"}},
	}
	decoded := func(text string, key Key) (rest map[string]any, value any, err error) {
		rest, err = decode(strings.TrimPrefix(text, "\ufeff"))
		return rest, cutKey(rest, key), err
	}
	for name, before := range oddFiles {
		for _, c := range changes {
			for _, unset := range []bool{false, true} {
				f := fileOf(t, before)
				value := &c.value
				if unset {
					value, c.want = nil, nil
				}
				_, err := f.Set(c.key.String(), value)
				got, readErr := os.ReadFile(f.Path)
				after := string(got)
				if readErr != nil {
					t.Fatal(readErr)
				}
				if err != nil {
					if after != before {
						t.Errorf("%s: %s (unset %v): refused with %v, and became %q", name, c.key, unset, err, after)
					}
					continue
				}
				rest, was, err1 := decoded(before, c.key)
				now, is, err2 := decoded(after, c.key)
				if err1 != nil || err2 != nil || !reflect.DeepEqual(rest, now) || !reflect.DeepEqual(is, c.want) {
					t.Errorf("%s: %s (unset %v) was %v and is %v (%v, %v):\n%q\n%q", name, c.key, unset, was, is, err1, err2, before, after)
				}
				own := 0 // a line goes with its comment
				if unset && strings.Count(before, "\n") > strings.Count(after, "\n") {
					own = comments(before) - comments(after)
				}
				if comments(before) != comments(after)+own || own > 2 {
					t.Errorf("%s: %s (unset %v): comments are lost:\n%q\n%q", name, c.key, unset, before, after)
				}
				if n := strings.Count(after, "\n") - strings.Count(before, "\n"); n > 4 || n < -1 {
					t.Errorf("%s: %s (unset %v): %d lines more:\n%q\n%q", name, c.key, unset, n, before, after)
				}
				if strings.Contains(before, "\r\n") && name != "mixed ends" && strings.Count(after, "\n") != strings.Count(after, "\r\n") {
					t.Errorf("%s: %s (unset %v): the ends of lines are mixed: %q", name, c.key, unset, after)
				}
			}
		}
	}
}

// TestEasyConfigurations: a setting that takes one line is changed.
func TestEasyConfigurations(t *testing.T) {
	for before, want := range map[string]string{
		"\ufeff[screen]\nascii = true\n":                    "\ufeff[screen]\ntheme = \"nord\"\nascii = true\n",
		"screen.theme = 'dark' # so\n":                      "screen.theme = \"nord\" # so\n",
		"# a\nscreen.ascii = true\n\n[tools]\nrounds = 3\n": "",
		"system = '''\n[screen]\ntheme = 'x'\n'''\n":        "system = '''\n[screen]\ntheme = 'x'\n'''\n\n[screen]\ntheme = \"nord\"\n",
		"[files]\nignore = [\n[\"screen\"]\n]\n":            "",
	} {
		f, nord := fileOf(t, before), "nord"
		_, err := f.Set("screen.theme", &nord)
		got, _ := os.ReadFile(f.Path)
		if want == "" && (err == nil || string(got) != before) || want != "" && (err != nil || string(got) != want) {
			t.Errorf("%q: %v, and became %q, want %q", before, err, got, want)
		}
	}
}

// comments counts the signs of comments in a text.
func comments(text string) int { return strings.Count(text, "#") }
