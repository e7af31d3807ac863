package vaulttest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Generate writes n realistic notes, of 2 KB on average, with properties, headings, lists, code, tags and
// links, into a new temporary folder, and returns it. The notes are a day old.
func Generate(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	at := time.Now().Add(-24 * time.Hour)
	for i := range n {
		name := filepath.Join(dir, fmt.Sprintf("area%d", i%10), fmt.Sprintf("topic%d", i/10%(n/100+1)),
			fmt.Sprintf("Note %d.md", i))
		write(t, name, []byte(generateText(i, n)))
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// generateText returns the text of note i of n.
func generateText(i, n int) string {
	r := rand.New(rand.NewPCG(1, uint64(i)))
	words := strings.Fields("kettle harbour ledger quartz meadow signal copper lantern orchard river stone winter")
	word := func() string { return words[r.IntN(len(words))] }
	var b strings.Builder
	fmt.Fprintf(&b,
		"---\ntitle: Note %d of %s\ncreated: 2024-03-%02d\ntags:\n  - area/%s\n  - %s\naliases: [N%d, \"Number %d\"]\nrank: %d\n---\n",
		i, word(), 1+i%28, word(), word(), i, i, r.IntN(100))
	for h := range 2 + r.IntN(4) {
		fmt.Fprintf(&b, "\n## Part %d of %s\n\n", h, word())
		for range 20 + r.IntN(100) {
			b.WriteString(word() + " ")
		}
		fmt.Fprintf(&b,
			"w%d see [[Note %d]] and [[Note %d|that one]] #%s\n\n- first\n- [second](Note%%20%d.md) ^b%d\n",
			r.IntN(50_000), r.IntN(n), r.IntN(n), word(), r.IntN(n), h)
		if r.IntN(3) == 0 {
			b.WriteString("\n```go\nfor i := range n { // #notatag [[nolink]]\n}\n```\n")
		}
	}
	return b.String()
}
