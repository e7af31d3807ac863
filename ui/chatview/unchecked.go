package chatview

import (
	tea "charm.land/bubbletea/v2"

	"ibid/context/prompt"
	"ibid/ui/page"
)

// uncheckedMsg ends a turn before anything was sent, because it is not known whether what the user chose for it is
// excluded.
type uncheckedMsg struct {
	id     int
	chosen []prompt.MissingRef
	about  string // names the rule that cannot be read
}

// Asks marks the message as a question to the user.
func (uncheckedMsg) Asks() {}

// takeIn puts the message back into the prompt and asks the user.
func (msg uncheckedMsg) takeIn(c *Chat) tea.Cmd {
	if msg.id != c.Turn.ID || !c.Turn.Running() {
		return nil
	}
	queued := c.returnMessage()
	q := page.Confirm(c.Env, "Send it all the same?", msg.about, "sends it", page.Post{Msg: For{c, sendUnchecked{queued, msg.chosen}}})
	return tea.Batch(c.Ask(page.Show{Page: q.Guarding()}), c.Forecast())
}

// sendUnchecked sends the waiting message with what the user has agreed to.
type sendUnchecked struct {
	queued bool // the message is at the head of the queue, else in the prompt
	chosen []prompt.MissingRef
}

func (msg sendUnchecked) takeIn(c *Chat) tea.Cmd {
	c.Shared.Agree(msg.chosen)
	return c.sendWaiting(msg.queued)
}
