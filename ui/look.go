package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/theme"
)

// setTheme gives everything its look.
func (m *Model) setTheme(o theme.Options) {
	if o == m.k.Theme.Options && m.k.painter != nil {
		return
	}
	*m.k.Theme = theme.New(o)
	m.composer.SetTheme(*m.k.Theme)
	for _, c := range append(m.k.others, m.k.conversation) {
		c.setTheme(m.k.Theme)
	}
	m.k.painter = inspector.NewPainter(*m.k.Theme)
	m.toPage(page.RefreshMsg{})
}

// lookOf is the look that goes with what the terminal says of its background, or
// of what it can show. fixed keeps the kind of background that was chosen.
func lookOf(o theme.Options, fixed bool, msg tea.Msg) theme.Options {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		o.Dark = fixed && o.Dark || !fixed && msg.IsDark()
	case tea.ColorProfileMsg:
		switch msg.Profile.String() {
		case "ANSI256":
			o.Profile = theme.ANSI256
		case "ANSI":
			o.Profile = theme.ANSI16
		case "Ascii", "NoTTY":
			o.NoColor = true
		}
	}
	return o
}
