package vault

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// linksOf returns the links of a note, one per line: kind line target#sub|display.
func linksOf(n *Note) []string {
	var out []string
	for l := range n.Links() {
		kind := [...]string{"wiki", "embed", "md", "prop"}[l.Kind]
		s := fmt.Sprintf("%s %d %s", kind, l.Line, l.Target)
		if l.Subpath != "" {
			s += "#" + l.Subpath
		}
		if l.Display != "" {
			s += "|" + l.Display
		}
		if l.Prop != "" {
			s += " <" + l.Prop + ">"
		}
		out = append(out, s)
	}
	return out
}

// TestParse checks the parsing of notes against testdata/parse.txt: each case has a kind and a
// name, the text of a note, and a line for each element of that kind in it.
func TestParse(t *testing.T) {
	data, err := os.ReadFile("testdata/parse.txt")
	check(t, err)
	all := strings.ReplaceAll(string(data), "\r\n", "\n") // a checkout on Windows
	for _, c := range strings.Split(all, "\n=== ")[1:] {
		name, body, _ := strings.Cut(c, "\n")
		text, want, _ := strings.Cut(body, "\n⇒")
		t.Run(name, func(t *testing.T) {
			n := parseNote("n.md", text)
			kind, _, _ := strings.Cut(name, ": ")
			got := strings.ReplaceAll(strings.Join(metadataOf[kind](n), "\n⇒ "), "\n", "⏎")
			if want = strings.ReplaceAll(strings.TrimPrefix(want, " "), "\n", "⏎"); got != want {
				t.Errorf("%q\n got %s\nwant %s", text, got, want)
			}
		})
	}
}

// metadataOf returns the metadata of a note by kind.
var metadataOf = map[string]func(*Note) []string{
	"links": linksOf,
	"tags":  func(n *Note) []string { return n.Tags },
	"headings": func(n *Note) (all []string) {
		for _, h := range n.Headings {
			all = append(all, fmt.Sprint(h.Level, " ", h.Text, " ", h.Line))
		}
		return all
	},
	"blocks": func(n *Note) (all []string) {
		for _, b := range n.Blocks() {
			all = append(all, fmt.Sprintf("%s %d-%d", b.ID, b.Start, b.End))
		}
		return all
	},
	"properties": func(n *Note) (all []string) {
		for _, p := range n.Props() {
			all = append(all, fmt.Sprintf("%s %#v", p.Key, p.Value))
		}
		return append(all, strings.Fields(n.Warning)...)
	},
	"names": func(n *Note) []string {
		all := []string{
			"title " + n.Title, "tags " + strings.Join(n.Tags, ", "), "aliases " + strings.Join(n.Aliases, "; "),
			"warning " + n.Warning,
		}
		return slices.DeleteFunc(all, func(s string) bool { return strings.HasSuffix(s, " ") })
	},
}

// TestImages: a note with a picture is marked as one (S0-77).
func TestImages(t *testing.T) {
	tests := map[string]bool{
		"![[a.png]]":                             true,
		"![[a.JPEG|100]]":                        true,
		"![x](pics/a.webp)":                      true,
		"![x](https://example.org/p)":            true,
		"![x](data:image/png;base64,AAAA)":       true,
		"[![x](a.gif)](b.md)":                    true,
		"[[a.png]]":                              false,
		"[x](a.png)":                             false,
		"![[Note]]":                              false,
		"![[a.pdf]]":                             false,
		"`![[a.png]]`":                           false,
		"```\n![[a.png]]\n```":                   false,
		"![x](data:text/plain;base64,AAAA)":      false,
		"![x](data:image/png;base64,AA" + "\n\n": false,
	}
	for text, want := range tests {
		is(t, parseNote("n.md", text).Images, want, text)
	}
}

func TestDataURIsAreNoLinks(t *testing.T) {
	if l := parseNote("n.md", "![x](data:image/png;base64,"+strings.Repeat("A", 10000)+") [[Tea]]"); len(linksOf(l)) != 1 {
		t.Errorf("links = %v", l)
	}
}

func TestConflictCopy(t *testing.T) {
	for _, name := range []Path{"a.sync-conflict-20240102-030405-ABC.md", "a (Ada's Conflicted Copy).md"} {
		if parseNote(name, "").Warning == "" {
			t.Errorf("%s: no warning", name)
		}
	}
}

// TestHostileText: parsing takes time in proportion to the length of a text, for hostile texts
// too.
func TestHostileText(t *testing.T) {
	for _, piece := range []string{
		"[", "[[", "![", "](", "[a](", "[](data:", "`", "`` ` ", "$", "$$", "%%", "<!--", "<a", "#", "> ", "- ",
		"[[a|", "\\", "*", "^a ", "~~~\n", "```\n", "$$\n", "<!--\n", "[x[x]", "a ^b\n", "- a ^b\n", "\t",
	} {
		n := parseNote("n.md", strings.Repeat(piece, 200_000/len(piece)))
		checkNote(t, n, 200_001)
	}
}
