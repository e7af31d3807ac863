package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/setup"
	"ibid/ui/theme"
	"ibid/ui/theme/colors"
)

// setTheme changes the theme.
func (m *Model) setTheme(o theme.Options) {
	if o == m.Theme.Options {
		return
	}
	*m.Theme = theme.New(o)
	m.restyle()
	m.toPage(page.RefreshMsg{})
}

// restyle applies the theme to all widgets and chats.
func (m *Model) restyle() {
	m.Composer.SetTheme(*m.Theme)
	for _, c := range append(m.others, m.Chat) {
		c.Restyle()
	}
}

// useTheme switches to the named theme, and asks for the background colour if the name leaves that open.
// keep saves it in the configuration.
func useTheme(m *Model, name string, keep bool) tea.Cmd {
	palette, kind, err := colors.Find(m.opt.Themes.All, name)
	if err != nil {
		return m.Complain(err.Error())
	}
	o := m.Theme.Options
	o.Palette, m.opt.Themes.Fixed = palette, kind != ""
	ask := tea.RequestBackgroundColor
	if kind != "" {
		o.Dark, ask = kind == "dark", nil
	}
	m.setTheme(o)
	if !keep {
		return ask
	}
	return tea.Batch(ask, m.carryOut(setup.SetSetting(m.opt.Service.Settings, "screen.theme", name)))
}
