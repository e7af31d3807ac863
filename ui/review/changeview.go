package review

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/diff"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault/edit"
	"ibid/vault/md"
)

// shown returns the change on screen: the proposed one, or one to look at.
func (p *changePage) shown() *edit.Change {
	if !p.isProposal() {
		return &p.change.views[0].change
	}
	return p.change.current
}

// isProposal reports whether the change on screen is the proposed one.
func (p *changePage) isProposal() bool {
	return len(p.change.views) == 0 || p.change.views[0].name == ""
}

// draw lays out the change.
func (p *changePage) draw() {
	if p.w == 0 {
		return
	}
	o := diff.Options{
		Theme: p.Theme, Width: p.w, Split: p.split,
		New: p.change.New && p.change.asRead(), Current: -1,
	}
	if c := p.shown(); p.isProposal() && len(c.Hunks) > 1 {
		o.Current, o.Label, o.Dropped = p.hunk, p.label, func(n int) bool { return p.dropped[n] }
	}
	p.drawn = diff.Draw(p.shown(), o)
	if len(p.change.views) == 0 { // taking a change back shows nothing new
		p.seen.lay(p.change.current, len(p.drawn.Rows))
		for i := range p.drawn.First {
			end := p.endOf(i)
			p.seen.show(end, end+1) // the rule below a hunk
		}
	}
	p.scroll(0)
}

// label returns the text at the end of a hunk that says whether it is kept.
func (p *changePage) label(n int) string {
	st, g := &p.Theme.Styles, &p.Theme.Glyphs
	text := st.Muted.Render(fmt.Sprintf("hunk %d of %d  ", n+1, len(p.change.current.Hunks)))
	if p.dropped[n] {
		return text + st.Bad.Render(g.Cross+" drop")
	}
	return text + st.Good.Render(g.Check+" keep")
}

// goToHunk goes to a hunk.
func (p *changePage) goToHunk(hunk int) {
	p.hunk = min(max(hunk, 0), max(len(p.drawn.First)-1, 0))
	if len(p.drawn.First) > 0 {
		p.scroll(p.drawn.First[p.hunk] - p.top)
	}
}

// scroll moves the change by rows. The selected hunk is always one on screen.
func (p *changePage) scroll(by int) {
	room := p.visibleRows()
	p.rows = room
	p.top = min(max(p.top+by, 0), max(len(p.drawn.Rows)-room, 0))
	was := p.hunk
	for p.hunk+1 < len(p.drawn.First) && p.drawn.First[p.hunk+1] <= p.top {
		p.hunk++
	}
	for p.hunk > 0 && p.drawn.First[p.hunk] >= p.top+room {
		p.hunk--
	}
	if p.hunk != was {
		p.draw()
	}
}

// visibleRows returns the number of rows of the change that fit.
func (p *changePage) visibleRows() int {
	return max(p.h-len(p.head())-len(p.foot()), 1)
}

// View implements page.Page: the change between its description and the keys.
func (p *changePage) View(w, h int) []string {
	head := p.head()
	room := max(h-len(head)-len(p.foot()), 1)
	if !p.help {
		p.seen.show(p.top, p.top+room)
	}
	foot := p.foot() // it tells which rows were not visible yet
	rows := append(make([]string, 0, h), head...)
	body := p.drawn.Rows[min(p.top, len(p.drawn.Rows)):]
	if p.help {
		body = p.reasons()
	}
	for i := range room {
		row := ""
		if i < len(body) {
			row = term.Clip(body[i], w, p.Theme.Glyphs.Ellipsis)
		}
		rows = append(rows, row)
	}
	rows = append(rows, foot...)
	return rows[:min(len(rows), h)]
}

// isLow reports whether there are few rows.
func (p *changePage) isLow() bool { return p.h < page.LowHeight }

// head returns the rows with the title, a summary and warnings.
func (p *changePage) head() []string {
	pen, st, g := p.Pen(p.w), &p.Theme.Styles, &p.Theme.Glyphs
	c := &p.change
	dot := " " + g.Dot + " "
	where := theme.ShowHidden(c.Path)
	if c.place != "" {
		where = c.place + dot + where
	}
	where = cutPath(where, max(p.w-4-term.Width(c.title), p.w/2), g.Ellipsis)
	rows := []string{pen.Bar(st.Strong.Render(c.title), st.Muted.Render(where))}
	if !p.isLow() {
		rows = append(rows, pen.Rule())
	}
	if p.full {
		return rows
	}
	rows = append(rows, pen.Hanging(st.Text, "", strings.Join(p.summary(), dot))...)
	if c.note != "" && p.isProposal() {
		rows = append(rows, pen.Hanging(st.Warn, g.Alert+" ", c.note)...)
	}
	for _, warning := range c.Warnings {
		rows = append(rows, pen.Hanging(st.Warn, g.Alert+" ", warning)...)
	}
	most := max(p.h/3, 2)
	if len(rows) > most {
		rows = rows[:most]
	}
	if !p.isLow() {
		if p.split && !p.help {
			half := (p.w - 1) / 2
			rows = append(rows, term.Pad(" "+st.Muted.Render("on disk"), half)+st.Border.Render(g.Quote)+" "+
				st.Muted.Render("proposed"))
		} else {
			rows = append(rows, "")
		}
	}
	return rows
}

// summary describes the change in parts of one line.
func (p *changePage) summary() (parts []string) {
	c, change := &p.change, p.shown()
	what := c.what
	if !p.isProposal() {
		what = c.views[0].name
	}
	if p.w >= 60 || !p.isProposal() {
		parts = append(parts, what)
	}
	parts = append(parts, theme.Plural(len(change.Hunks), "hunk"), formatCounts(p.Theme, change))
	if said := describeFrontmatter(change); said != "" {
		parts = append(parts, said)
	}
	if c.edited {
		parts = append(parts, "edited by you")
	}
	return parts
}

// describeFrontmatter describes the change of a note's properties, "" if it has none.
func describeFrontmatter(c *edit.Change) string {
	plain := strings.NewReplacer("\r\n", "\n", "\uFEFF", "")
	before, _, had := md.Frontmatter(plain.Replace(c.Before))
	after, _, has := md.Frontmatter(plain.Replace(c.After))
	switch {
	case had && before == after:
		return "frontmatter kept"
	case had && !has:
		return "frontmatter removed"
	case had:
		return "frontmatter changed"
	case has:
		return "with frontmatter"
	}
	return ""
}

// FootRows returns the number of rows at the end that name keys.
func (p *changePage) FootRows() int { return len(p.foot()) }

// foot returns the rows with the keys.
func (p *changePage) foot() []string {
	pen, st := p.Pen(p.w), &p.Theme.Styles
	var rows []string
	if !p.isLow() {
		rows = append(rows, p.bottomRule(pen))
	}
	if p.why.open {
		return append(rows, pen.Bar(p.why.line.View(), ""), pen.Bar(pen.KeyRow(p.why.hints(), p.w-2), ""))
	}
	low := p.isLow() || p.full
	if low && !p.Accepts {
		return append(rows, pen.Bar(st.Muted.Render(page.GuardText), ""))
	}
	told := cmp.Or(p.unseen(pen), "this had not been on the screen")
	told = pen.Bar(st.Warn.Render(pen.Glyphs.Alert+" not applied yet: "+told+"; y again applies it"), "")
	if low && p.seen.scrolled {
		rows = append(rows, told)
	}
	switch {
	case p.isLow():
		return append(rows, pen.KeyRows(p.Hints())...)
	case low:
		return append(rows, pen.Bar(pen.KeyRow(p.Hints(), p.w-2), ""))
	}
	rows = append(rows, pen.KeyRows(p.Hints())...)
	esc := "esc = not now"
	switch {
	case !p.Accepts:
		return append(rows, pen.Bar(st.Muted.Render(page.GuardText+", so that typing approves nothing"), ""))
	case p.seen.scrolled:
		return append(rows, told)
	case p.change.turn != nil:
		esc = "esc = reject and tell the model"
	}
	return append(rows, pen.Bar(st.Muted.Render(esc), st.Muted.Render("undo later: /undo-write")))
}

// bottomRule returns the rule below the change, with the number of further rows.
func (p *changePage) bottomRule(pen page.Pen) string {
	said := p.unseen(pen)
	if more := len(p.drawn.Rows) - p.top - p.rows; said == "" && more > 0 {
		said = pen.Glyphs.Down + " " + theme.Plural(more, "more row")
	}
	if p.help {
		said = ""
	}
	return pen.Edge(said)
}

// endOf returns the row after a hunk: the rule below it, if there are several.
func (p *changePage) endOf(hunk int) int {
	switch next := hunk + 1; {
	case len(p.drawn.First) == 1:
		return len(p.drawn.Rows)
	case next < len(p.drawn.First):
		return p.drawn.First[next] - 1
	}
	return len(p.drawn.Rows) - 1
}

// unseen describes the rows of the change that were not visible yet, "" if all were.
func (p *changePage) unseen(pen page.Pen) string {
	rows, hunks := 0, 0
	for i, first := range p.drawn.First {
		end := p.endOf(i)
		if missing := p.seen.missing(first, end); missing == end-first {
			hunks++
		} else {
			rows += missing
		}
	}
	var what []string
	if rows > 0 {
		what = append(what, theme.Plural(rows, "more row"))
	}
	if hunks > 0 {
		what = append(what, theme.Plural(hunks, "more change"))
	}
	return p.seen.describeMissing(pen, strings.Join(what, " and "), p.top)
}

// Hints returns the keys that the page names.
func (p *changePage) Hints() []keys.Hint {
	if !p.isLow() {
		return p.keys()
	}
	hints := keys.Hints("y", "yes", "n", "no", "esc", "no")
	if len(p.change.current.Hunks) > 1 {
		hints = append(hints, keys.Hints("space", "hunk")...)
	}
	return append(hints, keys.Hints("?", "keys")...)
}

// keys returns all keys that work.
func (p *changePage) keys() []keys.Hint {
	if !p.isProposal() {
		return keys.Hints("v", "the next view", "esc", "leave", "J/K", "scroll")
	}
	hints := keys.Hints("y", "apply", "n", "reject")
	if len(p.change.current.Hunks) > 1 {
		hints = append(hints, keys.Hints("space", "keep/drop hunk", "] [", "hunk")...)
	}
	side, why := "side-by-side", "links"
	if len(p.change.views) > 0 {
		hints = append(hints, keys.Hints("v", "before, after, now")...)
	}
	hints = append(hints, keys.Hints("e", "edit in $EDITOR")...)
	if p.change.turn != nil {
		hints, why = append(hints, keys.Hints("a", "always here")...), "why this edit"
	}
	if p.split {
		side = "one column"
	}
	return append(hints, keys.Hints("t", side, "f", "full screen", "J/K", "scroll", "?", why)...)
}

// Cursor returns the cursor of the reason.
func (p *changePage) Cursor() *tea.Cursor { return p.why.cursor(p.h - 2) }

// reasons returns the rows that explain the change: the text of the model with it, and the targets of
// its links.
func (p *changePage) reasons() (rows []string) {
	pen, st, g := p.Pen(p.w), &p.Theme.Styles, &p.Theme.Glyphs
	add := func(ink theme.Ink, text string) { rows = append(rows, pen.Hanging(ink, "", text)...) }
	if p.isLow() {
		rows = append(pen.KeyRows(p.keys()), "")
	}
	if p.change.turn != nil {
		if asked := p.change.turn.Asked(); len(asked) > 0 {
			_, call := asked[0].Wants()
			add(st.Muted, "called by the model: "+call)
		}
		if said := p.change.turn.LastWords(); said != "" {
			rows = append(rows, "")
			add(st.Text, said)
		}
		rows = append(rows, "")
	}
	for _, link := range linksIn(p.change.current) {
		sign := st.Good.Render(g.Check)
		if !p.HasNote(link) {
			sign = st.Bad.Render(g.Cross)
		}
		rows = append(rows, " "+sign+" [["+term.Clip(theme.OneLine(link), max(p.w-10, 4), g.Ellipsis)+"]]")
	}
	add(st.Muted, "What the note holds now is kept before it is written: "+
		"/undo-write takes the change back. Any key goes on.")
	return rows
}

// formatCounts formats the numbers of added and removed lines.
func formatCounts(t *theme.Theme, c *edit.Change) string {
	added, removed := c.Count()
	return formatLines(t, added, removed)
}

func formatLines(t *theme.Theme, added, removed int) string {
	minus := "−"
	if t.Options.ASCII {
		minus = "-"
	}
	return fmt.Sprintf("+%d %s%d", added, minus, removed)
}

// summary describes the size of a proposal.
func summary(t *theme.Theme, c *chains.Proposal) string {
	what := theme.Plural(len(c.Change.Hunks), "hunk")
	if c.New {
		what = "new note"
	}
	return what + "  " + formatCounts(t, &c.Change)
}
