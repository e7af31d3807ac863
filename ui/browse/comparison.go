package browse

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/keys"
	"ibid/ui/mdview"
	"ibid/ui/page"
)

// comparison lays out the replies of a turn, below each other.
type comparison struct {
	page.Env
	replies []chains.ComparedReply
}

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

// rows returns the replies in width columns, each below its title.
func (p *comparison) rows(width int) (rows []string) {
	w := max(width-2, mdview.MinWidth)
	for _, r := range p.replies {
		title := r.Title
		if r.Shown {
			title += " · shown"
		}
		rows = append(append(rows, p.Theme.Hanging(p.Theme.Styles.Title, " ", title, w)...), "")
		for _, line := range mdview.Whole(*p.Theme, r.Text, mdview.Options{Width: w - 1}).Lines() {
			rows = append(rows, " "+mdview.Unlink(mdview.Paint(p.Theme, line, w-1, 0)))
		}
		rows = append(rows, "")
	}
	return rows
}
