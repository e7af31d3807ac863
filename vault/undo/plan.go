package undo

import (
	"errors"
	"fmt"
	"io/fs"

	"ibid/vault"
	"ibid/vault/edit"
)

// Plan is a change of a file that nobody has agreed to yet. Nothing is on disk.
type Plan struct {
	Path   vault.Path
	New    bool        // there is no such file yet
	Change edit.Change // of the bytes that were read
	Author
	Undoes int // number of the write that it takes back, 0 for none
}

// ErrSame is for a change that changes nothing.
var ErrSame = errors.New("the note holds this already")

// Plan reads a file and has alter say what it is to hold. What alter returns as an
// error is returned as it is; ErrSame says that nothing would change. Whether the path
// may be written is for Check to say.
func (j *Journal) Plan(p vault.Path, by Author, alter func(before string, there bool) (string, error)) (Plan, error) {
	before, there, err := j.read(p)
	if err != nil {
		return Plan{}, err
	}
	after, err := alter(before, there)
	if err != nil {
		return Plan{}, err
	}
	if there && before == after {
		return Plan{}, ErrSame
	}
	return Plan{Path: p, New: !there, Change: edit.Compare(before, after), Author: by}, nil
}

// AppliedPlan is what became of a plan.
type AppliedPlan struct {
	Entry
	Rebased bool // the file was changed meanwhile: the hunks went where their lines are now
}

// Apply makes the chosen hunks of a plan, all of them if hunks is nil. In a file that was
// changed meanwhile they go where their lines are now; if one of them fits nowhere
// nothing is written, and the error is a *ConflictError. A file that was made or
// removed meanwhile stays as it is: the error is fs.ErrExist or fs.ErrNotExist.
func (j *Journal) Apply(p Plan, hunks []int) (AppliedPlan, error) {
	w := Write{Path: p.Path, New: p.New, Before: p.Change.Before, After: p.Change.Select(hunks), Author: p.Author, Undoes: p.Undoes}
	const tries = 3 // somebody may write all the time
	for n := 0; ; n++ {
		e, err := j.Write(w)
		if !errors.Is(err, vault.ErrChanged) || n == tries {
			return AppliedPlan{e, n > 0}, err
		}
		chosen := p
		chosen.Change = edit.Compare(p.Change.Before, p.Change.Select(hunks))
		now, conflicts, err := j.Rebase(chosen)
		switch {
		case err != nil:
			return AppliedPlan{}, err
		case len(conflicts) > 0:
			return AppliedPlan{}, &ConflictError{Was: chosen, Now: now, Hunks: conflicts}
		case now.Change.Before == now.Change.After:
			return AppliedPlan{}, ErrSame
		}
		w.Before, w.After = now.Change.Before, now.Change.After
	}
}

// Rebase is a plan for the file as it is now, as far as its hunks fit there; the
// numbers of the others are the conflicts. A plan whose file is as it was is returned
// as it is.
func (j *Journal) Rebase(p Plan) (Plan, []int, error) {
	now, there, err := j.read(p.Path)
	switch {
	case err != nil:
		return p, nil, err
	case p.New && there:
		return p, nil, fmt.Errorf("make %s: %w", p.Path, fs.ErrExist)
	case !p.New && !there:
		return p, nil, fmt.Errorf("change %s: %w", p.Path, fs.ErrNotExist)
	case now == p.Change.Before:
		return p, nil, nil
	}
	var conflicts []int
	p.Change, conflicts = edit.Rebase(&p.Change, now)
	return p, conflicts, nil
}

// ConflictError says that a file was changed so that some hunks of a plan fit nowhere.
type ConflictError struct {
	Was   Plan  // with the hunks that were chosen
	Now   Plan  // for the file as it is now, without those that fit nowhere
	Hunks []int // of Was, that fit nowhere
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("change %s: it was changed meanwhile, and %d of %d hunks do not fit any more", e.Was.Path, len(e.Hunks), len(e.Was.Change.Hunks))
}
