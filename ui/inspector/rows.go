package inspector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

type rowKind uint8

const (
	blankRow rowKind = iota
	boundaryRow
	layerRow
	itemRow
	partRow
	textRow // a line of words
)

// row is one line of the list, with the index of its data in the report.
type row struct {
	kind  rowKind
	index int // of the layer, item or part
	id    string
	text  string // textRow, boundaryRow
	why   string // textRow: text after the name; the name is clipped first
}

func (r row) selectable() bool { return r.kind != blankRow && r.kind != boundaryRow }
func (r row) isLayer() bool    { return r.kind == layerRow }

// buildRows returns a report as a list. A filter keeps the items and parts whose words contain it.
func buildRows(r *Report, filter string) []row {
	b := rowBuilder{report: r, filter: strings.ToLower(filter)}
	if r.Boundary == "" {
		b.boundary("nothing is cached")
	}
	for i, l := range r.Layers {
		if i > 0 && b.rows[len(b.rows)-1].kind != boundaryRow && l.ID != "L1" {
			b.blank()
		}
		b.rows = append(b.rows, row{kind: layerRow, index: i, id: l.ID})
		switch l.ID {
		case "L2":
			b.items()
		case "L3":
			b.parts("")
		default:
			b.parts(l.ID)
		}
		if l.ID == r.Boundary {
			b.boundary(boundaryText(l))
		}
	}
	b.words()
	return b.rows
}

func boundaryText(l Layer) string {
	if l.Cached < l.Tokens {
		return fmt.Sprintf("the cache ends here: it has %s tokens of the %s", theme.Comma(l.Cached), l.Name)
	}
	return "cached up to here: all above stays as it is"
}

type rowBuilder struct {
	report *Report
	filter string
	rows   []row
}

func (b *rowBuilder) blank() { b.rows = append(b.rows, row{}) }

func (b *rowBuilder) boundary(s string) { b.rows = append(b.rows, row{kind: boundaryRow, text: s}) }

func (b *rowBuilder) match(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(w), b.filter) })
}

func (b *rowBuilder) items() {
	for i := range b.report.Library {
		if it := &b.report.Library[i]; b.match(it.Title, it.Detail, string(it.State)) {
			b.rows = append(b.rows, row{kind: itemRow, index: i, id: it.ID})
		}
	}
}

func (b *rowBuilder) parts(layer string) {
	for i := range b.report.Parts {
		if p := &b.report.Parts[i]; p.Layer == layer && b.match(p.Text, p.Kind) {
			b.rows = append(b.rows, row{kind: partRow, index: i, id: p.ID})
		}
	}
}

// words adds the lines of the report that do not belong to a layer.
func (b *rowBuilder) words() {
	r, first := b.report, true
	add := func(id, s string) {
		if first {
			b.blank()
			first = false
		}
		b.rows = append(b.rows, row{kind: textRow, id: id, text: s})
	}
	for _, n := range r.NotSent {
		if b.match(n.ID, n.Why) {
			add(n.ID, "not sent  "+n.ID)
			b.rows[len(b.rows)-1].why = n.Why
		}
	}
	for _, s := range slices.Concat(r.Remarks, r.Arranged) {
		if b.match(s) {
			add("", s)
		}
	}
}

// widths are the widths of the columns after the name. The last has the sign of the cache and a note.
type widths struct{ bar, detail, number, note int }

func listWidths(w int) widths {
	c := widths{number: 7, note: 1}
	if w >= 44 {
		c.note = 9
	}
	if w >= 64 {
		c.bar, c.note = 12, w*2/5
	}
	if w >= 76 {
		c.detail = w / 7
	}
	return c
}

// viewRow draws row i of the list in w columns.
func (m *Model) viewRow(i, w int) string {
	r := m.rows[i]
	ln := m.theme.Line(w)
	switch r.kind {
	case blankRow:
		return ln.End()
	case boundaryRow:
		m.viewBoundary(ln, r.text)
		return ln.End()
	}
	text := m.st.Text
	marker := "  "
	if i == m.sel {
		marker, text = m.theme.Glyphs.Cursor+" ", m.st.Selected
	}
	ln.Put(text, marker)
	c := listWidths(w)
	switch r.kind {
	case layerRow:
		m.viewLayer(ln, m.report.Layers[r.index], c, text)
	case itemRow:
		m.viewItem(ln, r.index, c, text)
	case partRow:
		m.viewPart(ln, &m.report.Parts[r.index], c, text)
	default:
		m.viewWords(ln, r, text)
	}
	return ln.Done(text)
}

// viewWords draws a line of words. If a name and its explanation do not both fit, the name is clipped,
// down to half of the line.
func (m *Model) viewWords(ln *theme.Line, r row, text theme.Ink) {
	words := r.text
	if r.why != "" {
		room := max(ln.Left-2-ansi.StringWidth(theme.SafeLine(r.why)), ln.Left/2)
		words = theme.Cut(words, room, m.theme.Glyphs.Ellipsis) + "  " + r.why
	}
	ln.Put(text, words)
}

func (m *Model) viewBoundary(ln *theme.Line, words string) {
	faint := m.theme.Glyphs.RuleFaint
	if ln.Left >= 60 {
		ln.Put(m.st.Strong, strings.Repeat(faint, max(ln.Left-len([]rune(words))-2, 0)/2))
	}
	ln.Put(m.st.Strong, " "+words+" ")
	ln.Put(m.st.Strong, strings.Repeat(faint, max(ln.Left, 0)))
}

// total returns the width of all columns after the name.
func (c widths) total() int {
	n := c.number + 2 + c.note
	for _, w := range []int{c.bar, c.detail} {
		if w > 0 {
			n += w + 2
		}
	}
	return n
}

func (m *Model) viewLayer(ln *theme.Line, l Layer, c widths, text theme.Ink) {
	name := l.name()
	strong := text
	if text == m.st.Text {
		strong = m.st.Strong
	}
	c.detail = 0 // a layer has no folder
	ln.Column(strong, name, ln.Left-c.total(), false)
	if c.bar > 0 {
		ln.Skip(text, 2)
		heaviest := 1
		for _, o := range m.report.Layers {
			heaviest = max(heaviest, o.Tokens)
		}
		n := (c.bar*l.Tokens + heaviest - 1) / heaviest
		m.bar(ln, l, n)
		ln.Skip(text, c.bar-n)
	}
	sign, note := m.layerState(l)
	if c.bar > 0 {
		words := l.Note
		if hash := shortHash(l.Hash); hash != "" && l.Tokens > 0 {
			words = "#" + hash + "  " + words
		}
		note = fmt.Sprintf("%-8s %s", note, strings.TrimSpace(words))
	}
	m.viewTail(ln, l.Tokens, sign, note, c, text)
}

// layerState returns the sign and the word for how much of a layer the cache will hit.
func (p *Painter) layerState(l Layer) (sign, word string) {
	g := &p.theme.Glyphs.Context
	switch {
	case l.Tokens == 0:
		return " ", "empty"
	case l.Cached >= l.Tokens:
		return g.Cached, "cached"
	case l.Cached > 0:
		return g.New, percent(l.Cached, l.Tokens)
	}
	return g.New, "new"
}

// viewTail draws the columns after the name: tokens, the sign, which has its own colour on plain rows,
// and words.
func (m *Model) viewTail(ln *theme.Line, tokens int, sign, words string, c widths, text theme.Ink) {
	ln.Column(text, theme.Comma(tokens), c.number, true)
	ln.Skip(text, 2)
	st, k := m.st, text
	if text == st.Text {
		k = st.Context.New
		if sign == m.theme.Glyphs.Context.Cached {
			k = st.Context.Cached
		}
	}
	ln.Put(k, sign)
	if c.note > 2 {
		ln.Skip(text, 1)
		ln.Put(text, words)
	}
}

func (m *Model) viewItem(ln *theme.Line, index int, c widths, text theme.Ink) {
	it := &m.report.Library[index]
	sign, k := m.glyph(it)
	if it.Active {
		sign, k = m.theme.Glyphs.Context.Active, m.st.Context.Active
	}
	if text != m.st.Text {
		k = text
	}
	if c.bar > 0 {
		ln.Column(text, fmt.Sprint(index+1), 3, true)
		ln.Skip(text, 1)
	}
	ln.Put(k, sign)
	ln.Skip(text, 1)
	c.bar = 0 // the name needs the space more
	ln.Column(text, it.Title, ln.Left-c.total(), false)
	if c.detail > 0 {
		ln.Skip(text, 2)
		ln.Column(text, it.Detail, c.detail, false)
	}
	hit := m.report.isCached(index)
	mark, _ := m.cacheSign(hit)
	m.viewTail(ln, it.Tokens, mark, itemNote(it, hit), c, text)
}

// itemNote returns a note about an item, the unusual first.
func itemNote(it *Item, hit bool) string {
	var words []string
	if it.State != Cached {
		words = append(words, string(it.State))
	} else if !hit {
		words = append(words, "known")
	}
	if it.Active {
		words = append(words, "active")
	}
	if it.Note != "" {
		words = append(words, it.Note)
	}
	if it.Since > 0 {
		words = append(words, fmt.Sprintf("since turn %d", it.Since))
	}
	if it.Times > 0 {
		words = append(words, fmt.Sprintf("%dx", it.Times))
	}
	return strings.Join(words, ", ")
}

func (m *Model) viewPart(ln *theme.Line, pt *Part, c widths, text theme.Ink) {
	if c.bar > 0 {
		ln.Skip(text, 4)
	}
	ln.Column(text, pt.Kind, 7, false)
	c.bar, c.detail = 0, 0
	ln.Column(text, pt.Text, ln.Left-c.total(), false)
	sign, _ := m.cacheSign(false)
	if pt.Tokens == 0 {
		sign = " "
	}
	m.viewTail(ln, pt.Tokens, sign, pt.Note, c, text)
}

// shortHash returns the start of a hash, enough to compare two by eye.
func shortHash(hash string) string {
	hash = theme.OneLine(hash)
	return hash[:min(len(hash), 4)]
}
