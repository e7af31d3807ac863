package transcript

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// Selection is text of a transcript that is marked with the mouse. Its ends are places in the text, not
// rows of the screen: it stays valid while the view scrolls and a reply grows. A change of the width or
// of the look ends it.
type Selection struct {
	t          *Transcript
	look       int // look of the transcript at the beginning
	clicks     int // unit of growth: 1 clusters, 2 words, 3 blocks
	begin, end place
	on         bool // something is selected
}

// place is a column of a line of an item. Lines are counted from the beginning of their part: the
// reasoning above a reply may grow meanwhile.
type place struct {
	it         *item
	part, line int // line -1 of the first part is the gap above the item
	col        int
}

// NewSelection returns an empty selection.
func NewSelection(t *Transcript) *Selection { return &Selection{t: t} }

// Begin starts at column x of row y of the view: two clicks select the word there, three the block;
// after one click nothing is selected before Extend.
func (s *Selection) Begin(x, y, clicks int) {
	p, ok := s.place(x, y)
	*s = Selection{t: s.t, look: s.t.look, clicks: clicks, begin: p, end: p, on: ok && clicks > 1}
}

// Extend moves the end of the selection to column x of row y of the view; rows beyond the view count as
// its first and last.
func (s *Selection) Extend(x, y int) {
	if p, ok := s.place(x, min(max(y, 0), s.t.height-1)); ok && s.isValid() {
		s.end, s.on = p, true
	}
}

// Clear removes the selection.
func (s *Selection) Clear() { *s = Selection{t: s.t} }

// On reports whether something is selected.
func (s *Selection) On() bool { return s.on && s.isValid() }

// Text returns the selected text as shown, without bars and borders. Wrapped lines are joined.
func (s *Selection) Text() string {
	if !s.On() {
		return ""
	}
	var pieces []string
	from, to := s.ends()
	for i := from.it.index; i <= to.it.index; i++ {
		it := s.t.items[i]
		n := s.t.itemHeight(i) - s.t.gapOf(i)
		for line := -s.t.gapOf(i); line < n; line++ {
			a, b, ok := columns(it, line, from, to)
			if !ok {
				continue
			}
			if mdview.IsFrame(it.line(line)) {
				continue
			}
			bars, table := mdview.TextFrom(it.line(line))
			piece := theme.Piece(it.line(line), max(a, bars), b)
			if table {
				piece = markdownRow(piece)
			}
			pieces = append(pieces, piece)
		}
	}
	return strings.Trim(theme.JoinPieces(pieces), "\n")
}

// Paint shows the selection in rows, which View drew.
func (s *Selection) Paint(rows []string) {
	if !s.On() {
		return
	}
	from, to := s.ends()
	for y, l := range s.t.shown() {
		if a, b, ok := columns(l.it, l.line, from, to); ok && y < len(rows) {
			text := l.it.line(l.line)
			a, b = l.it.onScreen(text, a, codeWidth(s.t)), l.it.onScreen(text, b, codeWidth(s.t))
			rows[y] = theme.Reverse(rows[y], margin+a, margin+min(b, s.t.width))
		}
	}
}

// isValid reports whether the ends are still part of the transcript.
func (s *Selection) isValid() bool {
	known := func(p place) bool {
		return p.it != nil && p.it.index < len(s.t.items) && s.t.items[p.it.index] == p.it
	}
	return s.look == s.t.look && known(s.begin) && known(s.end)
}

// place returns the place at column x of row y of the view, or the end of the last line if that is
// above. It reports false if there are no messages.
func (s *Selection) place(x, y int) (place, bool) {
	if l, ok := lineAt(s.t, y); ok {
		return l.it.place(l.line, l.it.column(l.it.line(l.line), max(x-margin, 0), codeWidth(s.t))), true
	}
	if len(s.t.items) == 0 {
		return place{}, false
	}
	last := s.t.items[len(s.t.items)-1]
	line := s.t.itemHeight(last.index) - s.t.gapOf(last.index) - 1
	return last.place(line, ansi.StringWidth(last.line(line))), true
}

// ends returns the first and the last place of the selection, extended to whole clusters, words or
// blocks.
func (s *Selection) ends() (from, to place) {
	from, to = s.expand(s.begin)
	a, b := s.expand(s.end)
	if a.before(from) {
		from = a
	}
	if to.before(b) {
		to = b
	}
	return from, to
}

// expand returns the bounds of the cluster, the word or the block at a place.
func (s *Selection) expand(p place) (from, to place) {
	s.t.layOut(p.it)
	from, to = p, p
	switch at := p.inItem(); s.clicks {
	case 3:
		a, b := p.it.block(at)
		from, to = p.it.place(a, 0), p.it.place(b, ansi.StringWidth(p.it.line(b)))
	case 2:
		from.col, to.col = theme.WordAt(ansi.Strip(theme.StripMarks(p.it.line(at))), p.col)
	default:
		from.col, to.col = theme.ClusterAt(ansi.Strip(theme.StripMarks(p.it.line(at))), p.col)
	}
	return from, to
}

// columns returns the columns of a line of an item between two places, and whether there are any.
func columns(it *item, line int, from, to place) (a, b int, ok bool) {
	first, last := place{it: it}, place{it: it}
	first.part, first.line = it.partOf(line)
	last.part, last.line = first.part, first.line
	if a, b = 0, 1<<20; first.sameLine(from) {
		a = from.col
	} else if first.before(from) {
		return 0, 0, false
	}
	if last.sameLine(to) {
		b = to.col
	} else if to.before(last) {
		return 0, 0, false
	}
	return a, min(b, max(ansi.StringWidth(it.line(line)), a)), true
}

func (p place) sameLine(q place) bool { return p.it == q.it && p.part == q.part && p.line == q.line }

func (p place) before(q place) bool {
	switch {
	case p.it != q.it:
		return p.it.index < q.it.index
	case p.part != q.part:
		return p.part < q.part
	case p.line != q.line:
		return p.line < q.line
	}
	return p.col < q.col
}

// inItem returns the line of a place in its item, not counting the gap.
func (p place) inItem() int {
	line := p.line
	for _, part := range [][]string{p.it.head, p.it.body, p.it.foot}[:p.part] {
		line += len(part)
	}
	return line
}

// place returns the place of a column of a line, not counting the gap.
func (it *item) place(line, col int) place {
	part, at := it.partOf(line)
	return place{it, part, at, col}
}

// partOf returns the part of a line, and its index there.
func (it *item) partOf(line int) (part, at int) {
	parts := [][]string{it.head, it.body}
	for part < len(parts) && line >= len(parts[part]) {
		line -= len(parts[part])
		part++
	}
	return part, line
}

// block returns the lines of the paragraph, the list or the like around a line: up to blank lines, and
// to the ends of the part.
func (it *item) block(line int) (from, to int) {
	part, _ := it.partOf(line)
	within := func(at int) bool {
		p, _ := it.partOf(at)
		return p == part && strings.TrimSpace(ansi.Strip(theme.StripMarks(it.line(at)))) != ""
	}
	from, to = line, line
	for from > 0 && within(from-1) {
		from--
	}
	for within(to + 1) {
		to++
	}
	return from, to
}

// markdownRow converts a piece of a drawn table line to markdown.
func markdownRow(piece string) string {
	if strings.Trim(piece, "├┼┤─+-") != "" {
		return strings.ReplaceAll(piece, "│", "|")
	}
	cells := strings.FieldsFunc(piece, func(r rune) bool { return r != '─' && r != '-' })
	return "|" + strings.Repeat(" --- |", len(cells))
}
