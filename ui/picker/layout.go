package picker

import (
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

const (
	// PreviewFrom is the width from which there is room for a second pane.
	PreviewFrom = 120
	// previewRows are the rows that a popup with a preview has at least.
	previewRows   = 10
	minWidth      = 12
	minHeight     = 3
	sampleRows    = 64 // rows that decide how wide the columns are
	noteFrom      = 6  // rows from which one is for the note
	maxLabelWidth = 48 // columns that labels take on a wide screen, unless they need more
)

// layout says which row of the rectangle holds what.
type layout struct {
	list    int  // columns of the list, its borders included
	inner   int  // columns of a row of it
	preview int  // columns of the preview, 0 if there is none
	rows    int  // rows of the list
	note    bool // there is room for the note below them
	footer  int  // footer rows of a page
}

func (m *Model) layout() layout {
	l := layout{list: m.w}
	if m.w < minWidth || m.h < minHeight {
		return l
	}
	if m.w >= PreviewFrom && len(m.preview.Lines) > 0 {
		l.list = m.w * 3 / 5
		l.preview = m.w - l.list - 1
	}
	l.inner, l.rows = l.list-4, m.h-2
	if !m.opt.Popup {
		l.inner = l.list
		if m.h >= 16 {
			l.footer = 2
		} else if m.h >= 6 {
			l.footer = 1
		}
		if l.footer > 0 {
			l.rows -= l.footer + 1 // and a rule
		}
	}
	if l.note = m.opt.Note != "" && l.rows >= noteFrom; l.note {
		l.rows--
	}
	l.rows = max(l.rows, 0)
	return l
}

// Wanted is the height at which all rows of a popup of w columns show, and something of
// a preview, limit at most. It looks at no more rows than fit in limit.
func (m *Model) Wanted(w, limit int) int {
	const chrome = 2
	n := 0
	if len(m.shown.Items) == 0 {
		n++
	}
	for i := 0; i < len(m.shown.Items) && chrome+n < limit; i++ {
		n += m.height(i)
	}
	if m.opt.Note != "" && n >= noteFrom-1 {
		n++
	}
	if w >= PreviewFrom && len(m.preview.Lines) > 0 {
		n = max(n, previewRows)
	}
	return min(chrome+n, limit)
}

// columns are the natural widths of the columns behind the label.
type columns struct{ label, detail, state, meta, why int }

// measure looks at the first rows and at a few spread over the rest, so that
// the columns stand still while a list is scrolled, however long it is.
func measure(items []Item) columns {
	var c columns
	see := func(it *Item) {
		c.label = max(c.label, width(it.Label))
		c.detail = max(c.detail, width(it.Detail))
		if it.Glyph != "" || it.State != "" {
			c.state = max(c.state, 2+width(it.State))
		}
		c.meta = max(c.meta, width(it.Meta))
		c.why = max(c.why, width(it.Why))
	}
	for i := range min(len(items), sampleRows) {
		see(&items[i])
	}
	for i, step := sampleRows, max(len(items)/sampleRows, 1); i < len(items); i += step {
		see(&items[i])
	}
	return c
}

// width is the columns of foreign text as it is drawn.
func width(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return ansi.StringWidth(theme.SafeLine(s))
		}
	}
	return len(s)
}

// fit shares w columns out. A label keeps at least a third if it needs that; what
// does not fit beside it is dropped, the least needed column first. On a wide
// screen the label takes no more than it needs, so that the eye finds the way to
// the next column.
func (c columns) fit(w int) (label int, out columns) {
	out = columns{
		state: min(c.state, 16),
		meta:  min(c.meta, 14),
		why:   min(c.why, w/4),
	}
	// Short labels leave more to the words behind them.
	least := min(w, 14)
	out.detail = min(c.detail, max(w*2/5, out.rest(w)-max(c.label+gap, least)-gap))
	need := max(min(w/3, c.label+gap), least)
	for _, less := range []func(){
		func() { out.why = 0 },
		func() { out.detail = min(out.detail, w/5) },
		func() { out.state = min(out.state, 1) },
		func() { out.detail = 0 },
		func() { out.meta = 0 },
		func() { out.state = 0 },
	} {
		if out.rest(w) < need {
			less()
		}
	}
	return min(out.rest(w), max(c.label+gap, maxLabelWidth)), out
}

// rest is what the columns, with two blanks before each, leave of w.
func (c columns) rest(w int) int {
	for _, n := range []int{c.detail, c.state, c.meta, c.why} {
		if n > 0 {
			w -= n + gap
		}
	}
	return w
}

const gap = 2
