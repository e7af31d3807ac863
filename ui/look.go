package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/inspector"
	"ibid/ui/theme"
)

// place arranges the screen and gives everything its size.
func (m *Model) place() {
	if m.w == 0 {
		return
	}
	m.composer.SetWidth(m.w)
	m.composer.SetMaxRows(promptRows(m.h))
	m.promptRows = m.composer.Height()
	m.frame = arrange(m.w, m.h, wish{prompt: m.promptRows, rails: m.wantRails, find: m.find.open})
	text := m.frame.body.w
	if m.frame.context.w > 0 {
		text-- // so that nothing touches the rail
	}
	m.transcript.SetSize(text, m.frame.body.h)
	m.find.line.SetWidth(max(m.w/2-8, 8))
	size := tea.WindowSizeMsg{Width: m.w, Height: m.h}
	if overPrompt(m.page) {
		size.Height = m.frame.popup.h
	}
	m.toPage(size)
}

// setTheme gives everything its look.
func (m *Model) setTheme(o theme.Options) {
	if o == m.theme.Options && m.painter != nil {
		return
	}
	m.theme = theme.New(o)
	m.composer.SetTheme(m.theme)
	m.transcript.SetTheme(m.theme)
	m.painter = inspector.NewPainter(m.theme)
	m.find.setTheme(&m.theme)
	m.toPage(refreshMsg{})
}

func (m *Model) toggleDark() {
	o := m.theme.Options
	o.Dark = !o.Dark
	m.opt.KeepLook = true
	m.setTheme(o)
}

func (m *Model) toggleRails() tea.Cmd {
	m.wantRails = !m.wantRails
	m.place()
	if m.w < oneRail || m.h < lowHeight {
		return m.say("rails need 100 columns and 20 rows")
	}
	return nil
}

func (m *Model) toggleMouse() tea.Cmd {
	m.mouse = !m.mouse
	if m.mouse {
		return m.say("the wheel scrolls here; F9 leaves the mouse to the terminal")
	}
	return m.say("the terminal has the mouse: select as usual; F9 takes it back")
}

// background is the look that goes with the terminal's background.
func background(opt *Options, o theme.Options, msg tea.BackgroundColorMsg) theme.Options {
	if !opt.KeepLook {
		o.Dark = msg.IsDark()
	}
	return o
}

// profile is the look that goes with what the terminal can show.
func profile(opt *Options, o theme.Options, msg tea.ColorProfileMsg) theme.Options {
	if opt.KeepLook {
		return o
	}
	switch msg.Profile.String() {
	case "ANSI256":
		o.Profile = theme.ANSI256
	case "ANSI":
		o.Profile = theme.ANSI16
	case "Ascii", "NoTTY":
		o.NoColor = true
	}
	return o
}
