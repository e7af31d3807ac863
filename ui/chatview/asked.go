package chatview

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/term"
)

// KeepReason puts a reason that was being typed into the prompt, once the call no longer waits for an
// answer. If the prompt holds other text, the reason becomes the newest earlier prompt.
func (c *Chat) KeepReason() tea.Cmd {
	call, text := c.Turn.Reason()
	if text == "" || slices.ContainsFunc(c.Turn.Asked(), func(a chains.Asked) bool { return a.Call.ID == call }) {
		return nil
	}
	c.Turn.SetReason("", "")
	if term.IsBlank(text) {
		return nil
	}
	typed := c.Composer.Draft()
	c.Composer.SetValue(text)
	if term.IsBlank(typed.Text) {
		return c.Say("nothing is asked any more: what you were writing is in the prompt")
	}
	c.Composer.Take()
	c.Composer.SetDraft(typed)
	return c.Say("nothing is asked any more: " + c.Theme.Glyphs.Up + " brings back what you were writing")
}

// Approve answers the questions that the settings approve.
func (c *Chat) Approve() {
	t := &c.Turn
	for len(t.Asked()) > 0 && c.isApproved(&t.Asked()[0]) {
		asked := &t.Asked()[0]
		for _, p := range proposals(asked) {
			t.Notice("yes to " + p.Path + ", " + p.Summary() + ", as --approve says")
		}
		t.Answer(chains.Decision{Yes: true, All: len(asked.Batch) > 0})
	}
}

// isApproved reports whether a question gets a yes without the user. A list of changes does if every
// change in it is covered.
func (o *Setup) isApproved(e *chains.Asked) bool {
	if e.Kind != chains.AccessWrite {
		return slices.Contains(o.Approved, e.Kind)
	}
	all := proposals(e)
	return o.Covers != nil && len(all) > 0 && !slices.ContainsFunc(all, func(p *chains.Proposal) bool {
		return p.Conflict != nil || !o.Covers(p.Path)
	})
}

// proposals returns the changes that e asks about, nil if it is about another kind of call.
func proposals(e *chains.Asked) []*chains.Proposal {
	if e.Proposal != nil {
		return []*chains.Proposal{e.Proposal}
	}
	return e.Batch
}
