package undo

import (
	"errors"
	"fmt"
	"io/fs"

	"ibid/vault"
	"ibid/vault/edit"
)

// Plan is a change of a file that was not approved yet. It is not saved anywhere.
type Plan struct {
	Path     vault.Path
	New      bool           // the file does not exist yet
	Change   edit.Change    // change of the text that was read
	Encoding vault.Encoding // of the text in the file
	Author
	Undoes int // number of the write that it undoes, 0 for none
}

// ErrSame is the error for a change without effect.
var ErrSame = errors.New("the note holds this already")

// Plan reads a file and returns the change to the content that alter returns. Errors of alter are returned as
// they are; ErrSame says that the content would not change, vault.ErrBinary that it is no text. Plan does not check
// whether the path may be written; Check does.
func (j *Journal) Plan(p vault.Path, by Author, alter func(before string, there bool) (string, error)) (Plan, error) {
	before, encoding, there, err := j.readText(p)
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
	return Plan{Path: p, New: !there, Change: edit.Compare(before, after), Encoding: encoding, Author: by}, nil
}

// readText returns the text of a file with its encoding, and whether the file exists.
func (j *Journal) readText(p vault.Path) (text string, e vault.Encoding, there bool, err error) {
	data, there, err := j.read(p)
	if err != nil {
		return "", e, there, err
	}
	text, e, err = vault.DecodeFile([]byte(data))
	return text, e, there, err
}

// encode returns a text of the plan as bytes of its file.
func (p *Plan) encode(text string) string { return string(p.Encoding.Encode(text)) }

// AppliedPlan is the result of applying a plan.
type AppliedPlan struct {
	Entry
	Rebased bool // the file had been changed: the hunks were moved to the present places of their lines
}

// Apply makes the chosen hunks of a plan, or all if hunks is nil. In a file that was changed since, they go to
// the present places of their lines; if one of them fits nowhere nothing is written, and the error is a
// *ConflictError. A file that was created or removed since stays as it is: the error is fs.ErrExist or
// fs.ErrNotExist.
func (j *Journal) Apply(p Plan, hunks []int) (AppliedPlan, error) {
	w := Write{
		Path: p.Path, New: p.New, Before: p.encode(p.Change.Before), After: p.encode(p.Change.Select(hunks)),
		Author: p.Author, Undoes: p.Undoes,
	}
	const tries = 3 // limited, since another program may write all the time
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
		w.Before = now.encode(now.Change.Before)
		w.After = now.encode(now.Change.After)
	}
}

// ApplyAll makes several plans at once, as one entry. Plans of one file follow each other. A plan of which a hunk fits
// nowhere any more is not made: the error says so, and the others are. Results and errors are in the order of the plans.
func (j *Journal) ApplyAll(plans []Plan) (applied []AppliedPlan, errs []error) {
	applied, errs = make([]AppliedPlan, len(plans)), make([]error, len(plans))
	var writes []Write
	var encodings []vault.Encoding     // of the files of the writes
	writeOf := make([]int, len(plans)) // index of the write of each plan
	at := map[vault.Path]int{}         // index of the write of each file
	for i, p := range plans {
		n, follows := at[p.Path]
		var now Plan
		var conflicts []int
		switch {
		case follows && p.New:
			errs[i] = fmt.Errorf("make %s: %w", p.Path, fs.ErrExist)
			continue
		case follows:
			now = p
			now.Encoding = encodings[n]
			now.Change, conflicts = edit.Rebase(&p.Change, textOf(writes[n].After))
		default:
			now, conflicts, errs[i] = j.Rebase(p)
		}
		if len(conflicts) > 0 {
			errs[i] = &ConflictError{Was: p, Now: now, Hunks: conflicts}
		}
		if errs[i] != nil {
			continue
		}
		if !follows {
			n = len(writes)
			at[p.Path] = n
			writes = append(writes, Write{
				Path: p.Path, New: p.New, Before: now.encode(now.Change.Before), Author: p.Author, Undoes: p.Undoes,
			})
			encodings = append(encodings, now.Encoding)
		}
		writes[n].After = now.encode(now.Change.After)
		writeOf[i] = n
		applied[i].Rebased = !follows && now.Change.Before != p.Change.Before
	}
	if len(writes) == 0 {
		return applied, errs
	}
	e, failed := j.WriteAll(writes)
	for i := range plans {
		if errs[i] == nil {
			errs[i] = failed[writeOf[i]]
			applied[i].Entry = Entry{Write: writes[writeOf[i]], ID: e.ID, Time: e.Time}
		}
	}
	return applied, errs
}

// Rebase returns the plan for the present content of the file, with the hunks that fit there; conflicts are the
// indexes of the others. If the file did not change, p is returned as it is.
func (j *Journal) Rebase(p Plan) (Plan, []int, error) {
	now, encoding, there, err := j.readText(p.Path)
	switch {
	case err != nil:
		return p, nil, err
	case p.New && there:
		return p, nil, fmt.Errorf("make %s: %w", p.Path, fs.ErrExist)
	case !p.New && !there:
		return p, nil, fmt.Errorf("change %s: %w", p.Path, fs.ErrNotExist)
	case now == p.Change.Before && encoding == p.Encoding:
		return p, nil, nil
	}
	var conflicts []int
	p.Encoding = encoding
	p.Change, conflicts = edit.Rebase(&p.Change, now)
	return p, conflicts, nil
}

// ConflictError says that a file was changed so that some hunks of a plan fit nowhere.
type ConflictError struct {
	Was   Plan  // the plan, with the chosen hunks
	Now   Plan  // the plan for the present file, without the hunks that fit nowhere
	Hunks []int // indexes of the hunks of Was that fit nowhere
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("change %s: it was changed meanwhile, and %d of %d hunks do not fit any more", e.Was.Path,
		len(e.Hunks), len(e.Was.Change.Hunks))
}
