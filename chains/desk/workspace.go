package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault"
)

// notes reads a reference that must be one note.
func (d *Desk) note(ctx context.Context, arg string) (vault.Path, error) {
	refs, err := d.refs(ctx, arg)
	if err != nil {
		return "", err
	}
	if len(refs) == 1 && refs[0] == chains.ActiveRef() && d.around.Active.Path != "" {
		return d.around.Active.Path, nil
	}
	if len(refs) != 1 || refs[0].Kind != prompt.Note {
		return "", fmt.Errorf("%s is not a note", arg)
	}
	return vault.Path(refs[0].ID), nil
}

func pin(ctx context.Context, d *Desk, arg string) (Result, error) {
	p, err := d.note(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	before := d.Input("")
	if err := vault.AddPin(d.opts.Vault.Dir(), p, d.now()); err != nil {
		return Result{}, err
	}
	if err := d.LookAround(); err != nil {
		return Result{}, err
	}
	return Result{Text: "pinned: " + string(p) + d.weight(ctx, before) + ", its name alone with those after it"}, nil
}

func unpin(ctx context.Context, d *Desk, arg string) (Result, error) {
	p := vault.Path(strings.Trim(arg, `"`))
	pinned := func(p vault.Path) bool {
		return slices.ContainsFunc(d.around.Pins, func(pin vault.Pin) bool { return pin.Path == p })
	}
	if !pinned(p) { // the note itself may be gone: then its path is all there is
		var err error
		if p, err = d.note(ctx, arg); err != nil {
			return Result{}, err
		}
	}
	if err := vault.RemovePin(d.opts.Vault.Dir(), p); err != nil {
		return Result{}, err
	}
	if err := d.LookAround(); err != nil {
		return Result{}, err
	}
	if pinned(p) {
		return Result{Text: string(p) + " is still pinned in Obsidian: unpin its tab there, or /mute it here"}, nil
	}
	return Result{Text: "unpinned: " + string(p)}, nil
}

// LookAround takes in at once what the editor has open.
func (d *Desk) LookAround() error {
	a, err := d.Look(d.now())
	if err == nil {
		d.SetAround(a)
	}
	return err
}

func active(ctx context.Context, d *Desk, arg string) (Result, error) {
	if arg == Off || arg == Follow {
		return Result{Text: "active note: " + arg}, d.SetActive(arg)
	}
	p, err := d.note(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: "active note: " + string(p)}, d.SetActive(string(p))
}
