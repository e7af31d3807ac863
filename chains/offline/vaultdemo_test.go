package offline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/prompt"
)

func TestTry(t *testing.T) {
	root := "../../ui/cli/demo"
	var docs []prompt.Item
	filepath.Walk(root, func(p string, i os.FileInfo, _ error) error {
		if strings.HasSuffix(p, ".md") {
			b, _ := os.ReadFile(p)
			rel, _ := filepath.Rel(root, p)
			docs = append(docs, prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: rel}, strings.TrimSuffix(filepath.Base(p), ".md"), rel, string(b)))
		}
		return nil
	})
	for _, q := range strings.Split(os.Getenv("Q"), "|") {
		text, err := New(Options{}).reply(t.Context(), chains.Request{Documents: docs, Question: q})
		fmt.Printf("=== %s\n%s\n%v\n\n", q, strings.TrimSuffix(text, footer), err)
	}
}
