package cells

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// Area is a selection of text on the screen, within the box in which the mouse button was pressed. Its
// rows are those of the frame at that moment; the selection ends when the text there changes.
type Area struct {
	rows       []string
	box        Rect
	clicks     int
	begin, end cell
	on         bool
}

// cell is a position on the screen.
type cell struct{ x, y int }

// Select begins a selection at a cell of the rows on the screen, within a part of the screen. Two
// clicks select a word, three a row.
func Select(rows []string, within Rect, x, y, clicks int) Area {
	a := Area{rows: rows, clicks: clicks, begin: cell{x, y}, end: cell{x, y}}
	if within.H = min(within.H, len(rows)-within.Y); !within.Has(x, y) {
		return Area{}
	}
	a.box = boxAround(rows, within, x, y)
	a.on = clicks > 1 && a.box.Has(x, y)
	return a
}

// Extend moves the end of the selection, within the box.
func (a *Area) Extend(x, y int) {
	if a.box.W <= 0 || a.box.H <= 0 {
		return
	}
	a.on = true
	a.end = cell{min(max(x, a.box.X), a.box.X+a.box.W-1), min(max(y, a.box.Y), a.box.Y+a.box.H-1)}
}

// each calls f for each row of the selection, with the range of its selected columns.
func (a *Area) each(f func(y, from, to int)) {
	if !a.on {
		return
	}
	first, last := a.begin, a.end
	if last.y < first.y || last.y == first.y && last.x < first.x {
		first, last = last, first
	}
	for y := first.y; y <= last.y; y++ {
		from, to := a.box.X, a.box.X+a.box.W
		if y == first.y && a.clicks < 3 {
			from = max(first.x, from)
		}
		if y == last.y && a.clicks < 3 {
			to = last.x + 1
		}
		if a.clicks == 2 {
			text := ansi.Strip(theme.StripMarks(a.rows[y]))
			if y == first.y {
				from, _ = theme.WordAt(text, from)
			}
			if y == last.y {
				_, to = theme.WordAt(text, to-1)
			}
		}
		f(y, from, to)
	}
}

// Text returns the selected text, without rows that consist of rule.
func (a *Area) Text(rule string) string {
	var pieces []string
	a.each(func(y, from, to int) {
		row := ansi.Cut(a.rows[y], a.box.X, a.box.X+a.box.W)
		if piece := theme.Piece(row, from-a.box.X, to-a.box.X); piece == "" || strings.Trim(piece, rule+" ") != "" {
			pieces = append(pieces, piece)
		}
	})
	return strings.Trim(theme.JoinPieces(pieces), "\n")
}

// Painted returns a frame with the selection shown in reverse, if the selected text is still there;
// else the frame itself.
func (a *Area) Painted(frame string) string {
	if !a.on {
		return frame
	}
	rows, same := strings.Split(frame, "\n"), true
	shown := slices.Clone(rows)
	a.each(func(y, from, to int) {
		if same = same && y < len(rows) && rows[y] == a.rows[y]; same {
			shown[y] = theme.Reverse(rows[y], from, to)
		}
	})
	if !same {
		return frame
	}
	return strings.Join(shown, "\n")
}

// boxAround returns the part of the screen around a cell that holds its text: between vertical borders,
// from the first column with text.
func boxAround(rows []string, within Rect, x, y int) Rect {
	plain := make([][]string, len(rows))
	for i, row := range rows {
		plain[i] = cellsOf(row)
	}
	isOf := func(x, y int, signs string) bool {
		return y >= 0 && y < len(plain) && x < len(plain[y]) && plain[y][x] != "" &&
			strings.Contains(signs, plain[y][x])
	}
	bar := func(x, y int) bool { return isOf(x, y, "│|┃║") }
	joins := func(x, y int) bool { return isOf(x, y, "│|┃║┬┴├┤┼╭╮╰╯┌┐└┘+") }
	border := func(x, y int) bool { return bar(x, y) && (joins(x, y-1) || joins(x, y+1)) }
	left, right := x, x
	first, end := within.X-1, within.X+within.W // columns beside it
	for left > first && !border(left, y) {
		left--
	}
	for right < end && !border(right, y) {
		right++
	}
	same := func(y int) bool { return (left == first || bar(left, y)) && (right == end || bar(right, y)) }
	top, bottom := y, y
	for top > within.Y && same(top-1) {
		top--
	}
	for bottom < within.Y+within.H-1 && same(bottom+1) {
		bottom++
	}
	begins := right // first column with text
	for _, row := range plain[top : bottom+1] {
		for i := left + 1; i < min(len(row), begins); i++ {
			if row[i] != " " {
				begins = i
			}
		}
	}
	return Rect{begins, top, right - begins, bottom - top + 1}
}

// cellsOf returns the cells of a row; those after a wide character are "".
func cellsOf(row string) []string {
	text := ansi.Strip(theme.StripMarks(row))
	var out []string
	for text != "" {
		g, w := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		text = text[len(g):]
		for n := range w {
			if n > 0 {
				g = ""
			}
			out = append(out, g)
		}
	}
	return out
}

// On reports whether text is selected.
func (a *Area) On() bool { return a.on }
