package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/chatview"
	"ibid/ui/review"
	"ibid/ui/term"
)

// followAsked shows what a turn asks as soon as no other page is open, and takes it
// away when the turn does not wait for it any more. It answers what was approved
// before.
func followAsked(m *Model) tea.Cmd {
	approve(&m.k.Turn, &m.k.opt)
	cmd := keepReason(m)
	if a, open := m.page.(review.Asking); open && !a.Waits() {
		return tea.Batch(cmd, m.setPage(nil))
	}
	if len(m.k.Turn.Asked()) == 0 || m.page != nil || m.k.Find.Typing || m.k.Keys.Held {
		return cmd
	}
	return m.setPage(review.Ask(m.k.Env, &m.k.Turn))
}

// keepReason puts a reason that was being typed into the prompt, once nobody waits for it
// any more; where something else stands there, it is the newest of the earlier ones.
func keepReason(m *Model) tea.Cmd {
	call, text := m.k.Turn.Reason()
	if text == "" || slices.ContainsFunc(m.k.Turn.Asked(), func(a chains.Asked) bool { return a.Call.ID == call }) {
		return nil
	}
	m.k.Turn.SetReason("", "")
	if term.IsBlank(text) {
		return nil
	}
	typed := m.composer.Draft()
	m.composer.SetValue(text)
	if term.IsBlank(typed.Text) {
		return m.say("nothing is asked any more: what you were writing is in the prompt")
	}
	m.composer.Take()
	m.composer.SetDraft(typed)
	return m.say("nothing is asked any more: " + m.k.Theme.Glyphs.Up + " brings back what you were writing")
}

// approve answers what was approved before.
func approve(t *chatview.Turn, o *Options) {
	for len(t.Asked()) > 0 && isApproved(o, &t.Asked()[0]) {
		for _, p := range proposals(&t.Asked()[0]) {
			t.Notice("yes to " + p.Path + ", " + p.Summary() + ", as --approve says")
		}
		t.Answer(chains.Decision{Yes: true})
	}
}

// isApproved reports whether something is answered with yes and without a question. A
// list of changes is if all of them are, and each of them is asked about after it.
func isApproved(o *Options, e *chains.Asked) bool {
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
