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
	writes, err := t.askAboutList(ctx, writes)
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
// look at singly; the others are refused.
func (t changes) askAboutList(ctx context.Context, writes []*job) ([]*job, error) {
	if len(writes) <= maxUnlistedNotes || t.s.tools.policy.Mode() == ModeReadOnly {
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
		if p := trial.out.Propose; p != nil {
			asked.Batch, owners = append(asked.Batch, p), append(owners, j)
			if !slices.Contains(paths, p.Path) {
				paths = append(paths, p.Path)
			}
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
	for i, j := range owners {
		if d.Yes && (d.Hunks == nil || slices.Contains(d.Hunks, i)) {
			continue
		}
		writes = slices.DeleteFunc(writes, func(other *job) bool { return other == j })
		j.refuse(d)
		t.reportToolDone(ctx, j)
	}
	return writes, nil
}

// runOne computes a change, asks about it, and applies it.
func (t changes) runOne(ctx context.Context, j *job) error {
	ok, err := t.allowed(ctx, j)
	switch {
	case err != nil:
		return err
	case !ok:
	case t.s.tools.policy.Mode() == ModeReadOnly:
		j.refuse(Decision{Reason: "this chat is read-only (/policy)"})
	default:
		if j.run(ctx, 0); ctx.Err() != nil {
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
			t.loop.writes++
			if !slices.Contains(t.loop.toolActivity.wrote, p.Path) {
				t.loop.toolActivity.wrote = append(t.loop.toolActivity.wrote, p.Path)
			}
			t.p.tools.writes = append(slices.Clip(t.p.tools.writes), done.Record)
			t.emit(WriteResult{Call: j.call, Path: p.Path, Hunks: done.Of, Applied: done.Hunks, Undo: done.Undo})
			did := describeWrite(p, done.Text)
			text, _ := json.Marshal(map[string]any{"success": true, "message": did}) // strings always marshal
			j.out = ToolOutput{Text: string(text), Note: did, Sources: []Source{{Path: p.Path}}}
			return nil
		case err == nil && (len(done.Again.Change.Hunks) > 0 || len(p.Change.Hunks) > 0):
			p = done.Again
			continue
		case err == nil:
			err = errors.New("the note was changed meanwhile, and nothing of the change fits any more")
		}
		j.state, j.out = ToolFailed, failedOutput(err.Error(), "nothing was written")
		t.emit(WriteResult{Call: j.call, Path: p.Path, Hunks: len(p.Change.Hunks), Err: err.Error()})
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
