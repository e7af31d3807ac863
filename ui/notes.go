package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/index"
)

// progressTime is how often the count of a running scan is renewed.
const progressTime = 120 * time.Millisecond

// notes is what the screen knows of the vault: values that commands made.
type notes struct {
	names   *index.Names // nil until the first scan is done
	links   *index.Links
	twins   map[string]int // notes by folded name, where several share one
	count   int
	dirs    int
	recent  []*vault.Note // changed last, newest first
	done    int           // of the scan that runs
	total   int
	trouble string // why the vault cannot be read, or changes are seen late

	changed vault.Path // what changed last while the screen was up
	when    time.Time
}

// namesMsg brings the vault's names after a scan or a change.
type namesMsg struct {
	names   *index.Names // nil if nothing changed
	links   *index.Links
	twins   map[string]int
	count   int
	dirs    int
	recent  []*vault.Note
	changes []vault.Change
	err     error
}

// progressMsg says how far a scan is.
type progressMsg struct{ done, total int }

// watchMsg brings the channel of changes.
type watchMsg struct {
	batches <-chan vault.Batch
	err     error
}

// batchMsg brings one batch, applied to the vault.
type batchMsg struct {
	batches  <-chan vault.Batch
	batch    vault.Batch
	names    namesMsg
	degraded string
}

// scan reads the vault, unless that was done.
func scan(v *vault.Vault) work {
	return func(ctx context.Context) tea.Msg {
		if !v.Scanned() {
			if err := v.Scan(ctx); err != nil {
				return namesMsg{err: err}
			}
		}
		return gatherNames(v, &index.Names{})
	}
}

// gatherNames makes everything that the pickers need.
func gatherNames(v *vault.Vault, before *index.Names) namesMsg {
	all := v.Notes()
	msg := namesMsg{
		names: before.Rebuild(all, v.Files()), links: index.NewLinks(all, v.Resolve),
		twins: map[string]int{}, count: len(all), dirs: len(v.Folders()),
	}
	for _, n := range all {
		msg.twins[strings.ToLower(n.Path.Base())]++
	}
	for name, n := range msg.twins {
		if n == 1 {
			delete(msg.twins, name)
		}
	}
	msg.recent = newest(all, 5)
	return msg
}

// newest lists the n notes that changed last.
func newest(all []*vault.Note, n int) []*vault.Note {
	out := make([]*vault.Note, 0, n+1)
	for _, note := range all {
		i, _ := slices.BinarySearchFunc(out, note, func(a, b *vault.Note) int { return b.ModTime.Compare(a.ModTime) })
		if i < n && !note.Private {
			out = slices.Insert(out, i, note)
			out = out[:min(len(out), n)]
		}
	}
	return out
}

// progress looks how far the scan is, in a moment.
func progress(v *vault.Vault) work {
	return func(ctx context.Context) tea.Msg {
		t := time.NewTimer(progressTime)
		defer t.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
		done, total := v.Progress()
		return progressMsg{done, total}
	}
}

// state is what goes on in the vault, "" if nothing does.
func (n *notes) state() string {
	switch {
	case n.names == nil && n.total > 0:
		return fmt.Sprintf("indexing %s of %s", theme.Comma(n.done), theme.Comma(n.total))
	case n.names == nil && n.trouble == "":
		return "reading the vault"
	}
	return ""
}

// setProgress says how far the scan is, and looks again as long as it runs.
func (n *notes) setProgress(msg progressMsg, t *tasks, v *vault.Vault) tea.Cmd {
	if n.names != nil || n.trouble != "" {
		return nil
	}
	n.done, n.total = msg.done, msg.total
	return t.start(progress(v))
}

// setNames takes the names in.
func (m *Model) setNames(msg namesMsg) tea.Cmd {
	n := &m.k.notes
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			n.trouble = msg.err.Error()
			return m.complain(msg.err.Error())
		}
		return nil
	}
	for _, c := range msg.changes {
		if m.k.opt.Store == nil || !c.Path.In(m.k.opt.Store.Folder()) {
			n.changed, n.when = c.Path, m.k.opt.now()
		}
	}
	if msg.names == nil {
		return nil
	}
	first := n.names == nil
	n.names, n.links, n.twins, n.count, n.dirs, n.recent = msg.names, msg.links, msg.twins, msg.count, msg.dirs, msg.recent
	m.toPage(refreshMsg{})
	if first && m.k.opt.Watch != nil {
		return tea.Batch(m.forecast(), m.tasks.start(beginWatch(m.k.opt.Watch)))
	}
	return m.forecast()
}

// beginWatch begins to watch the vault.
func beginWatch(begin func(context.Context) (<-chan vault.Batch, error)) work {
	return func(ctx context.Context) tea.Msg {
		batches, err := begin(ctx)
		return watchMsg{batches, err}
	}
}

func (m *Model) watch(msg watchMsg) tea.Cmd {
	if msg.err != nil {
		m.k.notes.trouble = "changes are not seen: " + msg.err.Error()
		return m.complain(m.k.notes.trouble)
	}
	return m.nextBatch(msg.batches)
}

// nextBatch waits for changes and brings the vault up to date. While it works
// the watcher's batches grow into one.
func (m *Model) nextBatch(batches <-chan vault.Batch) tea.Cmd {
	v, names, degraded := m.k.opt.Vault, m.k.notes.names, m.k.opt.Degraded
	isChat := func(vault.Path) bool { return false }
	if m.k.opt.Store != nil {
		folder := m.k.opt.Store.Folder()
		isChat = func(p vault.Path) bool { return p.In(folder) }
	}
	return m.tasks.start(func(ctx context.Context) tea.Msg {
		var b vault.Batch
		select {
		case <-ctx.Done():
			return nil
		case got, ok := <-batches:
			if !ok {
				return nil
			}
			b = got
		}
		msg := batchMsg{batches: batches, batch: b, names: apply(ctx, v, names, b, isChat)}
		if degraded != nil {
			msg.degraded = degraded()
		}
		return msg
	})
}

// apply brings the vault up to date with a batch. A chat that is saved every
// second while it streams changes nothing that the pickers show.
func apply(ctx context.Context, v *vault.Vault, names *index.Names, b vault.Batch, isChat func(vault.Path) bool) namesMsg {
	var changes []vault.Change
	var err error
	switch {
	case b.Rescan:
		changes, err = v.Revalidate(ctx)
	case len(b.Paths) > 0:
		changes, err = v.Update(ctx, b.Paths)
	}
	changes = slices.DeleteFunc(changes, func(c vault.Change) bool { return c.Op == vault.Modified && isChat(c.Path) })
	if err != nil || len(changes) == 0 || names == nil {
		return namesMsg{err: err, changes: changes}
	}
	msg := gatherNames(v, names)
	msg.changes = changes
	return msg
}

// setBatch takes changes in: the names, what the editor has open, the chat's file.
func (m *Model) setBatch(msg batchMsg) tea.Cmd {
	cmds := []tea.Cmd{m.setNames(msg.names), m.nextBatch(msg.batches)}
	m.k.notes.trouble = msg.degraded
	b := msg.batch
	if b.Workspace || b.Signal || b.Pins || b.Rescan {
		cmds = append(cmds, m.work(lookAround{m.k.opt.now()}))
	}
	p := vault.Path(m.k.desk.chat.Path)
	mine := p != "" && (b.Rescan || slices.Contains(b.Paths, p))
	if mine && m.k.opt.Store != nil && !m.k.turn.running() {
		cmds = append(cmds, m.work(checkFile{m.k.opt.Store}))
	}
	if m.k.opt.Store != nil && (b.Rescan || slices.ContainsFunc(b.Paths, func(p vault.Path) bool { return p.In(m.k.opt.Store.Folder()) })) {
		cmds = append(cmds, m.listChats())
	}
	return tea.Batch(cmds...)
}
