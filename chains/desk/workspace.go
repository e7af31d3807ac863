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
)

// Around is what the editor has open, at one moment.
type Around struct {
	Active vault.ActiveNote
	Pins   []vault.Pin

	// Again says that the workspace was being written: what was known before
	// still stands here, and another look is due after 50, 200 and 1000 ms.
	Again bool
}

// Look finds out what the editor has open. It reads files and changes nothing:
// SetAround takes what it found.
func (d *Desk) Look(now time.Time) (Around, error) {
	dir := d.opts.Vault.Dir()
	var a Around
	signal, _, err := vault.ReadSignal(d.opts.StateDir, dir)
	ws, wsErr := vault.ReadWorkspace(os.DirFS(dir))
	if errors.Is(wsErr, vault.ErrNotYet) {
		wsErr, a.Again = nil, true // what was there before still holds
		ws = vault.Workspace{Active: d.around.Active.Path, When: d.around.Active.When}
	}
	own, pinErr := vault.ReadPins(os.DirFS(dir))
	a.Active = vault.ResolveActive(vault.Signal{}, signal, ws, now)
	a.Pins = vault.MergePins(own, ws.Pins)
	return a, errors.Join(err, wsErr, pinErr)
}

// SetAround takes what Look found.
func (d *Desk) SetAround(a Around) { d.around = a }

// Around is what the editor has open, as SetAround was told last.
func (d *Desk) Around() Around { return d.around }

// LookAround takes in at once what the editor has open.
func (d *Desk) LookAround() error {
	a, err := d.Look(d.now())
	if err == nil {
		d.SetAround(a)
	}
	return err
}

// note reads a reference that must be one note.
func (c *Chat) note(ctx context.Context, arg string) (vault.Path, error) {
	refs, err := c.refs(ctx, arg)
	if err != nil {
		return "", err
	}
	if len(refs) == 1 && refs[0] == chains.ActiveRef() && c.desk.around.Active.Path != "" {
		return c.desk.around.Active.Path, nil
	}
	if len(refs) != 1 || refs[0].Kind != prompt.Note {
		return "", fmt.Errorf("%s is not a note", arg)
	}
	return vault.Path(refs[0].ID), nil
}

func pin(ctx context.Context, c *Chat, arg string) (Result, error) {
	p, err := c.note(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	before := c.Input("")
	if err := vault.AddPin(c.desk.opts.Vault.Dir(), p, c.desk.now()); err != nil {
		return Result{}, err
	}
	err = c.desk.LookAround()
	return Result{Text: "pinned: " + string(p) + c.weight(ctx, before) + ", its name alone with those after it"}, err
}

func unpin(ctx context.Context, c *Chat, arg string) (Result, error) {
	p := vault.Path(strings.Trim(arg, `"`))
	pinned := func(p vault.Path) bool {
		return slices.ContainsFunc(c.desk.around.Pins, func(pin vault.Pin) bool { return pin.Path == p })
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
