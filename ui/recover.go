package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// offerUnsaved asks what to do with replies that were not saved. A user who is busy only gets a line,
// and is asked again at the next start.
func (k *screenState) offerUnsaved(all []history.UnsavedChat, idle bool) tea.Cmd {
	title := desk.UnsavedTitle(len(all))
	if !idle || k.Turn.Running() || !k.Composer.Empty() {
		return k.Say(title + ": /recover lists them")
	}
	q := &page.Question{Env: k.Env, Title: title, Answers: []page.Answer{
		page.Reply("enter", "keep", page.Run{Line: "/recover keep all"}),
		page.Reply("o", "keep and open", page.Run{Line: "/recover open all"}),
		page.Reply("ctrl+x", "throw away", page.Run{Line: "/recover drop all"}),
		page.Reply("esc", "later", nil),
	}}
	for _, u := range all {
		q.Rows = append(q.Rows, [2]string{
			u.Title + "   " + term.Clip(theme.OneLine(u.Text), 60, k.Theme.Glyphs.Ellipsis),
			page.FormatAge(k.Now().Sub(u.Time)),
		})
	}
	return k.Ask(page.Show{Page: q.Guarding()})
}
