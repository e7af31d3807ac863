package review

import (
	"fmt"

	"ibid/chains"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/vault/undo"
)

// OwnChange is a change that the user asked for, with its description.
type OwnChange struct {
	*chains.Proposal
	What string
}

// AgreedChange asks to make a change that the user asked for and has agreed to.
type AgreedChange struct {
	OwnChange
	Decision chains.Decision
}

// NewPage returns the page for a change that the user asked for.
func NewPage(env page.Env, own OwnChange) page.Page {
	c := proposedChange{Proposal: own.Proposal, title: "Write this?", what: own.What}
	c.decide = own.decide("nothing was written")
	return newChangePage(env, c)
}

// decide returns a function that makes the change if the user agrees; not is the toast if not.
func (o OwnChange) decide(not string) func(chains.Decision) page.Request {
	return func(d chains.Decision) page.Request {
		if !d.Yes {
			return page.CloseThen(page.Toast{Text: not})
		}
		return page.CloseThen(page.Post{Msg: AgreedChange{o, d}})
	}
}

// DescribeTakenBack describes a change that was taken back.
func DescribeTakenBack(e *undo.Entry) string {
	text := fmt.Sprintf("taken back: %s", e.Path)
	if e.Gone {
		text += " is in the trash"
	} else {
		change := e.Change()
		added, removed := change.Count()
		text += fmt.Sprintf(", +%d -%d", added, removed)
	}
	return text + fmt.Sprintf("; /undo-write %d makes the change again", e.ID)
}

// NewTakeBack returns the page for taking back a change of a note that was changed since. It has three
// views: what taking it back would change now, what the change did, and what was changed since. back
// takes back the parts that are still there.
func NewTakeBack(env page.Env, changed *undo.ChangedError, back *chains.Proposal) page.Page {
	e := &changed.Entry
	c := proposedChange{
		Proposal: back, title: "Take this back?",
		what: "the note was changed since: this takes the change back and keeps what came later",
		views: []view{
			{},
			{fmt.Sprintf("what change %d did: before and after", e.ID), e.Change()},
			{"what was changed since: after and now", changed.Since()},
		},
	}
	still, conflicts := changed.Undo()
	switch {
	case len(still.Change.Hunks) == 0:
		c.note = "nothing of it stands there any more"
	case len(conflicts) > 0:
		c.note = theme.Plural(len(conflicts), "hunk") + " of it will stay: the lines were changed since"
	}
	c.decide = OwnChange{back, c.what}.decide("nothing was taken back")
	return newChangePage(env, c)
}
