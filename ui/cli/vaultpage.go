package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"ibid/ui/setup"
)

// vaultPage implements setup.Vaults.
type vaultPage struct {
	*app
	now  string  // the vault that is open, "" for none
	next *string // set to the vault to open after this screen
}

// List returns the known vaults, and errors in the lists of other programs.
func (p vaultPage) List(context.Context) (all []setup.Place, wrong []string) {
	all, wrong = p.places()
	for i := range all {
		all[i].Now = all[i].Dir == p.now
	}
	return all, wrong
}

// Named returns the folder at a typed path.
func (p vaultPage) Named(_ context.Context, typed string) (setup.Place, error) {
	dir := p.path(typed)
	if !isFolder(dir) {
		return setup.Place{}, fmt.Errorf("%s: there is no such folder", typed)
	}
	return p.placeAt(dir, "", ""), nil
}

// keep makes a vault the default. The path is kept with ~, so that the file works on other machines.
func (p vaultPage) keep(dir string) (string, error) {
	short := filepath.ToSlash(p.folder.tilde(dir))
	_, said, err := settingTools{p.app}.set("vault", &short)
	return said, err
}

// Open has screens open a vault when this screen has ended.
func (p vaultPage) Open(dir string) { *p.next = dir }
