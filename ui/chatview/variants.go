package chatview

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/page"
	"ibid/ui/transcript"
)

// variantsOf returns the shown variants of the turns that have several, by the number of the last
// message of the turn.
func variantsOf(chat *history.Chat) map[int]transcript.Variant {
	all := map[int]transcript.Variant{}
	for turn, at := range chat.Questions() {
		if ends, shown := chat.Ends(at); len(ends) > 1 {
			all[chat.Through(turn)] = transcript.Variant{Turn: turn, N: shown + 1, Of: len(ends)}
		}
	}
	return all
}

// variantMsg brings the variant that a message is.
type variantMsg struct {
	ID string
	transcript.Variant
}

func (msg variantMsg) takeIn(c *Chat) tea.Cmd {
	if shown, ok := c.Transcript.Message(msg.ID); ok && shown.Status != transcript.Streaming {
		shown.Variant = msg.Variant
		c.Transcript.Update(shown)
	}
	return nil
}

// countVariants returns the job that finds which variant of the last turn a message on the screen is.
func countVariants(id string) Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		chat, err := d.Session().Chat()
		if err != nil {
			return nil, nil //nolint:nilerr // another turn runs already
		}
		v, ok := variantsOf(&chat)[chat.Through(chat.Turns())]
		if !ok {
			return nil, nil
		}
		return variantMsg{ID: id, Variant: v}, nil
	}
}

// OtherVariant shows the variant of the last turn that is by places further on, if that turn is selected.
func (c *Chat) OtherVariant(by int) page.Request {
	msg, _ := c.Transcript.Selected()
	v := msg.Variant
	switch {
	case c.Turn.Running():
		return Busy
	case v.Of < 2:
		return page.Toast{Text: "this turn has one reply; r sends the last message again"}
	case v.Turn < c.Desk.Chat.Turns:
		return page.Toast{Text: "not the last turn: a branch from here can show its other replies"}
	}
	return page.Post{Msg: showVariant((v.N-1+by+v.Of)%v.Of + 1)}
}

// showVariant returns the job that shows another variant of the last turn.
func showVariant(n int) Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		r, err := d.ShowVariant(n)
		if err != nil {
			return nil, err
		}
		return ReadChat(d, ConversationChanged{Say: r.Text, Stay: true}, false), nil
	}
}
