package vaulttest

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// InCode reports whether goldmark finds text that stands behind before in a
// fenced block of code. sure is false where goldmark is known to be wrong: it
// counts the columns of a tab behind a list mark or the mark of a quotation from
// that mark.
func InCode(before string) (code, sure bool) {
	const mark = "xq"
	source := []byte(before + mark)
	at := len(source) - len(mark)
	_ = ast.Walk(goldmark.New().Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if block, ok := n.(*ast.FencedCodeBlock); ok && entering {
			code = code || block.Info != nil && block.Info.Segment.Stop > at
			for i := range block.Lines().Len() {
				code = code || block.Lines().At(i).Stop > at
			}
		}
		return ast.WalkContinue, nil // no error is ever returned
	})
	return code, !strings.Contains(before, "\t") || !strings.ContainsAny(before, ">-*+123456789")
}
