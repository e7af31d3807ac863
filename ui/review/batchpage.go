package review

import (
	"fmt"
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

// batchPage lists the changes of many notes before each of them is shown.
type batchPage struct {
	asker
	dropped map[int]bool
	seen    seenRows
	at, top int
	h, room int
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
		if row := msg.Y - p.from + p.top; p.Accepts && row >= 0 && row < len(p.asked.Batch) {
			p.at = row
			p.dropped[row] = !p.dropped[row]
		}
	case tea.WindowSizeMsg:
		p.h = msg.Height
	default:
		return nil, false
	}
	return nil, true
}

// decide handles a key.
func (p *batchPage) decide(key string) page.Request {
	switch key {
	case "y", "Y", "enter":
		if row, more := p.seen.scrollTo(p.top); more {
			p.at = min(row+p.room, len(p.asked.Batch)) - 1
			return nil
		}
		var kept []int
		for i := range p.asked.Batch {
			if !p.dropped[i] {
				kept = append(kept, i)
			}
		}
		if len(kept) == 0 {
			return page.Complain("none is chosen: space chooses one, n rejects all")
		}
		return answerTurn(chains.Decision{Yes: true, Hunks: kept})
	case "n", "N":
		p.why.begin()
	case "esc":
		return answerTurn(chains.Decision{})
	case "space":
		p.dropped[p.at] = !p.dropped[p.at]
	case "down", "j":
		p.at = min(p.at+1, len(p.asked.Batch)-1)
	case "up", "k":
		p.at = max(p.at-1, 0)
	case "home", "g":
		p.at = 0
	case "end", "G":
		p.at = len(p.asked.Batch) - 1
	}
	return nil
}

// View implements page.Page: the list between the question and the keys.
func (p *batchPage) View(w, h int) []string {
	pen, st, g := p.Pen(w), &p.Theme.Styles, &p.Theme.Glyphs
	rows := []string{pen.Bar(st.Strong.Render("Change many notes?"),
		st.Muted.Render(theme.Plural(len(p.asked.Batch), "change")))}
	if h >= page.LowHeight {
		rows = append(rows, pen.Rule(), pen.Bar("each one that is chosen is shown before it is made", ""), "")
	}
	p.from = len(rows)
	p.room = max(h-len(rows)-len(p.foot(pen)), 1)
	p.top = max(min(p.top, p.at), p.at-p.room+1, 0)
	p.seen.lay(p, len(p.asked.Batch))
	p.seen.show(p.top, p.top+p.room)
	for i := p.top; i < p.top+p.room; i++ {
		if i >= len(p.asked.Batch) {
			rows = append(rows, "")
			continue
		}
		sign, cursor := st.Good.Render(g.Check), " "
		if p.dropped[i] {
			sign = st.Bad.Render(g.Cross)
		}
		if i == p.at {
			cursor = st.Accent.Render(g.Cursor)
		}
		says, mixed := summary(p.Theme, p.asked.Batch[i]), vault.Path(p.asked.Batch[i].Path).MixedScripts()
		if mixed != "" {
			mixed = "  " + g.Alert + " " + mixed
		}
		where := cutPath(theme.ShowHidden(p.asked.Batch[i].Path),
			max(w-8-term.Width(says)-term.Width(mixed), w/4), g.Ellipsis)
		rows = append(rows, pen.Bar(fmt.Sprintf("%s %s %s%s", cursor, sign, where, st.Warn.Render(mixed)),
			st.Muted.Render(says)))
	}
	return append(rows, p.foot(pen)...)
}

func (p *batchPage) foot(pen page.Pen) []string {
	missing := theme.Plural(p.seen.missing(0, len(p.seen.rows)), "more change")
	rows := []string{pen.Edge(p.seen.describeMissing(pen, missing, p.top))}
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
	return keys.Hints("y", "go through them", "n", "reject all", "space", "choose", "↑↓", "move", "esc", "reject all")
}

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
