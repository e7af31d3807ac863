package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/transcript"
)

// followPrinter prints finished messages to the scrollback, after each message to the model.
func followPrinter(m *Model, msg tea.Msg) tea.Cmd {
	p, s := m.printer, &m.stage
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

// printRest returns the text to print when the program ends: all that was not printed yet.
func printRest(m *Model) string {
	if m.printer.On && m.k.Turn.Running() {
		m.k.Turn.EndReply(transcript.Cancelled)
		m.k.Turn.End()
	}
	return m.printer.Rest(m.k.printed(m.stage.w, m.stage.h, false))
}
