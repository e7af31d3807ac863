package vault

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Discover looks in start and in the folders above it for a vault: a folder
// that holds .obsidian, or a settings folder under another name. It returns
// the nearest one.
func Discover(start string) (dir string, ok bool) {
	dir, err := filepath.Abs(start)
	if err != nil {
		return "", false
	}
	for {
		if isVault(dir) {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// isVault reports whether dir holds Obsidian's settings. Other programs keep
// an app.json in a dot folder too (a home folder is full of those), so under
// another name than .obsidian a second settings file must stand beside it.
func isVault(dir string) bool {
	if info, err := os.Stat(filepath.Join(dir, defaultConfigDir)); err == nil && info.IsDir() {
		return true
	}
	fsys := os.DirFS(dir)
	settings, _ := fs.Glob(fsys, path.Join(".?*", "app.json")) // the pattern is sound
	for _, app := range settings {
		for _, other := range []string{workspaceFile, "appearance.json", "core-plugins.json"} {
			if _, err := fs.Stat(fsys, path.Join(path.Dir(app), other)); err == nil {
				return true
			}
		}
	}
	return false
}

// ObsidianVaults lists the vaults that Obsidian knows on this machine and that
// still exist: open ones first, then by last use. configDir is the user's
// folder of settings as os.UserConfigDir names it (~/.config, ~/Library/
// Application Support, %AppData%); a file that is missing or broken gives none.
func ObsidianVaults(configDir string) []string {
	data, err := os.ReadFile(filepath.Join(configDir, "obsidian", "obsidian.json"))
	if err != nil {
		return nil
	}
	type known struct {
		Path string  `json:"path"`
		TS   float64 `json:"ts"`
		Open bool    `json:"open"`
	}
	var file struct {
		Vaults map[string]known `json:"vaults"`
	}
	if json.Unmarshal(data, &file) != nil {
		return nil
	}
	var all []known
	for _, k := range file.Vaults {
		if info, err := os.Stat(k.Path); err == nil && info.IsDir() {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b known) int {
		if a.Open != b.Open {
			if a.Open {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.TS, a.TS), cmp.Compare(a.Path, b.Path))
	})
	var paths []string
	for _, k := range all {
		if !slices.Contains(paths, k.Path) {
			paths = append(paths, k.Path)
		}
	}
	return paths
}
