package mdview

import (
	"bufio"
	"bytes"
	"cmp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	ghtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"ibid/ui/theme"
	"ibid/vault/md"
)

// HTML converts markdown to a fragment of HTML that fetches nothing and runs nothing: tags in the text are shown
// as text, images are their descriptions, wikilinks have the class "wikilink", and only addresses of the web and
// of mail are links. Newlines within a paragraph stay.
func HTML(text string) string {
	m := markdown()
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(htmlNodes{}, 1)))
	var b bytes.Buffer
	if err := m.Convert([]byte(text), &b); err != nil {
		// It only fails when a writer does, and a buffer never does; if a later version finds another
		// reason, the text matters more than its form.
		b.Reset()
		b.WriteString("<pre>" + escapeHTML(text) + "</pre>\n")
	}
	return theme.Sanitize(b.String())
}

// htmlNodes renders the nodes for which HTML differs from goldmark.
type htmlNodes struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (htmlNodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	for _, kind := range []ast.NodeKind{
		ast.KindText, ast.KindRawHTML, ast.KindHTMLBlock, ast.KindAutoLink, ast.KindLink,
		ast.KindImage, ast.KindBlockquote, ownKind,
	} {
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

// around returns the HTML before and after the content of a node.
func around(n ast.Node, src []byte) (before, after string) {
	switch n := n.(type) {
	case *ast.Text:
		return textHTML(n, src), ""
	case *ast.RawHTML:
		return escapeHTML(string(n.Segments.Value(src))), ""
	case *ast.HTMLBlock:
		return "<pre>" + escapeHTML(writtenHTML(n, src)) + "</pre>\n", ""
	case *ast.AutoLink:
		url := string(n.URL(src))
		if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(url, "mailto:") {
			url = "mailto:" + url
		}
		before, after = anchor(url)
		return before + escapeHTML(string(n.Label(src))) + after, ""
	case *ast.Link:
		return anchor(string(n.Destination))
	case *ast.Image:
		return `<span class="image">`, "</span>"
	case *span:
		switch n.kind {
		case commentSpan:
			return "", ""
		case footnoteSpan:
			return footnoteHTML(n.value), ""
		}
		return escapeHTML(n.value), ""
	case *highlightNode:
		return "<mark>", "</mark>"
	case *verbatimBlock:
		return verbatimHTML(n, string(n.Lines().Value(src))), ""
	case *footnote:
		return "<div>" + footnoteHTML(n.mark) + "\n", "</div>\n"
	}
	before = "<blockquote>\n"
	if c, ok := n.AttributeString(calloutAttr); ok {
		before += "<p><strong>" + escapeHTML(strings.TrimSpace(strings.ToUpper(c.(callout).kind)+" "+
			c.(callout).title)) + "</strong></p>\n"
	}
	return before, "</blockquote>\n"
}

// verbatimHTML returns a verbatimBlock as source text.
func verbatimHTML(v *verbatimBlock, text string) string {
	end := ""
	if v.closed {
		end = v.end
	}
	if end == "%%" {
		return ""
	}
	if strings.HasSuffix(text, "\n") { // else the whole block is on one line
		text = "\n" + text
	}
	return "<pre>" + escapeHTML(v.open+text) + end + "</pre>\n"
}

// footnoteHTML returns the mark of a footnote.
func footnoteHTML(mark string) string {
	return "<sup>" + escapeHTML(mark[len("[^"):len(mark)-1]) + "</sup>"
}

// textHTML returns a text node. A wikilink at its beginning gets a class.
func textHTML(t *ast.Text, src []byte) (out string) {
	value := string(t.Segment.Value(src))
	n, ok := t.AttributeString(linkAttr)
	if link := strings.TrimPrefix(value, "!"); ok && strings.HasPrefix(link, "[[") {
		inner, _ := md.Wikilink(link)
		target, shown := md.Target(inner)
		out = `<span class="wikilink">` + escapeHTML(cmp.Or(shown, target)) + "</span>"
		value = value[n.(int):]
	}
	if t.IsRaw() {
		return out + escapeHTML(value)
	}
	out += written(value)
	if t.HardLineBreak() || t.SoftLineBreak() {
		out += "<br>\n"
	}
	return out
}

// anchor returns the HTML around a link. An address that is not of the web or of mail leads nowhere
// outside of the vault, and becomes text.
func anchor(url string) (before, after string) {
	switch scheme, _, _ := strings.Cut(strings.ToLower(url), ":"); scheme {
	case "http", "https", "mailto":
		return `<a href="` + escapeHTML(string(util.URLEscape([]byte(url), true))) + `">`, "</a>"
	}
	return `<span class="wikilink">`, "</span>"
}

// escapeHTML returns s with the characters of HTML escaped.
func escapeHTML(s string) string { return string(util.EscapeHTML([]byte(s))) }

// written returns the output of a writer of goldmark for s.
func written(s string) string {
	var b strings.Builder
	w := bufio.NewWriterSize(&b, len(s))
	ghtml.DefaultWriter.Write(w, []byte(s))
	_ = w.Flush() // to memory
	return b.String()
}
