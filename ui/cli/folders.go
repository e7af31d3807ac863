package cli

import (
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"ibid/vault/ownfile"
)

// folders is where ibid keeps things that are not in the vault.
type folders struct {
	config string // the configuration file
	state  string // editors' signals, locks, what was used last
	cache  string // indexes: safe to delete
	home   string
}

// newFolders follows the XDG variables, and each system's own custom where they
// are not set.
func newFolders(getenv func(string) string) folders {
	pick := func(name, fallback string) string {
		if dir := getenv(name); filepath.IsAbs(dir) {
			return filepath.Join(dir, "ibid")
		}
		return filepath.Join(fallback, "ibid")
	}
	return folders{
		config: filepath.Join(pick("XDG_CONFIG_HOME", xdg.ConfigHome), "config.toml"),
		state:  pick("XDG_STATE_HOME", xdg.StateHome),
		cache:  pick("XDG_CACHE_HOME", xdg.CacheHome),
		home:   xdg.Home,
	}
}

// expand resolves a leading ~ and makes a path absolute from dir.
func (f folders) expand(path, dir string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		path = filepath.Join(f.home, path[1:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}

// tilde writes a path under the home folder short, for people.
func (f folders) tilde(path string) string {
	if rel, err := filepath.Rel(f.home, path); err == nil && f.home != "" && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.Join("~", rel)
	}
	return path
}

// hints is what the state folder remembers for the next start.
func (a *app) hints() ownfile.Hints { return ownfile.Hints(a.folder.state) }
