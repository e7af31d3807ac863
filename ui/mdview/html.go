package mdview

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"ibid/ui/theme"
	"ibid/vault/md"
)

// HTML converts markdown to a fragment of HTML that fetches nothing and runs nothing: tags in the text are shown
// as text, images are their descriptions, and links to notes their labels. The ids of footnotes begin with prefix.
// Newlines within a paragraph stay.
func HTML(source, prefix string) string {
	without := func(all []util.PrioritizedValue, gone any) []util.PrioritizedValue {
		return slices.DeleteFunc(all, func(p util.PrioritizedValue) bool { return p.Value == gone })
	}
	m := newMarkdown(
		without(blockParsers(), parser.NewHTMLBlockParser()),
		without(parser.DefaultInlineParsers(), parser.NewRawHTMLParser()),
		goldmark.WithParserOptions(dialect()...),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(inlineParser{"![", parseLabel}, 199))),
		goldmark.WithExtensions(extension.NewFootnote(extension.WithFootnoteIDPrefix(prefix))),
		goldmark.WithRendererOptions(
			html.WithHardWraps(), renderer.WithNodeRenderers(util.Prioritized(htmlNodes{}, 1)),
		),
	)
	var b bytes.Buffer
	if err := m.Convert([]byte(source), &b); err != nil {
		// It only fails when a writer does, and a buffer never does; if a later version finds another
		// reason, the text matters more than its form.
		b.Reset()
		b.WriteString(escape(source))
	}
	return theme.Sanitize(b.String())
}

// parseLabel reads a link to a note as its label.
func parseLabel(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	n, ok := parseWikilink(parent, block, pc).(*ast.Text)
	if !ok {
		return nil
	}
	inner, _ := md.Wikilink(strings.TrimLeft(string(n.Value(block.Source())), " !"))
	target, label := md.Target(inner)
	return &span{kind: linkSpan, value: cmp.Or(label, target)}
}

// htmlNodes renders the nodes of the dialect, and images.
type htmlNodes struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (htmlNodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	for _, kind := range []ast.NodeKind{ast.KindImage, ast.KindBlockquote, ownKind} {
		r.Register(kind, func(w util.BufWriter, src []byte, n ast.Node, enter bool) (ast.WalkStatus, error) {
			before, after := around(n, src)
			if enter {
				after = before
			}
			_, err := w.WriteString(after)
			return ast.WalkContinue, err
		})
	}
}

// around returns the HTML before and after the content of a node; that of an image is its description.
func around(n ast.Node, src []byte) (before, after string) {
	switch n := n.(type) {
	case *highlightNode:
		return "<mark>", "</mark>"
	case *span:
		switch n.kind {
		case commentSpan:
			return "", ""
		case linkSpan:
			return `<span class="wikilink">` + escape(n.value) + "</span>", ""
		case formulaSpan:
			return formulaHTML(n.tex()), ""
		}
		return escape(n.value), ""
	case *verbatimBlock:
		text := string(n.Lines().Value(src))
		switch {
		case !n.closed: // source text, or marks without an end
			return "<pre>" + escape(n.open+"\n"+text) + "</pre>\n", ""
		case n.open == "%%":
			return "", ""
		}
		return "<pre>" + formulaHTML(text) + "</pre>\n", ""
	case *ast.Blockquote:
		before = "<blockquote>\n"
		if c, ok := n.AttributeString(calloutAttr); ok {
			title := strings.ToUpper(c.(callout).kind) + " " + c.(callout).title
			before += "<p><strong>" + escape(strings.TrimSpace(title)) + "</strong></p>\n"
		}
		return before, "</blockquote>\n"
	}
	return "", ""
}

func formulaHTML(tex string) string { return `<code class="math">` + escape(tex) + "</code>" }

func escape(s string) string { return string(util.EscapeHTML([]byte(s))) }
