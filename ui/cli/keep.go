package cli

import (
	"context"
	"strings"
	"time"

	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/theme"
	"ibid/vault"
)

// keepChat makes a command that pins or archives a chat, or takes that back.
func keepChat(key string, on bool, change func(s *history.Store, path vault.Path, on bool) (vault.Path, error)) work {
	return onChat(func(p *parts, path vault.Path, _ []string) error {
		path, err := change(p.store, path, on)
		return p.report(rowJSON{"path": path, key: on}, string(path), err)
	})
}

func changeTags(p *parts, path vault.Path, words []string) error {
	tags, err := p.store.Tag(path, words...)
	return p.report(rowJSON{"path": path, "tags": history.JSONList(tags)}, "#"+strings.Join(tags, " #"), err)
}

func restore(ctx context.Context, p *parts, args []string) error {
	path, err := p.store.Restore(ctx, args[0])
	return p.report(rowJSON{"path": path}, string(path), err)
}

func listTrash(ctx context.Context, p *parts, _ []string) error {
	all, err := p.store.ListTrash(ctx)
	for _, t := range all {
		t.Deleted = t.Deleted.Truncate(time.Second)
		t.Tags, t.Problems = history.JSONList(t.Tags), history.JSONList(t.Problems)
		p.printLine(t, "%s  %s  %s  (%s)", t.Deleted.Format(minute), theme.Plural(t.Turns, "turn"), t.Title, t.From)
	}
	if len(all) == 0 && err == nil {
		p.hint("no chats in the trash")
	}
	return err
}

// recoverReply makes a command that saves or drops a reply that a crash or a full disk kept from being saved.
func recoverReply(drop bool) work {
	return func(_ context.Context, p *parts, args []string) error {
		text, _, err := p.desk.Recover(drop, strings.Join(args, ""))
		if err == nil && text != "" {
			p.print(theme.Sanitize(text) + "\n")
		}
		return err
	}
}

// unsavedJSON is the JSON row of an unsaved reply. N names it for ibid chats recover.
type unsavedJSON struct {
	N int `json:"n"`
	history.UnsavedChat
}

func listUnsaved(_ context.Context, p *parts, _ []string) error {
	all, err := p.desk.Unsaved()
	for i, u := range all {
		u.Time = u.Time.Truncate(time.Second)
		p.printRow(unsavedJSON{i + 1, u}, theme.Sanitize(desk.UnsavedLines(i+1, u))+"\n")
	}
	if len(all) == 0 && err == nil {
		p.hint("everything is saved")
	}
	return err
}
