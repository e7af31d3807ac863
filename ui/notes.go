package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
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

// scannedMsg brings the vault's names after a scan or a change.
type scannedMsg struct {
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

// watchingMsg brings the channel of changes.
type watchingMsg struct {
	batches <-chan vault.Batch
	err     error
}

// batchMsg brings one batch, applied to the vault.
type batchMsg struct {
	batches  <-chan vault.Batch
	batch    vault.Batch
	scanned  scannedMsg
	degraded string
}

// scan reads the vault, unless somebody has.
func scan(v *vault.Vault) work {
	return func(ctx context.Context) tea.Msg {
		if !v.Scanned() {
			if err := v.Scan(ctx); err != nil {
				return scannedMsg{err: err}
			}
		}
		return gatherNames(v, &index.Names{})
	}
}

// gatherNames makes everything that the pickers need.
func gatherNames(v *vault.Vault, before *index.Names) scannedMsg {
	all := v.Notes()
	msg := scannedMsg{
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

func (m *Model) progressed(msg progressMsg) tea.Cmd {
	if m.notes.names != nil || m.notes.trouble != "" {
		return nil
	}
	m.notes.done, m.notes.total = msg.done, msg.total
	return m.crew.begin(progress(m.opt.Vault))
}

// scanned takes the names in.
func (m *Model) scanned(msg scannedMsg) tea.Cmd {
	n := &m.notes
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			n.trouble = msg.err.Error()
			return m.complain(msg.err.Error())
		}
		return nil
	}
	for _, c := range msg.changes {
		if m.opt.Store == nil || !c.Path.In(m.opt.Store.Folder()) {
			n.changed, n.when = c.Path, m.opt.now()
		}
	}
	if msg.names == nil {
		return nil
	}
	first := n.names == nil
	n.names, n.links, n.twins, n.count, n.dirs, n.recent = msg.names, msg.links, msg.twins, msg.count, msg.dirs, msg.recent
	m.refreshAttach()
	if first && m.opt.Watch != nil {
		return tea.Batch(m.reckon(), m.crew.begin(watch(m.opt.Watch)))
	}
	return m.reckon()
}

// watch begins to watch the vault.
func watch(begin func(context.Context) (<-chan vault.Batch, error)) work {
	return func(ctx context.Context) tea.Msg {
		batches, err := begin(ctx)
		return watchingMsg{batches, err}
	}
}

func (m *Model) watching(msg watchingMsg) tea.Cmd {
	if msg.err != nil {
		m.notes.trouble = "changes are not seen: " + msg.err.Error()
		return m.complain(m.notes.trouble)
	}
	return m.nextBatch(msg.batches)
}

// nextBatch waits for changes and brings the vault up to date. While it works
// the watcher's batches grow into one.
func (m *Model) nextBatch(batches <-chan vault.Batch) tea.Cmd {
	v, names, degraded := m.opt.Vault, m.notes.names, m.opt.Degraded
	isChat := func(vault.Path) bool { return false }
	if m.opt.Store != nil {
		folder := m.opt.Store.Folder()
		isChat = func(p vault.Path) bool { return p.In(folder) }
	}
	return m.crew.begin(func(ctx context.Context) tea.Msg {
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
		msg := batchMsg{batches: batches, batch: b, scanned: apply(ctx, v, names, b, isChat)}
		if degraded != nil {
			msg.degraded = degraded()
		}
		return msg
	})
}

// apply brings the vault up to date with a batch. A chat that is saved every
// second while it streams changes nothing that the pickers show.
func apply(ctx context.Context, v *vault.Vault, names *index.Names, b vault.Batch, isChat func(vault.Path) bool) scannedMsg {
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
		return scannedMsg{err: err, changes: changes}
	}
	msg := gatherNames(v, names)
	msg.changes = changes
	return msg
}

// batched takes changes in: the names, what the editor has open, the chat's file.
func (m *Model) batched(msg batchMsg) tea.Cmd {
	cmds := []tea.Cmd{m.scanned(msg.scanned), m.nextBatch(msg.batches)}
	m.notes.trouble = msg.degraded
	b := msg.batch
	if b.Workspace || b.Signal || b.Pins || b.Rescan {
		cmds = append(cmds, m.errand(lookAround(m.opt.now())))
	}
	p := vault.Path(m.desk.state.chat.Path)
	mine := p != "" && (b.Rescan || slices.Contains(b.Paths, p))
	if mine && m.opt.Store != nil && !m.turn.running() {
		cmds = append(cmds, m.errand(checkFile(m.opt.Store)))
	}
	if m.opt.Store != nil && (b.Rescan || slices.ContainsFunc(b.Paths, func(p vault.Path) bool { return p.In(m.opt.Store.Folder()) })) {
		cmds = append(cmds, m.listChats())
	}
	return tea.Batch(cmds...)
}

// near is the link distance of notes from the one that is open.
func (m *Model) near() map[vault.Path]int {
	if p := m.desk.state.note.Path; p != "" && m.notes.links != nil && m.desk.state.active != desk.Off {
		return m.notes.links.Near(p)
	}
	return nil
}
