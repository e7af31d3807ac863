package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/setup"
	"ibid/ui/term"
	"ibid/ui/transcript"
)

// settingChanged applies a changed setting, at once if the screen can, and says so.
func settingChanged(m *Model, msg setup.SettingMsg) tea.Cmd {
	if msg.Err != nil {
		return m.Complain(msg.Err.Error())
	}
	if !msg.Now.AtOnce {
		msg.Said += "; it counts from the next start"
	}
	return tea.Batch(applySetting(m, &msg.Now), m.Say(msg.Said), m.toPage(msg))
}

// applySetting makes the screen follow a setting. Settings that count from the next start change
// nothing.
func applySetting(m *Model, s *page.Setting) tea.Cmd {
	on, o := s.Value == "true", m.Theme.Options
	switch s.Key {
	case "screen.theme":
		return useTheme(m, s.Value, false)
	case "screen.ascii":
		o.ASCII = on
		m.setTheme(o)
	case "screen.links":
		o.NoLinks = !on || m.opt.Terminal.NoLinks
		m.setTheme(o)
	case "screen.motion":
		o.Still = !on
		m.setTheme(o)
	case "screen.images":
		m.NoImages = !on
		var cmds []tea.Cmd
		for _, c := range m.All() {
			transcript.Illustrate(c.Transcript)
			cmds = append(cmds, c.LoadImages())
		}
		return tea.Batch(cmds...)
	case "screen.mouse":
		m.stage.mouse = on
	case "screen.vim":
		m.opt.Input.Vim = on
		composer.VimIn(m.Composer).Set(on)
	case "screen.notify":
		m.opt.Terminal.Notify = term.Notify(s.Value)
	case "screen.suggestions":
		return m.Do(chatview.Tell(func(d *desk.Place) {
			if used := desk.UsageOf(d); used != nil {
				used.Count(on)
			}
		}))
	}
	return nil
}
