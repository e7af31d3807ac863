package vault

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"ibid/vault/ownfile"
)

// Discover looks in start and the folders above it for a vault: a folder that contains .obsidian, or a settings
// folder under another name. It returns the nearest one.
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

// isVault reports whether dir contains Obsidian's settings. Other programs keep an app.json in a dot folder too
// (a home folder is full of those), so a folder with another name than .obsidian must contain a workspace as well.
func isVault(dir string) bool {
	if info, err := os.Stat(filepath.Join(dir, defaultConfigDir)); err == nil && info.IsDir() {
		return true
	}
	fsys := os.DirFS(dir)
	settings, _ := fs.Glob(fsys, path.Join(".?*", settingsFile)) // the pattern is valid
	return slices.ContainsFunc(settings, func(app string) bool {
		workspace, _, _ := findWorkspace(fsys, path.Dir(app))
		return workspace != ""
	})
}

// KnownVaults returns the vaults in Obsidian's lists on this machine, and messages about lists that cannot be
// read. getenv and home are those of the person.
func KnownVaults(getenv func(string) string, home string) (dirs, wrong []string) {
	for _, file := range obsidianFiles(getenv, home) {
		known, err := ObsidianVaults(file)
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		for _, dir := range known {
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs, wrong
}

// obsidianFiles returns the possible paths of Obsidian's list of vaults: that of a normal installation, and
// those of its packages.
func obsidianFiles(getenv func(string) string, home string) (files []string) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		dir, err := os.UserConfigDir()
		if err == nil {
			files = []string{filepath.Join(dir, "obsidian", "obsidian.json")}
		}
		return files
	}
	dirs := []string{
		filepath.Join(home, ".config"), filepath.Join(home, ".var/app/md.obsidian.Obsidian/config"),
		filepath.Join(home, "snap/obsidian/current/.config"),
	}
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		dirs[0] = dir
	}
	for _, dir := range dirs {
		files = append(files, filepath.Join(dir, "obsidian", "obsidian.json"))
	}
	return files
}

// ObsidianVaults returns the existing vaults in Obsidian's list obsidian.json: open ones first, then by last
// use. A missing file is an empty list. The error for a file that is no such list is meant for a person.
func ObsidianVaults(file string) ([]string, error) {
	data, err := ownfile.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	type known struct {
		Path string  `json:"path"`
		TS   float64 `json:"ts"`
		Open bool    `json:"open"`
	}
	var list struct {
		Vaults map[string]known `json:"vaults"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s is not a list of vaults: %w", file, err)
	}
	var all []known
	for _, k := range list.Vaults {
		if info, err := os.Stat(k.Path); err == nil && info.IsDir() && filepath.IsAbs(k.Path) {
			k.Path = filepath.Clean(k.Path)
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
		paths = append(paths, k.Path)
	}
	return paths, nil
}

// HasNotes reports whether a folder contains a markdown file, in itself or in a subfolder that is not hidden.
func HasNotes(dir string) bool {
	for _, pattern := range []string{"*.[mM][dD]", "[^.]*/*.[mM][dD]"} {
		if found, _ := fs.Glob(os.DirFS(dir), pattern); len(found) > 0 { // the patterns are valid
			return true
		}
	}
	return false
}
