package picker

import (
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

const (
	// PreviewFrom is the smallest width with a preview beside the list.
	PreviewFrom = 120
	// previewRows is the smallest number of rows of a popup with a preview.
	previewRows = 10
	minWidth    = 12
	minHeight   = 3
	// sampleRows is the number of rows at the start, and of rows spread over the rest, that decide the
	// widths of the columns.
	sampleRows    = 64
	noteFrom      = 6  // smallest number of rows with a note below them
	maxLabelWidth = 48 // largest width of labels on a wide screen, unless they need more
)

// layout divides the rectangle of the picker into its parts.
type layout struct {
	list    int  // columns of the list, with its borders
	inner   int  // columns of a row of the list
	preview int  // columns of the preview, 0 for none
	rows    int  // rows of the list
	note    bool // the note is drawn below the rows
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
			l.rows -= l.footer + 1 // the last one is the rule
		}
	}
	if l.note = m.opt.Note != "" && l.rows >= noteFrom; l.note {
		l.rows--
	}
	l.rows = max(l.rows, 0)
	return l
}

// Wanted returns the height of a popup of w columns that shows all rows and, if there is one, some of
// the preview. It is at most limit. Wanted reads no more rows than fit in limit.
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

// columns are the natural widths of the columns: the label and those to the right of it.
type columns struct{ label, detail, state, meta, why int }

// measure measures the first rows and some spread over the rest. It does not depend on the scroll
// position, so the columns do not move while a list is scrolled, and its cost does not grow with the
// list.
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

// width returns the columns that foreign text takes when it is drawn.
func width(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return ansi.StringWidth(theme.SafeLine(s))
		}
	}
	return len(s)
}

// fit divides w columns. It gives the label at least a third if the label needs that, and shortens or
// drops the columns that do not fit beside it, the least important first. On a wide screen the label
// takes no more than it needs, so that the eye finds the next column.
func (c columns) fit(w int) (label int, out columns) {
	out = columns{
		state: min(c.state, 16),
		meta:  min(c.meta, 14),
		why:   min(c.why, w/4),
	}
	// Short labels leave more columns for the details.
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

// rest returns how many of w columns remain beside these columns and the two spaces before each.
func (c columns) rest(w int) int {
	for _, n := range []int{c.detail, c.state, c.meta, c.why} {
		if n > 0 {
			w -= n + gap
		}
	}
	return w
}

const gap = 2
