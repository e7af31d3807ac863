package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
)

// longReply is how long a reply takes before its end is worth a notification.
const longReply = 10 * time.Second

// notify tells something about the turn of a chat, if the user is likely to be elsewhere:
// the reply took long, and another window is in front.
func notify(m *Model, t *chatview.Turn, text string) tea.Cmd {
	if !m.stage.behind || m.k.Now().Sub(t.Began) < longReply {
		return nil
	}
	return m.k.opt.Terminal.Notify.Tell(text)
}
