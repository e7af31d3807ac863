package calltext_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ibid/chains/calltext"
)

func TestBlocks(t *testing.T) {
	const whole = "<writeToFile>\n<path>Beds.md</path>\n<content>\n# Beds\n</content>\n</writeToFile>\n"
	for _, c := range []struct {
		name, text string
		want       []calltext.Block
	}{
		{"alone", whole, []calltext.Block{{To: len(whole) - 1, Path: "Beds.md", Content: "# Beds\n"}}},
		{"in one line", "<writeFile><path> a/b </path><content>x</content></writeFile>", []calltext.Block{{To: 61, Path: "a/b", Content: "x"}}},
		{"in any case", "<WRITETOFILE><PATH>a</PATH><Content>x</content></writetofile>", []calltext.Block{{To: 61, Path: "a", Content: "x"}}},
		{"line ends", "<writeFile>\r\n<path>a</path>\r\n<content>\r\nx\r\n</content>\r\n</writeFile>", []calltext.Block{{To: 67, Path: "a", Content: "x\r\n"}}},
		{"one line end is dropped", "<writeFile><path>a</path><content>\n\nx</content></writeFile>", []calltext.Block{{To: 59, Path: "a", Content: "\nx"}}},
		{"tags in it", "<writeFile><path>a</path><content>b</content> c</content></writeFile>", []calltext.Block{{To: 69, Path: "a", Content: "b</content> c"}}},
		{"code in it", "<writeFile><path>a</path><content>\n```\n<writeFile>\n```\n</content></writeFile>", []calltext.Block{{To: 77, Path: "a", Content: "```\n<writeFile>\n```\n"}}},
		{"two", "See:\n" + whole + "and\n" + whole, []calltext.Block{
			{From: 5, To: 4 + len(whole), Path: "Beds.md", Content: "# Beds\n"},
			{From: 9 + len(whole), To: 8 + 2*len(whole), Path: "Beds.md", Content: "# Beds\n"},
		}},
		{"in code", "```xml\n" + whole + "```\n", nil},
		{"in a line", "It is `<writeFile>` and <writeFile>.", nil},
		{"another tag", "<writeFiles><path>a</path></writeFiles>", nil},
		{"open", "x\n<writeToFile>\n<path>a</path>\n<content>\nmore", []calltext.Block{{From: 2, To: 45, Path: "a", Err: "is not closed"}}},
		{"hardly begun", "x\n<writeT", []calltext.Block{{From: 2, To: 9, Err: "is not closed"}}},
		{"no content", "<writeFile><path>a</path></writeFile> b", []calltext.Block{{To: 37, Path: "a", Err: "has no content"}}},
		{"no path", "<writeFile><content>a</content></writeFile>", []calltext.Block{{To: 43, Content: "a", Err: "names no path"}}},
	} {
		if diff := cmp.Diff(c.want, calltext.Blocks(c.text)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// A block is no call, however the reply is split: it stays in the text.
func TestBlockIsText(t *testing.T) {
	const text = "Here:\n<writeToFile>\n<path>Beds.md</path>\n<content>\n{\"a\":1}\n</content>\n</writeToFile>\nDone.\n"
	for _, inText := range []bool{false, true} {
		for size := 1; size < len(text); size++ {
			r := calltext.NewReader([]string{"writeToFile", "editFile"}, inText)
			got := ""
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				got += r.Write(rest[:n])
				rest = rest[n:]
			}
			if got += r.Close(); got != text || len(r.Calls()) > 0 {
				t.Fatalf("in pieces of %d: %v, %q", size, r.Calls(), got)
			}
		}
	}
}
