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
	// from this size the exact bytes have a pane beside the list
	paneWidth  = 112
	paneHeight = 16
	// from this height the ribbon is above them, and the last turn has a box of so many rows
	tallHeight = 28
	lastRows   = 6
)

// layout holds the sizes of the parts. A part that is absent has no rows.
type layout struct {
	body   int // rows between the rules
	footer int // rows below them
	list   int // columns of the list, with its borders if there are panes
	rows   int // rows of the list
	pane   int // columns of the pane, 0 if there is none
	bytes  int // rows of exact bytes in the pane
	last   int // rows about the last turn, below the list
	textW  int // size of the text of exact bytes
	textH  int
}

func (m *Model) layout() layout {
	l := layout{list: m.w, footer: 1}
	if m.w < minWidth || m.h < minHeight {
		return l
	}
	if m.h >= 16 {
		l.footer = 2
	}
	l.body = m.h - l.footer - 3 // a header and two rules
	meta := 0
	if n := len(m.preview.Meta); n > 0 {
		meta = min(n, 4) + 1
	}
	if m.full {
		l.textW, l.textH = m.w-2, max(l.body-meta, 1)
		return l
	}
	tall := m.w >= paneWidth && m.h >= tallHeight
	if m.h >= 20 && !tall {
		l.last = 2
		if m.report.Saved != "" {
			l.last = 3
		}
	}
	l.rows = max(l.body-l.last, 1)
	if m.w >= paneWidth && m.h >= paneHeight {
		l.list = m.w * 62 / 100
		l.pane = m.w - l.list - 1
		l.rows -= 2 // borders
		l.bytes = l.rows
		if tall {
			l.rows -= 3 // ribbon, weights, blank
			l.bytes = l.rows - lastRows - 2
		}
		l.textW, l.textH = l.pane-4, max(l.bytes-meta, 1)
	}
	return l
}

// View fills the rectangle of SetSize exactly.
func (m *Model) View() string {
	if m.w < minWidth || m.h < minHeight {
		return theme.BlankBox(m.w, m.h)
	}
	l, rule := m.layout(), m.rule(m.theme.Glyphs.Rule)
	rows := append([]string{m.viewHeader(), rule}, m.viewBody(l)...)
	rows = append(append(rows, rule), m.viewFooter(l.footer)...)
	return strings.Join(rows, "\n")
}

func (m *Model) rule(cell string) string {
	return m.st.Border.Render(strings.Repeat(cell, m.w))
}

// viewBody draws the part between the two rules.
func (m *Model) viewBody(l layout) []string {
	var rows []string
	switch {
	case m.full:
		return m.viewText(m.w, l.body, l.textH, 1)
	case l.pane > 0:
		rows = m.viewPanes(l)
	default:
		rows = m.viewList(l.rows, l.list)
	}
	if l.last > 0 {
		rows = append(rows, m.rule(m.theme.Glyphs.RuleFaint), m.viewLast())
	}
	if l.last > 2 {
		ln := m.theme.Line(m.w)
		ln.Put(m.st.Muted, " saved so far, compared with sending notes each turn   ")
		ln.Put(m.st.Text, m.report.Saved)
		rows = append(rows, ln.End())
	}
	return rows
}

// viewList draws n rows of the list, blank after its end.
func (m *Model) viewList(n, w int) []string {
	rows := make([]string, n)
	for y := range rows {
		if i := m.top + y; i < len(m.rows) {
			rows[y] = m.viewRow(i, w)
		} else {
			rows[y] = theme.BlankBox(w, 1)
		}
	}
	return rows
}

func (m *Model) viewHeader() string {
	r := &m.report
	ln := m.theme.Line(m.w)
	ln.Put(m.st.Title, " Context")
	which := "next turn"
	if r.Turn > 0 {
		which = fmt.Sprintf("turn %d, as sent", r.Turn)
	}
	dot := " " + m.theme.Glyphs.Dot + " "
	switch {
	case m.full:
		which = "exact bytes" + dot + m.preview.Title
	case m.filtering || m.filter != "":
		which = "/" + m.filter
	}
	ln.Put(m.st.Text, dot+which)
	right := m.fullWarning(r) + theme.ShortCount(r.Prompt)
	if r.Window > 0 {
		right += " of " + FormatWindow(r.Window)
		right += dot + percent(r.Prompt, r.Window)
	} else {
		right += " tokens"
	}
	if !ln.AtRight(m.st.Muted, right+"   predicted cached "+theme.ShortCount(r.Cached)+" ("+
		percent(r.Cached, r.Prompt)+")") {
		ln.AtRight(m.st.Muted, right)
	}
	return ln.End()
}

// viewLast draws the line about the last turn.
func (m *Model) viewLast() string {
	l := m.report.Last
	ln := m.theme.Line(m.w)
	if l.Turn == 0 {
		ln.Put(m.st.Muted, " No numbers are known of the last turn.")
		return ln.End()
	}
	ln.Put(m.st.Muted, fmt.Sprintf(" Turn %d  ", l.Turn))
	if l.silent() {
		if l.Counted > 0 {
			ln.Put(m.st.Muted, l.estimated()+": ")
		}
		ln.Put(m.st.Muted, "the provider reported nothing")
		return ln.End()
	}
	put := func(name string, n int) {
		if n >= 0 {
			ln.Put(m.st.Text, name+" "+theme.ShortCount(n)+"  ")
		}
	}
	put("sent", l.Sent)
	if l.Cached < 0 {
		ln.Put(m.st.Muted, "cached: not reported  ")
	} else {
		mark, k := m.verdict(l)
		ln.Put(m.st.Text, "cached "+theme.ShortCount(l.Cached)+" ")
		ln.Put(k, strings.TrimSpace("pred. "+theme.ShortCount(l.Predicted)+" "+mark)+"  ")
	}
	put("new", l.New)
	put("reply", l.Completion)
	if all := m.report.cost(); ansi.StringWidth(all) <= ln.Left {
		ln.Put(m.st.Text, all)
	} else {
		ln.Put(m.st.Text, l.Cost)
	}
	return ln.End()
}

// viewPanes draws the list, and beside it the exact bytes. Where there is room, the ribbon is above them, and the
// last turn below the bytes.
func (m *Model) viewPanes(l layout) []string {
	box := func(title, aside string) theme.Box {
		return theme.Box{Border: m.st.Border, Title: title, Aside: aside}
	}
	title := "exact bytes"
	if m.preview.Title != "" {
		title += " " + m.theme.Glyphs.Dot + " " + m.preview.Title
	}
	left := box("what will be sent", m.scrollPosition()).Draw(m.theme, l.list, m.viewList(l.rows, l.list-4))
	right := box(title, "").Draw(m.theme, l.pane, m.viewText(l.pane-4, l.bytes, l.textH, 0))
	var rows []string
	if l.bytes < l.rows {
		turn := "" // that the box is about
		if n := m.report.Last.Turn; n > 0 {
			turn = fmt.Sprint("turn ", n)
		}
		right = append(right, box("last turn", turn).Draw(m.theme, l.pane, m.viewLastPane(l.pane-4))...)
		rows = []string{m.Ribbon(&m.report, m.w), m.viewWeights(), theme.BlankBox(m.w, 1)}
	}
	for i := range left {
		rows = append(rows, left[i]+" "+right[i])
	}
	return rows
}

// scrollPosition returns the scroll position of the list.
func (m *Model) scrollPosition() string {
	if n := m.layout().rows; len(m.rows) > n {
		return fmt.Sprintf("%d of %d", m.sel+1, len(m.rows))
	}
	return ""
}

// viewWeights draws the layers and their weights.
func (m *Model) viewWeights() string {
	ln := m.theme.Line(m.w)
	for _, l := range m.report.Layers {
		if l.Tokens > 0 {
			ln.Put(m.st.Muted, "  "+l.name()+" ")
			ln.Put(m.st.Text, theme.ShortCount(l.Tokens))
		}
	}
	if m.report.Window > 0 {
		ln.AtRight(m.st.Muted, "free "+theme.ShortCount(max(m.report.Window-m.report.Prompt, 0)))
	}
	return ln.End()
}

// viewText draws n rows of w columns: h rows of the exact bytes and then their metadata, with indent
// columns at the left.
func (m *Model) viewText(w, n, h, indent int) []string {
	rows := make([]string, n)
	for y := range rows {
		ln := m.theme.Line(w)
		ln.Skip(theme.Ink{}, indent)
		switch {
		case m.preview.ID != m.Selected():
			if y == 0 {
				ln.Put(m.st.Muted, "no bytes of its own")
			}
		case y < h:
			ln.Put(m.st.Text, m.pager.row(y))
		case y > h && y-h-1 < len(m.preview.Meta):
			ln.Put(m.st.Muted, m.preview.Meta[y-h-1])
		}
		rows[y] = ln.End()
	}
	return rows
}

// viewLastPane draws the rows about the last turn.
func (m *Model) viewLastPane(w int) []string {
	r, l := &m.report, m.report.Last
	lines := [lastRows][2]string{{"sent", "no numbers are known"}}
	if l.Turn > 0 {
		mark, _ := m.verdict(l)
		lines = [...][2]string{
			{"sent", formatNumber(l.Sent)},
			{"cached", formatNumber(l.Cached) + "  " +
				strings.TrimSpace("(predicted "+theme.Comma(l.Predicted)+") "+mark)},
			{"new", formatNumber(l.New)},
			{"reply", formatNumber(l.Completion) + "  " + r.cost()},
			{"warm", r.Warm},
			{"saved", r.Saved},
		}
		if l.silent() {
			lines[0][1] = l.estimated()
		}
	}
	rows := make([]string, len(lines))
	for i, line := range lines {
		ln := m.theme.Line(w)
		if line[1] != "" {
			ln.Column(m.st.Muted, line[0], 8, false)
			ln.Put(m.st.Text, line[1])
		}
		rows[i] = ln.End()
	}
	return rows
}

// viewFooter draws the n rows of the footer.
func (m *Model) viewFooter(n int) []string {
	g := &m.theme.Glyphs
	first, second := m.theme.Line(m.w), m.theme.Line(m.w)
	if m.question != "" {
		first.Put(m.st.Warn, " "+g.Alert+" ")
		first.Put(m.st.Strong, theme.Cut(m.question, max(first.Left-16, 0), first.Tail))
		first.Put(m.st.Accent, "   y yes   n no")
	} else {
		legend := g.Context.Cached + " cached  " + g.Context.New + " new  " + g.Context.Drifted + " changed  # hash"
		all := m.hints()
		fit := fitHints(all, m.w-2)
		first.Put(m.st.Muted, " "+strings.Join(fit, "   "))
		fit = fitHints(all[len(fit):], m.w-5-ansi.StringWidth(legend))
		second.Put(m.st.Muted, " "+strings.Join(fit, "   "))
		second.AtRight(m.st.Muted, legend)
	}
	return []string{first.End(), second.End()}[:n]
}

// fitHints returns as many of the first hints as fit in w columns.
func fitHints(hints []string, w int) []string {
	for i, s := range hints {
		if w -= ansi.StringWidth(s); w < 0 {
			return hints[:i]
		}
		w -= len("   ")
	}
	return hints
}

// hints returns the keys that work at the cursor, with their price.
func (m *Model) hints() []string {
	if m.full {
		return []string{"esc list", "j k scroll", "f b page", "g G ends", "y copy as JSON"}
	}
	hints := []string{"enter exact bytes", "esc back"}
	if it := m.item(); it != nil && m.report.Turn == 0 {
		hints = append(hints, itemHints(it)...)
	}
	if g := &m.theme.Glyphs; len(m.report.Past) > 0 {
		hints = append(hints, g.Back+" "+g.On+" turn")
	}
	return append(hints, "[ ] layer", "/ filter", "y copy as JSON")
}

func itemHints(it *Item) []string {
	cost := func(n int) string {
		if n <= 0 {
			return ""
		}
		return " (+" + theme.ShortCount(n) + " once)"
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

// Cursor returns the terminal's cursor while a filter is typed, nil otherwise.
func (m *Model) Cursor() *tea.Cursor {
	if !m.filtering || m.w < minWidth || m.h < minHeight {
		return nil
	}
	return tea.NewCursor(min(ansi.StringWidth(" Context / /"+m.filter), m.w-1), 0)
}
