package desk

import (
	"context"
	"errors"

	"ibid/history"
	"ibid/vault"
)

// Merging plans to merge the first copy that a sync program made of the current chat. It changes nothing.
func (d *Place) Merging() (history.MergeResult, error) {
	path := vault.Path(d.session.Snapshot().Path)
	if d.opts.Store == nil || path == "" {
		return history.MergeResult{}, errors.New("the chat is not saved yet, so there is no copy of it")
	}
	chat, copies := d.opts.Store.Copies(path)
	if len(copies) == 0 {
		return history.MergeResult{}, errors.New("a sync program left no copy of this chat")
	}
	return d.opts.Store.PlanMerge(chat, copies[0])
}

// merge merges a copy into the current chat after the user agreed.
func merge(ctx context.Context, c *Place, arg string) (Result, error) {
	m, err := c.Merging()
	switch {
	case err != nil:
		return Result{}, err
	case arg == "":
		return Result{Text: m.String() +
			": /merge yes does it", Ask: &Ask{"Merge the copy?", m.String(), "merge", "/merge yes"}}, nil
	case arg != "yes":
		return Result{}, errors.New("/merge takes yes; alone it says what it would do")
	}
	if err := m.Do(); err != nil {
		return Result{}, err
	}
	err = c.Open(ctx, string(m.Chat))
	return Result{Text: "merged: " + string(m.Chat) + "; the copy is in the trash", Opened: true}, err
}
