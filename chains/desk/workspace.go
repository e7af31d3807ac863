package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/state"
)

// LookAround takes in what the editor has open. With an error, which is about one
// of the files that say so, the others were read.
func (d *Desk) LookAround() error { return d.LookAroundAt(d.now()) }

// LookAroundAt is LookAround at a moment that the caller knows.
func (d *Desk) LookAroundAt(now time.Time) error {
	dir := d.opts.Vault.Dir()
	signal, _, err := vault.ReadSignal(d.opts.StateDir, dir)
	ws, wsErr := vault.ReadWorkspace(os.DirFS(dir))
	if d.again = errors.Is(wsErr, vault.ErrNotYet); d.again {
		ws, wsErr = d.windows, nil // what was there before still holds
	}
	d.windows = ws
	own, pinErr := vault.ReadPins(os.DirFS(dir))
	d.event(state.Event{
		Kind: state.WorkspaceRead, At: now, Active: vault.ResolveActive(vault.Signal{}, signal, ws, now),
		Pins: vault.MergePins(own, ws.Pins), Tabs: ws.Tabs,
	})
	return errors.Join(err, wsErr, pinErr)
}

// Again reports whether the workspace was being written when it was looked at:
// another look is due after 50, 200 and 1000 ms.
func (d *Desk) Again() bool { return d.again }

// State is the workspace as far as it is known. It may be called from any goroutine.
func (d *Desk) State() state.State {
	if s := d.shown.Load(); s != nil {
		return *s
	}
	return state.State{}
}

// Opened notes that a note was opened here.
func (d *Desk) Opened(p vault.Path, from state.Source) {
	d.event(state.Event{Kind: state.TabOpened, At: d.now(), Path: p, Source: from})
}

// Changed follows changes of the vault's files.
func (d *Desk) Changed(changes []vault.Change) {
	for _, e := range state.Changed(changes, d.now()) {
		d.event(e)
	}
}

func (d *Desk) event(e state.Event) {
	d.state = state.Apply(d.state, e)
	now := d.state
	d.shown.Store(&now)
	d.log.Debug("workspace", "event", e.Kind)
}

// note reads a reference that must be one note.
func (c *Chat) note(ctx context.Context, arg string) (vault.Path, error) {
	refs, err := c.refs(ctx, arg)
	if err != nil {
		return "", err
	}
	if len(refs) == 1 && refs[0] == chains.ActiveRef() && c.desk.state.Active.Path != "" {
		return c.desk.state.Active.Path, nil
	}
	if len(refs) != 1 || refs[0].Kind != prompt.Note {
		return "", fmt.Errorf("%s is not a note", arg)
	}
	return vault.Path(refs[0].ID), nil
}

func pin(ctx context.Context, c *Chat, arg string) (Result, error) {
	if arg == "" {
		return pinChat(c, true)
	}
	p, err := c.note(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	if err := vault.AddPin(c.desk.opts.Vault.Dir(), p, c.desk.now()); err != nil {
		return Result{}, err
	}
	err = c.desk.LookAround()
	return Result{Text: "pinned: " + string(p) + c.weight(ctx, prompt.Ref{Kind: prompt.Note, ID: string(p)}) + ", its name alone with those after it"}, err
}

func unpin(ctx context.Context, c *Chat, arg string) (Result, error) {
	if arg == "" {
		return pinChat(c, false)
	}
	p := vault.Path(strings.Trim(arg, `"`))
	pinned := func(p vault.Path) bool {
		return slices.ContainsFunc(c.desk.state.Pins, func(pin vault.Pin) bool { return pin.Path == p })
	}
	if !pinned(p) { // the note itself may be gone: then its path is all there is
		var err error
		if p, err = c.note(ctx, arg); err != nil {
			return Result{}, err
		}
	}
	if err := vault.RemovePin(c.desk.opts.Vault.Dir(), p); err != nil {
		return Result{}, err
	}
	err := c.desk.LookAround()
	if pinned(p) {
		return Result{Text: string(p) + " is still pinned in Obsidian: unpin its tab there, or /mute it here"}, err
	}
	return Result{Text: "unpinned: " + string(p)}, err
}

func active(ctx context.Context, c *Chat, arg string) (Result, error) {
	if how := strings.ToLower(arg); how == Off || how == Follow {
		return Result{Text: "active note: " + how}, c.SetActive(how)
	}
	p, err := c.note(ctx, arg)
	if err == nil {
		err = c.SetActive(string(p))
	}
	return Result{Text: "active note: " + string(p)}, err
}
