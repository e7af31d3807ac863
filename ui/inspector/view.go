package inspector

import (
	"fmt"
	"strings"

	"ibid/ui/theme"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

const (
	minWidth  = 24
	minHeight = 5
	// paneFrom is the size from which the exact bytes have a pane beside the list.
	paneWidth  = 112
	paneHeight = 16
)

// layout is which row of the rectangle holds what. What is absent has no rows.
type layout struct {
	top    int // first row of the list, or of the panes
	rows   int // rows of the list
	list   int // columns of the list, with its borders if there are panes
	pane   int // columns of the pane, 0 if there is none
	bytes  int // rows of the pane of exact bytes, with its borders
	last   int // first of the rows about the last turn, 0 if absent
	footer int // first footer row
	textW  int // size of the text of exact bytes
	textH  int
}

func (m *Model) layout() layout {
	l := layout{list: m.w, top: 2, footer: m.h - 1}
	if m.w < minWidth || m.h < minHeight {
		l.footer = m.h
		return l
	}
	if m.h >= 16 {
		l.footer = m.h - 2
	}
	end := l.footer - 1 // the rule above the footer
	if m.full {
		l.textW, l.textH = m.w-2, max(end-l.top-m.metaRows(), 1)
		return l
	}
	if m.w >= paneWidth && m.h >= paneHeight {
		l.top = 5 // ribbon, weights, blank
		l.list = m.w * 62 / 100
		l.pane = m.w - l.list - 1
		l.rows = end - l.top - 2
		last := 8
		if end-l.top < 20 {
			last = 0
		}
		l.bytes = end - l.top - last
		l.textW, l.textH = l.pane-4, max(l.bytes-2-m.metaRows(), 1)
		return l
	}
	if m.h >= 20 {
		l.last = end - 2
		if m.report.Saved == "" {
			l.last = end - 1
		}
		end = l.last - 1 // a faint rule
	}
	l.rows = max(end-l.top, 1)
	return l
}

// metaRows is what the lines below the exact bytes take.
func (m *Model) metaRows() int {
	if len(m.preview.Meta) == 0 {
		return 0
	}
	return min(len(m.preview.Meta), 4) + 1
}

// View fills the rectangle of SetSize, to the cell.
func (m *Model) View() string {
	if m.w < minWidth || m.h < minHeight {
		rows := make([]string, m.h)
		for i := range rows {
			rows[i] = strings.Repeat(" ", m.w)
		}
		return strings.Join(rows, "\n")
	}
	l := m.layout()
	rows := make([]string, m.h)
	rows[0] = m.viewHeader()
	rows[1] = m.rule(m.painter.theme.Glyphs.Rule)
	for y := 2; y < l.footer-1; y++ {
		rows[y] = m.viewBody(l, y)
	}
	rows[l.footer-1] = m.rule(m.painter.theme.Glyphs.Rule)
	for y := l.footer; y < m.h; y++ {
		rows[y] = m.viewFooter(y-l.footer, m.h-l.footer)
	}
	return strings.Join(rows, "\n")
}

func (m *Model) rule(cell string) string {
	return m.painter.st.Border.Render(strings.Repeat(cell, m.w))
}

// viewBody draws row y between the two rules.
func (m *Model) viewBody(l layout, y int) string {
	switch {
	case m.full:
		return m.viewText(y-l.top, m.w-2, l.textH, 1)
	case l.pane > 0:
		return m.viewPanes(l, y)
	case l.last > 0 && y == l.last-1:
		return m.rule(m.painter.theme.Glyphs.RuleFaint)
	case l.last > 0 && y == l.last:
		return m.viewLast()
	case l.last > 0 && y == l.last+1:
		ln := m.painter.line(m.w)
		ln.Put(m.painter.st.Muted, " saved so far, compared with sending notes each turn   ")
		ln.Put(m.painter.st.Text, m.report.Saved)
		return ln.Done(theme.Ink{})
	}
	return m.viewListRow(y-l.top, l.list)
}

// viewListRow draws row y of the list, blank below its end.
func (m *Model) viewListRow(y, w int) string {
	if i := m.top + y; i < len(m.rows) {
		return m.viewRow(i, w)
	}
	return strings.Repeat(" ", w)
}

func (m *Model) viewHeader() string {
	p, r := m.painter, &m.report
	ln := p.line(m.w)
	ln.Put(p.st.Title, " Context")
	which := "next turn"
	if r.Turn > 0 {
		which = fmt.Sprintf("turn %d, as sent", r.Turn)
	}
	dot := " " + p.theme.Glyphs.Dot + " "
	switch {
	case m.full:
		if !m.paged {
			ln.Put(p.st.Text, dot+"exact bytes")
		}
		ln.Put(p.st.Text, dot+m.preview.Title)
	case m.filtering || m.filter != "":
		ln.Put(p.st.Accent, "  /")
		ln.Put(p.st.Text, m.filter)
	default:
		ln.Put(p.st.Text, dot+which)
	}
	right := p.full(r) + theme.Short(r.Prompt) + " of " + theme.Short(r.Window) + dot + percent(r.Prompt, r.Window) + " "
	if r.Window == 0 {
		right = theme.Short(r.Prompt) + " "
	}
	long := strings.TrimSuffix(right, " ") + "   predicted cached " + theme.Short(r.Cached) + " (" + percent(r.Cached, r.Prompt) + ") "
	for _, s := range []string{long, right} {
		if n := ln.Left - ansi.StringWidth(s); n >= 2 {
			ln.Skip(theme.Ink{}, n)
			ln.Put(p.st.Muted, s)
			break
		}
	}
	return ln.Done(theme.Ink{})
}

// viewLast is the line about the last turn.
func (m *Model) viewLast() string {
	p, l := m.painter, m.report.Last
	ln := p.line(m.w)
	if l.Turn == 0 {
		ln.Put(p.st.Muted, " "+m.report.noneSent()+".")
		return ln.Done(theme.Ink{})
	}
	ln.Put(p.st.Muted, fmt.Sprintf(" Turn %d  ", l.Turn))
	if l.silent() {
		ln.Put(p.st.Muted, "the provider reported nothing")
		return ln.Done(theme.Ink{})
	}
	put := func(name string, n int) {
		if n >= 0 {
			ln.Put(p.st.Text, name+" "+theme.Short(n)+"  ")
		}
	}
	put("sent", l.Sent)
	if l.Cached < 0 {
		ln.Put(p.st.Muted, "cached: not reported  ")
	} else {
		mark, k := p.theme.Glyphs.Check, p.st.Good
		if !l.asPredicted() && !l.better() {
			mark, k = p.theme.Glyphs.Alert, p.st.Warn
		}
		ln.Put(p.st.Text, "cached "+theme.Short(l.Cached)+" ")
		ln.Put(k, "pred. "+theme.Short(l.Predicted)+" "+mark+"  ")
	}
	put("new", l.New)
	put("reply", l.Completion)
	ln.Put(p.st.Text, l.Cost)
	return ln.Done(theme.Ink{})
}

// viewPanes draws row y of the wide page.
func (m *Model) viewPanes(l layout, y int) string {
	p := m.painter
	switch y {
	case 2:
		return p.Ribbon(&m.report, m.w)
	case 3:
		return m.viewWeights()
	case 4:
		return strings.Repeat(" ", m.w)
	}
	h := l.rows + 2
	y -= l.top
	left := m.box(l.list, y, h, "what will be sent", m.where(), func(y, w int) string { return m.viewListRow(y, w) })
	right := ""
	if y < l.bytes {
		title := "exact bytes"
		if m.preview.Title != "" {
			title += " " + p.theme.Glyphs.Dot + " " + m.preview.Title
		}
		right = m.box(l.pane, y, l.bytes, title, "", func(y, w int) string {
			return m.viewText(y, w, l.textH, 0)
		})
	} else {
		right = m.box(l.pane, y-l.bytes, h-l.bytes, "last turn", "", m.viewLastRow)
	}
	return left + " " + right
}

// where is how far the list is scrolled.
func (m *Model) where() string {
	if n := m.layout().rows; len(m.rows) > n {
		return fmt.Sprintf("%d of %d", m.sel+1, len(m.rows))
	}
	return ""
}

// viewWeights names the segments of the ribbon by their numbers.
func (m *Model) viewWeights() string {
	p := m.painter
	ln := p.line(m.w)
	for _, l := range m.report.Layers {
		ln.Put(p.st.Muted, "  "+l.ID+" ")
		ln.Put(p.st.Text, theme.Short(l.Tokens))
	}
	free := "free " + theme.Short(max(m.report.Window-m.report.Prompt, 0))
	if m.report.Window > 0 && ln.Left > len(free)+1 {
		ln.Skip(theme.Ink{}, ln.Left-len(free)-1)
		ln.Put(p.st.Muted, free)
	}
	return ln.Done(theme.Ink{})
}

// box draws row y of a box of h rows; inside draws a row of it.
func (m *Model) box(w, y, h int, title, aside string, inside func(y, w int) string) string {
	g, border := m.painter.theme.Glyphs.Border, m.painter.st.Border
	switch y {
	case 0:
		ln := m.painter.line(w - 2)
		ln.Put(border, g.Top)
		ln.Put(m.painter.st.Title, " "+theme.Cut(theme.Safe(title), max(w-8, 0), ln.Tail)+" ")
		if n := ln.Left - ansi.StringWidth(aside) - 3; aside != "" && n > 0 {
			ln.Put(border, strings.Repeat(g.Top, n))
			ln.Put(m.painter.st.Muted, " "+aside+" ")
		}
		ln.Put(border, strings.Repeat(g.Top, max(ln.Left, 0)))
		return border.Render(g.TopLeft) + ln.Done(theme.Ink{}) + border.Render(g.TopRight)
	case h - 1:
		return border.Render(g.BottomLeft + strings.Repeat(g.Bottom, w-2) + g.BottomRight)
	}
	return border.Render(g.Left) + " " + inside(y-1, w-4) + " " + border.Render(g.Right)
}

// viewText draws row y of the exact bytes, h rows of text and then what is known
// about them, with indent columns on both sides.
func (m *Model) viewText(y, w, h, indent int) string {
	p := m.painter
	ln := p.line(w + 2*indent)
	ln.Skip(theme.Ink{}, indent)
	switch {
	case m.preview.ID != m.Selected():
		if y == 0 {
			ln.Put(p.st.Muted, "no bytes of its own")
		}
	case y < h:
		if s, ok := m.pager.row(y); ok {
			ln.Put(m.textInk(y), s)
		}
	case y > h && y-h-1 < len(m.preview.Meta):
		ln.Put(p.st.Muted, m.preview.Meta[y-h-1])
	}
	return ln.Done(theme.Ink{})
}

// textInk is what row y of the exact bytes is painted with.
func (m *Model) textInk(y int) theme.Ink {
	p := m.painter
	if !m.paged {
		return p.st.Text
	}
	switch line := m.pager.line(y); {
	case strings.HasPrefix(line, "+"):
		return p.st.Diff.Add
	case strings.HasPrefix(line, "-"):
		return p.st.Diff.Del
	case strings.HasPrefix(line, "@@"):
		return p.st.Muted
	}
	return p.st.Text
}

// viewLastRow draws row y of the pane about the last turn.
func (m *Model) viewLastRow(y, w int) string {
	p, l := m.painter, m.report.Last
	ln := p.line(w)
	mark := p.theme.Glyphs.Check
	if l.Cached >= 0 && !l.asPredicted() && !l.better() {
		mark = p.theme.Glyphs.Alert
	} else if l.Cached < 0 {
		mark = ""
	}
	lines := [][2]string{
		{"sent", reported(l.Sent) + fmt.Sprintf("  in turn %d", l.Turn)},
		{"cached", reported(l.Cached) + "  (predicted " + theme.Comma(l.Predicted) + ") " + mark},
		{"new", reported(l.New)},
		{"reply", reported(l.Completion) + "  " + l.Cost},
		{"warm", m.report.Warm},
		{"saved", m.report.Saved},
	}
	switch {
	case l.Turn == 0 && y == 0:
		ln.Put(p.st.Muted, m.report.noneSent())
	case l.Turn > 0 && y < len(lines):
		ln.Column(p.st.Muted, lines[y][0], 8, false)
		ln.Put(p.st.Text, lines[y][1])
	}
	return ln.Done(theme.Ink{})
}

// viewFooter draws footer row y of n.
func (m *Model) viewFooter(y, n int) string {
	p := m.painter
	ln := p.line(m.w)
	if m.question != "" {
		if y == 0 {
			ln.Put(p.st.Warn, " "+p.theme.Glyphs.Alert+" ")
			ln.Put(p.st.Strong, theme.Cut(m.question, max(ln.Left-16, 0), ln.Tail))
			ln.Put(p.st.Accent, "   y yes   n no")
		}
		return ln.Done(theme.Ink{})
	}
	g := &p.theme.Glyphs.Context
	legend := g.Cached + " cached  " + g.New + " new  " + g.Drifted + " changed"
	all := m.hints(n == 1)
	first := fitting(all, m.w-2)
	if y == 0 {
		ln.Put(p.st.Muted, " "+strings.Join(first, "   "))
		return ln.Done(theme.Ink{})
	}
	room := m.w - 5 - ansi.StringWidth(legend)
	ln.Put(p.st.Muted, " "+strings.Join(fitting(all[len(first):], room), "   "))
	ln.Skip(theme.Ink{}, ln.Left-ansi.StringWidth(legend)-1)
	ln.Put(p.st.Muted, legend)
	return ln.Done(theme.Ink{})
}

// hints are the keys that mean something where the cursor is, with their price.
// In a single row the way out comes early.
func (m *Model) hints(single bool) []string {
	if m.full {
		return []string{"esc list", "j k scroll", "f b page", "g G ends", "y copy as JSON"}
	}
	hints := []string{"enter exact bytes"}
	if single {
		hints = append(hints, "esc back")
	}
	if it := m.item(); it != nil && m.report.Turn == 0 {
		hints = append(hints, itemHints(it)...)
	}
	if !single {
		hints = append(hints, "esc back")
	}
	turn := "← → turn"
	if m.painter.theme.Options.ASCII {
		turn = "left right turn"
	}
	if len(m.report.Past) > 0 {
		hints = append(hints, turn, "d what changed")
	}
	return append(hints, "[ ] layer", "/ filter", "y copy as JSON")
}

func itemHints(it *Item) []string {
	cost := func(n int) string {
		if n <= 0 {
			return ""
		}
		return " (+" + theme.Short(n) + " once)"
	}
	mute := "m mute"
	if it.State == Muted {
		mute = "m unmute"
	}
	hints := []string{mute, "e forget" + cost(it.Evict), "r refresh" + cost(it.Refresh)}
	if it.State == Changed {
		hints = append(hints, "a send the diff")
	}
	return hints
}

// fitting is the first of all that fit in w columns with three between them.
func fitting(all []string, w int) []string {
	for i, h := range all {
		if w -= ansi.StringWidth(h); w < 0 {
			return all[:i]
		}
		w -= 3
	}
	return all
}

// Cursor is where the terminal's cursor belongs while a filter is typed; nil
// otherwise.
func (m *Model) Cursor() *tea.Cursor {
	if !m.filtering || m.w < minWidth || m.h < minHeight {
		return nil
	}
	x := ansi.StringWidth(" Context  /" + m.filter)
	return tea.NewCursor(min(x, m.w-1), 0)
}
