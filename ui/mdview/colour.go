package mdview

import (
	"slices"
	"sort"
	"time"
)

// colourPause is the time that a block of code must have been complete before Colour colours it in an open
// document: what a fast stream moves out of sight within that time is never highlighted.
const colourPause = 100 * time.Millisecond

// source is the code of a codeBox whose lines are still plain.
type source struct{ code, lang string }

// plain reports whether code in b has no colours yet.
func (b *box) plain() bool {
	return b.source != nil || slices.ContainsFunc(b.kids, func(kid box) bool { return kid.plain() })
}

// colour highlights the code in b that is still plain.
func (r *Renderer) colour(b *box) {
	if s := b.source; s != nil {
		b.source = nil
		if lines := r.highlight(s.code, s.lang); len(lines) == len(b.lines) { // else a lexer lost a line
			b.lines = lines
		}
	}
	for i := range b.kids {
		r.colour(&b.kids[i])
	}
}

// build fills in the boxes of u. In a lazy View, code stays plain until Colour.
func (v *View) build(u *unit) {
	v.layout.build(u)
	if v.layout.lazy {
		u.uncoloured, u.colourDue = u.box.plain(), v.now().Add(colourPause)
	} else {
		v.layout.colour(&u.box)
	}
}

// Colour highlights the block of code at the index line of Lines, in the slice that Lines returned. It
// is for a View with Options.Lazy. A block that is still being written stays plain, and so does one
// that has been complete for less than colourPause, unless now is true.
func (v *View) Colour(line int, now bool) {
	i := sort.Search(len(v.closed), func(i int) bool { return v.closed[i].to > line })
	if i == len(v.closed) || !v.closed[i].uncoloured || line < v.closed[i].from {
		return
	}
	u := &v.closed[i]
	if !now && !v.finished && v.now().Before(u.colourDue) {
		return
	}
	u.uncoloured = false
	v.layout.colour(&u.box)
	if lines := v.layout.linesOf(u.box, v.width); len(lines) == u.to-u.from {
		copy(v.lines[u.from:], lines)
	}
}
