package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/chatview"
	"ibid/ui/review"
	"ibid/vault"
	"ibid/vault/undo"
)

// listWrites looks up the changes of notes that are kept.
type listWrites struct{}

// writesMsg is those changes, the last one first.
type writesMsg []undo.Entry

func (msg writesMsg) carryOut(m *Model) tea.Cmd { return m.setPage(review.NewList(m.k.Env, msg)) }

func (listWrites) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	all, err := d.Writes()
	if err == nil && len(all) == 0 {
		return chatview.Saying("no change of a note is kept"), nil
	}
	return writesMsg(all), err
}

// takenMsg says that a note was changed since the change that is to be taken back.
type takenMsg struct {
	changed *undo.ChangedError
	back    *chains.Proposal // takes back what still stands
}

func (msg takenMsg) carryOut(m *Model) tea.Cmd {
	return m.setPage(review.NewTakeBack(m.k.Env, msg.changed, msg.back))
}

// ownMsg is a change that the user asked for, to be shown before it is made.
type ownMsg struct{ review.Own }

func (msg ownMsg) carryOut(m *Model) tea.Cmd { return m.setPage(review.NewPage(m.k.Env, msg.Own)) }

// applyOwn makes a change that the user agreed to.
type applyOwn struct{ review.Agreed }

func (j applyOwn) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	done, err := j.Apply(ctx, j.Decision)
	switch {
	case err != nil:
		return nil, err
	case done.Again != nil:
		return ownMsg{review.Own{Proposal: done.Again, What: j.What}}, nil
	}
	p := vault.Path(j.Path)
	d.Settle(ctx, p)
	text := "written: " + j.Path
	if done.Undo > 0 {
		text += fmt.Sprintf("; /undo-write %d takes it back", done.Undo)
	}
	return chatview.Saying(text), nil
}
