package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// longReply is the time after which the end of a reply is worth a notification.
const longReply = 10 * time.Second

// notify shows a notification about a turn that began at began. It does so only if the user is likely
// to be elsewhere: the reply took longReply or more, and another window is in front.
func notify(m *Model, began time.Time, text string) tea.Cmd {
	if !m.stage.unfocused || m.Now().Sub(began) < longReply {
		return nil
	}
	return m.opt.Terminal.Notify.Show(text)
}
