package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

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

// Folders completes a typed path with folders. The typed folder itself comes first.
func (p vaultPage) Folders(_ context.Context, typed string) (all []setup.Place) {
	path := p.path(typed)
	dir, begins := filepath.Split(path)
	if typed == "~" || os.IsPathSeparator((" " + typed)[len(typed)]) {
		dir, begins = path, ""
	}
	add := func(dir string) {
		if len(all) < mostFolders && isFolder(dir) {
			all = append(all, p.placeAt(dir, "", ""))
		}
	}
	add(path)
	entries, _ := os.ReadDir(dir) // on error there is nothing to complete
	for _, e := range entries {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(begins, ".")
		full := filepath.Join(dir, name)
		if !hidden && full != path && strings.HasPrefix(strings.ToLower(name), strings.ToLower(begins)) {
			add(full)
		}
	}
	return all
}

// Keep makes a vault the default. The path is kept with ~, so that the file works on other machines.
func (p vaultPage) Keep(_ context.Context, dir string) (string, error) {
	short := filepath.ToSlash(p.folder.tilde(dir))
	_, said, err := settingTools{p.app}.set("vault", &short)
	return said, err
}

// Open has screens open a vault when this screen has ended.
func (p vaultPage) Open(dir string) { *p.next = dir }
