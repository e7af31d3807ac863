package inspector

import (
	"slices"
	"strings"

	"ibid/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// Section is a section that the parent adds to the rail below the context.
type Section struct {
	Title string
	Lines []string
	IDs   []string // of lines that can be chosen; nil for lines of text only
}

// RailView is the visible part of a rail: H rows of W columns, usually 32.
type RailView struct {
	Extra []Section
	At    string // ID of the marked item, "" for none
	From  int    // index of the first item, in the order of RailIDs
	Free  bool   // the marked item need not be visible
	W, H  int
}

// Rail is a drawn list beside the transcript.
type Rail struct {
	Rows  []RailRow
	From  int // first visible entry
	Shown int // number of visible entries
}

// RailRow is a row of a rail.
type RailRow struct {
	Text string
	ID   string // of the entry, "" for none
	More int    // the row counts further entries: above if negative, below if positive
}

// RailIDs returns the IDs of the items in the order of the rail: the active note, then the newest ones
// first.
func (r *Report) RailIDs() []string {
	order := r.railOrder()
	ids := make([]string, len(order))
	for n, i := range order {
		ids[n] = r.Library[i].ID
	}
	return ids
}

func (r *Report) railOrder() []int {
	order := make([]int, 0, len(r.Library))
	for i := range r.Library {
		if r.Library[i].Active {
			order = append(order, i)
		}
	}
	for i := len(r.Library) - 1; i >= 0; i-- {
		if !r.Library[i].Active {
			order = append(order, i)
		}
	}
	return order
}

// Rail draws the report beside the transcript. Items that do not fit are counted; sections that do not
// fit are left out, and the last one may be cut.
func (p *Painter) Rail(r *Report, v RailView) (out Rail) {
	w, h := v.W, v.H
	if w <= 0 || h <= 0 {
		return out
	}
	put := func(row RailRow, ln *theme.Line) {
		if row.Text = ln.End(); len(out.Rows) < h {
			out.Rows = append(out.Rows, row)
		}
	}
	add := func(ln *theme.Line) { put(RailRow{}, ln) }
	window := ""
	if r.Prompt > 0 {
		window = p.fullWarning(r) + p.window(r, false)
	}
	// parts, numbers and titles come first; the items get the rest
	parts, _ := r.parts()
	order, limit := r.railOrder(), max(h-len(parts)-11, 2)
	out.From, out.Shown = v.visible(r, order, limit)
	p.railTitle(add, w, "CONTEXT", window)
	above := p.theme.Line(w)
	if out.From > 0 {
		above.Put(p.st.Muted, p.theme.Glyphs.Up+" "+theme.Comma(out.From)+" more")
	}
	put(RailRow{More: -min(out.From, 1)}, above)
	for _, i := range order[out.From : out.From+out.Shown] {
		id := r.Library[i].ID
		put(RailRow{ID: id}, p.railItem(r, i, id == v.At, w))
	}
	p.railRest(put, len(order)-out.From-out.Shown, len(order), w)
	add(p.theme.Line(w))
	p.railParts(r, w, add)
	p.railCache(r, w, add)
	for _, s := range v.Extra {
		if len(out.Rows)+3 > h { // a title alone is of no use
			break
		}
		add(p.theme.Line(w))
		p.railTitle(add, w, s.Title, "")
		for i, l := range s.Lines {
			ln, row, ink := p.theme.Line(w), RailRow{}, p.st.Text
			if i < len(s.IDs) {
				row.ID = s.IDs[i]
			}
			if row.ID != "" && row.ID == v.At {
				ink = p.st.Selected
			}
			ln.Put(ink, l)
			put(row, ln)
		}
	}
	for len(out.Rows) < h {
		add(p.theme.Line(w))
	}
	return out
}

// visible returns the range of items that fit in rows, from the scroll position on, moved so that the
// marked item is visible. One row is for the count of the items below.
func (v *RailView) visible(r *Report, order []int, rows int) (from, n int) {
	total := len(order)
	from = min(max(v.From, 0), max(total-rows, 0))
	if at := slices.IndexFunc(order, func(i int) bool { return r.Library[i].ID == v.At }); at >= 0 && !v.Free {
		if from = min(from, at); at < total-1 {
			from = max(from, at-rows+2)
		} else {
			from = max(from, at-rows+1)
		}
	}
	if n = total - from; n > rows {
		n = rows - 1
	}
	return from, n
}

// railRest draws the number of items below, or that there are none at all.
func (p *Painter) railRest(put func(RailRow, *theme.Line), below, total, w int) {
	ln := p.theme.Line(w)
	switch {
	case below > 0:
		ln.Put(p.st.Muted, p.theme.Glyphs.Down+" "+theme.Comma(below)+" more")
	case total > 0:
		return
	default:
		ln.Put(p.st.Muted, "no notes attached yet")
	}
	put(RailRow{More: min(below, 1)}, ln)
}

// railTitle draws a title, with a text at the right end of its row.
func (p *Painter) railTitle(add func(*theme.Line), w int, title, aside string) {
	ln := p.theme.Line(w)
	ln.Put(p.st.Title, title)
	if n := ln.Left - ansi.StringWidth(aside); aside != "" && n > 0 {
		ln.Skip(theme.Ink{}, n)
		ln.Put(p.st.Muted, aside)
	}
	add(ln)
}

func (p *Painter) railItem(r *Report, i int, chosen bool, w int) *theme.Line {
	it := &r.Library[i]
	ln := p.theme.Line(w)
	sign, k := p.glyph(it)
	word := ""
	if it.State != Cached {
		word = string(it.State)
	}
	if it.Active {
		sign, k = p.theme.Glyphs.Context.Active, p.st.Context.Active
		word = strings.TrimSpace("active " + word)
	}
	text := p.st.Text
	if chosen {
		sign, k, text = p.theme.Glyphs.Cursor, p.st.Selected, p.st.Selected
	}
	ln.Put(k, sign+" ")
	room := ln.Left - weightWidth - 3
	if word != "" && ansi.StringWidth(theme.SafeLine(it.Title))+1+ansi.StringWidth(word) > room {
		word = "" // the sign has the same meaning
	}
	if word != "" {
		room -= 1 + ansi.StringWidth(word)
	}
	ln.Column(text, it.Title, max(room, 4), false)
	ln.Skip(theme.Ink{}, 1)
	ln.Put(p.st.Muted, word)
	p.weight(ln, it.Tokens, r.isCached(i))
	return ln
}

// weightWidth is the width of a count of tokens in columns.
const weightWidth = 6

// weight draws a count and the sign of the cache at the end of a row.
func (p *Painter) weight(ln *theme.Line, n int, cached bool) {
	ln.Skip(theme.Ink{}, ln.Left-weightWidth-2)
	ln.Column(p.st.Text, theme.ShortCount(n), min(weightWidth, ln.Left-2), true)
	sign, k := p.cacheSign(cached)
	ln.Skip(theme.Ink{}, 1)
	ln.Put(k, sign)
}

func (p *Painter) railParts(r *Report, w int, add func(*theme.Line)) {
	parts, boundary := r.parts()
	name := 3
	for _, l := range parts {
		name = max(name, len(l.Name)+1)
	}
	bars := shareCells(parts, max(w-name-weightWidth-4, 0))
	if boundary < 0 && len(parts) > 0 {
		p.boundary(add, w, "nothing cached")
	}
	for i, l := range parts {
		ln := p.theme.Line(w)
		ln.Column(p.st.Text, l.Name, name, false)
		p.bar(ln, l, bars[i])
		p.weight(ln, l.Tokens, l.Cached >= l.Tokens)
		add(ln)
		if i == boundary {
			p.boundary(add, w, "cached up to here")
		}
	}
}

// boundary draws the line where the cached bytes end.
func (p *Painter) boundary(add func(*theme.Line), w int, words string) {
	ln := p.theme.Line(w)
	rule := p.theme.Glyphs.Rule
	ln.Put(p.st.Strong, rule+rule+" "+words+" ")
	ln.Put(p.st.Strong, strings.Repeat(rule, ln.Left))
	add(ln)
}

// railCache draws the result of the last prediction, and the state of the cache.
func (p *Painter) railCache(r *Report, w int, add func(*theme.Line)) {
	began := false
	row := func(name, value string, k theme.Ink) {
		if value == "" {
			return
		}
		if !began {
			began = true
			add(p.theme.Line(w))
			p.railTitle(add, w, "CACHE", "")
		}
		ln := p.theme.Line(w)
		ln.Column(p.st.Muted, name, min(10, w), false)
		ln.Put(k, value)
		add(ln)
	}
	switch l := r.Last; {
	case l.Turn == 0:
	case l.silent():
		row("last turn", l.estimated(), p.st.Muted)
	case l.Cached < 0:
		row("last turn", "cached: not reported", p.st.Muted)
	default:
		row("last turn", theme.ShortCount(l.Cached)+" cached", p.st.Text)
		mark, k := p.verdict(l)
		row("predicted", strings.TrimSpace(theme.ShortCount(l.Predicted)+" "+mark), k)
	}
	row("warm", r.Warm, p.st.Text)
	row("saved", r.Saved, p.st.Text)
}
