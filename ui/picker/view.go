package picker

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// View draws the picker, exactly as large as set with SetSize.
func (m *Model) View() string {
	if m.w < minWidth || m.h < minHeight {
		return theme.BlankBox(m.w, m.h)
	}
	l := m.layout()
	if !m.opt.Popup {
		return strings.Join(m.viewPage(l), "\n")
	}
	box := theme.Box{Border: m.st.BorderFocus, Title: m.shown.Title, Aside: m.count()}
	rows, _ := m.viewList(l)
	if l.note {
		rows = append(rows, m.theme.Words(l.inner, m.st.Muted, m.opt.Note))
	}
	rows = box.Draw(m.theme, l.list, rows)
	return strings.Join(m.withPreview(l, rows), "\n")
}

// viewPage draws the picker as a page.
func (m *Model) viewPage(l layout) []string {
	rule := m.st.Border.Render(strings.Repeat(m.theme.Glyphs.Rule, m.w))
	list, _ := m.viewList(l)
	rows := append([]string{m.viewHeader(), m.viewNotice(rule)}, m.withPreview(l, list)...)
	if l.note {
		rows = append(rows, m.theme.Words(m.w, m.st.Muted, " "+m.opt.Note))
	}
	if l.footer == 0 {
		return rows
	}
	rows = append(rows, rule)
	if foot := m.shown.Foot; foot != nil {
		rows = append(rows, foot(m.w, l.footer)...)
	}
	for len(rows) < m.h {
		rows = append(rows, strings.Repeat(" ", m.w))
	}
	return rows
}

// withPreview adds the preview to the right of the rows.
func (m *Model) withPreview(l layout, rows []string) []string {
	if l.preview == 0 {
		return rows
	}
	inside := m.viewPreview(l.preview-4, max(len(rows)-2, 0))
	box := theme.Box{Border: m.st.BorderFocus, Title: m.preview.Title, Aside: m.preview.Meta}
	right := box.Draw(m.theme, l.preview, inside)
	for i := range rows {
		rows[i] += " " + right[i]
	}
	return rows
}

// viewPreview draws h rows of the preview. They include the line to scroll to, with some lines above
// it.
func (m *Model) viewPreview(w, h int) []string {
	var rows []string
	from := 0
	for i, line := range m.preview.Lines {
		if i == m.preview.At {
			from = max(len(rows)-h/3, 0)
		}
		if len(rows) >= from+h && i > m.preview.At {
			break
		}
		for _, part := range line.wrap(w) {
			ln := m.theme.Line(w)
			m.viewMarked(ln, part.Text, part.Marked, w, m.st.Text, m.st.Match.Text)
			rows = append(rows, ln.Done(m.st.Text))
		}
	}
	rows = append(rows[min(from, len(rows)):], m.viewNote(w)...)
	for len(rows) < h {
		rows = append(rows, strings.Repeat(" ", w))
	}
	return rows[:h]
}

// viewNote returns the rendered note of the preview in w columns.
func (m *Model) viewNote(w int) []string {
	if m.preview.Note == "" || w < mdview.MinWidth {
		return nil
	}
	if m.note == nil {
		m.note = mdview.Whole(*m.theme, m.preview.Note, mdview.Options{})
	}
	m.note.SetWidth(w, 0)
	rows := slices.Clone(m.note.Lines())
	for i, row := range rows {
		row = mdview.Unlink(theme.StripMarks(mdview.Paint(m.theme, row, w, 0)))
		rows[i] = row + strings.Repeat(" ", max(w-ansi.StringWidth(row), 0))
	}
	return rows
}

// wrap breaks a line into rows of at most w columns, with their marks.
func (l Line) wrap(w int) []Line {
	text := theme.OneLine(l.Text)
	marked := l.Marked
	if text != l.Text {
		marked = nil
	}
	var rows []Line
	from := []rune(text)
	at := 0
	for row := range strings.SplitSeq(ansi.Wrap(text, max(w, 1), ""), "\n") {
		part := Line{Text: row}
		n := 0
		for _, r := range row {
			for at < len(from) && from[at] != r { // a space where the line was broken
				at++
			}
			if hasMatchIn(marked, at, at+1) {
				part.Marked = append(part.Marked, n)
			}
			at++
			n++
		}
		rows = append(rows, part)
	}
	return rows
}

// viewNotice draws the row below the header: the notice about the query, or a rule.
func (m *Model) viewNotice(rule string) string {
	if m.shown.Notice == "" {
		return rule
	}
	ln := m.theme.Line(m.w)
	if m.shown.Alert {
		ln.Put(m.st.Bad, " "+m.theme.Glyphs.Alert+" "+m.shown.Notice+" ")
	} else {
		ln.Put(m.st.Accent, " "+m.shown.Notice+" ")
	}
	if ln.Left > 0 {
		ln.Raw(m.st.Border, strings.Repeat(m.theme.Glyphs.Rule, ln.Left), ln.Left)
	}
	return ln.Done(m.st.Border)
}

// viewList draws the rows of the list that are on screen. It returns with them the index of the item
// that each row belongs to, -1 for none.
func (m *Model) viewList(l layout) (out []string, items []int) {
	w, item := l.inner, -1
	add := func(s string) {
		if len(out) < l.rows {
			out, items = append(out, s), append(items, item)
		}
	}
	if len(m.shown.Items) == 0 {
		add(m.theme.Words(w, m.st.Muted, "  "+m.shown.Empty))
	}
	label, cols := m.cols.fit(max(w-2, 0))
	for i := m.top; i < len(m.shown.Items) && len(out) < l.rows; i++ {
		item = -1
		// A heading is drawn only with its row.
		if m.startsGroup(i) && l.rows-len(out) > 1 {
			if i > m.top && l.rows-len(out) > 2 {
				add(strings.Repeat(" ", w))
			}
			add(m.theme.Words(w, m.st.Strong, " "+m.shown.Items[i].Group))
		}
		item = i
		add(m.viewItem(i, w, label, cols))
		if it := &m.shown.Items[i]; it.Snippet != "" {
			ln := m.theme.Line(w)
			ln.Put(m.st.Muted, "    ")
			m.viewMarked(ln, it.Snippet, it.Marked, ln.Left, m.st.Muted, m.st.Match.Text)
			add(ln.Done(m.st.Muted))
		}
	}
	item = -1
	for len(out) < l.rows {
		add(strings.Repeat(" ", w))
	}
	return out, items
}

// viewItem draws the first line of row i.
func (m *Model) viewItem(i, w, label int, cols columns) string {
	it, st := &m.shown.Items[i], m.st
	text, side, state, match := st.Text, st.Muted, st.Accent, st.Match.Text
	if it.Disabled != "" {
		text, state = st.Muted, st.Muted
	}
	marker := "  "
	if i == m.sel {
		marker = m.theme.Glyphs.Cursor + " "
		text, side, state, match = st.Selected, st.Selected, st.Selected, st.Match.Chosen
	}
	ln := m.theme.Line(w)
	ln.Put(text, marker)
	m.viewMarked(ln, it.Label, it.Match, label, text, match)
	column := func(k theme.Ink, s string, w int, right bool) {
		if w > 0 {
			ln.Skip(side, gap)
			ln.Column(k, s, w, right)
		}
	}
	if it.Detail != "" || it.Disabled == "" {
		column(side, it.Detail, cols.detail, false)
	}
	if it.Disabled != "" { // the reason takes the place of the other columns
		ln.Skip(side, gap)
		ln.Put(side, it.Disabled)
		return ln.Done(text)
	}
	column(state, join(it.Glyph, it.State, cols.state), cols.state, false)
	column(text, it.Meta, cols.meta, true)
	column(side, it.Why, cols.why, false)
	return ln.Done(text)
}

// join joins glyph and words for a column of w columns; in fewer than three it returns only the glyph.
func join(glyph, words string, w int) string {
	if glyph == "" {
		glyph = " "
	}
	if w < 3 {
		return glyph
	}
	return glyph + " " + words
}

// viewMarked draws text in exactly w columns, with the matched characters in the ink match. A grapheme
// cluster is marked if any rune of it matched.
func (m *Model) viewMarked(ln *theme.Line, text string, marked []int, w int, st, match theme.Ink) {
	s := theme.SafeLine(text)
	if len(marked) == 0 || s != text {
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
		hit := strings.HasPrefix(s[n:], g) && hasMatchIn(marked, runes, runes+k)
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

// hasMatchIn reports whether an ascending list of positions has one in [from, to).
func hasMatchIn(match []int, from, to int) bool {
	i, _ := slices.BinarySearch(match, from)
	return i < len(match) && match[i] < to
}

// count returns the right end of the title: the number of rows and Rows.Aside.
func (m *Model) count() string {
	s := ""
	if m.shown.Total > 0 {
		s = theme.Comma(max(len(m.shown.Items), m.shown.Found)) + " of " + theme.Comma(m.shown.Total)
	}
	if m.shown.Aside != "" {
		if s != "" {
			s += " " + m.theme.Glyphs.Dot + " "
		}
		s += m.shown.Aside
	}
	return theme.OneLine(s)
}

// header divides the first row of a page: the column and the width of the filter line, and the count,
// "" if it does not fit.
func (m *Model) header() (x, w int, count string) {
	x = ansi.StringWidth(theme.OneLine(m.shown.Title)) + 4
	count = m.count()
	w = m.w - x - ansi.StringWidth(count) - 3
	if w < 16 {
		w, count = m.w-x, ""
	}
	return x, max(w, 0), count
}

// viewHeader draws the title, the filter line and the count of a page.
func (m *Model) viewHeader() string {
	_, w, count := m.header()
	ln := m.theme.Line(m.w)
	ln.Put(m.st.Title, " "+m.shown.Title)
	if m.filters() {
		ln.Skip(theme.Ink{}, 3)
		m.viewFilter(ln, w)
	}
	ln.AtRight(m.st.Muted, count)
	return ln.End()
}

// viewFilter draws the filter line in at most w columns.
func (m *Model) viewFilter(ln *theme.Line, w int) {
	st := m.st
	ln.Put(st.Accent, "> ")
	if m.filter.Value() == "" {
		ln.Put(st.Muted, theme.Cut(m.opt.Placeholder, max(w-2, 0), m.theme.Glyphs.Ellipsis))
		return
	}
	s, _ := m.filter.Window(max(w-2, 0))
	ln.Put(st.Text, s)
}

// Cursor returns the position of the terminal's cursor, relative to the picker's top left cell, nil if
// there is no filter line.
func (m *Model) Cursor() *tea.Cursor {
	if !m.filters() || m.w < minWidth || m.h < minHeight {
		return nil
	}
	x, w, _ := m.header()
	_, at := m.filter.Window(max(w-2, 0))
	return tea.NewCursor(min(x+2+at, m.w-1), 0)
}
