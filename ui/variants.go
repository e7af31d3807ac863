package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/vault/md"
)

// countVariants finds out which end of the last turn a message on screen is.
type countVariants struct{ id string }

func (j countVariants) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	chat, err := d.Session().Chat()
	if err != nil {
		return nil, nil //nolint:nilerr // another turn runs already
	}
	v, ok := chatview.VariantsOf(&chat)[chat.Through(chat.Turns())]
	if !ok {
		return nil, nil
	}
	return chatview.VariantMsg{ID: j.id, Variant: v}, nil
}

// otherVariant shows the end of the selected turn that stands so many
// places further. Of an earlier turn that is another chat, so it is asked first.
func otherVariant(k *known, by int) page.Request {
	msg, _ := k.Turn.Transcript.Selected()
	v := msg.Variant
	switch {
	case k.Turn.Running():
		return busy
	case v.Of < 2:
		return page.Toast{Text: "this turn has one reply; r sends the last message again"}
	}
	n := (v.N-1+by+v.Of)%v.Of + 1
	if v.Turn < k.Desk.Chat.Turns {
		return page.Open{ID: page.Variant, Arg: fmt.Sprint(v.Turn, " ", n)}
	}
	return atDesk(showVariant{v.Turn, n})
}

// askVariant asks whether the chat shall go on from another end of an earlier turn.
func askVariant(k *known, arg string) *page.Question {
	var j showVariant
	_, _ = fmt.Sscan(arg, &j.turn, &j.n) // otherVariant wrote it
	about := fmt.Sprintf("reply %d of turn %d, in a chat of its own; this one is kept, and nothing is sent", j.n, j.turn)
	return page.Confirm(k.Env, "Go on from another reply?", about, "branch", atDesk(j))
}

// showVariant shows another end of a turn.
type showVariant struct{ turn, n int }

func (j showVariant) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	before := d.Session()
	r, err := d.ShowVariant(ctx, j.turn, j.n)
	if err != nil {
		return nil, err
	}
	msg := readChat(d, chatMsg{say: r.Text, stay: true}, d.Session() != before)
	if n := len(msg.messages); n > 0 { // the last turn is the one that was chosen
		last := &msg.messages[n-1]
		if line := chains.DeadLine(last.Dead, len(md.Wikilinks(last.Text))); line != "" {
			msg.notices = append(msg.notices, chains.Notice{Text: line})
		}
	}
	return msg, nil
}
