package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/transcript"
)

// followPrinter prints finished messages to the scrollback, after each message to the model.
func followPrinter(m *Model, msg tea.Msg) tea.Cmd {
	p, s := m.printer, &m.stage
	whole := !besidePrompt(m.page) || m.Find.Open || !m.Composer.Focused() || !transcript.FollowsEnd(m.Transcript)
	changed, wait := p.Follow(m.printed(s.w, s.h, s.frame.tooSmall), msg, whole)
	if changed {
		if !whole {
			m.Transcript.Bottom()
		}
		m.place()
	}
	if wait != nil {
		return wait
	}
	return p.Print(m.printed(s.w, s.h, s.frame.tooSmall))
}

// printRest returns the text to print when the program ends: all that was not printed yet.
func printRest(m *Model) string {
	if m.printer.On && m.Turn.Running() {
		m.Turn.EndReply(transcript.Cancelled)
		m.Turn.End()
	}
	return m.printer.Rest(m.printed(m.stage.w, m.stage.h, false))
}
