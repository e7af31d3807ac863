package inspector

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Section is something the parent adds to the rail below the context.
type Section struct {
	Title string
	Aside string
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
	add := func(ln *line) {
		if len(rows) < h {
			rows = append(rows, ln.done(ink{}))
		}
	}
	p.railTitle(add, w, "CONTEXT", "F2 inspect")
	add(p.line(w))
	// Layers, numbers and titles come first; the items get what is left.
	for _, ln := range p.railItems(r, w, max(h-len(r.Layers)-10, 2)) {
		add(ln)
	}
	add(p.line(w))
	p.railLayers(r, w, add)
	add(p.line(w))
	p.railCache(r, w, add)
	for _, s := range extra {
		add(p.line(w))
		p.railTitle(add, w, s.Title, s.Aside)
		for _, l := range s.Lines {
			ln := p.line(w)
			ln.put(p.inks.text, l)
			add(ln)
		}
	}
	for len(rows) < h {
		add(p.line(w))
	}
	return strings.Join(rows, "\n")
}

func (p *Painter) railTitle(add func(*line), w int, title, aside string) {
	ln := p.line(w)
	ln.put(p.inks.title, title)
	if n := ln.left - ansi.StringWidth(aside); aside != "" && n > 0 {
		ln.skip(ink{}, n)
		ln.put(p.inks.muted, aside)
	}
	add(ln)
}

// railItems are the active note and then the newest items, limit rows at most.
func (p *Painter) railItems(r *Report, w, limit int) []*line {
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
	rows := make([]*line, 0, limit)
	for n, i := range order {
		if n == limit-1 && len(r.Library) > limit {
			ln := p.line(w)
			ln.put(p.inks.muted, "  "+comma(len(r.Library)-n)+" more")
			rows = append(rows, ln)
			break
		}
		rows = append(rows, p.railItem(r, i, w))
	}
	if len(rows) == 0 {
		ln := p.line(w)
		ln.put(p.inks.muted, "nothing attached yet")
		rows = append(rows, ln)
	}
	return rows
}

func (p *Painter) railItem(r *Report, i, w int) *line {
	it := &r.Library[i]
	ln := p.line(w)
	sign, k := p.glyph(it)
	word := ""
	if it.State != Cached {
		word = string(it.State)
	}
	if it.Active {
		sign, k = p.theme.Glyphs.Context.Active, p.inks.active
		word = strings.TrimSpace("active " + word)
	}
	ln.put(k, sign+" ")
	number := 6
	if w >= wideRail {
		number = 8
	}
	room := ln.left - number - 3
	if word != "" && ansi.StringWidth(safe(it.Title))+1+ansi.StringWidth(word) > room {
		word = "" // the sign says the same
	}
	if word != "" {
		room -= 1 + ansi.StringWidth(word)
	}
	ln.column(p.inks.text, it.Title, max(room, 4), false)
	ln.skip(ink{}, 1)
	ln.put(p.inks.muted, word)
	p.weight(ln, it.Tokens, r.hit(i), w >= wideRail)
	return ln
}

// weight puts a count and the sign of the cache at the end of a row.
func (p *Painter) weight(ln *line, n int, cached, long bool) {
	s, width := tokens(n), 6
	if long {
		s, width = comma(n), 8
	}
	ln.skip(ink{}, ln.left-width-2)
	ln.column(p.inks.text, s, min(width, ln.left-2), true)
	sign, k := p.hit(cached)
	ln.skip(ink{}, 1)
	ln.put(k, sign)
}

func (p *Painter) railLayers(r *Report, w int, add func(*line)) {
	name := 3
	if w >= wideRail {
		name = 13
	}
	bars := share(r.Layers, max(w-name-12, 0))
	if r.Boundary == "" && len(r.Layers) > 0 {
		p.boundary(add, w, "nothing cached")
	}
	for i, l := range r.Layers {
		ln := p.line(w)
		label := l.ID
		if w >= wideRail {
			label += " " + layerName(l.ID)
		}
		ln.column(p.inks.text, label, name, false)
		p.bar(ln, l, bars[i])
		p.weight(ln, l.Tokens, l.Tokens > 0 && l.Cached >= l.Tokens, w >= wideRail)
		add(ln)
		if l.ID == r.Boundary {
			p.boundary(add, w, "boundary")
		}
	}
}

// boundary is the line where the cached bytes end.
func (p *Painter) boundary(add func(*line), w int, words string) {
	ln := p.line(w)
	rule := p.theme.Glyphs.Rule
	ln.put(p.inks.strong, rule+rule+" "+words+" ")
	ln.put(p.inks.strong, strings.Repeat(rule, ln.left))
	add(ln)
}

func (p *Painter) railCache(r *Report, w int, add func(*line)) {
	p.railTitle(add, w, "CACHE", "")
	row := func(name, value string, k ink) {
		ln := p.line(w)
		ln.column(p.inks.muted, name, min(10, w), false)
		ln.put(k, value)
		add(ln)
	}
	row("predicted", tokens(r.Cached)+"  "+percent(r.Cached, r.Prompt), p.inks.text)
	switch l := r.Last; {
	case l.Turn == 0:
	case l.silent():
		row("last turn", "nothing reported", p.inks.muted)
	case l.Cached < 0:
		row("last turn", "cached: not reported", p.inks.muted)
	case l.asPredicted():
		row("last turn", tokens(l.Cached)+"  "+p.theme.Glyphs.Check+" as predicted", p.inks.good)
	case l.better():
		row("last turn", tokens(l.Cached)+"  "+p.theme.Glyphs.Check+" predicted "+tokens(l.Predicted), p.inks.good)
	default:
		row("last turn", tokens(l.Cached)+"  "+p.theme.Glyphs.Alert+" not "+tokens(l.Predicted), p.inks.warn)
	}
	if r.Warm != "" {
		row("warm", r.Warm, p.inks.text)
	}
	if r.Saved != "" {
		row("saved", r.Saved, p.inks.text)
	}
}
