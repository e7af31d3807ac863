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

// wideRail is the width from which the rail spells names out.
const wideRail = 44

// Rail is the report beside the transcript: h rows of w columns, 32 or 52 as a
// rule. Items that do not fit are counted; sections that do not fit are cut.
func (p *Painter) Rail(r *Report, extra []Section, w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	rows := make([]string, 0, h)
	add := func(ln *theme.Line) {
		if len(rows) < h {
			rows = append(rows, ln.Done(theme.Ink{}))
		}
	}
	p.railTitle(add, w, "CONTEXT", "F2 inspect")
	add(p.theme.Line(w))
	// Layers, numbers and titles come first; the items get what is left.
	for _, ln := range p.railItems(r, w, max(h-len(r.Layers)-10, 2)) {
		add(ln)
	}
	add(p.theme.Line(w))
	p.railLayers(r, w, add)
	add(p.theme.Line(w))
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
	return strings.Join(rows, "\n")
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
func (p *Painter) railItems(r *Report, w, limit int) []*theme.Line {
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
	rows := make([]*theme.Line, 0, limit)
	for n, i := range order {
		if n == limit-1 && len(r.Library) > limit {
			ln := p.theme.Line(w)
			ln.Put(p.st.Muted, "  "+theme.Comma(len(r.Library)-n)+" more")
			rows = append(rows, ln)
			break
		}
		rows = append(rows, p.railItem(r, i, w))
	}
	if len(rows) == 0 {
		ln := p.theme.Line(w)
		ln.Put(p.st.Muted, "nothing attached yet")
		rows = append(rows, ln)
	}
	return rows
}

func (p *Painter) railItem(r *Report, i, w int) *theme.Line {
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
	ln.Put(k, sign+" ")
	number := 6
	if w >= wideRail {
		number = 8
	}
	room := ln.Left - number - 3
	if word != "" && ansi.StringWidth(theme.Safe(it.Title))+1+ansi.StringWidth(word) > room {
		word = "" // the sign says the same
	}
	if word != "" {
		room -= 1 + ansi.StringWidth(word)
	}
	ln.Column(p.st.Text, it.Title, max(room, 4), false)
	ln.Skip(theme.Ink{}, 1)
	ln.Put(p.st.Muted, word)
	p.weight(ln, it.Tokens, r.hit(i), w >= wideRail)
	return ln
}

// weight puts a count and the sign of the cache at the end of a row.
func (p *Painter) weight(ln *theme.Line, n int, cached, long bool) {
	s, width := theme.Short(n), 6
	if long {
		s, width = theme.Comma(n), 8
	}
	ln.Skip(theme.Ink{}, ln.Left-width-2)
	ln.Column(p.st.Text, s, min(width, ln.Left-2), true)
	sign, k := p.hit(cached)
	ln.Skip(theme.Ink{}, 1)
	ln.Put(k, sign)
}

func (p *Painter) railLayers(r *Report, w int, add func(*theme.Line)) {
	labels, name := make([]string, len(r.Layers)), 3
	for i, l := range r.Layers {
		if labels[i] = l.ID; w >= wideRail {
			labels[i] = l.name()
		}
		name = max(name, len(labels[i])+1)
	}
	bars := share(r.Layers, max(w-name-12, 0))
	if r.Boundary == "" && len(r.Layers) > 0 {
		p.boundary(add, w, "nothing cached")
	}
	for i, l := range r.Layers {
		ln := p.theme.Line(w)
		ln.Column(p.st.Text, labels[i], name, false)
		p.bar(ln, l, bars[i])
		p.weight(ln, l.Tokens, l.Tokens > 0 && l.Cached >= l.Tokens, w >= wideRail)
		add(ln)
		if l.ID == r.Boundary {
			p.boundary(add, w, "boundary")
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

func (p *Painter) railCache(r *Report, w int, add func(*theme.Line)) {
	p.railTitle(add, w, "CACHE", "")
	row := func(name, value string, k theme.Ink) {
		ln := p.theme.Line(w)
		ln.Column(p.st.Muted, name, min(10, w), false)
		ln.Put(k, value)
		add(ln)
	}
	row("predicted", theme.Short(r.Cached)+"  "+percent(r.Cached, r.Prompt), p.st.Text)
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
	if r.Warm != "" {
		row("warm", r.Warm, p.st.Text)
	}
	if r.Saved != "" {
		row("saved", r.Saved, p.st.Text)
	}
	if r.Spent != "" {
		row("this chat", r.Spent, p.st.Text)
	}
}
