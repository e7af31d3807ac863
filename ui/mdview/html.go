package mdview

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"ibid/ui/theme"
	"ibid/vault/md"
)

// HTML is markdown as a fragment of HTML that fetches nothing and runs nothing:
// tags in the text but for details are shown as they were written, images are their descriptions,
// wikilinks are marked with the class "wikilink", and only addresses of the web and
// of mail are links. Newlines within a paragraph stay.
func HTML(text string) string { return htmlAt(text, 0) }

// htmlAt is HTML of what is parsed apart, at some depth.
func htmlAt(text string, depth int) string {
	m := markdown()
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(htmlNodes{depth}, 1)))
	var b bytes.Buffer
	if err := m.Convert([]byte(text), &b); err != nil {
		// It only fails when a writer does, and a buffer never does; if a later
		// version finds another reason, the text is worth more than its look.
		b.Reset()
		b.WriteString("<pre>" + escapeText([]byte(text)) + "</pre>\n")
	}
	return theme.Sanitize(b.String())
}

// htmlNodes renders what HTML does in its own way.
type htmlNodes struct {
	depth int // of what is parsed apart
}

// RegisterFuncs implements renderer.NodeRenderer.
func (h htmlNodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindText, renderOnEnter(func(w util.BufWriter, src []byte, n ast.Node) { textHTML(w, src, n.(*ast.Text)) }))
	r.Register(ast.KindRawHTML, renderOnEnter(func(w util.BufWriter, src []byte, n ast.Node) {
		html.DefaultWriter.RawWrite(w, n.(*ast.RawHTML).Segments.Value(src))
	}))
	r.Register(ast.KindHTMLBlock, renderOnEnter(func(w util.BufWriter, src []byte, n ast.Node) {
		block := n.(*ast.HTMLBlock)
		write(w, "<pre>")
		html.DefaultWriter.RawWrite(w, block.Lines().Value(src))
		if block.HasClosure() {
			html.DefaultWriter.RawWrite(w, block.ClosureLine.Value(src))
		}
		write(w, "</pre>\n")
	}))
	r.Register(ast.KindAutoLink, renderOnEnter(func(w util.BufWriter, src []byte, n ast.Node) {
		link := n.(*ast.AutoLink)
		url := string(link.URL(src))
		if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(url, "mailto:") {
			url = "mailto:" + url
		}
		before, after := anchor(url)
		write(w, before)
		write(w, escapeText(link.Label(src)))
		write(w, after)
	}))
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, enter bool) (ast.WalkStatus, error) {
		return writeAround(w, enter)(anchor(string(n.(*ast.Link).Destination)))
	})
	r.Register(ast.KindImage, func(w util.BufWriter, _ []byte, _ ast.Node, enter bool) (ast.WalkStatus, error) {
		return writeAround(w, enter)(`<span class="image">`, "</span>")
	})
	r.Register(kindOfSpan, renderOnEnter(func(w util.BufWriter, _ []byte, n ast.Node) { spanHTML(w, n.(*span)) }))
	r.Register(kindOfMarked, func(w util.BufWriter, _ []byte, _ ast.Node, enter bool) (ast.WalkStatus, error) {
		return writeAround(w, enter)("<mark>", "</mark>")
	})
	r.Register(kindOfVerbatim, renderOnEnter(func(w util.BufWriter, src []byte, n ast.Node) { verbatimHTML(w, src, n.(*verbatim)) }))
	r.Register(kindOfFootnote, func(w util.BufWriter, _ []byte, n ast.Node, enter bool) (ast.WalkStatus, error) {
		return writeAround(w, enter)("<div><sup>"+footnoteLabel(n.(*footnote).mark)+"</sup>\n", "</div>\n")
	})
	r.Register(kindOfAside, renderOnEnter(func(w util.BufWriter, _ []byte, n ast.Node) {
		write(w, "<sup>["+escapeText([]byte(n.(*inlineFootnote).text))+"]</sup>")
	}))
	r.Register(kindOfDetails, renderOnEnter(h.details))
	r.Register(kindOfDefinition, func(w util.BufWriter, _ []byte, _ ast.Node, enter bool) (ast.WalkStatus, error) {
		return writeAround(w, enter)("<p>", "</p>\n")
	})
	r.Register(ast.KindBlockquote, func(w util.BufWriter, _ []byte, n ast.Node, enter bool) (ast.WalkStatus, error) {
		head := ""
		if c, ok := n.AttributeString(calloutAttr); ok {
			head = "<p><strong>" + escapeText([]byte(strings.TrimSpace(strings.ToUpper(c.(callout).kind)+" "+c.(callout).title))) + "</strong></p>\n"
		}
		return writeAround(w, enter)("<blockquote>\n"+head, "</blockquote>\n")
	})
}

// details writes details, with what is in them as markdown.
func (h htmlNodes) details(w util.BufWriter, src []byte, n ast.Node) {
	d := n.(*details)
	summary, inside, _ := d.content(src)
	open := ""
	if d.open {
		open = " open"
	}
	write(w, "<details"+open+"><summary>"+escapeText([]byte(summary))+"</summary>\n")
	if h.depth < maxInside {
		write(w, htmlAt(inside, h.depth+1))
	} else {
		write(w, "<pre>"+escapeText([]byte(inside))+"</pre>\n")
	}
	write(w, "</details>\n")
}

// renderOnEnter renders a node on the way in.
func renderOnEnter(render func(w util.BufWriter, src []byte, n ast.Node)) renderer.NodeRendererFunc {
	return func(w util.BufWriter, src []byte, n ast.Node, enter bool) (ast.WalkStatus, error) {
		if enter {
			render(w, src, n)
		}
		return ast.WalkContinue, nil
	}
}

// writeAround writes what stands before or after what is inside of a node.
func writeAround(w util.BufWriter, enter bool) func(before, after string) (ast.WalkStatus, error) {
	return func(before, after string) (ast.WalkStatus, error) {
		if enter {
			write(w, before)
		} else {
			write(w, after)
		}
		return ast.WalkContinue, nil
	}
}

// verbatimHTML writes what stands between two lines of marks, as it is written.
func verbatimHTML(w util.BufWriter, src []byte, v *verbatim) {
	text, open, end := v.Lines().Value(src), v.open, ""
	if v.closed {
		end = v.end
	}
	if v.closed && open == "%%" {
		return
	}
	if bytes.HasSuffix(text, []byte("\n")) { // else all of it is on one line
		open += "\n"
	}
	write(w, "<pre>"+escapeText([]byte(open))+escapeText(text)+end+"</pre>\n")
}

// spanHTML writes a span: formulas as they are written.
func spanHTML(w util.BufWriter, s *span) {
	switch s.kind {
	case commentSpan:
	case footnoteSpan:
		write(w, "<sup>"+footnoteLabel(s.value)+"</sup>")
	default:
		write(w, escapeText([]byte(s.value)))
	}
}

func footnoteLabel(mark string) string { return escapeText([]byte(mark[len("[^") : len(mark)-1])) }

// textHTML writes text, and marks the wikilink that it may begin with.
func textHTML(w util.BufWriter, src []byte, t *ast.Text) {
	value := t.Segment.Value(src)
	n, ok := t.AttributeString(linkAttr)
	if link := strings.TrimPrefix(string(value), "!"); ok && strings.HasPrefix(link, "[[") {
		inner, _ := md.Wikilink(link)
		target, shown := md.Target(inner)
		write(w, `<span class="wikilink">`+escapeText([]byte(cmp.Or(shown, target)))+"</span>")
		value = value[n.(int):]
	}
	if t.IsRaw() {
		html.DefaultWriter.RawWrite(w, value)
		return
	}
	html.DefaultWriter.Write(w, value)
	if t.HardLineBreak() || t.SoftLineBreak() {
		write(w, "<br>\n")
	}
}

// anchor is what stands around a link to an address; one that is not of the web or
// of mail leads nowhere outside of the vault.
func anchor(url string) (before, after string) {
	scheme, _, _ := strings.Cut(strings.ToLower(url), ":")
	switch scheme {
	case "http", "https", "mailto":
		return `<a href="` + escapeText(util.URLEscape([]byte(url), true)) + `">`, "</a>"
	}
	return `<span class="wikilink">`, "</span>"
}

func escapeText(text []byte) string { return string(util.EscapeHTML(text)) }

func write(w util.BufWriter, s string) { _, _ = w.WriteString(s) } // a writer to memory
