package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"ibid/ui/composer"
	"ibid/ui/page"
)

// followTrigger opens, updates or closes the list for the text at the cursor. It runs after each key
// that the prompt took.
func (m *Model) followTrigger() tea.Cmd {
	kind, query, ok := m.Composer.Trigger()
	if !ok {
		if overPrompt(m.page) {
			m.setPage(nil)
		}
		return nil
	}
	want := page.Mentions
	switch kind {
	case composer.Command:
		want = page.Commands
	case composer.Argument:
		want = page.Arguments
	}
	var cmd tea.Cmd
	if want == page.Arguments && (!overPrompt(m.page) || m.trigger != want) {
		list := m.OpenArguments(query)
		switch {
		case list != nil:
			m.trigger = want
			cmd = m.setPage(list)
		case overPrompt(m.page):
			m.setPage(nil)
		}
	} else if overPrompt(m.page) && m.trigger == want {
		cmd = m.toPage(page.QueryMsg{Query: query})
	} else {
		m.trigger = want
		cmd = m.carryOut(page.Open{ID: want, Arg: query})
	}
	// words that begin no name belong to the message
	if l, ok := m.page.(*page.List); ok && strings.Contains(query, " ") && m.Notes.All != nil && l.Empty() {
		m.setPage(nil)
	}
	return cmd
}
