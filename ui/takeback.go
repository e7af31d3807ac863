package ui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/vault/edit"
	"ibid/vault/undo"
)

// undoWrite takes a change of a note back, by its number; 0 is the last one.
type undoWrite struct{ id int }

// takenMsg says that a note was changed since the change that is to be taken back.
type takenMsg struct {
	*undo.ChangedError
	back *chains.Proposal // takes back what still stands
}

func (j undoWrite) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	id := j.id
	if id == 0 {
		all, err := d.Writes()
		if err != nil {
			return nil, err
		}
		for i := range all {
			if all[i].Standing() && id == 0 {
				id = all[i].ID
			}
		}
		if id == 0 {
			return answerMsg{"no change of a note is kept that could be taken back"}, nil
		}
	}
	e, err := d.UndoWrite(ctx, id)
	var changed *undo.ChangedError
	switch {
	case errors.As(err, &changed) && !changed.Gone:
		return takenMsg{changed, d.ProposeUndo(changed)}, nil
	case errors.Is(err, undo.ErrNothing):
		return nil, fmt.Errorf("there is no change %d to take back; /undo-write list shows those that are kept", id)
	case err != nil:
		return nil, err
	}
	return answerMsg{takenBack(&e)}, nil
}

// takenBack says what was taken back.
func takenBack(e *undo.Entry) string {
	text := fmt.Sprintf("taken back: %s", e.Path)
	if e.Gone {
		text += " is in the trash"
	} else {
		change := edit.Compare(e.Before, e.After)
		added, removed := change.Count()
		text += fmt.Sprintf(", +%d -%d", added, removed)
	}
	return text + fmt.Sprintf("; /undo-write %d makes the change again", e.ID)
}

func (msg takenMsg) carryOut(m *Model) tea.Cmd { return m.setPage(takenPage(&m.k, msg)) }

// takenPage shows the three texts of a note of which a change is to be taken back: what
// taking it back would change now, what the change did, and what was changed since.
func takenPage(k *known, msg takenMsg) page.Page {
	e := &msg.Entry
	whole := edit.Compare(msg.Now, e.Before)
	c := proposed{
		Proposal: msg.back, title: "Take this back?",
		what: "the note was changed since: this takes the change back and keeps what came later",
		views: []view{
			{},
			{fmt.Sprintf("what change %d did: before and after", e.ID), edit.Compare(e.Before, e.After)},
			{"what was changed since: after and now", edit.Compare(e.After, msg.Now)},
		},
		whole: &whole,
	}
	switch back, conflicts := msg.Change(); {
	case len(back.Hunks) == 0:
		c.note = "nothing of it stands there any more: b makes the note what it was before"
	case len(conflicts) > 0:
		c.note = theme.Plural(len(conflicts), "hunk") + " of it will stay: the lines were changed since"
	}
	c.decide = func(d chains.Decision) page.Request {
		if !d.Yes {
			return page.Steps{page.Close{}, page.Toast{Text: "nothing was taken back"}}
		}
		return page.Steps{page.Close{}, atDesk(applyOwn{ownMsg{msg.back, c.what}, d})}
	}
	p := newChangePage(k, c)
	p.Accepts = true // it was asked for
	return p
}
