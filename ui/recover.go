package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// carryOut asks what shall become of them, unless the user is at something
// already: they are offered again at the next start.
func (msg unsavedMsg) carryOut(m *Model) tea.Cmd {
	title := desk.UnsavedTitle(len(msg.all))
	if m.page != nil || m.k.Turn.Running() || !m.composer.Empty() {
		return m.toast.say(title + ": /recover lists them")
	}
	q := &page.Question{Env: m.k.Env, Title: title, Answers: []page.Answer{
		page.Reply("enter", "keep", page.Run{Line: "/recover keep all"}),
		page.Reply("o", "keep and open", page.Run{Line: "/recover open all"}),
		page.Reply("ctrl+x", "throw away", page.Run{Line: "/recover drop all"}),
		page.Reply("esc", "later", nil),
	}}
	for _, u := range msg.all {
		q.Rows = append(q.Rows, [2]string{u.Title + "   " + term.Clip(theme.OneLine(u.Text), 60, m.k.Theme.Glyphs.Ellipsis), page.FormatAge(m.k.Now().Sub(u.Time))})
	}
	return m.setPage(q.Guarding())
}
