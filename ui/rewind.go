package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/transcript"
)

// goBack takes the chat back to before a message of the user, and puts its text into the
// prompt. The last one is taken back; an earlier one goes on in a chat of its own, as the
// chat does behind a reply.
type goBack browse.GoBack

func (j goBack) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	turns, text := j.Message, j.Text
	switch {
	case j.Branch:
		turns, text = turns+1, ""
	case j.Last:
		r, err := d.Command(ctx, "/edit")
		if err != nil {
			return nil, err
		}
		return chatview.ReadChat(d, chatview.Reading{Say: "edit and send again; /redo brings it back", Prompt: r.Prompt}, false), nil
	}
	if err := d.BranchTurns(ctx, turns); err != nil {
		return nil, fmt.Errorf("branch: %w", err)
	}
	return chatview.ReadChat(d, chatview.Reading{Say: "a branch from here; the old chat is kept", Prompt: text}, true), nil
}

// editSelected takes the chosen message of the user back into the prompt, or the one
// that the chosen reply answers.
func editSelected(k *known) page.Request {
	t := &k.Turn
	if t.Running() {
		return chatview.Busy
	}
	msg, ok := t.Transcript.Selected()
	if n := msg.Turn; ok && msg.Role != transcript.You && n > 0 && n <= len(t.Prompts) {
		msg, ok = t.Transcript.Message(t.Prompts[n-1])
	}
	if !ok || msg.Role != transcript.You {
		return page.Toast{Text: "choose a message of yours: [ and ] go from one to the next"}
	}
	for n, id := range t.Prompts {
		if id == msg.ID {
			return page.Post{Msg: browse.GoBack{Message: n, Text: msg.Text, Last: n == len(t.Prompts)-1}}
		}
	}
	return nil
}
