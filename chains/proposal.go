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
	"ibid/vault/undo"
)

// Proposal is a change of a file that nobody has agreed to. Nothing is on disk. A
// person sees its hunks, and agrees to all or some of them.
type Proposal struct {
	Path     string      // vault-relative
	New      bool        // there is no such file yet
	Change   edit.Change // of the bytes that were read
	Warnings []string    // what a person should know: links that lead nowhere, properties that cannot be read
	Conflict *Conflict   // why it is shown once more, nil at first

	// Check is the warnings for another text, such as one that the person edited. It
	// may be nil.
	Check func(after string) []string

	// Refresh is the proposal for the file as it is now, or the same one if the file is
	// as it was. It reads the disk; it may be nil.
	Refresh func() (*Proposal, error)

	// Apply writes what was agreed to, and rebases it if the file was changed.
	Apply func(ctx context.Context, d Decision) (AppliedProposal, error)
}

// Conflict says that a file was changed after a change of it was proposed.
type Conflict struct {
	Was   edit.Change // what was proposed: Before is what was read, After what was agreed to
	Hunks []int       // of Was, that fit nowhere in the file as it is now, and are left out
}

// AppliedProposal tells how applying a proposal went that was agreed to.
type AppliedProposal struct {
	Text  string // in words for the model and the person: "applied 2 of 3 hunks; refused: lines 31-32"
	Hunks int    // that were written
	Of    int    // of so many
	Undo  int    // number of the write, to take it back with; 0 if it was not kept

	Record history.NoteWrite // for the chat file

	// Again is what to show in place of the proposal: nothing was written, since some of
	// the hunks fit nowhere in the file as it is now.
	Again *Proposal
}

// Decision is a person's answer. The zero value refuses.
type Decision struct {
	Yes    bool
	Hunks  []int        // of a proposal, from 0; nil is all of them. Of a batch, the proposals that are to be shown
	Edited *edit.Change // what the person made of the proposal, nil as it is; Hunks are of this then
	Fitted bool         // Edited is what still fits the file, which was changed meanwhile: the person wrote none of it
	Always bool         // and changes of this note are agreed to for the rest of this chat
	Reason string       // for a refusal, told to the model
	Nobody bool         // was there to ask: no person refused it
}

// NewProposal makes a proposal of a plan, which a journal carries out.
func NewProposal(j *undo.Journal, plan undo.Plan) *Proposal {
	return proposalOf(j, plan, nil)
}

// proposalOf is the proposal of a plan, after a conflict if there was one.
func proposalOf(j *undo.Journal, plan undo.Plan, after *Conflict) *Proposal {
	check := func(after string) []string { return j.Warnings(plan.Path, plan.Change.Before, after) }
	was := len(plan.Change.Hunks)
	if after != nil {
		was = len(after.Was.Hunks)
	}
	return &Proposal{
		Conflict: after,
		Path:     string(plan.Path), New: plan.New, Change: plan.Change, Warnings: check(plan.Change.After), Check: check,
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

// proposeAgain is the proposal of a plan for a file that was changed.
func proposeAgain(j *undo.Journal, was, now undo.Plan, conflicts []int) *Proposal {
	if was.Change.Before == now.Change.Before {
		return NewProposal(j, now)
	}
	return proposalOf(j, now, &Conflict{Was: was.Change, Hunks: conflicts})
}

// appliedResult says what was written of a change that had so many hunks before its file was
// changed by others.
func appliedResult(p *undo.Plan, d Decision, done *undo.AppliedPlan, was int) AppliedProposal {
	all := len(p.Change.Hunks)
	if p.New {
		all = max(all, 1) // it may be empty
	}
	left := 0 // hunks that do not fit the file any more
	if d.Edited == nil || d.Fitted {
		left = max(was-all, 0)
		all += left
	}
	var refused []string
	for i := range p.Change.Hunks {
		if d.Hunks != nil && !slices.Contains(d.Hunks, i) {
			refused = append(refused, lines(&p.Change.Hunks[i]))
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
	case left > 0:
		a.Text = fmt.Sprintf("applied %d of %d hunks", a.Hunks, all)
	case p.New:
		a.Text = "created " + string(p.Path)
	case all == 1:
		a.Text = "applied"
	default:
		a.Text = fmt.Sprintf("applied all %d hunks", all)
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

// lines names the lines of a hunk.
func lines(h *edit.Hunk) string {
	switch from, to := h.Span(); {
	case to == 0:
		return "the beginning"
	case from > to:
		return fmt.Sprintf("after line %d", to)
	case from == to:
		return fmt.Sprintf("line %d", from)
	default:
		return fmt.Sprintf("lines %d-%d", from, to)
	}
}

// Summary measures the change: "2 hunks, +6 −2".
func (p *Proposal) Summary() string {
	added, removed := p.Change.Count()
	text := fmt.Sprintf("%d hunks", len(p.Change.Hunks))
	if len(p.Change.Hunks) == 1 {
		text = "1 hunk"
	}
	if p.New {
		text = "new note"
	}
	return fmt.Sprintf("%s, +%d −%d", text, added, removed)
}

// Diff is a proposal as a unified diff.
func (p *Proposal) Diff() string { return p.Change.Unified(cmp.Or(p.Path, "note"), p.New) }
