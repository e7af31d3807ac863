package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"ibid/ui/setup"
)

// vaultPage is the vaults of this machine for the page of the screen.
type vaultPage struct {
	vaultTools
	now  string  // the vault that is open, "" for none
	next *string // the one to open when the screen has ended
}

var _ setup.Vaults = vaultPage{}

// List implements ui.Vaults.
func (p vaultPage) List(context.Context) (all []setup.Place, wrong []string) {
	all, wrong = p.all()
	for i := range all {
		all[i].Now = all[i].Dir == p.now
	}
	return all, wrong
}

// Folders implements ui.Vaults: the folder that is typed stands first.
func (p vaultPage) Folders(_ context.Context, typed string) (all []setup.Place) {
	self := p.path(typed)
	dirs := p.folders(typed)
	if isFolder(self) {
		all = append(all, p.place(self, "", ""))
	}
	for _, dir := range dirs {
		if dir != self {
			all = append(all, p.place(dir, "", ""))
		}
	}
	return all
}

// Keep implements ui.Vaults.
func (p vaultPage) Keep(_ context.Context, dir string) (string, error) {
	short := filepath.ToSlash(p.folder.tilde(dir))
	_, said, err := settingTools{p.app}.set("vault", &short)
	return said, err
}

// Open implements ui.Vaults.
func (p vaultPage) Open(dir string) { *p.next = dir }

// slash is /vault in line mode: it lists the vaults, and says how to open one.
func (t vaultTools) slash(_ context.Context, arg string) (string, error) {
	var b strings.Builder
	places, wrong := t.all()
	for _, p := range places {
		if strings.Contains(strings.ToLower(p.Dir), strings.ToLower(arg)) {
			b.WriteString(oneLine(p.Shown+"   "+strings.ToLower(p.Group)+"   "+p.About) + "\n")
		}
	}
	for _, text := range wrong {
		b.WriteString(text + "\n")
	}
	b.WriteString("start ibid with a folder to open it: ibid ~/notes")
	return b.String(), nil
}

// screens is ibid on a terminal: one screen after the other, as long as the user
// goes from vault to vault. Where no vault is found, or the one that is named is hardly
// one, it is asked for.
func (t vaultTools) screens(ctx context.Context, where string) error {
	c, err := t.settings()
	if err != nil {
		return err
	}
	at, err := t.find(c, where)
	why := ""
	if err == nil {
		why = t.warningFor(c, at)
	}
	chosen := false
	if errors.Is(err, errNoVault) || why != "" {
		if at, chosen, err = t.ask(ctx, &c, at, why); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	for {
		next := ""
		err := t.withTarget(ctx, c, at, chooseModel|askServers|onScreen, func(ctx context.Context, p *parts) error {
			p.first = chosen
			return t.screen(ctx, p, vaultPage{t, p.dir, &next})
		})
		t.remember(at.dir)
		if err != nil || next == "" {
			return err
		}
		// What the command line said was about the first vault.
		t.flags.Vault, t.flags.Chat, t.flags.Chats, t.flags.Notes, t.flags.Project, t.flags.Active = "", "", "", nil, "", ""
		at, chosen = target{dir: next, source: bySettings}, false
		if c, err = t.settings(); err != nil {
			return err
		}
	}
}

// ask has the user choose a vault. first reports that the choice was written into a
// configuration that did not exist.
func (t vaultTools) ask(ctx context.Context, c *Config, at target, why string) (chosen target, first bool, err error) {
	look, kind := lookOf(&c.Screen, c.palettes(), t.env.Getenv)
	page := vaultPage{vaultTools: t, next: new(string)}
	choice := setup.VaultChoice{Theme: look, Fixed: kind != "", Vaults: page, Config: t.folder.tilde(t.configPath())}
	if why != "" {
		p := page.place(at.dir, "", "")
		choice.Asked = &p
	}
	dir, keep, err := choice.Choose(ctx, t.env.Stdin, t.env.Stdout)
	switch {
	case err != nil:
		return at, false, err
	case dir == "":
		return at, false, t.none()
	}
	first = !fileExists(t.configPath())
	at.dir, at.source = dir, byArgument
	if keep {
		at.said, err = page.Keep(ctx, dir)
	}
	return at, first, err
}
