package chains

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
)

// maxUnlistedNotes is the number of notes that a reply may change without showing the person a list of them first.
const maxUnlistedNotes = 3

// changes runs the calls of a turn that write.
type changes struct{ *Turn }

// run computes the changes of a round, asks about them, and applies them one by one.
func (t changes) run(ctx context.Context, jobs []*job) error {
	var writes []*job
	for _, j := range jobs {
		if j.tool != nil && j.spec.Writes {
			writes = append(writes, j)
		}
	}
	all := slices.Clone(writes)
	writes, err := t.askAboutList(togetherIn(ctx), writes)
	for _, j := range writes {
		if err == nil {
			err = t.runOne(ctx, j)
		}
	}
	for _, j := range all {
		if j.state == ToolRefused {
			t.loop.deny(j)
		}
	}
	return err
}

// askAboutList shows a list of changes if they concern many notes. It returns the calls that the person wants to
// look at singly, and those that cannot change anything; the others are refused, or made at once.
func (t changes) askAboutList(ctx context.Context, writes []*job) ([]*job, error) {
	if len(writes) <= maxUnlistedNotes || t.isReadOnly() {
		return writes, nil
	}
	var (
		asked  Asked
		owners []*job
		paths  []string
	)
	for _, j := range writes {
		trial := *j
		trial.run(ctx, 0)
		p := trial.out.Propose
		if p == nil {
			asked.Unfit = append(asked.Unfit, UnfitChange{j.call, failure(trial.out.Text)})
			continue
		}
		asked.Batch, asked.Calls, owners = append(asked.Batch, p), append(asked.Calls, j.call), append(owners, j)
		if !slices.Contains(paths, p.Path) {
			paths = append(paths, p.Path)
		}
	}
	if len(paths) <= maxUnlistedNotes || ctx.Err() != nil {
		return writes, ctx.Err()
	}
	asked.Kind, asked.Call = AccessWrite, owners[0].call
	d, err := t.ask(ctx, asked)
	if err != nil {
		return nil, err
	}
	var agreed []*job
	var proposals []*Proposal
	for i, j := range owners {
		chosen := d.Yes && (d.Hunks == nil || slices.Contains(d.Hunks, i))
		if chosen && !d.All {
			continue
		}
		writes = slices.DeleteFunc(writes, func(other *job) bool { return other == j })
		if chosen {
			agreed, proposals = append(agreed, j), append(proposals, asked.Batch[i])
			continue
		}
		j.refuse(Decision{Reason: d.Reason, Nobody: d.Nobody})
		t.reportToolDone(ctx, j)
	}
	return writes, t.makeAll(ctx, agreed, proposals)
}

// makeAll makes changes that the person agreed to as they are, at once.
func (t changes) makeAll(ctx context.Context, agreed []*job, proposals []*Proposal) error {
	var made []*job
	var all []*Proposal
	for i, j := range agreed {
		ok, err := t.allowed(ctx, j)
		if err != nil {
			return err
		}
		if ok && t.isReadOnly() {
			j.refuse(refusedByPolicy)
			ok = false
		}
		if !ok {
			t.reportToolDone(ctx, j)
			continue
		}
		made, all = append(made, j), append(all, proposals[i])
	}
	if len(all) == 0 {
		return nil
	}
	results, errs := applyAll(ctx, all)
	for i, j := range made {
		switch {
		case errs[i] != nil:
			t.recordFailure(j, all[i], errs[i])
		case results[i].Again != nil:
			t.recordFailure(j, all[i], errUnfit)
		default:
			t.recordWrite(j, all[i], &results[i])
		}
		t.reportToolDone(ctx, j)
	}
	return ctx.Err()
}

// refusedByPolicy refuses a change of a chat that is read-only.
var refusedByPolicy = Decision{Reason: "this chat is read-only (/policy)"}

func (t changes) isReadOnly() bool { return t.s.tools.policy.Mode() == ModeReadOnly }

// errUnfit is the error for a change whose note was changed since it was proposed.
var errUnfit = errors.New("the note was changed meanwhile, and nothing of the change fits any more")

// recordWrite records a change that was made.
func (t changes) recordWrite(j *job, p *Proposal, done *AppliedProposal) {
	t.loop.writes++
	if !slices.Contains(t.loop.toolActivity.wrote, p.Path) {
		t.loop.toolActivity.wrote = append(t.loop.toolActivity.wrote, p.Path)
	}
	t.p.tools.writes = append(slices.Clip(t.p.tools.writes), done.Record)
	t.emit(WriteResult{Call: j.call, Path: p.Path, Hunks: done.Of, Applied: done.Hunks, Undo: done.Undo})
	did := describeWrite(p, done.Text)
	text, _ := json.Marshal(map[string]any{"success": true, "message": did}) // strings always marshal
	j.state = ToolFinished
	j.out = ToolOutput{Text: string(text), Note: did, Sources: []Source{{Path: p.Path}}}
}

// recordFailure records a change that could not be made.
func (t changes) recordFailure(j *job, p *Proposal, err error) {
	j.state, j.out = ToolFailed, failedOutput(err.Error(), "nothing was written")
	t.emit(WriteResult{Call: j.call, Path: p.Path, Hunks: len(p.Change.Hunks), Err: err.Error()})
}

// runOne computes a change, asks about it, and applies it.
func (t changes) runOne(ctx context.Context, j *job) error {
	ok, err := t.allowed(ctx, j)
	switch {
	case err != nil:
		return err
	case !ok:
	case t.isReadOnly():
		j.refuse(refusedByPolicy)
	default:
		j.run(togetherIn(ctx), 0) // a change before it, or a person who was asked, may have changed the vault
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if j.out.Propose != nil {
			err = t.propose(ctx, j, j.out.Propose)
		}
	}
	if err == nil {
		t.reportToolDone(ctx, j)
		err = ctx.Err()
	}
	return err
}

// propose asks the person until a change is applied or refused. If its file changed meanwhile, it asks again with
// the new proposal.
func (t changes) propose(ctx context.Context, j *job, p *Proposal) error {
	for {
		d, err := t.decide(ctx, j, p)
		if err != nil {
			return err
		}
		if !d.Yes || d.Hunks != nil && len(d.Hunks) == 0 {
			j.refuse(d)
			t.emit(WriteResult{Call: j.call, Path: p.Path, Hunks: len(p.Change.Hunks), Err: d.Reason})
			return nil
		}
		if d.Always {
			t.s.tools.policy.Allow(p.Path)
		}
		done, err := p.Apply(ctx, d)
		switch {
		case err == nil && done.Again == nil:
			t.recordWrite(j, p, &done)
			return nil
		case err == nil && (len(done.Again.Change.Hunks) > 0 || len(p.Change.Hunks) > 0):
			p = done.Again
			continue
		case err == nil:
			err = errUnfit
		}
		t.recordFailure(j, p, err)
		return nil
	}
}

// describeWrite describes a change for the person and the model, with the path that was written.
func describeWrite(p *Proposal, did string) string {
	if p.New {
		return did
	}
	return p.Path + ": " + did
}

// decide asks the person about a change, unless the person agreed to all changes of its note. It always asks after
// something was fetched from the web, and if the note was changed meanwhile.
func (t changes) decide(ctx context.Context, j *job, p *Proposal) (Decision, error) {
	if t.s.tools.policy.allows(p.Path) && !t.loop.web && p.Conflict == nil {
		return Decision{Yes: true}, nil
	}
	return t.ask(ctx, Asked{Kind: AccessWrite, Call: j.call, Proposal: p})
}
