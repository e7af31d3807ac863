package picker

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// View fills the rectangle of SetSize, to the cell.
func (m *Model) View() string {
	l := m.layout()
	if m.w < minWidth || m.h < minHeight {
		return strings.TrimSuffix(strings.Repeat(strings.Repeat(" ", m.w)+"\n", m.h), "\n")
	}
	rows := make([]string, m.h)
	list := m.viewList(l)
	for y := range rows {
		switch {
		case m.opt.Page:
			rows[y] = m.pageRow(l, y, list)
		default:
			rows[y] = m.boxRow(l, y, list)
		}
	}
	if l.preview > 0 {
		from, to := 0, m.h
		if m.opt.Page {
			from, to = l.top, l.top+l.rows
		}
		for y := from; y < to; y++ {
			rows[y] += " " + m.previewRow(l.preview, y-from, to-from)
		}
	}
	return strings.Join(rows, "\n")
}

// inner is the width of a row of the list.
func (m *Model) inner(l layout) int {
	if m.opt.Page {
		return l.list
	}
	return l.list - 4
}

// viewList draws the rows of the list that are on screen.
func (m *Model) viewList(l layout) []string {
	w := m.inner(l)
	out := make([]string, 0, l.rows)
	add := func(s string) {
		if len(out) < l.rows {
			out = append(out, s)
		}
	}
	if len(m.items) == 0 {
		ln := m.line(w)
		ln.Put(m.st.Muted, "  "+m.opt.Empty)
		add(ln.Done(theme.Ink{}))
	}
	label, cols := m.cols.fit(max(w-2, 0))
	for i := m.top; i < len(m.items) && len(out) < l.rows; i++ {
		// A heading shows if its row does.
		if m.heads(i) && l.rows-len(out) > 1 {
			if i > m.top && l.rows-len(out) > 2 {
				add(strings.Repeat(" ", w))
			}
			ln := m.line(w)
			ln.Put(m.st.Strong, " "+m.items[i].Group)
			add(ln.Done(theme.Ink{}))
		}
		add(m.viewItem(i, w, label, cols))
		if s := m.items[i].Snippet; s != "" {
			ln := m.line(w)
			ln.Put(m.st.Muted, "    "+s)
			add(ln.Done(theme.Ink{}))
		}
	}
	for len(out) < l.rows {
		add(strings.Repeat(" ", w))
	}
	return out
}

// viewItem draws the first line of row i.
func (m *Model) viewItem(i, w, label int, cols columns) string {
	it, st := &m.items[i], m.st
	text, side, state, match := st.Text, st.Muted, st.Accent, st.Match
	if it.Dim || it.Disabled != "" {
		text, state = st.Muted, st.Muted
	}
	marker := "  "
	if i == m.sel {
		marker = m.theme.Glyphs.Cursor + " "
		text, side, state, match = st.Selected, st.Selected, st.Selected, st.Selected
	}
	ln := m.line(w)
	ln.Put(text, marker)
	m.viewLabel(ln, it, label, text, match)
	if cols.detail > 0 {
		ln.Skip(side, gap)
		ln.Column(side, it.Detail, cols.detail, false)
	}
	if it.Disabled != "" { // the reason takes the place of what would be paid
		ln.Skip(side, gap)
		ln.Put(side, it.Disabled)
		return ln.Done(text)
	}
	if cols.state > 0 {
		ln.Skip(side, gap)
		ln.Column(state, join(it.Glyph, it.State, cols.state), cols.state, false)
	}
	if cols.meta > 0 {
		ln.Skip(side, gap)
		ln.Column(text, it.Meta, cols.meta, true)
	}
	if cols.why > 0 {
		ln.Skip(side, gap)
		ln.Column(side, it.Why, cols.why, false)
	}
	return ln.Done(text)
}

// join is glyph and words in w columns; in one column the glyph stands alone.
func join(glyph, words string, w int) string {
	if glyph == "" {
		glyph = " "
	}
	if w < 3 {
		return glyph
	}
	return glyph + " " + words
}

// viewLabel draws the label in exactly w columns, what the query matched
// underlined. A cluster is underlined whole if any rune of it matched.
func (m *Model) viewLabel(ln *theme.Line, it *Item, w int, st, match theme.Ink) {
	s := theme.Safe(it.Label)
	if len(it.Match) == 0 || s != it.Label {
		ln.Column(st, s, w, false)
		return
	}
	short := theme.Cut(s, w, m.theme.Glyphs.Ellipsis)
	runes, from, on := 0, 0, false
	flush := func(to int) {
		if from < to {
			k := st
			if on {
				k = match
			}
			ln.Raw(k, short[from:to], 0)
			from = to
		}
	}
	for n := 0; n < len(short); {
		g, _ := ansi.FirstGraphemeCluster(short[n:], ansi.GraphemeWidth)
		k := len([]rune(g))
		hit := strings.HasPrefix(s[n:], g) && matched(it.Match, runes, runes+k)
		if hit != on {
			flush(n)
			on = hit
		}
		runes += k
		n += len(g)
	}
	flush(len(short))
	used := ansi.StringWidth(short)
	ln.Left -= used
	ln.Skip(st, w-used)
}

// matched reports whether an ascending list of positions holds one in from..to.
func matched(match []int, from, to int) bool {
	i, _ := slices.BinarySearch(match, from)
	return i < len(match) && match[i] < to
}

// count is the right end of the title.
func (m *Model) count() string {
	s := ""
	if m.total > 0 {
		s = fmt.Sprintf("%d of %d", max(len(m.items), m.found), m.total)
	}
	if m.aside != "" {
		if s != "" {
			s += " " + m.theme.Glyphs.Dot + " "
		}
		s += m.aside
	}
	return theme.OneLine(s)
}

// boxRow draws row y of a popup.
func (m *Model) boxRow(l layout, y int, list []string) string {
	g, st := m.theme.Glyphs.Border, m.st.BorderFocus
	switch {
	case y == 0:
		return m.edge(l.list, g.TopLeft, g.Top, g.TopRight, m.opt.Title, m.count(), m.st.Title)
	case y == m.h-1:
		return m.edge(l.list, g.BottomLeft, g.Bottom, g.BottomRight, strings.Join(m.hints(l.list-6), "  "), "", m.st.Muted)
	}
	inside := ""
	switch {
	case y == l.filter:
		ln := m.line(l.list - 4)
		m.viewFilter(ln, l.list-4)
		inside = ln.Done(theme.Ink{})
	case y == l.note:
		ln := m.line(l.list - 4)
		ln.Put(m.st.Muted, m.opt.Note)
		inside = ln.Done(theme.Ink{})
	case y >= l.top && y-l.top < len(list):
		inside = list[y-l.top]
	default:
		inside = strings.Repeat(" ", l.list-4)
	}
	return st.Render(g.Left) + " " + inside + " " + st.Render(g.Right)
}

// edge draws a horizontal border with words at its left and right end.
func (m *Model) edge(w int, left, fill, right, title, aside string, st theme.Ink) string {
	border := m.st.BorderFocus
	room := w - 4 // corners and one cell of border on each side
	label := ""
	if title != "" && room > 4 {
		label = " " + theme.Cut(theme.OneLine(title), room-2, m.theme.Glyphs.Ellipsis) + " "
		room -= ansi.StringWidth(label)
	}
	if aside = theme.OneLine(aside); aside != "" {
		aside = " " + aside + " "
		if ansi.StringWidth(aside) > room-1 {
			aside = ""
		}
		room -= ansi.StringWidth(aside)
	}
	var b strings.Builder
	b.WriteString(border.Render(left + fill))
	if label != "" {
		b.WriteString(st.Render(label))
	}
	b.WriteString(border.Render(strings.Repeat(fill, room)))
	if aside != "" {
		b.WriteString(m.st.Muted.Render(aside))
	}
	b.WriteString(border.Render(fill + right))
	return b.String()
}

// pageRow draws row y of a page.
func (m *Model) pageRow(l layout, y int, list []string) string {
	st := m.st
	ln := m.line(m.w)
	switch {
	case y == 0:
		m.viewHeader(ln)
	case y == 1, y == l.rule:
		return st.Border.Render(strings.Repeat(m.theme.Glyphs.Rule, m.w))
	case y == l.note:
		ln.Put(st.Muted, " "+m.opt.Note)
	case l.footer >= 0 && y >= l.footer:
		all := m.hints(1 << 20)
		first := m.hints(m.w - 2)
		if y == l.footer {
			ln.Put(st.Muted, " "+strings.Join(first, "  "))
		} else {
			ln.Put(st.Muted, " "+strings.Join(hintsFitting(all[len(first):], m.w-2), "  "))
		}
	case y >= l.top && y-l.top < len(list):
		return list[y-l.top]
	}
	return ln.Done(theme.Ink{})
}

// header is how the first row of a page is shared out: the column and the width
// of the filter line, and the count if there is room for it.
func (m *Model) header() (x, w int, count string) {
	x = ansi.StringWidth(theme.OneLine(m.opt.Title)) + 4
	count = m.count()
	w = m.w - x - ansi.StringWidth(count) - 3
	if w < 16 {
		w, count = m.w-x, ""
	}
	return x, max(w, 0), count
}

// viewHeader draws title, filter line and count of a page.
func (m *Model) viewHeader(ln *theme.Line) {
	_, w, count := m.header()
	ln.Put(m.st.Title, " "+m.opt.Title)
	if m.opt.Filter {
		ln.Put(theme.Ink{}, "   ")
		m.viewFilter(ln, w)
	}
	if n := ln.Left - ansi.StringWidth(count) - 1; count != "" && n > 0 {
		ln.Put(theme.Ink{}, strings.Repeat(" ", n))
		ln.Put(m.st.Muted, count)
	}
}

// filterWindow is the part of the query that fits in w columns with the cursor
// in it, and the cursor's column.
func (m *Model) filterWindow(w int) (string, int) {
	value := theme.Safe(m.filter.Value())
	runes := []rune(value)
	pos := min(m.filter.Position(), len(runes))
	before, after := string(runes[:pos]), string(runes[pos:])
	for before != "" && ansi.StringWidth(before) > max(w-1, 0) {
		g, _ := ansi.FirstGraphemeCluster(before, ansi.GraphemeWidth)
		before = before[len(g):]
	}
	return theme.Cut(before+after, w, ""), min(ansi.StringWidth(before), max(w-1, 0))
}

// viewFilter draws the filter line in at most w columns.
func (m *Model) viewFilter(ln *theme.Line, w int) {
	st := m.st
	ln.Put(st.Accent, "> ")
	if m.filter.Value() == "" {
		ln.Put(st.Placeholder, theme.Cut(m.opt.Placeholder, max(w-2, 0), m.theme.Glyphs.Ellipsis))
		return
	}
	s, _ := m.filterWindow(max(w-2, 0))
	ln.Put(st.Text, s)
}

// Cursor is where the terminal's cursor belongs, relative to the picker's top
// left cell; nil if the query is typed elsewhere.
func (m *Model) Cursor() *tea.Cursor {
	l := m.layout()
	if l.filter < 0 {
		return nil
	}
	x, w := 2, l.list-4
	if m.opt.Page {
		x, w, _ = m.header()
	}
	_, at := m.filterWindow(max(w-2, 0))
	return tea.NewCursor(min(x+2+at, m.w-1), l.filter)
}

// hints are the keys that fit in w columns, the most needed first.
func (m *Model) hints(w int) []string {
	move := m.theme.Glyphs.Up + m.theme.Glyphs.Down + " move"
	all := []string{move, "enter " + m.opt.Choose}
	if m.opt.Refine != "" {
		all = append(all, "tab "+m.opt.Refine)
	}
	all = append(all, "esc close")
	for _, b := range m.opt.Keys {
		if h := b.Help(); b.Enabled() && h.Key != "" {
			all = append(all, h.Key+" "+h.Desc)
		}
	}
	return hintsFitting(all, w)
}

func hintsFitting(all []string, w int) []string {
	for i, h := range all {
		if w -= ansi.StringWidth(h); w < 0 {
			return all[:i]
		}
		w -= 2
	}
	return all
}

// previewRow draws row y of h of the preview pane.
func (m *Model) previewRow(w, y, h int) string {
	g := m.theme.Glyphs.Border
	p := &m.preview
	switch y {
	case 0:
		return m.edge(w, g.TopLeft, g.Top, g.TopRight, p.Title, p.Meta, m.st.Title)
	case h - 1:
		return m.edge(w, g.BottomLeft, g.Bottom, g.BottomRight, "", "", m.st.Muted)
	}
	ln := m.line(w - 4)
	if y-1 < len(p.Lines) {
		ln.Put(m.st.Text, p.Lines[y-1])
	}
	border := m.st.BorderFocus
	return border.Render(g.Left) + " " + ln.Done(theme.Ink{}) + " " + border.Render(g.Right)
}
