package ui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/review"
	"ibid/ui/term"
	"ibid/vault"
)

// progressTime is the time between updates of the count of a running scan.
const progressTime = 120 * time.Millisecond

// progressMsg is the progress of a scan, in notes.
type progressMsg struct{ done, total int }

// readProgress returns work that reads the progress of the scan after progressTime.
func readProgress(v *vault.Vault) term.Work {
	return term.Work(func(context.Context) tea.Msg {
		done, total := v.Progress()
		return progressMsg{done, total}
	}).After(progressTime)
}

// carryOut shows the progress and looks again while the scan runs.
func (msg progressMsg) carryOut(k *screenState) tea.Cmd {
	n := &k.Notes
	if n.All != nil || n.Trouble != "" {
		return k.Refresh()
	}
	n.Done, n.Total = msg.done, msg.total
	return tea.Batch(k.Tasks.Start(readProgress(k.Vault)), k.Refresh())
}

// updateMsg is a change in the vault; updates brings the next ones.
type updateMsg struct {
	desk.Update
	updates <-chan desk.Update
}

// followVault keeps the vault's names up to date and reports each change.
func followVault(t *term.Tasks, o *Options) tea.Cmd {
	updates := make(chan desk.Update)
	d, from := o.Desk, desk.Changes{Watch: o.Watch, Degraded: o.Degraded}
	work := term.Work(func(ctx context.Context) tea.Msg {
		defer close(updates)
		d.Run(ctx, from, func(u desk.Update) {
			select {
			case updates <- u:
			case <-ctx.Done():
			}
		})
		return nil
	})
	run := t.Start(work.Guarded(func(f *term.Fault) tea.Msg { return f },
		"stopped watching the vault for changes until the next start"))
	return tea.Batch(run, t.Start(nextUpdate(updates)))
}

// nextUpdate returns work that waits for the next change.
func nextUpdate(updates <-chan desk.Update) term.Work {
	return func(context.Context) tea.Msg {
		if u, ok := <-updates; ok {
			return updateMsg{u, updates}
		}
		return nil
	}
}

// carryOut follows changes: it renews the names, the active note, the file of the chat and the list of
// chats.
func (msg updateMsg) carryOut(k *screenState) tea.Cmd {
	n, b, store := &k.Notes, msg.Batch, k.Store
	cmds := []tea.Cmd{k.Tasks.Start(nextUpdate(msg.updates))}
	n.Trouble = msg.Late
	if msg.Err != nil && !errors.Is(msg.Err, context.Canceled) {
		n.Trouble = msg.Err.Error()
		cmds = append(cmds, k.Complain(n.Trouble))
	}
	if rules := k.Vault.RulesWarning(); rules != n.Rules {
		n.Rules = rules
		if rules != "" {
			cmds = append(cmds, k.Complain(rules))
		}
	}
	for _, c := range msg.Changes {
		if store == nil || !c.Path.In(store.Folder()) {
			n.Changed, n.When = c.Path, k.Now()
		}
	}
	if msg.Notes != nil {
		n.All, k.Estimate.Prices = msg.Notes, nil
		if n.All.Links != nil {
			k.Linked = n.All.Links.Of
		}
		cmds = append(cmds, k.Refresh(), k.Forecast())
	}
	if len(b.Paths) > 0 {
		cmds = append(cmds, k.Post(review.ChangedFiles{Paths: b.Paths}))
	}
	if len(msg.Changes) > 0 || b.Workspace || b.Rescan {
		cmds = append(cmds, k.LookAround())
	}
	if store == nil {
		return tea.Batch(cmds...)
	}
	p := vault.Path(k.Desk.Chat.Path)
	if p != "" && (b.Rescan || slices.Contains(b.Paths, p)) {
		cmds = append(cmds, k.CheckFile())
	}
	if b.Rescan || slices.ContainsFunc(b.Paths, func(p vault.Path) bool { return p.In(store.Folder()) }) {
		cmds = append(cmds, k.listChats(""))
	}
	return tea.Batch(cmds...)
}
