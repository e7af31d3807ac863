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

// Links is what the links of a document lead to.
type Links struct {
	Dead    []string // targets of wikilinks that lead nowhere
	Sources []string // targets of the sources that "[1]", "[2]" and so on refer to
	// Address is the address of what a target leads to, "" for nothing; nil knows none.
	Address func(target string) string
	// Picture is the image that a target leads to, nil if it is not known; nil knows none.
	Picture func(target string) *picture.Picture
}

// linkTo is a styled text that leads to an address, the text alone if that is "".
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

// wikilink is a wikilink as it is drawn: what it is to be shown as, else where it
// leads to. An embed has a sign in front, an image is named as such.
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
	if r.theme.Options.ASCII { // attributes may be all that is lost
		label = "<" + label + ">"
	}
	if slices.Contains(l.Dead, target) {
		return sign + r.theme.Styles.Dead.Render(label)
	}
	return sign + linkTo(l.address(target), r.theme.Styles.Link.Render(label))
}

// LinkLabel is what the target of a wikilink is called: its note and its heading.
func LinkLabel(t *theme.Theme, target string) string {
	names := slices.CompactFunc(strings.Split(strings.TrimPrefix(target, "#"), "#"), func(above, below string) bool {
		return strings.EqualFold(path.Base(above), below) // a heading that says what its note is called
	})
	return strings.Join(names, " "+t.Glyphs.Next+" ")
}

// illustration is an image that is drawn below its block.
type illustration struct {
	picture *picture.Picture
	size    picture.Size
}

// image is an image that is embedded, as it is named: by its description, which may
// end in its size, else by its file; behind it stands what is known of it. It is drawn
// below the block that p is about.
func (r *Renderer) image(target, label, address string, p *page) string {
	st, dot := r.theme.Styles, " "+r.theme.Glyphs.Dot+" "
	said, last := "", label
	if at := strings.LastIndexByte(label, '|'); at >= 0 {
		said, last = label[:at], label[at+1:]
	}
	size, ok := picture.ParseSize(strings.TrimSpace(last))
	if !ok {
		said = label
	}
	name := theme.OneLine(cmp.Or(strings.TrimSpace(said), path.Base(target)))
	drawn := st.Muted.Render("image"+dot) + linkTo(address, st.Link.Render(name))
	var pic *picture.Picture
	if p.links.Picture != nil && !leadsOut(target) {
		pic = p.links.Picture(target)
	}
	if pic == nil {
		return drawn
	}
	says := dot + pic.Says(r.theme.Options.ASCII)
	if pic.Fault != "" {
		return st.Muted.Render("[image" + dot + name + says + "]")
	}
	p.pictures = append(p.pictures, illustration{pic, size})
	return drawn + st.Muted.Render(says)
}

// linkedImage is ![description](destination) as it is named.
func (r *Renderer) linkedImage(n *ast.Image, p *page) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, enter bool) (ast.WalkStatus, error) { // which fails only if the function does
		if t, ok := c.(*ast.Text); ok && enter {
			b.WriteString(decodeText(t.Segment.Value(p.src)))
		}
		return ast.WalkContinue, nil
	})
	target, label := md.Unescape(string(n.Destination)), b.String()
	if address := string(n.Destination); leadsOut(address) { // nothing is fetched
		return r.image(address, label, address, p) +
			r.theme.Styles.Muted.Render(" "+r.theme.Glyphs.Dot+" "+theme.OneLine(address))
	}
	if kind, _, ok := strings.Cut(target, ","); ok && strings.HasPrefix(target, "data:") {
		return r.image("", cmp.Or(label, kind), "", p)
	}
	return r.image(target, label, p.links.address(target), p)
}

// illustrated is a block of text with what its asides say below it, and the images that
// it embeds where there are colours to draw them in.
func (r *Renderer) illustrated(b box, p *page) box {
	b = r.noted(b, p)
	found := p.pictures
	p.pictures = nil
	if o := r.theme.Options; o.NoColor || o.ASCII || o.Profile == theme.ANSI16 {
		return b
	}
	with := box{kind: listBox, kids: []box{b}}
	for _, f := range found {
		if f.picture.Drawn() {
			with.kids = append(with.kids, box{kind: pictureBox, picture: f})
		}
	}
	if len(with.kids) == 1 {
		return b
	}
	return with
}

// reference is a reference to sources, "[1]" or "[1, 2]", as it is drawn: each number
// leads to its source. It is no reference where one of them has none.
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

// addresses keeps of the hyperlinks in s those that lead to pages. Those that lead to
// notes get the address of that, and others become text.
func (l *Links) addresses(s string) string {
	return eachAddress(s, func(address string) string {
		if leadsOut(address) {
			return address
		}
		target, err := url.PathUnescape(address)
		if err != nil {
			return ""
		}
		return l.address(target)
	})
}

// eachAddress replaces what the hyperlinks in a styled text lead to; one that leads to
// "" becomes text.
func eachAddress(s string, replace func(address string) string) string {
	const begin, end = "\x1b]8;", "\a"
	var b strings.Builder
	open := true // what was begun last is a hyperlink
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

// leadsOut reports whether an address is one that a user may follow: a page, or a
// note that Obsidian shows.
func leadsOut(address string) bool {
	for _, scheme := range []string{"https://", "http://", "obsidian://open?"} {
		if len(address) > len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// parseReference reads "[1]" or "[1, 2]" into a text node that carries linkAttr, unless it
// is the text of a link.
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

// Address is the address that column x of a drawn line leads to, "" for none.
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

// FootnoteAt is the mark of a footnote, as it is drawn, in column x of a drawn line: a
// high number, or a name in brackets; "" for none.
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

// footnoteDrawn is the mark of a footnote as it is drawn.
var footnoteDrawn = regexp.MustCompile(`[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\[[^\[\] ]+\]`)

// Unlink is a drawn line whose links lead nowhere.
func Unlink(line string) string {
	return eachAddress(line, func(string) string { return "" })
}
