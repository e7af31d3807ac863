package browse

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/keys"
	"ibid/ui/mdview"
	"ibid/ui/page"
	"ibid/ui/term"
)

// comparison lays out the replies of a turn: side by side if each has readable columns, else below each other.
type comparison struct {
	page.Env
	replies []chains.ComparedReply
}

// Columns of a reply beside others, at least, and of the gap between two.
const (
	minBeside = 48
	columnGap = 3
)

// NewComparison returns the page with the replies of a turn.
func NewComparison(env page.Env, all []chains.ComparedReply) page.Page {
	p := comparison{env, all}
	return &textPage{
		Env: env, title: "Replies of the last turn", rows: p.rows, act: p.act,
		hints: keys.Hints("1…", "go on from it", "↑↓", "scroll", "esc", "close"),
	}
}

// act handles a key: a number goes on from that reply.
func (p *comparison) act(msg tea.KeyPressMsg) page.Request {
	name := msg.String()
	n, _ := strconv.Atoi(name)
	switch at := slices.IndexFunc(p.replies, func(r chains.ComparedReply) bool { return r.N == n }); {
	case name == "esc", name == "q", at >= 0 && p.replies[at].Shown:
		return page.Close{}
	case at >= 0:
		return page.CloseThen(page.Run{Line: "/variants " + name})
	}
	return nil
}

// rows returns the replies in width columns.
func (p *comparison) rows(width int) (rows []string) {
	n, room := len(p.replies), max(width-2, mdview.MinWidth)
	w := (room - (n-1)*columnGap) / n
	beside := w >= minBeside
	if !beside {
		w = room
	}
	for i, r := range p.replies {
		column := p.column(r, w)
		if !beside {
			rows = append(append(rows, column...), "")
			continue
		}
		for k := range max(len(rows), len(column)) {
			if k == len(rows) {
				rows = append(rows, strings.Repeat(" ", i*(w+columnGap)))
			}
			line := ""
			if k < len(column) {
				line = column[k]
			}
			rows[k] += line + strings.Repeat(" ", max(w+columnGap-term.Width(line), 0))
		}
	}
	return rows
}

// column returns a reply in w columns, below its title.
func (p *comparison) column(r chains.ComparedReply, w int) []string {
	title := r.Title
	if r.Shown {
		title += " · shown"
	}
	rows := append(p.Theme.Hanging(p.Theme.Styles.Title, " ", title, w), "")
	for _, line := range mdview.Whole(*p.Theme, r.Text, mdview.Options{Width: w - 1}).Lines() {
		rows = append(rows, " "+mdview.Unlink(mdview.Paint(p.Theme, line, w-1, 0)))
	}
	return rows
}
