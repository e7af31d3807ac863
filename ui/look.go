package ui

import (
	"context"

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

// useTheme switches to the named theme, and saves it in the configuration.
func useTheme(m *Model, name string) tea.Cmd {
	palette, kind, err := colors.Find(m.opt.Themes.All, name)
	if err != nil {
		return m.Complain(err.Error())
	}
	return setLook(m, setup.UseTheme{Palette: palette, Kind: kind, Keep: true})
}

// setLook switches to the theme of a choice, and asks for the background colour if the choice leaves
// that open.
func setLook(m *Model, u setup.UseTheme) tea.Cmd {
	o := m.Theme.Options
	o.Palette, m.opt.Themes.Fixed = u.Palette, u.Kind != ""
	ask := tea.RequestBackgroundColor
	if u.Kind != "" {
		o.Dark, ask = u.Kind == "dark", nil
	}
	m.setTheme(o)
	if !u.Keep || m.opt.Themes.Keep == nil {
		return ask
	}
	keep := m.opt.Themes.Keep
	return tea.Batch(ask, m.Tasks.Start(func(context.Context) tea.Msg {
		if err := keep(u.Name()); err != nil {
			return page.Complain(err.Error())
		}
		return page.Toast{Text: "theme: " + u.Name()}
	}))
}
