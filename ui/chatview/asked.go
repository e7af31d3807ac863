package chatview

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/term"
)

// KeepReason puts a reason that was being typed into the prompt, once nobody waits for it
// any more; where something else stands there, it is the newest of the earlier ones.
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
		return c.say("nothing is asked any more: what you were writing is in the prompt")
	}
	c.Composer.Take()
	c.Composer.SetDraft(typed)
	return c.say("nothing is asked any more: " + c.Theme.Glyphs.Up + " brings back what you were writing")
}

// Approve answers what was approved before.
func (c *Chat) Approve() {
	t := &c.Turn
	for len(t.Asked()) > 0 && c.isApproved(&t.Asked()[0]) {
		for _, p := range proposals(&t.Asked()[0]) {
			t.Notice("yes to " + p.Path + ", " + p.Summary() + ", as --approve says")
		}
		t.Answer(chains.Decision{Yes: true})
	}
}

// isApproved reports whether something is answered with yes and without a question. A
// list of changes is if all of them are, and each of them is asked about after it.
func (o *Setup) isApproved(e *chains.Asked) bool {
	if e.Kind != chains.AccessWrite {
		return slices.Contains(o.Approved, e.Kind)
	}
	all := append(proposals(e), e.Batch...)
	return o.Covers != nil && len(all) > 0 && !slices.ContainsFunc(all, func(p *chains.Proposal) bool {
		return p.Conflict != nil || !o.Covers(p.Path)
	})
}

// proposals is the change that is asked about, none if it is a list or no change.
func proposals(e *chains.Asked) []*chains.Proposal {
	if e.Proposal == nil {
		return nil
	}
	return []*chains.Proposal{e.Proposal}
}
