package mdview

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"ibid/ui/theme"
)

// HTML converts markdown to a fragment of HTML that fetches nothing and runs nothing: tags in the text are shown
// as text, and images are their descriptions. What Obsidian adds to GitHub's markdown stays as it is written, but for
// footnotes, whose ids begin with prefix. Newlines within a paragraph stay.
func HTML(text, prefix string) string {
	without := func(all []util.PrioritizedValue, gone any) []util.PrioritizedValue {
		return slices.DeleteFunc(all, func(p util.PrioritizedValue) bool { return p.Value == gone })
	}
	m := newMarkdown(
		without(blockParsers(), parser.NewHTMLBlockParser()),
		without(parser.DefaultInlineParsers(), parser.NewRawHTMLParser()),
		goldmark.WithExtensions(extension.NewFootnote(extension.WithFootnoteIDPrefix(prefix))),
		goldmark.WithRendererOptions(
			html.WithHardWraps(), renderer.WithNodeRenderers(util.Prioritized(described{}, 1)),
		),
	)
	var b bytes.Buffer
	if err := m.Convert([]byte(text), &b); err != nil {
		// It only fails when a writer does, and a buffer never does; if a later version finds another
		// reason, the text matters more than its form.
		b.Reset()
		b.Write(util.EscapeHTML([]byte(text)))
	}
	return theme.Sanitize(b.String())
}

// described renders an image as its description.
type described struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (described) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindImage, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkContinue, nil
	})
}
