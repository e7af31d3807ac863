package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/state"
)

// workspace tracks the windows of the editor, the pins, and what was opened here. Any goroutine may use it.
type workspace struct {
	mu           sync.Mutex
	state        state.State
	windows      vault.Workspace           // of Obsidian, as they were last read
	beingWritten bool                      // the file of the windows was being written
	moved        map[vault.Path]vault.Path // new paths of renamed notes, because files may still have the old ones
	watched      atomic.Bool               // a watcher reports changes of the vault; not guarded by mu
}

// LookAround reads what the editor has open. An error is about one of the files; the others were read.
func (d *Desk) LookAround() error {
	w, now := &d.workspace, d.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	dir := d.opts.Vault.Dir()
	signal, err := vault.ReadSignal(d.opts.StateDir, dir)
	ws, wsErr := vault.ReadWorkspace(d.opts.Vault.FS())
	if w.beingWritten = errors.Is(wsErr, vault.ErrNotYet); w.beingWritten {
		ws, wsErr = w.windows, nil // the previous windows still hold
	}
	w.windows = ws
	own, pinErr := vault.ReadPins(d.opts.Vault.FS())
	read := state.Event{
		Kind: state.WorkspaceRead, At: now, Active: vault.ResolveActive(signal, ws, now),
		Pins: vault.MergePins(own, ws.Pins...), Tabs: slices.Clone(ws.Tabs),
	}
	read.Active.Path = d.currentPath(read.Active.Path)
	for i := range read.Pins {
		read.Pins[i].Path = d.currentPath(read.Pins[i].Path)
	}
	for i := range read.Tabs {
		read.Tabs[i] = d.currentPath(read.Tabs[i])
	}
	if next := state.Apply(w.state, read); !next.EqualExceptTimes(w.state) {
		d.applyEvent(read)
	}
	return errors.Join(err, wsErr, pinErr)
}

// currentPath returns the current path of a note, if it was renamed since a file named it.
func (d *Desk) currentPath(p vault.Path) vault.Path {
	for range len(d.workspace.moved) {
		to, moved := d.workspace.moved[p]
		if _, exists := d.opts.Vault.Note(p); exists || !moved {
			break
		}
		p = to
	}
	return p
}

// Again reports whether the workspace was being written during the last look. Look again after 50, 200 and 1000 ms.
func (d *Desk) Again() bool {
	d.workspace.mu.Lock()
	defer d.workspace.mu.Unlock()
	return d.workspace.beingWritten
}

// State returns the known state of the workspace. Any goroutine may call it.
func (d *Desk) State() state.State {
	d.workspace.mu.Lock()
	defer d.workspace.mu.Unlock()
	return d.workspace.state
}

// Workspace returns the State with the active note that a user chose for a chat, see chains.Caller.
func (d *Desk) Workspace(active string) state.State {
	d.workspace.mu.Lock()
	defer d.workspace.mu.Unlock()
	s := d.workspace.state
	switch active {
	case "", Follow:
	case Off:
		s.Active = vault.ActiveNote{}
	default:
		s.Active = vault.ActiveNote{Path: d.currentPath(vault.Path(active)), Source: "ibid", Live: true}
	}
	return s
}

// Settle applies everything that has happened to the workspace, its notes and the named ones, whether or not it was
// reported, so that tools can answer from State. A path "" stands for the whole vault. Any goroutine may call it.
func (d *Desk) Settle(ctx context.Context, named ...vault.Path) {
	const rounds = 3 // a note that moved is found in the second one
	again := true
	for n := 0; n < rounds && again; n++ {
		_ = d.LookAround() // what could be read counts
		s, paths := d.State(), named
		if s.Active.Path != "" {
			paths = append(slices.Clip(paths), s.Active.Path)
		}
		for _, p := range s.Pins {
			paths = append(paths, p.Path)
		}
		for _, t := range s.Tabs {
			paths = append(paths, t.Path)
		}
		again, named = d.updateNotes(ctx, paths) && ctx.Err() == nil, nil
	}
}

// clockMargin is the age below which the size and time of a note do not prove that it is unchanged.
const clockMargin = 2 * time.Second

// updateNotes applies what happened to notes since the vault was read, and reports whether anything did. Without a
// watcher it looks at the whole vault, once for the calls of tools that share a [chains.Walk].
func (d *Desk) updateNotes(ctx context.Context, paths []vault.Path) bool {
	v := d.opts.Vault
	before, whole := v.Version(), !d.workspace.watched.Load()
	walk := chains.CallerOf(ctx).Walk
	var differ []vault.Path
	for _, p := range paths {
		n, known := v.Note(p)
		info, err := v.Stat(p)
		switch {
		case p == "":
			whole = true
		case err != nil && !known:
		case err != nil:
			walk.Expire(walk.Begun()) // it may have been moved
			whole = true
		case !known || info.Size() != n.Size || !info.ModTime().Equal(n.ModTime) || time.Since(n.ModTime) < clockMargin:
			differ = append(differ, p)
		}
	}
	var err error
	walked := false
	if whole {
		walked, err = walk.Make(func() error { return v.Scan(ctx) }, v.Version)
	}
	if !walked && len(differ) > 0 {
		_, err = v.Update(ctx, differ)
	}
	if err != nil && ctx.Err() == nil {
		d.log.Warn("vault", "err", err)
	}
	return v.Version() != before
}

// Opened records that a note was opened here.
func (d *Desk) Opened(p vault.Path, from state.Source) {
	d.workspace.mu.Lock()
	defer d.workspace.mu.Unlock()
	d.applyEvent(state.Event{Kind: state.TabOpened, At: d.now(), Path: p, Source: from})
}

// applyChanges applies changes of the vault's files, whoever found them.
func (d *Desk) applyChanges(changes []vault.Change) {
	w := &d.workspace
	w.mu.Lock()
	var renamed []state.Event // notes that the file of pins names
	for _, e := range state.EventsOf(changes, d.now()) {
		if e.Kind == state.NoteRenamed {
			if w.moved == nil {
				w.moved = map[vault.Path]vault.Path{}
			}
			w.moved[e.Path] = e.To
			delete(w.moved, e.To) // a note exists there again
			if slices.ContainsFunc(w.state.Pins, func(p vault.Pin) bool {
				return p.Path == e.Path && !p.PinnedAt.IsZero()
			}) {
				renamed = append(renamed, e)
			}
		}
		if next := state.Apply(w.state, e); !next.EqualExceptTimes(w.state) {
			d.applyEvent(e)
		}
	}
	w.mu.Unlock()
	for _, e := range renamed {
		if err := vault.MovePin(d.opts.Vault, e.Path, e.To); err != nil {
			d.log.Warn("pins", "err", err) // it stays pinned, see currentPath
		}
	}
}

// applyEvent applies an event. The caller holds the lock of the workspace.
func (d *Desk) applyEvent(e state.Event) {
	w := &d.workspace
	before := w.state
	w.state = state.Apply(w.state, e)
	logEvent(d.log, w.state, e)
	if e.Kind == state.WorkspaceRead {
		for _, one := range state.EventsBetween(before, w.state) {
			logEvent(d.log, w.state, one)
		}
	}
}

// logEvent writes one line about an event and the state after it: the path of the note in the vault, the source,
// and the age of the information.
func logEvent(log *slog.Logger, s state.State, e state.Event) {
	attrs := []any{
		"event", string(e.Kind), "note", string(cmp.Or(e.Path, e.Active.Path)), "source",
		cmp.Or(string(e.Source), e.Active.Source),
		"tabs", len(s.Tabs), "pins", len(s.Pins),
	}
	if e.To != "" {
		attrs = append(attrs, "to", string(e.To))
	}
	if since := e.Since(); !since.IsZero() {
		attrs = append(attrs, "age", e.At.Sub(since).Round(time.Millisecond))
	}
	log.Debug("workspace", attrs...)
}

// noteNamed returns the path for a reference that must be one note.
func (c *Chat) noteNamed(ctx context.Context, arg string) (vault.Path, error) {
	refs, err := c.refs(ctx, arg)
	if err != nil {
		return "", err
	}
	open, _ := c.ActiveNote()
	if len(refs) == 1 && refs[0] == chains.ActiveRef && open.Path != "" {
		return open.Path, nil
	}
	if len(refs) != 1 || refs[0].Kind != prompt.Note {
		return "", fmt.Errorf("%s is not a note", arg)
	}
	return vault.Path(refs[0].ID), nil
}

func pin(ctx context.Context, c *Place, arg string) (Result, error) {
	if arg == "" {
		return pinChat(c.Chat, true)
	}
	p, err := c.noteNamed(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	if err := vault.AddPin(c.opts.Vault, p, c.now()); err != nil {
		return Result{}, err
	}
	err = c.LookAround()
	return Result{Text: "pinned: " + string(p) + c.describeWeight(ctx, prompt.NoteRef(p)) +
		", its name alone with those after it"}, err
}

func unpin(ctx context.Context, c *Place, arg string) (Result, error) {
	if arg == "" {
		return pinChat(c.Chat, false)
	}
	p := vault.Path(strings.Trim(arg, `"`))
	pinned := func(p vault.Path) bool {
		return slices.ContainsFunc(c.State().Pins, func(pin vault.Pin) bool { return pin.Path == p })
	}
	if !pinned(p) { // the note itself may be gone, so its path is enough
		var err error
		if p, err = c.noteNamed(ctx, arg); err != nil {
			return Result{}, err
		}
	}
	if err := vault.RemovePin(c.opts.Vault, p); err != nil {
		return Result{}, err
	}
	err := c.LookAround()
	if pinned(p) {
		return Result{Text: string(p) + " is still pinned in Obsidian: unpin its tab there, or /mute it here"}, err
	}
	return Result{Text: "unpinned: " + string(p)}, err
}

func setActiveNote(ctx context.Context, c *Place, arg string) (Result, error) {
	if how := strings.ToLower(arg); how == Off || how == Follow {
		return Result{Text: "active note: " + how}, c.SetActive(how)
	}
	p, err := c.noteNamed(ctx, arg)
	if err == nil {
		err = c.SetActive(string(p))
	}
	return Result{Text: "active note: " + string(p)}, err
}
