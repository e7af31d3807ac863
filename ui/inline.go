package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/transcript"
)

// followPrinter prints what was said, after each message.
func followPrinter(m *Model, msg tea.Msg) tea.Cmd {
	p, s := m.printer, &m.stage
	if !p.On {
		return nil
	}
	whole := !besidePrompt(m.page) || m.k.Find.Open || !m.composer.Focused() || !transcript.FollowsEnd(m.k.Transcript)
	changed, wait := p.Follow(m.k.printed(s.w, s.h, s.frame.tooSmall), msg, whole)
	if changed {
		if !whole {
			m.k.Transcript.Bottom()
		}
		m.place()
	}
	if wait != nil {
		return wait
	}
	return p.Print(m.k.printed(s.w, s.h, s.frame.tooSmall))
}

// printRest is what was not printed when the program ended.
func printRest(m *Model) string {
	if m.printer.On && m.k.Turn.Running() {
		m.k.Turn.EndReply(transcript.Cancelled)
		m.k.Turn.End()
	}
	return m.printer.Rest(m.k.printed(m.stage.w, m.stage.h, false))
}
