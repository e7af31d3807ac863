package mdview

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"ibid/ui/picture"
	"ibid/ui/theme"
	"ibid/vault/md"
)

// Links configures the links of a document.
type Links struct {
	Dead    []string // targets of wikilinks without a note
	Sources []string // targets of the sources "[1]", "[2]" and so on
	// Address returns the address of a target, "" for none; nil is like "" for all.
	Address func(target string) string
	// Picture returns the image of a target, nil for none; nil is like nil for all.
	Picture func(target string) *picture.Picture
}

// linkTo returns a styled text as a hyperlink to an address, the text alone if the address is "".
func linkTo(address, styled string) string {
	if address == "" {
		return styled
	}
	return ansi.SetHyperlink(string(hyperlink([]byte(address)))) + styled + ansi.ResetHyperlink()
}

func (l *Links) address(target string) string {
	if l.Address == nil || target == "" {
		return ""
	}
	return l.Address(target)
}

// wikilink draws a wikilink: its label, else its target. An embed has a sign before it; an image is
// named as one.
func (r *Renderer) wikilink(link string, p *page) string {
	l := p.links
	inner, embed := strings.CutPrefix(link, "!")
	inner, _ = md.Wikilink(inner)
	target, label := md.Target(inner)
	if embed && picture.IsImage(target) {
		return r.image(target, label, l.address(target), p)
	}
	if label == "" {
		label = LinkLabel(&r.theme, target)
	}
	sign := ""
	if embed {
		sign = r.theme.Styles.Muted.Render(r.theme.Glyphs.Image) + " "
	}
	if r.theme.Options.ASCII { // in case the terminal shows no attributes
		label = "<" + label + ">"
	}
	if slices.Contains(l.Dead, target) {
		return sign + r.theme.Styles.Dead.Render(label)
	}
	return sign + linkTo(l.address(target), r.theme.Styles.Link.Render(label))
}

// LinkLabel returns the label of a wikilink's target: its note and its heading.
func LinkLabel(t *theme.Theme, target string) string {
	names := slices.CompactFunc(strings.Split(strings.TrimPrefix(target, "#"), "#"), func(above, below string) bool {
		return strings.EqualFold(path.Base(above), below) // a heading with the name of its note
	})
	return strings.Join(names, " "+t.Glyphs.Next+" ")
}

// sizeLabel matches the size that Obsidian gives an embedded image, 300 or 300x200.
var sizeLabel = regexp.MustCompile(`(^|\|)\s*\d+(x\d+)?\s*$`)

// image returns the name of an embedded image with its properties. The name is its description
// without the size that it may end in, else its file. The image itself is drawn below the current block of p.
func (r *Renderer) image(target, label, address string, p *page) string {
	st, dot := r.theme.Styles, " "+r.theme.Glyphs.Dot+" "
	said := sizeLabel.ReplaceAllString(label, "")
	name := theme.OneLine(cmp.Or(strings.TrimSpace(said), path.Base(target)))
	drawn := st.Muted.Render("image"+dot) + linkTo(address, st.Link.Render(name))
	var pic *picture.Picture
	if p.links.Picture != nil && !canFollow(target) {
		pic = p.links.Picture(target)
	}
	if pic == nil {
		return drawn
	}
	says := dot + pic.Describe(r.theme.Options.ASCII)
	if pic.Fault != "" {
		return st.Muted.Render("[image" + dot + name + says + "]")
	}
	p.pictures = append(p.pictures, pic)
	return drawn + st.Muted.Render(says)
}

// linkedImage returns the name of ![description](destination).
func (r *Renderer) linkedImage(n *ast.Image, p *page) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, enter bool) (ast.WalkStatus, error) { // it fails only if the function does
		if t, ok := c.(*ast.Text); ok && enter {
			b.WriteString(decodeText(t.Segment.Value(p.src)))
		}
		return ast.WalkContinue, nil
	})
	target, label := md.Unescape(string(n.Destination)), b.String()
	if address := string(n.Destination); canFollow(address) { // nothing is fetched
		return r.image(address, label, address, p) +
			r.theme.Styles.Muted.Render(" "+r.theme.Glyphs.Dot+" "+theme.OneLine(address))
	}
	if kind, _, ok := strings.Cut(target, ","); ok && strings.HasPrefix(target, "data:") {
		return r.image("", cmp.Or(label, kind), "", p)
	}
	return r.image(target, label, p.links.address(target), p)
}

// withImages returns a block of text with its embedded images below it, if there are colours to draw them in.
func (r *Renderer) withImages(b box, p *page) box {
	found := p.pictures
	p.pictures = nil
	if o := r.theme.Options; o.NoColor || o.ASCII || o.Profile == theme.ANSI16 {
		return b
	}
	with := box{kind: listBox, kids: []box{b}}
	for _, f := range found {
		if f.Drawn() {
			with.kids = append(with.kids, box{kind: pictureBox, picture: f})
		}
	}
	if len(with.kids) == 1 {
		return b
	}
	return with
}

// reference draws a reference to sources, "[1]" or "[1, 2]", with a link for each number. It reports
// false if a number has no source.
func (r *Renderer) reference(text string, l *Links) (drawn string, ok bool) {
	parts := strings.Split(text, ", ")
	for i, part := range parts {
		n, err := strconv.Atoi(strings.Trim(part, "[]"))
		if err != nil || n < 1 || n > len(l.Sources) {
			return "", false
		}
		parts[i] = linkTo(l.address(l.Sources[n-1]), r.theme.Styles.Link.Render(part))
	}
	return strings.Join(parts, ", "), true
}

// addresses keeps the hyperlinks in s that lead to pages. Links to notes get the address of the note,
// and others become text.
func (l *Links) addresses(s string) string {
	return eachAddress(s, func(address string) string {
		if canFollow(address) {
			return address
		}
		target, err := url.PathUnescape(address)
		if err != nil {
			return ""
		}
		return l.address(target)
	})
}

// eachAddress replaces the addresses of the hyperlinks in a styled text; a link to "" becomes text.
func eachAddress(s string, replace func(address string) string) string {
	const begin, end = "\x1b]8;", "\a"
	var b strings.Builder
	open := true // the last sequence began a hyperlink
	for strings.Contains(s, begin) {
		before, rest, _ := strings.Cut(s, begin)
		sequence, after, _ := strings.Cut(rest, end)
		params, address, _ := strings.Cut(sequence, ";")
		b.WriteString(before)
		if address != "" {
			address = replace(address)
			open = address != ""
		}
		if open {
			b.WriteString(begin + params + ";" + string(hyperlink([]byte(address))) + end)
		}
		s = after
	}
	return b.String() + s
}

// canFollow reports whether a user can follow an address: a page, or a note that Obsidian shows.
func canFollow(address string) bool {
	for _, scheme := range []string{"https://", "http://", "obsidian://open?"} {
		if len(address) > len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// parseReference reads "[1]" or "[1, 2]" into a text node with linkAttr, unless it is the text of a
// link.
func parseReference(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, seg := block.PeekLine()
	n := 1 + len(line[1:]) - len(strings.TrimLeft(string(line[1:]), "0123456789, "))
	if n < 2 || n >= len(line) || line[n] != ']' || n+1 < len(line) && line[n+1] == '(' {
		return nil
	}
	if _, defined := pc.Reference(string(line[1:n])); defined {
		return nil
	}
	return linkNode(block, seg, n+1)
}

// Address returns the address of the link at column x of a drawn line, "" for none.
func Address(line string, x int) string {
	address, state := "", byte(0)
	for len(line) > 0 {
		sequence, w, n, next := ansi.DecodeSequence(line, state, nil)
		if rest, ok := strings.CutPrefix(sequence, "\x1b]8;"); ok {
			_, address, _ = strings.Cut(strings.TrimSuffix(rest, "\a"), ";")
		}
		if x -= w; x < 0 {
			return address
		}
		line, state = line[n:], next
	}
	return ""
}

// FootnoteAt returns the mark of the footnote at column x of a drawn line, as it is drawn: a
// superscript number, or a name in brackets; "" for none.
func FootnoteAt(line string, x int) string {
	line = ansi.Strip(line)
	for _, at := range footnoteDrawn.FindAllStringIndex(line, -1) {
		from := ansi.StringWidth(line[:at[0]])
		if mark := line[at[0]:at[1]]; x >= from && x < from+ansi.StringWidth(mark) {
			return mark
		}
	}
	return ""
}

// footnoteDrawn matches the drawn mark of a footnote.
var footnoteDrawn = regexp.MustCompile(`[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\[[^\[\] ]+\]`)

// Unlink returns a drawn line without hyperlinks.
func Unlink(line string) string {
	return eachAddress(line, func(string) string { return "" })
}
