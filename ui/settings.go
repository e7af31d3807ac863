package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/setup"
	"ibid/ui/term"
	"ibid/ui/transcript"
)

// applySetting makes the screen follow a changed setting, if it counts at once.
func applySetting(m *Model, s *setup.Changed) tea.Cmd {
	on, o := s.Value == "true", m.Theme.Options
	switch s.Key {
	case "screen.theme":
		return useTheme(m, s.Value, false)
	case "screen.ascii":
		o.ASCII = on
	case "screen.links":
		o.NoLinks = !on || m.opt.Terminal.NoLinks
	case "screen.motion":
		o.Still = !on
	case "screen.images":
		m.NoImages = !on
		var read []tea.Cmd
		for _, c := range m.All() {
			transcript.Illustrate(c.Transcript)
			read = append(read, c.LoadImages())
		}
		return tea.Batch(read...)
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
				used.Off.Store(!on)
			}
		}))
	}
	m.setTheme(o)
	return nil
}
