package edit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"ibid/vault/edit"
	"ibid/vault/md"
)

// leaf is a line of a block without blocks in it, as goldmark reads it.
type leaf struct {
	in    string // the kinds of blocks around the line
	first bool   // whether it is the first one of its block; always false in quotations, whose text may go on
	text  string
}

// leaves returns the lines of all blocks of a text.
func leaves(source string) (all []leaf) {
	parser := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
	var walk func(n ast.Node, in string)
	walk = func(n ast.Node, in string) {
		switch n := n.(type) {
		case *ast.List:
			in += fmt.Sprintf(" list %c", n.Marker)
		case *ast.TextBlock: // a paragraph of an item without blank lines
			in += " Paragraph"
		case *ast.Document:
		default:
			in += " " + n.Kind().String()
		}
		isQuoted := strings.Contains(in, "Blockquote")
		switch {
		case n.Kind() == ast.KindThematicBreak:
			all = append(all, leaf{in: in, first: true})
		case n.Type() == ast.TypeBlock && (n.FirstChild() == nil || n.FirstChild().Type() == ast.TypeInline):
			for i := range n.Lines().Len() {
				segment := n.Lines().At(i)
				if line := strings.TrimSpace(string(segment.Value([]byte(source)))); line != "" {
					all = append(all, leaf{in, i == 0 && !isQuoted, line})
				}
			}
			return
		}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			walk(c, in)
		}
	}
	walk(parser.Parse(text.NewReader([]byte(source))), "")
	return all
}

// joinedBlocks are the blocks of which the texts are made.
var joinedBlocks = []string{
	"text\nmore", "- a\n- b", "- [ ] c", "* d", "1. e\n2. f", "3) g", "- h\n  - i\n  - j", "- k\n\n  more of it\n- l",
	"> m\n> n", "> - o", "> > p", "> q\n>", "> # r", "# s", "---", "===", "***", "t\n---", "u\n===",
	"| v | w |\n|---|---|\n| 1 | 2 |", "| 3 | 4 |", "> | x | y |\n> |---|---|", "> | 5 | 6 |", "> ---", "```\n- z\n```",
	"~~~~\nopen", "<pre>\nopen", "<!--\nopen", "<div>\nhtml\n</div>", "> ```\n> open", "- ```\n  open", "-", "a\n2. b",
	"--", "+ c\n\n  > d", "<?open",
}

// blocksOf makes a text of blocks, one for each byte of a seed.
func blocksOf(seed []byte) string {
	var all []string
	for _, n := range seed {
		all = append(all, joinedBlocks[int(n)%len(joinedBlocks)]+"\n")
	}
	return strings.Join(all, "\n")
}

// isJoined reports whether leaves are the old ones with the added ones at one place, which may divide running text. Rows
// are alone no table.
func isJoined(is, old, added []leaf) bool {
	size := len(is) - len(old)
	for at := range len(old) + 1 {
		if size < 0 || !slices.Equal(is[:at], old[:at]) {
			continue
		}
		below := slices.Clone(is[at+size:])
		if len(below) > 0 && below[0].in == " Paragraph" {
			below[0].first = old[at].first
		}
		if !slices.Equal(below, old[at:]) {
			continue
		}
		inserted := is[at : at+size]
		isTable := size > 0 && strings.Contains(inserted[0].in, "Table")
		if isTable || slices.Equal(inserted, added) {
			return true
		}
	}
	return false
}

// FuzzJoin compares what goldmark reads in a text before and after something is added at either end: each old block
// stays what it was, and the added ones are what they are alone, or rows of a table.
func FuzzJoin(f *testing.F) {
	for i := range joinedBlocks {
		for j := range joinedBlocks {
			f.Add([]byte{byte(i)}, []byte{byte(j)})
		}
	}
	f.Fuzz(func(t *testing.T, oldSeed, addedSeed []byte) {
		const enough = 12
		old, added := blocksOf(oldSeed[:min(len(oldSeed), enough)]), blocksOf(addedSeed[:min(len(addedSeed), enough)])
		for name, joined := range map[string]string{
			"append": edit.Append(old, added), "prepend": edit.Prepend(old, added),
			"insert": edit.Insert(old, len(oldSeed), added),
		} {
			_, _, hasProperties := md.Frontmatter(old + joined)
			if hasProperties { // goldmark reads none
				continue
			}
			was, is, alone := leaves(old), leaves(joined), leaves(added)
			if !isJoined(is, was, alone) {
				t.Errorf("%s\n%q to\n%q makes\n%q:\n%+v, was\n%+v, added\n%+v", name, added, old, joined, is, was, alone)
			}
		}
	})
}
