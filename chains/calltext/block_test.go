package calltext_test

import (
	"slices"
	"strings"
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
		{"alone", whole, []calltext.Block{{Path: "Beds.md", Content: "# Beds\n"}}},
		{
			"in one line", "<writeFile><path> a/b </path><content>x</content></writeFile>",
			[]calltext.Block{{Path: "a/b", Content: "x"}},
		},
		{
			"in any case", "<WRITETOFILE><PATH>a</PATH><Content>x</content></writetofile>",
			[]calltext.Block{{Path: "a", Content: "x"}},
		},
		{
			"line ends", "<writeFile>\r\n<path>a</path>\r\n<content>\r\nx\r\n</content>\r\n</writeFile>",
			[]calltext.Block{{Path: "a", Content: "x\r\n"}},
		},
		{
			"one line end is dropped", "<writeFile><path>a</path><content>\n\nx</content></writeFile>",
			[]calltext.Block{{Path: "a", Content: "\nx"}},
		},
		{
			"tags in it", "<writeFile><path>a</path><content>b</content> c</content></writeFile>",
			[]calltext.Block{{Path: "a", Content: "b</content> c"}},
		},
		{
			"code in it", "<writeFile><path>a</path><content>\n```\n<writeFile>\n```\n</content></writeFile>",
			[]calltext.Block{{Path: "a", Content: "```\n<writeFile>\n```\n"}},
		},
		{"two", "See:\n" + whole + "and\n" + whole, []calltext.Block{
			{Path: "Beds.md", Content: "# Beds\n"},
			{Path: "Beds.md", Content: "# Beds\n"},
		}},
		{"in code", "```xml\n" + whole + "```\n", nil},
		{"in a line", "It is `<writeFile>` and <writeFile>.", nil},
		{"another tag", "<writeFiles><path>a</path></writeFiles>", nil},
		{
			"open", "x\n<writeToFile>\n<path>a</path>\n<content>\nmore",
			[]calltext.Block{{Path: "a", Err: "is not closed"}},
		},
		{"hardly begun", "x\n<writeT", nil},
		{
			"no content", "<writeFile><path>a</path></writeFile> b",
			[]calltext.Block{{Path: "a", Err: "has no content"}},
		},
		{
			"empty", "<writeFile><path>a</path><content>\n \n</content></writeFile>",
			[]calltext.Block{{Path: "a", Err: "has no content"}},
		},
		{"a block in it", "<writeFile><path>a</path><content>\nb\n<writeFile>\n<path>c</path>\n<content>\nd\n</content>\n</writeFile>\ne\n</content></writeFile>", []calltext.Block{{Path: "a", Err: "contains another one"}}},
		{"a block of the other name in code in it", "<writeFile><path>a</path><content>\n```\n<writeToFile><path>c</path><content>d</content></writeToFile>\n```\ne\n</content></writeFile>", []calltext.Block{{Path: "a", Err: "contains another one"}}},
		{
			"two examples in it, in code",
			"<writeFile><path>a</path><content>\n```\n<writeFile><path>b</path><content>c</content></writeFile>\n```\n" +
				"and\n```\n<writeFile><path>d</path><content>e</content></writeFile>\n```\n</content></writeFile>\n" +
				"<writeFile><path>f</path><content>g</content></writeFile>",
			[]calltext.Block{{Path: "a", Err: "contains another one"}},
		},
		{
			"two examples in one with attributes",
			"<writeFile mode=\"x\"><path>a</path><content>\n```\n<writeFile><path>b</path><content>c</content></writeFile>\n" +
				"```\n```\n<writeFile><path>d</path><content>e</content></writeFile>\n```\n</content></writeFile>",
			[]calltext.Block{{Path: "a", Err: "contains another one"}},
		},
		{
			"open, with another behind it",
			"<writeFile><path>a</path><content>b</content>\n<writeFile><path>c</path><content>d</content></writeFile>",
			[]calltext.Block{{Path: "a", Err: "contains another one"}},
		},
		{
			"content first", "<writeFile>\n<content>\nx\n</content>\n<path>a</path>\n</writeFile>",
			[]calltext.Block{{Path: "a", Content: "x\n"}},
		},
		{
			"a path behind it that is open", "<writeFile><content>x</content><path></writeFile>",
			[]calltext.Block{{Err: "has no content"}},
		},
		{
			"a space in the tag", "<writeFile ><path>a</path><content>x</content></writeFile>",
			[]calltext.Block{{Path: "a", Content: "x"}},
		},
		{
			"attributes", "<writeFile path=\"a\"><content>x</content></writeFile>",
			[]calltext.Block{{Err: "has attributes in its tag, and its path belongs into <path>"}},
		},
		{
			"attributes alone", "<writeFile path=\"a\">x</writeFile> y",
			[]calltext.Block{{Err: "has attributes in its tag, and its path belongs into <path>"}},
		},
		{"indented", "See:\n\n    <writeFile><path>a</path><content>x</content></writeFile>", nil},
		{"indented below text", "See:\n    <writeFile><path>a</path><content>x</content></writeFile>", nil},
		{"indented by a tab", "See:\n\t<writeFile><path>a</path><content>x</content></writeFile>", nil},
		{
			"in a list", "1.  See:\n    <writeFile><path>a</path><content>x</content></writeFile>",
			[]calltext.Block{{Path: "a", Content: "x"}},
		},
		{
			"no path", "<writeFile><content>a</content></writeFile>",
			[]calltext.Block{{Err: "names no path"}},
		},
	} {
		if diff := cmp.Diff(c.want, calltext.Blocks(c.text)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
		for size := range len(c.text) {
			if diff := cmp.Diff(c.want, inPieces(t, c.text, size+1)); diff != "" {
				t.Fatalf("%s, in pieces of %d:\n%s", c.name, size+1, diff)
			}
		}
	}
}

// inPieces returns the blocks of a text that is read in pieces, and checks that the text stays
// the same.
func inPieces(t *testing.T, text string, size int) (all []calltext.Block) {
	t.Helper()
	r := calltext.BlockReader{Draw: func(b calltext.Block, raw string) string {
		all = append(all, b)
		return raw
	}}
	if got := readPieces(&r, text, size); got != text {
		t.Errorf("in pieces of %d %q became %q", size, text, got)
	}
	return all
}

// readPieces passes a text to a reader in pieces, and returns the reader's output.
func readPieces(r interface {
	Write(string) string
	Close() string
}, text string, size int,
) (got string) {
	for piece := range slices.Chunk([]byte(text), size) {
		got += r.Write(string(piece))
	}
	return got + r.Close()
}

// TestBlockReader: nothing of a block shows while it comes, and what stands around it
// shows at once.
func TestBlockReader(t *testing.T) {
	r := calltext.BlockReader{Draw: func(b calltext.Block, _ string) string { return "[" + b.Path + "]" }}
	for _, s := range []struct{ piece, shown, writing string }{
		{piece: "I write it", shown: "I write it"},
		{piece: ":\n  <writeT", shown: ":\n"},
		{piece: "oFile>\n<pa", writing: "writing a note"},
		{piece: "th>Beds.md</path>\n<content>\n# B", writing: "writing Beds.md, 0 lines so far"},
		{piece: "eds\none\n</cont", writing: "writing Beds.md, 2 lines so far"},
		{piece: "ent>\n</writeToFile> Done", shown: "[Beds.md] Done"},
		{piece: ".\n  <wr", shown: ".\n"},
		{piece: "ong", shown: "  <wrong"},
		{piece: "\n```\n<writeFile>\n", shown: "\n```\n<writeFile>\n"},
	} {
		if shown, writing := r.Write(s.piece), r.Writing(); shown != s.shown || writing != s.writing {
			t.Errorf("%q: shows %q, %s", s.piece, shown, writing)
		}
	}
}

// TestBlockCost: what a piece costs does not grow with the block that it belongs to.
func TestBlockCost(t *testing.T) {
	r := calltext.BlockReader{Draw: func(_ calltext.Block, raw string) string { return raw }}
	r.Write("<writeFile>\n<path>a</path>\n<content>\n")
	for range 4 << 10 { // a block that was looked at again and again would take minutes
		r.Write(strings.Repeat("< a line of the note\n", 50))
	}
	if said := r.Writing(); said != "writing a, 204,800 lines so far" {
		t.Error(said)
	}
}

// A block is no call, however the reply is split: it stays in the text.
func TestBlockIsText(t *testing.T) {
	const text = "Here:\n<writeToFile>\n<path>Beds.md</path>\n<content>\n{\"a\":1}\n</content>\n</writeToFile>\nDone.\n"
	for _, inText := range []bool{false, true} {
		for size := 1; size < len(text); size++ {
			r := calltext.NewReader([]string{"writeToFile", "editFile"}, inText)
			if got := readPieces(r, text, size); got != text || len(r.Calls()) > 0 {
				t.Fatalf("in pieces of %d: %v, %q", size, r.Calls(), got)
			}
		}
	}
}
