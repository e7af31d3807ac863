package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ibid/chains/connect"
	"ibid/ui/setup"
)

// vaultPage is the vaults of this machine for the page of the screen.
type vaultPage struct {
	*app
	now  string  // the vault that is open, "" for none
	next *string // the one to open when the screen has ended
}

// List implements ui.Vaults.
func (p vaultPage) List(context.Context) (all []setup.Place, wrong []string) {
	all, wrong = p.places()
	for i := range all {
		all[i].Now = all[i].Dir == p.now
	}
	return all, wrong
}

// Folders implements setup.Vaults: the folder that is typed stands first.
func (p vaultPage) Folders(_ context.Context, typed string) (all []setup.Place) {
	path := p.path(typed)
	dir, begins := filepath.Split(path)
	if typed == "~" || os.IsPathSeparator((" " + typed)[len(typed)]) {
		dir, begins = path, ""
	}
	var dirs []string
	if isFolder(path) {
		dirs = append(dirs, path)
	}
	entries, _ := os.ReadDir(dir) // of a folder that cannot be read nothing is completed
	for _, e := range entries {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(begins, ".")
		full := filepath.Join(dir, name)
		if !hidden && full != path && len(name) >= len(begins) && strings.EqualFold(name[:len(begins)], begins) && len(dirs) < mostFolders && isFolder(full) {
			dirs = append(dirs, full)
		}
	}
	for _, dir := range dirs {
		all = append(all, p.placeAt(dir, "", ""))
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

// listVaults is /vault in line mode: it lists the vaults, and says how to open one.
func (a *app) listVaults(_ context.Context, arg string) (string, error) {
	places, wrong := a.places()
	var lines []string
	for _, p := range places {
		if strings.Contains(strings.ToLower(p.Dir), strings.ToLower(arg)) {
			lines = append(lines, oneLine(p.Shown+"   "+strings.ToLower(p.Group)+"   "+p.About))
		}
	}
	return strings.Join(append(append(lines, wrong...), "start ibid with a folder to open it: ibid ~/notes"), "\n"), nil
}

// screens is ibid on a terminal: one screen after the other, as long as the user
// goes from vault to vault. Where no vault is found, or the one that is named is hardly
// one, it is asked for.
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
			return a.demo(ctx)
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
		// What the command line said was about the first vault.
		a.flags.Vault, a.flags.Chat, a.flags.Chats, a.flags.Notes, a.flags.Project, a.flags.Active, a.files = "", "", "", nil, "", "", nil
		at, chosen = target{dir: next, source: bySettings}, false
		c, err = a.settings()
		a.setUp = false
	}
	return err
}

// chooseVault has the user choose a vault. first reports that the choice was written into
// a configuration that did not exist.
func (a *app) chooseVault(ctx context.Context, c *Config, at target, why string) (chosen target, first bool, with setup.Beginning, err error) {
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
		at.said, err = page.Keep(ctx, dir)
	}
	return at, first, with, err
}
