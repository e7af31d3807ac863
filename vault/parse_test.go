package vault

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// linksOf writes the links of a note one per line: kind line target#sub|display.
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

func TestLinks(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"plain", "see [[Tea]]", []string{"wiki 1 Tea"}},
		{"ends at the first double bracket", "[[Tea]]]", []string{"wiki 1 Tea"}},
		{"a single bracket inside", "[[Tea ] pot]]", []string{"wiki 1 Tea ] pot"}},
		{"no line break inside", "[[Tea\npot]]", nil},
		{"nested gives the inner one", "[[Tea [[Cup]] pot]]", []string{"wiki 1 Cup"}},
		{"three brackets", "[[[Tea]]]", []string{"wiki 1 Tea"}},
		{"never closed", "[[Tea and [x] more", nil},
		{"empty", "[[]] [[ ]] [[|x]]", nil},
		{"display", "[[Tea|a cup]]", []string{"wiki 1 Tea|a cup"}},
		{"split at the first bar", "[[Tea|a|b]]", []string{"wiki 1 Tea|a|b"}},
		{"a bar in a table", "| a |\n|---|\n| [[Tea\\|cup]] |", []string{"wiki 3 Tea|cup"}},
		{"subpath", "[[Tea#Green#Sencha|s]]", []string{"wiki 1 Tea#Green#Sencha|s"}},
		{"block", "[[Tea#^b1]]", []string{"wiki 1 Tea#^b1"}},
		{"itself", "[[#Green]]", []string{"wiki 1 #Green"}},
		{"a URL is a name like any other", "[[https://example.org]]", []string{"wiki 1 https://example.org"}},
		{"inside a comment", "%%\n[[Tea]]\n%%", []string{"wiki 2 Tea"}},
		{"embed", "![[Tea]] ![[cup.png|200x100]]", []string{"embed 1 Tea", "embed 1 cup.png|200x100"}},
		{"embedded PDF page", "![[a.pdf#page=3]]", []string{"embed 1 a.pdf#page=3"}},
		{"markdown", "[a cup](Notes/Tea.md)", []string{"md 1 Notes/Tea.md|a cup"}},
		{"percent-encoded", "[x](My%20Tea.md#Hot%20one)", []string{"md 1 My Tea.md#Hot one|x"}},
		{"an encoded # stays in the name", "[x](C%23.md)", []string{"md 1 C#.md|x"}},
		{"a percent sign that encodes nothing", "[x](100%.md)", []string{"md 1 100%.md|x"}},
		{"a raw space is no link", "[x](My Tea.md)", nil},
		{"angle brackets allow spaces", "[x](<My Tea.md>)", []string{"md 1 My Tea.md|x"}},
		{"title", "[x](Tea.md \"hot\") [y](Cup.md 'small')", []string{"md 1 Tea.md|x", "md 1 Cup.md|y"}},
		{"a wikilink as destination", "[x]([[Tea]]) ![y]([[Cup|c]]) [x]( [[Pot]] )", []string{"wiki 1 Tea", "wiki 1 Cup|c", "wiki 1 Pot"}},
		{"parentheses in the name", "[x](Tea(1).md)", []string{"md 1 Tea(1).md|x"}},
		{"escaped parenthesis", `[x](Tea\).md)`, []string{"md 1 Tea).md|x"}},
		{"other places", "[a](https://example.org) [b](mailto:x@example.org)", nil},
		{"remote picture", "![alt](https://example.org/a.png)", []string{"embed 1 https://example.org/a.png|alt"}},
		{"picture as a link", "[![p](a.png)](Tea.md)", []string{"md 1 Tea.md|![p](a.png)", "embed 1 a.png|p"}},
		{"label over two lines", "[a\nb](Tea.md)\n[[Cup]]", []string{"md 1 Tea.md|a\nb", "wiki 3 Cup"}},
		{"code span", "`[[Tea]]` and ``a ` [[Tea]]`` [[Cup]]", []string{"wiki 1 Cup"}},
		{"code span over two lines", "`a\n[[Tea]]` [[Cup]]", []string{"wiki 2 Cup"}},
		{"a lone backtick hides nothing", "it`s [[Tea]]\n\nthe cat`s [[Cup]]", []string{"wiki 1 Tea", "wiki 3 Cup"}},
		{"fence", "```\n[[Tea]]\n```\n[[Cup]]", []string{"wiki 4 Cup"}},
		{"longer fence", "````md\n```\n[[Tea]]\n````\n[[Cup]]", []string{"wiki 5 Cup"}},
		{"tildes", "~~~\n[[Tea]]\n```\n~~~\n[[Cup]]", []string{"wiki 5 Cup"}},
		{"fence in a quote ends with it", "> ```\n> [[Tea]]\n[[Cup]]", []string{"wiki 3 Cup"}},
		{"fence in a list", "- ```\n  [[Tea]]\n  ```\n- [[Cup]]", []string{"wiki 4 Cup"}},
		{"fence that never ends", "```\n[[Tea]]\n\n[[Cup]]", nil},
		{"indented code", "text\n\n    [[Tea]]\n\n[[Cup]]", []string{"wiki 5 Cup"}},
		{"indented text in a list", "- a\n\n    [[Tea]]", []string{"wiki 3 Tea"}},
		{"indented line of a paragraph", "a\n    [[Tea]]", []string{"wiki 2 Tea"}},
		{"escaped", `\[[Tea]] \![[Cup]]`, []string{"wiki 1 Cup"}},
		{"mathematics", "$$\n[[1,2]]\n$$\n$[[x]]$ [[Tea]]", []string{"wiki 4 Tea"}},
		{"money", "$5 for [[Tea]] and $6 for [[Cup]]", []string{"wiki 1 Tea", "wiki 1 Cup"}},
		{"comment of HTML", "<!--\n\n[[Tea]]\n--> x\n[[Cup]]", []string{"wiki 5 Cup"}},
		{"attribute of HTML", `<a href="[[Tea]]">[[Cup]]</a>`, []string{"wiki 1 Cup"}},
		{"less than", "a < b [[Tea]]", []string{"wiki 1 Tea"}},
		{"heading", "# About [[Tea]]", []string{"wiki 1 Tea"}},
		{"quote and list", "> - [[Tea]]\n> - [[Cup]]", []string{"wiki 1 Tea", "wiki 2 Cup"}},
		{"a link after a line of CJK", "茶\n\n見[[茶]]。", []string{"wiki 3 茶"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, linksOf(parseNote("n.md", tt.text, nil))); diff != "" {
				t.Errorf("%q (-want +got)\n%s", tt.text, diff)
			}
		})
	}
}

func TestTags(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"at the start of a line", "#tea", []string{"tea"}},
		{"after a space, a tab, an ideographic space", "a #tea b\t#cup 茶\u3000#pot", []string{"tea", "cup", "pot"}},
		{"not inside a word", "a#tea (#cup) [#pot", nil},
		{"a digit is not enough", "#1984 #1990s #12/3", []string{"1990s", "12/3"}},
		{"nested, with signs", "#a/b-c_d", []string{"a/b-c_d"}},
		{"ends at punctuation", "#tea, #cup. #pot: #x'y #a#b", []string{"tea", "cup", "pot", "x", "a"}},
		{"ends at general punctuation", "#tea\u203c #cup\u2e3a", []string{"tea", "cup"}},
		{"emoji and CJK", "#🍵 #茶道，好", []string{"🍵", "茶道，好"}},
		{"first casing wins", "#Tea #tea #TEA", []string{"Tea"}},
		{"a slash at the end", "#tea/ x", []string{"tea"}},
		{"nothing but a slash", "#/ #", nil},
		{"heading", "# tea\n## Cup #pot\n#teapot", []string{"pot", "teapot"}},
		{"not in code", "`#tea`\n```\n#cup\n```\n\n    #pot", nil},
		{"not in a link", "[[Tea#hot]] [x](a.md#y) https://example.org/ #z", []string{"z"}},
		{"not in HTML", `<font color="x" #fff> <!-- #tea -->`, nil},
		{"escaped", `\#tea`, nil},
		{"in a quote", ">#tea\n> #cup\n> text\n>#pot", []string{"tea", "cup", "pot"}},
		{"in a list", "- #tea\n1. #cup\n- [ ] #pot", []string{"tea", "cup", "pot"}},
		{"in a table", "| #tea | b |\n|---|---|\n| x | #cup |", []string{"tea", "cup"}},
		{"in a comment", "%% #tea %%", []string{"tea"}},
		{"in mathematics", "$a #b$ #tea", []string{"tea"}},
		{"behind code over two lines", "`a\nb`#tea #cup", []string{"cup"}},
		{"properties before text", "---\ntags: [Cup]\n---\n#tea #cup", []string{"Cup", "tea"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, parseNote("n.md", tt.text, nil).Tags); diff != "" {
				t.Errorf("%q (-want +got)\n%s", tt.text, diff)
			}
		})
	}
}

func TestHeadings(t *testing.T) {
	tests := []struct {
		name, text string
		want       []Heading
	}{
		{"levels", "# a\n###### b\n####### c", []Heading{{1, "a", 1}, {6, "b", 2}}},
		{"closing marks", "## a ##\n## b#\n## #", []Heading{{2, "a", 1}, {2, "b#", 2}, {2, "", 3}}},
		{"after the properties", "---\nx: 1\n---\n# a", []Heading{{1, "a", 4}}},
		{"underlined", "a\n===\n\nb\nc\n---\n", []Heading{{1, "a", 1}, {2, "b c", 4}}},
		{"a rule is no underline", "a\n\n---\n- x\n---\n> q\n---", nil},
		{"S3-29: not in code", "```\n# a\n```\n    # b\n\n    # c\n# d", []Heading{{1, "d", 7}}},
		{"not in a comment", "%%\n# a\n%%\n# b", []Heading{{1, "b", 4}}},
		{"a stray comment mark hides nothing", "100 %% sure\n# a", []Heading{{1, "a", 2}}},
		{"four signs open no comment", "%%%%\n# a\n%%", []Heading{{1, "a", 2}}},
		{"not in quotes and lists", "> # a\n- # b", nil},
		{"formatted", "# **a** [[b]]", []Heading{{1, "**a** [[b]]", 1}}},
		{"a table is no heading", "| a |\n|---|", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, parseNote("n.md", tt.text, nil).Headings); diff != "" {
				t.Errorf("%q (-want +got)\n%s", tt.text, diff)
			}
		})
	}
}

func TestBlocks(t *testing.T) {
	tests := []struct {
		name, text string
		want       []Block
	}{
		{"paragraph", "a\nb ^id\n\nc", []Block{{"id", 1, 2}}},
		{"only at the end of a paragraph", "a ^id\nb", nil},
		{"at the end of the file", "a\nb ^id", []Block{{"id", 1, 2}}},
		{"before a heading", "a ^id\n# b", []Block{{"id", 1, 1}}},
		{"letters, digits, dashes", "a ^B-2\n\nb ^no_good\n\nc ^\n\nd^e", []Block{{"B-2", 1, 1}}},
		{"list item with what is below it", "- a\n- b ^id\n  - c\n  - d\n- e", []Block{{"id", 2, 4}}},
		{"nested item", "- a ^one\n  - b ^two\n- c", []Block{{"one", 1, 2}, {"two", 2, 2}}},
		{"last item", "- a\n- b ^id\n\ntext", []Block{{"id", 2, 2}}},
		{"alone below a list", "- a\n- b\n\n^id", []Block{{"id", 1, 2}}},
		{"alone below a table", "x\n\n| a |\n|---|\n| b |\n\n^id\n\ny", []Block{{"id", 3, 5}}},
		{"alone below code with blank lines", "```\na\n\nb\n```\n^id", []Block{{"id", 1, 5}}},
		{"alone below a quote", "> a\n> b\n\n^id", []Block{{"id", 1, 2}}},
		{"quote", "> a ^id\n\nb", []Block{{"id", 1, 1}}},
		{"alone with nothing above", "^id\n\n# h\n\n^id2", nil},
		{"in code", "```\na ^id\n```", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, parseNote("n.md", tt.text, nil).Blocks(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%q (-want +got)\n%s", tt.text, diff)
			}
		})
	}
}

// S0-77: a note with a picture is known as one.
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
		if got := parseNote("n.md", text, nil).Images; got != want {
			t.Errorf("Images of %q = %v", text, got)
		}
	}
}

func TestDataURIsAreNoLinks(t *testing.T) {
	if l := parseNote("n.md", "![x](data:image/png;base64,"+strings.Repeat("A", 10000)+") [[Tea]]", nil); len(linksOf(l)) != 1 {
		t.Errorf("links = %v", l)
	}
}

func TestConflictCopy(t *testing.T) {
	for _, name := range []Path{"a.sync-conflict-20240102-030405-ABC.md", "a (Ada's Conflicted Copy).md"} {
		if parseNote(name, "", nil).Warning == "" {
			t.Errorf("%s: no warning", name)
		}
	}
}

// Hostile text must cost about as much as its length: none of these may take
// longer than a moment.
func TestHostileText(t *testing.T) {
	for _, piece := range []string{
		"[", "[[", "![", "](", "[a](", "[](data:", "`", "`` ` ", "$", "$$", "%%", "<!--", "<a", "#", "> ", "- ",
		"[[a|", "\\", "*", "^a ", "~~~\n", "```\n", "$$\n", "<!--\n", "[x[x]", "a ^b\n", "- a ^b\n", "\t",
	} {
		n := parseNote("n.md", strings.Repeat(piece, 200_000/len(piece)), nil)
		checkNote(t, n, 200_001)
	}
}
