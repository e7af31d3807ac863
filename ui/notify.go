package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// longReply is how long a reply takes before its end is worth a notification.
const longReply = 10 * time.Second

// notify tells something about a turn that began at a time, if the user is likely to be
// elsewhere: the reply took long, and another window is in front.
func notify(m *Model, began time.Time, text string) tea.Cmd {
	if !m.stage.behind || m.k.Now().Sub(began) < longReply {
		return nil
	}
	return m.k.opt.Terminal.Notify.Tell(text)
}
