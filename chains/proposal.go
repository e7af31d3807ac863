package chains

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ibid/history"
	"ibid/vault/edit"
	"ibid/vault/md"
	"ibid/vault/undo"
)

// Proposal is a change of a file that nobody has agreed to yet. Nothing is on disk. The person sees its hunks, and
// agrees to all or some of them.
type Proposal struct {
	Path     string      // vault-relative
	New      bool        // the file does not exist yet
	Change   edit.Change // relative to the bytes that were read
	Warnings []string    // for the person: links that lead nowhere, properties that cannot be read
	Conflict *Conflict   // set if the proposal is shown again after the file changed

	// Check returns the warnings for another text, such as one that the person edited. It may be nil.
	Check func(after string) []string

	// Refresh returns the proposal for the current file, or the same one if the file did not change. It reads the
	// disk. It may be nil.
	Refresh func() (*Proposal, error)

	// Apply writes what the person agreed to, rebased if the file was changed.
	Apply func(ctx context.Context, d Decision) (AppliedProposal, error)

	// the plan behind Apply and its journal, with which several proposals are made at once; nil if Apply has others
	plan    *undo.Plan
	journal *undo.Journal
}

// Conflict describes a change of a file that was made after a proposal for it.
type Conflict struct {
	Was   edit.Change // the proposal: from the text that was read to the text that the person agreed to
	Hunks []int       // hunks of Was that no longer fit the file and are left out
}

// AppliedProposal is the result of applying a proposal.
type AppliedProposal struct {
	Text  string // for the model and the person: "applied 2 of 3 hunks; refused: lines 31-32"
	Hunks int    // hunks that were written
	Of    int    // hunks of the proposal
	Undo  int    // number with which the write can be taken back, 0 if it cannot

	Record history.NoteWrite // for the chat file

	// Again is the proposal to show next: nothing was written, because some hunks no longer fit the file.
	Again *Proposal
}

// Decision is the answer of a person. The zero value refuses.
type Decision struct {
	Yes bool
	// hunks of a proposal that are accepted, from 0; nil means all. For a batch, the proposals to show singly
	Hunks  []int
	All    bool         // for a batch: make what is accepted as it is, at once, without a further question
	Edited *edit.Change // the proposal as the person edited it, to which Hunks then refers; nil if unedited
	Fitted bool         // Edited is the rest of the proposal that still fits a changed file, and no text of the person
	Always bool         // accept all further changes of this note in this chat
	Reason string       // of a refusal, for the model
	Nobody bool         // nobody could be asked, so no person refused it
}

// NewProposal returns the proposal for a plan, which the journal writes.
func NewProposal(j *undo.Journal, plan undo.Plan) *Proposal {
	return proposalOf(j, plan, nil)
}

// proposalOf returns the proposal for a plan, after a conflict unless that is nil.
func proposalOf(j *undo.Journal, plan undo.Plan, after *Conflict) *Proposal {
	check := func(after string) []string { return j.Warnings(plan.Path, plan.Change.Before, after) }
	was := len(plan.Change.Hunks)
	if after != nil {
		was = len(after.Was.Hunks)
	}
	return &Proposal{
		plan: &plan, journal: j,
		Conflict: after,
		Path:     string(plan.Path), New: plan.New, Change: plan.Change,
		Warnings: check(plan.Change.After), Check: check,
		Refresh: func() (*Proposal, error) {
			now, conflicts, err := j.Rebase(plan)
			if err != nil {
				return nil, err
			}
			return proposeAgain(j, plan, now, conflicts), nil
		},
		Apply: func(_ context.Context, d Decision) (AppliedProposal, error) {
			p := plan
			if d.Edited != nil {
				p.Change = *d.Edited
			}
			done, err := j.Apply(p, d.Hunks)
			var conflict *undo.ConflictError
			switch {
			case errors.As(err, &conflict):
				return AppliedProposal{Again: proposeAgain(j, conflict.Was, conflict.Now, conflict.Hunks)}, nil
			case err != nil:
				return AppliedProposal{}, err
			}
			return appliedResult(&p, d, &done, was), nil
		},
	}
}

// applyAll makes proposals as they are. Those of a journal are one entry in it, so that one undo takes all of them
// back. What no longer fits its note is not made. Results and errors are in the order of the proposals.
func applyAll(ctx context.Context, all []*Proposal) (results []AppliedProposal, errs []error) {
	results, errs = make([]AppliedProposal, len(all)), make([]error, len(all))
	yes := Decision{Yes: true}
	var plans []undo.Plan
	var planned []int // indexes of their proposals
	for i, p := range all {
		if p.journal != nil && p.journal == all[0].journal {
			plans, planned = append(plans, *p.plan), append(planned, i)
			continue
		}
		results[i], errs[i] = p.Apply(ctx, yes)
	}
	if len(plans) == 0 {
		return results, errs
	}
	done, failed := all[0].journal.ApplyAll(plans)
	for n, i := range planned {
		errs[i] = failed[n]
		if errs[i] == nil {
			results[i] = appliedResult(&plans[n], yes, &done[n], len(plans[n].Change.Hunks))
		}
	}
	return results, errs
}

// proposeAgain returns the proposal of a plan for a file that was changed.
func proposeAgain(j *undo.Journal, was, now undo.Plan, conflicts []int) *Proposal {
	if was.Change.Before == now.Change.Before {
		return NewProposal(j, now)
	}
	return proposalOf(j, now, &Conflict{Was: was.Change, Hunks: conflicts})
}

// appliedResult describes what was written of a change that had was hunks before others changed its file.
func appliedResult(p *undo.Plan, d Decision, done *undo.AppliedPlan, was int) AppliedProposal {
	all := len(p.Change.Hunks)
	if p.New {
		all = max(all, 1) // an empty file has no hunk
	}
	left := 0 // hunks that no longer fit the file
	if d.Edited == nil || d.Fitted {
		left = max(was-all, 0)
		all += left
	}
	var refused []string
	for i := range p.Change.Hunks {
		if d.Hunks != nil && !slices.Contains(d.Hunks, i) {
			refused = append(refused, describeLines(&p.Change.Hunks[i]))
		}
	}
	a := AppliedProposal{Hunks: all - left - len(refused), Of: all, Undo: done.ID}
	a.Record = history.NoteWrite{Path: string(p.Path), After: hashOf(done.After)[:8], Undo: done.ID}
	if !p.New {
		a.Record.Before = hashOf(done.Before)[:8]
	}
	switch {
	case len(refused) > 0:
		a.Text = fmt.Sprintf("applied %d of %d hunks; refused: %s", a.Hunks, all, strings.Join(refused, ", "))
	case left > 0 || all > 1:
		a.Text = fmt.Sprintf("applied %d of %d hunks", a.Hunks, all)
	case p.New:
		a.Text = "created " + string(p.Path)
	default:
		a.Text = "applied"
	}
	if left > 0 {
		a.Text += "; the note was changed meanwhile, and the rest of the change fits it no longer"
	}
	if d.Edited != nil && !d.Fitted {
		a.Text += "; the person edited the text first"
	}
	if done.Rebased {
		a.Text += "; the note had been changed meanwhile, and keeps that"
	}
	return a
}

// describeLines names the lines of a hunk.
func describeLines(h *edit.Hunk) string {
	from, to := h.Span()
	if to <= from {
		return fmt.Sprintf("line %d", from)
	}
	return fmt.Sprintf("lines %d-%d", from, to)
}

// Summary returns the size of the change: "2 hunks, +6 −2".
func (p *Proposal) Summary() string {
	added, removed := p.Change.Count()
	text := md.Plural(len(p.Change.Hunks), "hunk")
	if p.New {
		text = "new note"
	}
	return fmt.Sprintf("%s, +%d −%d", text, added, removed)
}

// Totals are the sizes of several changes together.
type Totals struct{ Notes, Hunks, Added, Removed int }

// TotalsOf returns the totals of proposals.
func TotalsOf(all []*Proposal) (t Totals) {
	paths := map[string]bool{}
	for _, p := range all {
		paths[p.Path] = true
		added, removed := p.Change.Count()
		t.Hunks += len(p.Change.Hunks)
		t.Added += added
		t.Removed += removed
	}
	t.Notes = len(paths)
	return t
}

// Diff returns the proposal as a unified diff.
func (p *Proposal) Diff() string { return p.Change.Unified(cmp.Or(p.Path, "note"), p.New) }
