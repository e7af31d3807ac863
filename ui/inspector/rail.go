package inspector

import (
	"strings"

	"ibid/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// Section is something the parent adds to the rail below the context.
type Section struct {
	Title string
	Lines []string
}

// Rail is the report beside the transcript: h rows of w columns, 33 as a rule, and by
// row the ID of the item there. The item at is marked. Items that do not fit are
// counted; sections that do not fit are cut.
func (p *Painter) Rail(r *Report, extra []Section, at string, w, h int) (rows, items []string) {
	if w <= 0 || h <= 0 {
		return nil, nil
	}
	put := func(id string, ln *theme.Line) {
		if len(rows) < h {
			rows, items = append(rows, ln.Done(theme.Ink{})), append(items, id)
		}
	}
	add := func(ln *theme.Line) { put("", ln) }
	window := ""
	if r.Prompt > 0 {
		window = p.full(r) + p.window(r, false)
	}
	p.railTitle(add, w, "CONTEXT", window)
	p.railTitle(add, w, "", r.Learned)
	// Parts, numbers and titles come first; the items get what is left.
	parts, _ := r.parts()
	p.railItems(put, r, at, w, max(h-len(parts)-10, 2))
	add(p.theme.Line(w))
	p.railParts(r, w, add)
	p.railCache(r, w, add)
	for _, s := range extra {
		add(p.theme.Line(w))
		p.railTitle(add, w, s.Title, "")
		for _, l := range s.Lines {
			ln := p.theme.Line(w)
			ln.Put(p.st.Text, l)
			add(ln)
		}
	}
	for len(rows) < h {
		add(p.theme.Line(w))
	}
	return rows, items
}

func (p *Painter) railTitle(add func(*theme.Line), w int, title, aside string) {
	ln := p.theme.Line(w)
	ln.Put(p.st.Title, title)
	if n := ln.Left - ansi.StringWidth(aside); aside != "" && n > 0 {
		ln.Skip(theme.Ink{}, n)
		ln.Put(p.st.Muted, aside)
	}
	add(ln)
}

// railItems are the active note and then the newest items, limit rows at most.
func (p *Painter) railItems(put func(string, *theme.Line), r *Report, at string, w, limit int) {
	order := make([]int, 0, limit+1)
	for i := range r.Library {
		if r.Library[i].Active {
			order = append(order, i)
		}
	}
	for i := len(r.Library) - 1; i >= 0 && len(order) <= limit; i-- {
		if !r.Library[i].Active {
			order = append(order, i)
		}
	}
	for n, i := range order {
		if n == limit-1 && len(r.Library) > limit {
			ln := p.theme.Line(w)
			ln.Put(p.st.Muted, "  "+theme.Comma(len(r.Library)-n)+" more")
			put("", ln)
			return
		}
		id := r.Library[i].ID
		put(id, p.railItem(r, i, id == at, w))
	}
	if len(order) == 0 {
		ln := p.theme.Line(w)
		ln.Put(p.st.Muted, "no notes attached yet")
		put("", ln)
	}
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
	if word != "" && ansi.StringWidth(theme.Safe(it.Title))+1+ansi.StringWidth(word) > room {
		word = "" // the sign says the same
	}
	if word != "" {
		room -= 1 + ansi.StringWidth(word)
	}
	ln.Column(text, it.Title, max(room, 4), false)
	ln.Skip(theme.Ink{}, 1)
	ln.Put(p.st.Muted, word)
	p.weight(ln, it.Tokens, r.hit(i))
	return ln
}

// weightWidth is the columns of a count of tokens.
const weightWidth = 6

// weight puts a count and the sign of the cache at the end of a row.
func (p *Painter) weight(ln *theme.Line, n int, cached bool) {
	ln.Skip(theme.Ink{}, ln.Left-weightWidth-2)
	ln.Column(p.st.Text, theme.Short(n), min(weightWidth, ln.Left-2), true)
	sign, k := p.hit(cached)
	ln.Skip(theme.Ink{}, 1)
	ln.Put(k, sign)
}

func (p *Painter) railParts(r *Report, w int, add func(*theme.Line)) {
	parts, boundary := r.parts()
	name := 3
	for _, l := range parts {
		name = max(name, len(l.Name)+1)
	}
	bars := share(parts, max(w-name-weightWidth-4, 0))
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

// boundary is the line where the cached bytes end.
func (p *Painter) boundary(add func(*theme.Line), w int, words string) {
	ln := p.theme.Line(w)
	rule := p.theme.Glyphs.Rule
	ln.Put(p.st.Strong, rule+rule+" "+words+" ")
	ln.Put(p.st.Strong, strings.Repeat(rule, ln.Left))
	add(ln)
}

// railCache says how the last prediction came out, and what is known of the cache.
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
	case l.asPredicted():
		row("last turn", theme.Short(l.Cached)+"  "+p.theme.Glyphs.Check+" as predicted", p.st.Good)
	case l.better():
		row("last turn", theme.Short(l.Cached)+"  "+p.theme.Glyphs.Check+" predicted "+theme.Short(l.Predicted), p.st.Good)
	default:
		row("last turn", theme.Short(l.Cached)+"  "+p.theme.Glyphs.Alert+" not "+theme.Short(l.Predicted), p.st.Warn)
	}
	row("warm", r.Warm, p.st.Text)
	row("saved", r.Saved, p.st.Text)
}
