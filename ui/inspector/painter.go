package inspector

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// Painter draws the small forms of a report in one theme.
type Painter struct {
	theme *theme.Theme
	st    *theme.Styles
}

// NewPainter returns a painter. The zero Theme stands for theme.New of no options.
func NewPainter(t theme.Theme) *Painter {
	t = t.OrDefault()
	return &Painter{theme: &t, st: &t.Styles}
}

// ribbonFrom is the width from which the ribbon shows its segments.
const ribbonFrom = 80

// Ribbon draws the request in one row of w columns: its parts in the order they are sent, as wide as
// their weight, full where the cache will hit, with the double bar where the cached bytes end. Under 80
// columns it is words.
func (p *Painter) Ribbon(r *Report, w int) string {
	ln := p.theme.Line(w)
	if w < ribbonFrom {
		ln.Put(p.windowInk(r), " "+p.fullWarning(r)+p.window(r, true))
		ln.Put(p.st.Context.Cached, "  "+p.theme.Glyphs.Context.Cached+" "+percent(r.Cached, r.Prompt)+" cached")
		return ln.End()
	}
	right := p.fullWarning(r) + p.window(r, false)
	p.segments(ln, r, w-ansi.StringWidth(right)-2)
	ln.AtRight(p.windowInk(r), right)
	return ln.End()
}

// FormatWindow formats the size of a window: 8k, 128k, 1M.
func FormatWindow(tokens int) string { return strings.Replace(theme.ShortCount(tokens), ".0", "", 1) }

// window describes how much of the window a request takes.
func (p *Painter) window(r *Report, tokens bool) string {
	switch {
	case r.Window == 0:
		return theme.ShortCount(r.Prompt) + " tokens"
	case tokens || r.Prompt > r.Window: // it takes more than all
		return theme.ShortCount(r.Prompt) + " of " + FormatWindow(r.Window)
	}
	return percent(r.Prompt, r.Window) + " of " + FormatWindow(r.Window)
}

func (p *Painter) windowInk(r *Report) theme.Ink {
	if r.NearlyFull() {
		return p.st.Warn
	}
	return p.st.Muted
}

// fullWarning returns the warning sign of a nearly full window, else "".
func (p *Painter) fullWarning(r *Report) string {
	if r.NearlyFull() {
		return p.theme.Glyphs.Alert + " "
	}
	return ""
}

// segments draws the parts in at most room columns. A part that is wider than its name has it.
func (p *Painter) segments(ln *theme.Line, r *Report, room int) {
	g := &p.theme.Glyphs.Bar
	parts, boundary := r.parts()
	bars := shareCells(parts, room-1-2*len(parts)) // the double bar, the ends
	if boundary < 0 {
		ln.Put(p.st.Strong, g.Boundary)
	}
	for i, l := range parts {
		ln.Put(p.st.Border, g.Left)
		if name := l.Name + " "; bars[i] > len(name) {
			ln.Put(p.st.Text, name)
			bars[i] -= len(name)
		}
		p.bar(ln, l, bars[i])
		ln.Put(p.st.Border, g.Right)
		if i == boundary {
			ln.Put(p.st.Strong, g.Boundary)
		}
	}
}

// bar draws a layer as n cells, the cached ones first.
func (p *Painter) bar(ln *theme.Line, l Layer, n int) {
	hit := 0
	if l.Tokens > 0 {
		hit = min(max(n*l.Cached/l.Tokens, min(l.Cached, 1)), n)
	}
	ln.Put(p.st.Context.Cached, strings.Repeat(p.theme.Glyphs.Bar.Hit, hit))
	ln.Put(p.st.Context.New, strings.Repeat(p.theme.Glyphs.Bar.Miss, n-hit))
}

// shareCells distributes at most room cells to the layers by their weights, at least one to a layer with any
// weight.
func shareCells(layers []Layer, room int) []int {
	cells := make([]int, len(layers))
	total, used := 0, 0
	for _, l := range layers {
		total += l.Tokens
	}
	if total == 0 || room <= 0 {
		return cells
	}
	heaviest := 0
	for i, l := range layers {
		if l.Tokens > 0 {
			cells[i] = max(room*l.Tokens/total, 1)
		}
		used += cells[i]
		if l.Tokens > layers[heaviest].Tokens {
			heaviest = i
		}
	}
	// the heaviest layer gets the difference of rounding
	cells[heaviest] = max(cells[heaviest]+room-used, 0)
	return cells
}

// glyph returns the sign and the ink of an item's state.
func (p *Painter) glyph(it *Item) (string, theme.Ink) {
	g := &p.theme.Glyphs
	switch it.State {
	case Fresh:
		return g.Context.Added, p.st.Context.New
	case Changed:
		return g.Context.Drifted, p.st.Context.Drifted
	case Muted, Left:
		return g.Dot, p.st.Muted
	case Deleted:
		return g.Cross, p.st.Bad
	case Stub:
		return g.Partial, p.st.Muted
	}
	return g.Context.Library, p.st.Context.Cached
}

// cacheSign returns the sign for bytes that the cache will hit, or will not.
func (p *Painter) cacheSign(cached bool) (string, theme.Ink) {
	if cached {
		return p.theme.Glyphs.Context.Cached, p.st.Context.Cached
	}
	return p.theme.Glyphs.Context.New, p.st.Context.New
}

// verdict returns the sign and the ink for the result of a prediction. The sign is "" if the provider
// reported nothing, or found more than was predicted.
func (p *Painter) verdict(l LastTurn) (string, theme.Ink) {
	switch {
	case l.Cached < 0:
		return "", p.st.Muted
	case l.asPredicted():
		return p.theme.Glyphs.Check, p.st.Good
	case l.better():
		return "", p.st.Text // the numbers show it
	}
	return p.theme.Glyphs.Alert, p.st.Warn
}
