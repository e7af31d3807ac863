package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"ibid/history"
	"ibid/vault"
)

// mergeCommand puts what a sync program has parted together again.
func (a chatTools) mergeCommand() *cobra.Command {
	var yes, undo bool
	c := a.chatsSub("merge FILE [COPY]", "Put a copy that a sync program left of a chat into it", cobra.RangeArgs(1, 2), func(ctx context.Context, p *parts, args []string) error {
		path, err := p.store.Find(ctx, args[0])
		switch {
		case err != nil:
			return err
		case undo:
			return a.unmerge(p, path)
		}
		m, err := planMerge(ctx, p, path, args[1:])
		if err != nil {
			return err
		}
		a.remark("%s", m.String())
		if !yes && !(terminal(a.env.Stdin) && a.agreed(ctx, "Go on? [y/N] ")) {
			return errors.New("nothing was changed; --yes does not ask")
		}
		return a.merge(m)
	})
	c.Long = "Merge says what it would do and asks. Both chats must begin with the same messages. The copy goes to the vault's .trash; without COPY it is found by its name."
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&undo, "undo", false, "take the last merging into FILE back")
	return c
}

// unmerge takes the last merging into a chat back.
func (a chatTools) unmerge(p *parts, path vault.Path) error {
	m, err := p.store.Unmerge(path)
	if err == nil {
		a.printLine(keptJSON{"path": m.Chat, "copy": m.Copy}, "%s", m.Copy)
	}
	return err
}

// merge does what was planned.
func (a chatTools) merge(m history.Merging) error {
	if err := m.Do(); err != nil {
		return err
	}
	a.printLine(keptJSON{"path": m.Chat, "added": m.Added, "trashed": m.Trashed}, "%s", m.Chat)
	a.remark("`ibid chats merge --undo` takes it back")
	return nil
}

// planMerge plans to merge the copy that is named into a chat, else its only one.
func planMerge(ctx context.Context, p *parts, path vault.Path, named []string) (history.Merging, error) {
	if len(named) > 0 {
		other, err := p.store.Find(ctx, named[0])
		if err != nil {
			return history.Merging{}, err
		}
		return p.store.PlanMerge(path, other)
	}
	chat, copies := p.store.Copies(path)
	if len(copies) != 1 {
		return history.Merging{}, usagef("%s has %d copies that a sync program left: name the one to merge", path, len(copies))
	}
	return p.store.PlanMerge(chat, copies[0])
}
