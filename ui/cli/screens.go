package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ibid/chains/connect"
	"ibid/ui/setup"
)

// start runs ibid without a command: the screen, or line mode where it cannot open.
func start(ctx context.Context, p *parts, words []string) error {
	where := strings.Join(words, "")
	if p.Plain || !canDraw(p.app) {
		return p.with(ctx, where, readNotes|chooseModel|askServers|fromInput, lines)
	}
	return p.screens(ctx, where)
}

func startDemo(ctx context.Context, p *parts, _ []string) error { return p.demoFirst(ctx) }

// screens runs one screen after the other, as long as the user goes from vault to vault. If no vault is found, or the
// folder is unusual for one, it asks first.
func (a *app) screens(ctx context.Context, where string) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	at, err := a.findVault(c, where)
	why := ""
	if err == nil {
		why = a.warningFor(c, at)
	}
	chosen := false
	if errors.Is(err, errNoVault) || why != "" {
		var with setup.Beginning
		if at, chosen, with, err = a.chooseVault(ctx, c, at, why); with == setup.BeginDemo {
			return a.demoFirst(ctx)
		}
		a.setUp = with == setup.BeginModel
	}
	for err == nil {
		next := ""
		err = a.withTarget(ctx, c, at, chooseModel|askServers|onScreen, func(ctx context.Context, p *parts) error {
			p.first = chosen
			return p.show(ctx, vaultPage{a, p.dir, &next})
		})
		a.rememberVault(at.dir)
		if err != nil || next == "" {
			return err
		}
		// Flags of the command line were about the first vault.
		a.flags.Vault, a.flags.Chat, a.flags.Chats, a.flags.Notes, a.flags.Project, a.flags.Active, a.files =
			"", "", "", nil, "", "", nil
		at, chosen = target{dir: next, source: bySettings}, false
		c, err = a.settings()
		a.setUp = false
	}
	return err
}

// demoFirst runs the demo, and then the screens of a vault that was chosen there.
func (a *app) demoFirst(ctx context.Context) error {
	next, err := a.demo(ctx)
	if err != nil || next == "" {
		return err
	}
	return a.screens(ctx, next)
}

// chooseVault asks the user for a vault; why is the reason to doubt the one at at, "" if there is none. first reports
// whether there was no configuration yet.
func (a *app) chooseVault(ctx context.Context, c *Config, at target, why string) (chosen target, first bool,
	with setup.Beginning, err error,
) {
	look, kind := lookOf(&c.Screen, a.env.Getenv)
	page := vaultPage{app: a, next: new(string)}
	choice := setup.VaultChoice{Theme: look, Fixed: kind != "", Vaults: page, Config: a.folder.tilde(a.configPath())}
	if why != "" {
		p := a.placeAt(at.dir, "", "")
		choice.Asked = &p
	} else {
		there, _, err := a.providers(c, nil).List(ctx)
		choice.New = err == nil && !slices.ContainsFunc(there, func(p connect.Provider) bool { return p.Ready() })
	}
	dir, keep, with, err := choice.Choose(ctx, a.env.Stdin, a.env.Stdout)
	switch {
	case err != nil || with == setup.BeginDemo:
		return at, false, with, err
	case dir == "":
		return at, false, with, a.noVault()
	}
	first = !fileExists(a.configPath())
	at.dir, at.source = dir, byArgument
	if keep {
		at.said, err = page.keep(dir)
	}
	return at, first, with, err
}
