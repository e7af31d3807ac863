package vault_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gtext "github.com/yuin/goldmark/text"

	"ibid/vault"
	"ibid/vault/md"
	"ibid/vault/vaulttest"
)

// headingLines returns the lines of a body, from 1, on which goldmark finds headings outside of
// quotations and lists.
func headingLines(body string) (lines []int) {
	source := []byte(body)
	doc := goldmark.New().Parser().Parse(gtext.NewReader(source))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Lines().Len() > 0 {
			lines = append(lines, 1+strings.Count(body[:h.Lines().At(0).Start], "\n"))
		}
	}
	return lines
}

// sameStructure compares the headings of all notes of a vault with goldmark's. A
// heading without a word, of which goldmark does not tell the line, is left out,
// and so are texts with what only Obsidian knows.
func sameStructure(t *testing.T, v *vault.Vault) (compared int) {
	for _, n := range v.Notes() {
		r, err := v.Read(n.Path)
		text := r.Content
		if err != nil {
			t.Error(err)
			continue
		}
		_, rest, _ := md.Frontmatter(text)
		body := text[rest:]
		if strings.Contains(body, "%%") || strings.Contains(body, "$$") || strings.Contains(body, "<!--") ||
			strings.Contains(body, "\n^") {
			continue
		}
		var got []int
		for _, h := range n.Headings {
			if h.Text != "" {
				got = append(got, h.Line-strings.Count(text[:rest], "\n"))
			}
		}
		is(t, got, headingLines(body), n.Path, body[:min(len(body), 300)])
		compared++
	}
	return compared
}

// TestStructure compares the block structure of random texts, and of real notes, with
// goldmark's.
func TestStructure(t *testing.T) {
	pieces := []string{
		"```", "````", "~~~", "```go", "\n", "\n", "\n", "\n", "\n\n", "\n\n", "- ", "* ", "1. ", "10. ", "> ", "  ",
		"    ", "a", "word",
		"# h", "## h", "---", "===", "***", "<pre>", "</pre>", "<div>", "</div>", "<b>", "x\n===\n", "`",
	}
	r := rand.New(rand.NewPCG(1, 2))
	var archive strings.Builder
	for n := range 3000 {
		fmt.Fprintf(&archive, "-- %d.md --\n", n)
		for range r.IntN(25) {
			archive.WriteString(pieces[r.IntN(len(pieces))])
		}
		archive.WriteString("\n")
	}
	sameStructure(t, vaulttest.New(t, archive.String()))
	if dir := vaulttest.Shared(t, "vaults"); dir != "" {
		t.Logf("shared: %d notes with the headings that goldmark finds",
			sameStructure(t, vaulttest.Open(t, dir, vault.Options{})))
	}
}
