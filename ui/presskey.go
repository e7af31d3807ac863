package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/term"
)

// keyAtPointer returns the key that is named at a cell of the screen together with its effect: a click
// there presses it. Only the last rows of a page and the status name keys.
func keyAtPointer(m *Model, x, y int) (tea.KeyPressMsg, bool) {
	f, rows := &m.stage.frame, strings.Split(m.drawing.view.Content, "\n")
	names := y == f.status.Y
	switch p := m.page.(type) {
	case nil:
	case page.BesidePrompt:
		n := len(m.Pen(f.popup.W).KeyRows(p.Hints()))
		names = names || y < f.composer.Y && y >= f.composer.Y-n
	default:
		names = names || !overPrompt(p) && y >= m.stage.h-footRows
	}
	if !names || y >= len(rows) {
		return tea.KeyPressMsg{}, false
	}
	s := screenOf(m)
	all := append(s.hints(),
		keys.Hints("esc", "stops", "esc", "back", "esc", "close", s.Keys.NameOf("help"), "help")...)
	if m.page != nil {
		all = append(all, m.page.Hints()...)
	}
	row := " " + ansi.Strip(rows[y])
	for _, h := range all {
		text := h.Key + " " + h.Does
		if before, _, ok := strings.Cut(row, " "+text); ok {
			if from := term.Width(before); x >= from && x < from+term.Width(text) {
				return keys.Press(h.Key)
			}
		}
	}
	return tea.KeyPressMsg{}, false
}

// footRows limits the rows at the end of a page that may name keys.
const footRows = 3
