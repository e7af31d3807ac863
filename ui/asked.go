package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/review"
	"ibid/ui/term"
)

// Asked is what the turn asks, the oldest first.
func (t *turn) Asked() []chains.Asked { return t.rounds.asked }

// Why is what the user has typed as an answer to the first.
func (t *turn) Why() *review.Reason { return &t.rounds.why }

// followAsked shows what a turn asks as soon as no other page is open, and takes it
// away when the turn does not wait for it any more. It answers what was approved
// before.
func followAsked(m *Model) tea.Cmd {
	m.k.turn.approve(&m.k.opt)
	cmd := keepReason(m)
	if a, open := m.page.(review.Asking); open && !a.Waits() {
		return tea.Batch(cmd, m.setPage(nil))
	}
	if len(m.k.turn.rounds.asked) == 0 || m.page != nil || m.k.find.typing || m.k.Keys.Held {
		return cmd
	}
	return m.setPage(review.Ask(m.k.Env, &m.k.turn))
}

// keepReason puts a reason that was being typed into the prompt, once nobody waits for it
// any more; where something else stands there, it is the newest of the earlier ones.
func keepReason(m *Model) tea.Cmd {
	r := &m.k.turn.rounds
	why := r.why
	if why.Text == "" || slices.ContainsFunc(r.asked, func(a chains.Asked) bool { return a.Call.ID == why.Call }) {
		return nil
	}
	r.why = review.Reason{}
	if term.IsBlank(why.Text) {
		return nil
	}
	typed := m.composer.Draft()
	m.composer.SetValue(why.Text)
	if term.IsBlank(typed.Text) {
		return m.say("nothing is asked any more: what you were writing is in the prompt")
	}
	m.composer.Take()
	m.composer.SetDraft(typed)
	return m.say("nothing is asked any more: " + m.k.Theme.Glyphs.Up + " brings back what you were writing")
}

// approve answers what was approved before.
func (t *turn) approve(o *Options) {
	for asked := &t.rounds.asked; len(*asked) > 0 && approved(o, &(*asked)[0]); {
		for _, p := range proposals(&(*asked)[0]) {
			t.notice("yes to " + p.Path + ", " + p.Summary() + ", as --approve says")
		}
		t.answer(chains.Decision{Yes: true})
	}
}

// approved reports whether something is answered with yes and without a question. A
// list of changes is if all of them are, and each of them is asked about after it.
func approved(o *Options, e *chains.Asked) bool {
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
