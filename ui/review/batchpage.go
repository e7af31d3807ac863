package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/chains"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault"
)

// batchPage lists the changes of many notes: they can be made at once as they are, or each of them is shown before it
// is made. Changes that cannot be made stand below them.
type batchPage struct {
	asker
	dropped map[int]bool
	seen    seenRows
	at, top int
	w, h    int
	room    int
	from    int // row of the first change
}

// Update implements page.Page.
func (p *batchPage) Update(msg tea.Msg) (page.Request, bool) {
	if i, mine, taken := p.handle(msg, p.decide); taken {
		return i, mine
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return p.decide(keys.Wheel(msg).String()), true
	case tea.MouseClickMsg:
		row := msg.Y - p.from + p.top
		if p.Accepts && row >= 0 && row < len(p.asked.Batch) {
			p.at = row
			p.dropped[row] = !p.dropped[row]
		}
	case tea.WindowSizeMsg:
		p.w, p.h = msg.Width, msg.Height
	default:
		return nil, false
	}
	return nil, true
}

// rows returns the number of rows of the list.
func (p *batchPage) rows() int { return len(p.asked.Batch) + len(p.asked.Unfit) }

// decide handles a key.
func (p *batchPage) decide(key string) page.Request {
	switch key {
	case "A":
		return p.agree(chains.Decision{Yes: true, All: true})
	case "y", "Y", "enter":
		return p.agree(chains.Decision{Yes: true})
	case "n", "N":
		p.why.begin()
	case "esc":
		return answerTurn(chains.Decision{})
	case "space":
		if p.at < len(p.asked.Batch) {
			p.dropped[p.at] = !p.dropped[p.at]
		}
	case "down", "j":
		p.at = min(p.at+1, p.rows()-1)
	case "up", "k":
		p.at = max(p.at-1, 0)
	case "home", "g":
		p.at = 0
	case "end", "G":
		p.at = p.rows() - 1
	}
	return nil
}

// agree answers yes to the chosen changes. If some rows were not visible yet, it scrolls to them instead, once.
func (p *batchPage) agree(d chains.Decision) page.Request {
	if row, more := p.seen.scrollTo(p.top); more {
		p.at = min(row+p.room, p.rows()) - 1
		return nil
	}
	d.Hunks = p.chosen()
	if len(d.Hunks) == 0 {
		return page.Complain("none is chosen: space chooses one, n rejects all")
	}
	return answerTurn(d)
}

// chosen returns the indexes of the changes that were not struck out.
func (p *batchPage) chosen() (kept []int) {
	for i := range p.asked.Batch {
		if !p.dropped[i] {
			kept = append(kept, i)
		}
	}
	return kept
}

// View implements page.Page: the list between the question and the keys.
func (p *batchPage) View(w, h int) []string {
	pen := p.Pen(w)
	rows := p.head(pen, h)
	foot := p.foot(pen)
	p.from = len(rows)
	p.room = max(h-len(rows)-len(foot), 1)
	p.top = max(min(p.top, p.at), p.at-p.room+1, 0)
	p.seen.lay(p, p.rows())
	p.seen.show(p.top, p.top+p.room)
	for i := p.top; i < p.top+p.room; i++ {
		switch n := i - len(p.asked.Batch); {
		case n < 0:
			rows = append(rows, p.changeRow(pen, i))
		case n < len(p.asked.Unfit):
			rows = append(rows, p.unfitRow(pen, i, &p.asked.Unfit[n]))
		default:
			rows = append(rows, "")
		}
	}
	return append(rows, p.foot(pen)...) // it tells which rows were not visible yet
}

// head returns the rows that say what will be done.
func (p *batchPage) head(pen page.Pen, h int) []string {
	rows := []string{pen.Bar(pen.Styles.Strong.Render("Change many notes?"), pen.Styles.Muted.Render(p.sum()))}
	if h < page.LowHeight {
		return rows
	}
	return append(rows, pen.Rule(),
		pen.Bar("A makes those with "+pen.Glyphs.Check+" at once, as shown here; y shows each of them first", ""), "")
}

// sum counts what is chosen: notes, hunks and lines, and what cannot be made.
func (p *batchPage) sum() string {
	var chosen []*chains.Proposal
	for _, i := range p.chosen() {
		chosen = append(chosen, p.asked.Batch[i])
	}
	sum := chains.TotalsOf(chosen)
	parts := []string{
		theme.Plural(sum.Notes, "note"), theme.Plural(sum.Hunks, "hunk"), formatLines(p.Theme, sum.Added, sum.Removed),
	}
	if n := len(p.asked.Unfit); n > 0 {
		parts = append(parts, fmt.Sprintf("%d cannot be made", n))
	}
	return strings.Join(parts, " "+p.Theme.Glyphs.Dot+" ")
}

// cursor returns the sign of the row under the cursor.
func (p *batchPage) cursor(pen page.Pen, row int) string {
	if row == p.at {
		return pen.Styles.Accent.Render(pen.Glyphs.Cursor)
	}
	return " "
}

// changeRow draws a change: whether it is chosen, its note, its warnings and its size.
func (p *batchPage) changeRow(pen page.Pen, row int) string {
	st, g, change := pen.Styles, pen.Glyphs, p.asked.Batch[row]
	sign := st.Good.Render(g.Check)
	if p.dropped[row] {
		sign = st.Bad.Render(g.Cross)
	}
	says, warns := summary(p.Theme, change), ""
	if mixed := vault.Path(change.Path).MixedScripts(); mixed != "" {
		warns = "  " + g.Alert + " " + mixed
	} else if n := len(change.Warnings); n > 0 {
		warns = "  " + g.Alert + " " + theme.Plural(n, "warning")
	}
	room := max(pen.Width-8-term.Width(says)-term.Width(warns), pen.Width/4)
	where := cutPath(theme.ShowHidden(change.Path), room, g.Ellipsis)
	return pen.Bar(fmt.Sprintf("%s %s %s%s", p.cursor(pen, row), sign, where, st.Warn.Render(warns)),
		st.Muted.Render(says))
}

// unfitRow draws a change that cannot be made, with the reason.
func (p *batchPage) unfitRow(pen page.Pen, row int, unfit *chains.UnfitChange) string {
	_, call := (&chains.Asked{Call: unfit.Call}).Wants()
	text := theme.ShowHidden(call) + ": " + theme.OneLine(unfit.Reason)
	return pen.Bar(fmt.Sprintf("%s %s %s", p.cursor(pen, row), pen.Styles.Bad.Render(pen.Glyphs.Alert),
		pen.Styles.Muted.Render("cannot be made: "+text)), "")
}

// warnings returns the warnings of the change under the cursor in one row, nil if no change has any.
func (p *batchPage) warnings(pen page.Pen) []string {
	if !slices.ContainsFunc(p.asked.Batch, func(c *chains.Proposal) bool { return len(c.Warnings) > 0 }) {
		return nil
	}
	text := ""
	if p.at < len(p.asked.Batch) && len(p.asked.Batch[p.at].Warnings) > 0 {
		text = pen.Glyphs.Alert + " " + theme.OneLine(strings.Join(p.asked.Batch[p.at].Warnings, "; "))
	}
	return []string{pen.Bar(pen.Styles.Warn.Render(text), "")}
}

func (p *batchPage) foot(pen page.Pen) []string {
	missing := theme.Plural(p.seen.missing(0, len(p.seen.rows)), "more change")
	edge := p.seen.describeMissing(pen, missing, p.top)
	if p.seen.scrolled {
		edge = "nothing is made yet: " + cmp.Or(edge, "these had not been on the screen") + "; again goes on"
	}
	rows := append(p.warnings(pen), pen.Edge(edge))
	switch {
	case p.why.open:
		return append(rows, pen.Bar(p.why.line.View(), ""), pen.Bar(pen.KeyRow(p.why.hints(), pen.Width-2), ""))
	case !p.Accepts:
		return append(rows, pen.Bar(pen.Styles.Muted.Render(page.GuardText), ""))
	}
	return append(rows, pen.KeyRows(p.Hints())...)
}

// Hints implements page.Page.
func (p *batchPage) Hints() []keys.Hint {
	return keys.Hints("A", "all of these as they are shown", "y", "go through them", "n", "reject all",
		"space", "choose", "↑↓", "move", "esc", "reject all")
}

// FootRows returns the number of rows at the end that name keys.
func (p *batchPage) FootRows() int { return len(p.foot(p.Pen(p.w))) }

// Cursor returns the cursor of the reason.
func (p *batchPage) Cursor() *tea.Cursor { return p.why.cursor(p.h - 2) }

// cutPath shortens a path to at most width columns, if possible without clipping the file name.
func cutPath(path string, width int, ellipsis string) string {
	over := ansi.StringWidth(path) - width
	if over <= 0 {
		return path
	}
	room := width - ansi.StringWidth(ellipsis)
	keep := ansi.StringWidth(path[strings.LastIndexByte(path, '/')+1:]) + 1
	if keep > room {
		keep = room * 2 / 3
	}
	end := ansi.TruncateLeft(path, over+width-keep, "")
	return theme.Cut(path, room-ansi.StringWidth(end), "") + ellipsis + end
}
