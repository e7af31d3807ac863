package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

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
	add := func(dir string) {
		if len(all) < mostFolders && isFolder(dir) {
			all = append(all, p.placeAt(dir, "", ""))
		}
	}
	add(path)
	entries, _ := os.ReadDir(dir) // of a folder that cannot be read nothing is completed
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

// Keep implements ui.Vaults.
func (p vaultPage) Keep(_ context.Context, dir string) (string, error) {
	short := filepath.ToSlash(p.folder.tilde(dir))
	_, said, err := settingTools{p.app}.set("vault", &short)
	return said, err
}

// Open implements ui.Vaults.
func (p vaultPage) Open(dir string) { *p.next = dir }
