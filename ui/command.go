package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/review"
	"ibid/vault/state"
)

// command runs a slash command at the desk.
type command struct {
	line  string
	spans []chains.Span // of it, that were pasted or picked
	chat  string        // the path of the saved chat that it is for, "" for the current one
}

// savedCommand is a command for a saved chat that is not open.
type savedCommand struct{ command }

func (savedCommand) leaves() {}

func (j command) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	before := d.Session()
	r, err := d.CommandFor(ctx, j.chat, j.line, j.spans...)
	if r.Ask != nil {
		return askMsg{r.Ask}, nil
	}
	if err != nil && r.Choices != "" { // of /open
		_, words, _ := strings.Cut(j.line, " ")
		return page.Open{ID: page.Chats, Arg: strings.TrimSpace(words)}, nil
	}
	if err != nil {
		return nil, err
	}
	switch {
	case r.Undone != nil:
		return chatview.Saying(review.TakenBack(r.Undone)), nil
	case r.Changed != nil && r.Changed.Gone:
		return nil, r.Changed
	case r.Changed != nil:
		return takenMsg{r.Changed, d.ProposeUndo(r.Changed)}, nil
	case r.Message != nil:
		return *r.Message, nil
	case r.Edit != "" && r.IsNote:
		return page.EditFile{Path: string(r.Edit), Via: string(state.Navigation)}, nil
	case r.Edit != "":
		return editPrompt{r.Edit}, nil
	case r.Quit:
		return tea.QuitMsg{}, nil
	case r.Gone:
		said := "the chat that was open here is " + r.Text
		if r.Saved == desk.LastDeleted(d) {
			said += ", later `ibid chats restore`"
		}
		msg := chatview.ReadChat(d, chatview.Reading{Say: r.Text}, true, said)
		return keptMsg{r, &msg}, nil
	case r.Opened:
		return chatview.ReadChat(d, chatview.Reading{Say: r.Text, Prompt: r.Prompt}, d.Session() != before), nil
	}
	if r.Saved != "" {
		return keptMsg{r, nil}, nil
	}
	if r.Naming != nil {
		return chatview.NamingOf(before, r.Naming, r.Text), nil
	}
	if r.Pull != nil {
		return pullMsg{r.Pull}, nil
	}
	if r.Table {
		return chatview.Table(r.Text), nil
	}
	return chatview.Saying(r.Text), nil
}

// askMsg asks before a command is run.
type askMsg struct{ *desk.Ask }

func (q askMsg) carryOut(m *Model) tea.Cmd {
	return m.setPage(page.Confirm(m.k.Env, q.Title, q.About, q.Does, page.Run{Line: q.Line}).Guarding())
}

// keptMsg says what became of a saved chat.
type keptMsg struct {
	desk.Result
	read *chatview.Reading // in the place of the one that was open, nil if none was
}

func (msg keptMsg) carryOut(m *Model) tea.Cmd {
	m.composer.Earlier().Forget(msg.Deleted)
	return tea.Batch(m.listChats(msg.Saved), m.say(msg.Text))
}
