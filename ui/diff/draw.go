package diff

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
	"ibid/vault/edit"
)

// Options configure the drawing.
type Options struct {
	Theme   *theme.Theme
	Width   int
	Split   bool                  // before and after side by side
	New     bool                  // the text is new: lines get their new numbers
	Label   func(hunk int) string // returns the text in the rule below a hunk; nil for none
	Dropped func(hunk int) bool   // reports whether a hunk is not applied; nil: all are
	Current int                   // index of the marked hunk, -1 for none
}

// Drawing is a drawn change.
type Drawing struct {
	Rows  []string
	First []int // index of the first row of each hunk
}

// MinSplit is the smallest width in which the two sides are drawn.
const MinSplit = 60

// Draw draws a change.
func Draw(c *edit.Change, o Options) (d Drawing) {
	p := painter{Options: o, digits: 3, tab: "→   "}
	if o.Theme.Options.ASCII {
		p.tab = ">   "
	}
	p.Split = o.Split && o.Width >= MinSplit && !o.New
	for i := range c.Hunks {
		for _, l := range c.Hunks[i].Lines {
			p.digits = max(p.digits, len(fmt.Sprint(max(l.Old, l.New))))
		}
	}
	for i := range c.Hunks {
		d.First = append(d.First, len(d.Rows))
		d.Rows = append(d.Rows, p.hunk(i, &c.Hunks[i])...)
		label := ""
		if o.Label != nil {
			label = " " + o.Label(i)
		}
		if label != "" || i+1 < len(c.Hunks) {
			rule := strings.Repeat(o.Theme.Glyphs.RuleFaint, max(o.Width-2-ansi.StringWidth(label), 0))
			d.Rows = append(d.Rows, " "+o.Theme.Styles.Border.Render(rule)+label)
		}
	}
	return d
}

// painter draws the hunks of one change.
type painter struct {
	Options
	digits  int
	tab     string
	gutter  string // gutter of the current hunk
	dropped bool   // the current hunk is not applied
}

// hunk draws a hunk.
func (p *painter) hunk(n int, h *edit.Hunk) (rows []string) {
	p.gutter, p.dropped = " ", p.Dropped != nil && p.Dropped(n)
	if n == p.Current {
		p.gutter = p.Theme.Styles.Accent.Render(p.Theme.Glyphs.Gutter)
	}
	lines := foldBlankLines(h.Lines)
	if p.Split {
		return p.sides(lines)
	}
	for i := range lines {
		rows = append(rows, p.side(&lines[i], p.Width, false)...)
	}
	return rows
}

// sides draws the lines of a hunk side by side: added lines beside the removed ones.
func (p *painter) sides(lines []edit.Line) (rows []string) {
	half := (p.Width - 1) / 2
	bar := p.Theme.Styles.Border.Render(p.Theme.Glyphs.Quote)
	beside := func(old, now *edit.Line) {
		left, right := p.side(old, half, false), p.side(now, p.Width-1-half, true)
		for len(left) < len(right) {
			left = append(left, p.gutter)
		}
		for i, row := range left {
			row += strings.Repeat(" ", max(half-ansi.StringWidth(row), 0)) + bar
			if i < len(right) {
				row += strings.TrimPrefix(right[i], p.gutter)
			}
			rows = append(rows, row)
		}
	}
	for len(lines) > 0 {
		if lines[0].Kind == edit.Same {
			beside(&lines[0], &lines[0])
			lines = lines[1:]
			continue
		}
		removed, added := 0, 0
		for removed < len(lines) && lines[removed].Kind == edit.Removed {
			removed++
		}
		for removed+added < len(lines) && lines[removed+added].Kind == edit.Added {
			added++
		}
		for i := range max(removed, added) {
			var old, now *edit.Line
			if i < removed {
				old = &lines[i]
			}
			if i < added {
				now = &lines[removed+i]
			}
			beside(old, now)
		}
		lines = lines[removed+added:]
	}
	return rows
}

// inks returns the inks of a kind of lines, and of the words in them that differ.
func (p *painter) inks(kind edit.Kind) (line, word theme.Ink) {
	st := &p.Theme.Styles
	switch {
	case p.dropped && kind != edit.Same:
		return st.Muted, st.Muted
	case kind == edit.Removed:
		return st.Diff.Removed, st.Diff.RemovedWord
	case kind == edit.Added:
		return st.Diff.Added, st.Diff.AddedWord
	}
	return st.Text, st.Text
}

// withGround gives a row of w columns the background colour of its kind, if it has one.
func (p *painter) withGround(row string, kind edit.Kind, w int) string {
	if kind == edit.Same || p.dropped || !p.Theme.Options.Grounds() {
		return row
	}
	ink, _ := p.inks(kind)
	return p.gutter + ink.Over(strings.TrimPrefix(row, p.gutter)+strings.Repeat(" ", max(w-ansi.StringWidth(row), 0)))
}

// side draws a line in rows of at most w columns: gutter, number, sign and text. now numbers the line
// as in the new text. A nil line is one blank row.
func (p *painter) side(l *edit.Line, w int, now bool) []string {
	if l == nil {
		return []string{p.gutter}
	}
	st := &p.Theme.Styles
	n := l.Old
	if now || p.New {
		n = l.New
	}
	number := ""
	if n > 0 {
		number = fmt.Sprint(n)
	}
	sign := map[edit.Kind]string{edit.Same: " ", edit.Removed: "-", edit.Added: "+"}[l.Kind]
	ink, word := p.inks(l.Kind)
	room := max(w-p.digits-5, 1)
	var out []string
	for i, row := range wrap(cells(l, p.tab), room) {
		lead := strings.Repeat(" ", p.digits+4)
		if i == 0 {
			lead = fmt.Sprintf("%*s  ", p.digits, number)
			lead = st.Muted.Render(lead) + ink.Render(sign) + " "
		}
		out = append(out, p.gutter+lead+paint(row, ink, word))
	}
	if l.NoEnd && l.Kind != edit.Same {
		out = append(out, p.gutter+strings.Repeat(" ", p.digits+4)+
			st.Muted.Render(ansi.Truncate("(no line end)", room, "")))
	}
	for i := range out {
		out[i] = p.withGround(out[i], l.Kind, w)
	}
	return out
}
