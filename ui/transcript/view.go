package transcript

import (
	"iter"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// maxLaid limits the items with lines: beyond it the lines of items far from the screen are dropped. It
// bounds the memory after scrolling through a long chat.
const maxLaid = 400

// View returns the visible lines, joined by newlines: as many as the height, none wider than the width.
// It returns the same string until something has changed.
func (t *Transcript) View() string {
	if !t.dirty {
		return t.frame
	}
	if t.width == 0 {
		return ""
	}
	t.refresh()
	t.settle()
	lines := make([]string, 0, t.height)
	var current itemLine
	if len(t.find.hits) > 0 {
		h := t.find.hits[t.find.at]
		if h.it.index >= t.pos.item && h.it.index <= t.pos.item+t.height {
			current = itemLine{h.it, h.line(t)}
		}
	}
	for _, l := range t.shown() {
		lines = append(lines, t.visible(l, l == current))
	}
	for len(lines) < t.height {
		lines = append(lines, "")
	}
	if n := t.NewLines(); n > 0 {
		t.drawPill(lines, n)
	}
	t.dropFarLines()
	t.frame = strings.Join(lines, "\n")
	t.dirty = slices.ContainsFunc(t.live, func(it *item) bool { return it.view != nil && it.view.Lags() })
	return t.frame
}

// itemLine is a line of an item; the gap above the item is -1.
type itemLine struct {
	it   *item
	line int
}

// shown yields the lines of items in the rows of the view.
func (t *Transcript) shown() iter.Seq2[int, itemLine] {
	return func(yield func(int, itemLine) bool) {
		y := 0
		for p := t.pos; p.item < len(t.items); p = (position{p.item + 1, 0}) {
			for n := t.itemHeight(p.item); p.line < n; p.line++ {
				if y == t.height || !yield(y, itemLine{t.items[p.item], p.line - t.gapOf(p.item)}) {
					return
				}
				y++
			}
		}
	}
}

// lineAt returns the line in row y of the view, and reports whether there is one.
func lineAt(t *Transcript, y int) (found itemLine, ok bool) {
	t.settle()
	for row, l := range t.shown() {
		if row == y {
			return l, true
		}
	}
	return itemLine{}, false
}

// isShown reports whether the line is on screen.
func (l itemLine) isShown(t *Transcript) bool {
	for _, other := range t.shown() {
		if l == other {
			return true
		}
	}
	return false
}

// visible returns a line with its margin.
func (t *Transcript) visible(l itemLine, current bool) string {
	it, line := l.it, l.line
	if line < 0 {
		return ""
	}
	it.colour(line, false)
	text := theme.StripMarks(mdview.Paint(&t.theme, it.line(line), codeWidth(t), it.codeShift))
	if t.theme.Options.NoLinks {
		text = mdview.Unlink(text)
	}
	if t.find.query != "" {
		style := t.theme.Styles.Match.Text
		if current {
			style = t.theme.Styles.Match.Focus
		}
		text = t.find.underline(text, style)
	}
	switch {
	case it == t.sel && line == 0: // distinguished without colour, too
		text = t.theme.Styles.Accent.Render(t.theme.Glyphs.Cursor) + " " + text
	case it.Role == You:
		text = strings.TrimRight(t.theme.Styles.Chat.Gutter.Render(t.theme.Glyphs.Gutter)+" "+text, " ")
	case text != "":
		text = strings.Repeat(" ", margin) + text
	}
	if ansi.StringWidth(text) > t.width {
		text = ansi.Truncate(text, t.width, "")
	}
	return text
}

// colour colours the code at a line of a laid out item, see mdview.View.Colour.
func (it *item) colour(line int, now bool) {
	if at := line - len(it.head); it.view != nil && at >= 0 && at < len(it.body) {
		it.view.Colour(at, now)
	}
}

// line returns the i-th line of a laid out item, not counting the gap.
func (it *item) line(i int) string {
	if i < 0 {
		return ""
	}
	for _, part := range [][]string{it.head, it.body, it.foot} {
		if i < len(part) {
			return part[i]
		}
		i -= len(part)
	}
	return ""
}

func (p *pen) pillText(n int) string {
	g := p.theme.Glyphs
	return " " + g.Down + " " + theme.Plural(n, "new line") + " " + g.Dot + " End "
}

// drawPill draws the number of new lines in the lower right corner.
func (t *Transcript) drawPill(lines []string, n int) {
	text := t.pillText(n)
	room := t.width - ansi.StringWidth(text)
	if room < 0 {
		text, room = ansi.Truncate(text, t.width, ""), 0
	}
	last := len(lines) - 1
	under := ansi.Truncate(lines[last], room, "")
	pad := strings.Repeat(" ", room-ansi.StringWidth(under))
	lines[last] = under + pad + t.theme.Styles.Chat.Pill.Render(text)
}

// dropFarLines drops the lines of items far from the screen when there are too many.
func (t *Transcript) dropFarLines() {
	if t.laid <= maxLaid {
		return
	}
	from, to := t.pos.item-maxLaid/4, t.pos.item+t.height+maxLaid/4
	t.laid = 0
	for i, it := range t.items {
		if !it.lines() {
			continue
		}
		if i >= from && i <= to || i >= len(t.items)-maxLaid/4 {
			t.laid++
		} else {
			it.drop()
		}
	}
}
