package mdview

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"ibid/vault/md"
)

// maxInside limits the nesting of texts that are parsed separately, details and inline footnotes;
// deeper ones are shown as source text.
const maxInside = 6

// details is the content between <details> and </details>, as lines.
type details struct {
	ownBlock
	open   bool // initial state in the source
	depth  int  // number of open details within it
	fences md.Fences
	closed bool
}

// IsRaw implements ast.Node: the content is parsed separately.
func (d *details) IsRaw() bool { return true }

var (
	detailsTag = regexp.MustCompile(`(?i)^<details(\s[^<>]*)?>`)
	openWord   = regexp.MustCompile(`(?i)\sopen(\s|=|$)`)
	anyTag     = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)
	summaryTag = regexp.MustCompile(`(?is)^\s*<summary(?:\s[^<>]*)?>(.*?)</summary>[ \t]*\n?`)
)

const detailsEnd = "</details>"

// addLine adds a line up to the tag that closes the details. It returns the offset in line after that tag,
// 0 if there is none.
func (d *details) addLine(line []byte, segment text.Segment) (end int) {
	low := bytes.Clone(line)
	for i, c := range low { // bytes.ToLower may change the number of bytes
		if 'A' <= c && c <= 'Z' {
			low[i] += 'a' - 'A'
		}
	}
	said := bytes.TrimSpace(low)
	d.fences.Line(strings.TrimRight(string(line), "\n"))
	at := -1
	switch {
	case d.fences.Kind() == md.FencedLine:
	case detailsTag.Match(said):
		if !bytes.HasSuffix(said, []byte(detailsEnd)) { // else the whole element is on one line
			d.depth++
		}
	case bytes.HasPrefix(said, []byte(detailsEnd)):
		at = bytes.Index(low, []byte(detailsEnd))
	case bytes.HasSuffix(said, []byte(detailsEnd)):
		at = bytes.LastIndex(low, []byte(detailsEnd))
	}
	if at >= 0 {
		if d.depth--; d.depth < 0 {
			d.closed = true
			segment.Stop = segment.Start - segment.Padding + at
			end = at + len(detailsEnd)
		}
	}
	if segment.Stop > segment.Start {
		d.Lines().Append(segment)
	}
	return end
}

// openDetails implements the opening of details.
func openDetails(reader text.Reader, at int) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	tag := detailsTag.Find(line[at:])
	if tag == nil {
		return nil, parser.NoChildren
	}
	d := &details{open: openWord.Match(bytes.TrimSuffix(tag, []byte(">")))}
	at += len(tag)
	segment.Start, segment.Padding = segment.Start-segment.Padding+at, 0
	if rest := line[at:]; !util.IsBlank(rest) {
		if end := d.addLine(rest, segment); end > 0 && !util.IsBlank(rest[end:]) {
			return nil, parser.NoChildren
		}
	}
	reader.AdvanceToEOL()
	return d, parser.NoChildren
}

// continueDetails adds a line to details.
func continueDetails(n ast.Node, reader text.Reader) parser.State {
	d := n.(*details)
	if d.closed {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	if end := d.addLine(line, segment); end > 0 && !util.IsBlank(line[end:]) {
		reader.Advance(end) // the rest of the line is a block of its own
		return parser.Close
	}
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// content returns the summary of the details as plain text, the text below it, and the offset of that
// text in src.
func (d *details) content(src []byte) (summary, inside string, at int) {
	inside = string(d.Lines().Value(src))
	if d.Lines().Len() > 0 {
		at = d.Lines().At(0).Start
	}
	if m := summaryTag.FindStringSubmatchIndex(inside); m != nil {
		summary = strings.Join(strings.Fields(anyTag.ReplaceAllString(inside[m[2]:m[3]], "")), " ")
		inside, at = inside[m[1]:], at+m[1]
	}
	return cmp.Or(summary, "Details"), inside, at
}

// details returns the box of details, which fold like a callout. Those that are never closed do not
// fold: everything after them would be hidden.
func (r *Renderer) details(n *details, p *page) box {
	summary, inside, at := n.content(p.src)
	b := box{kind: quoteBox, linePrefix: r.theme.Styles.Border.Render(r.theme.Glyphs.Quote) + " " + barMark}
	for _, kid := range r.parseText(summary, p, 0) {
		b.head += kid.text
	}
	b.head = r.theme.Styles.Strong.Over(b.head)
	b.fold = foldState{on: n.closed || !p.whole, folded: !n.open, at: p.base + n.Pos()}
	if p.depth >= maxInside {
		b.kids = []box{{kind: rawBox, lines: strings.Split(strings.TrimSpace(expandTabs(inside)), "\n")}}
		return b
	}
	b.kids, b.contentEnd = r.parseText(inside, p, at), p.base+at+len(inside)
	return b
}

// parseText returns the boxes of a text that is parsed separately. at is its offset in p.
func (r *Renderer) parseText(source string, p *page, at int) []box {
	inner := &page{base: p.base + at, refs: p.refs, links: p.links, whole: p.whole, depth: p.depth + 1}
	return r.blocks(r.parse([]byte(source), inner), inner)
}

// linesOfRange returns the range of lines of details that show the bytes start..end of the source: the head, or
// blocks of the content. For the closing tag it is the last line.
func (l *layout) linesOfRange(b box, width, start, end int) (from, to int) {
	inner, _ := indent(width, ansi.StringWidth(b.linePrefix), b.linePrefix)
	y := len(l.head(b, inner))
	if l.folded(b) || len(b.kids) == 0 {
		return 0, y
	}
	if start < b.kids[0].offset {
		to = y
	}
	for i, k := range b.kids {
		if i > 0 && !isTight(b.kids[i-1], k) {
			y++
		}
		first, last, below := 0, len(l.lines(k, inner)), b.contentEnd
		next := y + last
		if i+1 < len(b.kids) {
			below = b.kids[i+1].offset
		}
		if start < below && k.offset < end {
			if k.contentEnd > 0 {
				first, last = l.linesOfRange(k, inner, start, end)
			}
			if to == 0 {
				from = y + first
			}
			to = y + last
		}
		y = next
	}
	if to == 0 {
		return y - 1, y
	}
	return from, to
}
