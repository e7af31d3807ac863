package cli

import (
	"context"
	"errors"

	"ibid/history"
	"ibid/vault"
)

// mergeFlags say how a chat is merged.
type mergeFlags struct {
	Yes  bool `flag:"yes,y" help:"do not ask"`
	Undo bool `flag:"undo" help:"take the last merging into FILE back"`
}

// run puts what a sync program has parted together again.
func (f *mergeFlags) run(ctx context.Context, p *parts, args []string) error {
	path, err := p.store.Find(ctx, args[0])
	if err != nil {
		return err
	}
	if f.Undo {
		m, err := p.store.Unmerge(path)
		return p.report(keptJSON{"path": m.Chat, "copy": m.Copy}, string(m.Copy), err)
	}
	m, err := planMerge(ctx, p, path, args[1:])
	if err != nil {
		return err
	}
	p.remark("%s", m.String())
	if !f.Yes && !(terminal(p.env.Stdin) && p.agreed(ctx, "Go on? [y/N] ")) {
		return errors.New("nothing was changed; --yes does not ask")
	}
	err = m.Do()
	row := keptJSON{"path": m.Chat, "added": m.Added, "trashed": m.Trashed}
	if err = p.report(row, string(m.Chat), err); err == nil {
		p.remark("`ibid chats merge --undo` takes it back")
	}
	return err
}

// planMerge plans to merge the copy that is named into a chat, else its only one.
func planMerge(ctx context.Context, p *parts, path vault.Path, named []string) (m history.MergeResult, err error) {
	if len(named) > 0 {
		other, err := p.store.Find(ctx, named[0])
		if err != nil {
			return m, err
		}
		return p.store.PlanMerge(path, other)
	}
	chat, copies := p.store.Copies(path)
	if len(copies) != 1 {
		return m, usagef("%s has %d copies that a sync program left: name the one to merge", path, len(copies))
	}
	return p.store.PlanMerge(chat, copies[0])
}
