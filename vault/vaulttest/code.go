package vaulttest

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// InCode reports whether goldmark sees text after before as part of a fenced code block. sure is false where
// goldmark is known to be wrong: it counts the columns of a tab behind a list mark or a quotation mark from
// that mark.
func InCode(before string) (code, sure bool) {
	const mark = "xq"
	source := []byte(before + mark)
	at := len(source) - len(mark)
	_ = ast.Walk(goldmark.New().Parser().Parse(text.NewReader(source)), func(
		n ast.Node, entering bool,
	) (ast.WalkStatus, error) {
		if block, ok := n.(*ast.FencedCodeBlock); ok && entering {
			code = code || block.Info != nil && block.Info.Segment.Stop > at
			for i := range block.Lines().Len() {
				code = code || block.Lines().At(i).Stop > at
			}
		}
		return ast.WalkContinue, nil // Walk returns no other error
	})
	return code, !strings.Contains(before, "\t") || !strings.ContainsAny(before, ">-*+123456789")
}
