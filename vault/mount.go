package vault

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// errOverlap says that a link leads to files that the vault contains already.
var errOverlap = errors.New("leads to what the vault shows already")

// mount is a folder outside of the vault, or a file in one, that a followed link makes part of the vault.
type mount struct {
	root   *os.Root
	base   string // name of the file in root; "" if the link leads to a folder
	target string // absolute target of the link
}

// mounts is the table of followed links, by the path of the link.
type mounts struct {
	mu sync.RWMutex
	at map[Path]mount
}

// has reports whether the link at p itself is followed.
func (m *mounts) has(p Path) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	_, ok := m.at[p]
	return ok
}

// paths returns the paths of the followed links.
func (m *mounts) paths() []Path {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Collect(maps.Keys(m.at))
}

// lookup returns the followed link at p or above it, and the rest of p. The deepest link wins.
func (m *mounts) lookup(p Path) (mount, string, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if len(m.at) == 0 {
		return mount{}, "", false
	}
	for at := p; at != ""; at = at.Dir() {
		if mt, ok := m.at[at]; ok {
			return mt, strings.TrimPrefix(string(p[len(at):]), "/"), true
		}
	}
	return mount{}, "", false
}

// add opens the target of the link at p. It returns errOverlap if the target contains, or is in, the vault or
// the target of another link; this also ends loops of links.
func (m *mounts) add(p Path, target string, info fs.FileInfo, vault string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if isWithin(target, vault) || isWithin(vault, target) {
		return errOverlap
	}
	for at, mt := range m.at {
		if at == p || mt.base != "" {
			continue
		}
		if isWithin(target, mt.target) || info.IsDir() && isWithin(mt.target, target) {
			return errOverlap
		}
	}
	old, ok := m.at[p]
	if ok && old.target == target {
		return nil
	}
	mt := mount{target: target}
	dir := target
	if !info.IsDir() {
		dir, mt.base = filepath.Dir(target), filepath.Base(target)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	mt.root = root
	if m.at == nil {
		m.at = make(map[Path]mount)
	}
	m.at[p] = mt
	if ok {
		return old.root.Close()
	}
	return nil
}

// closeOthers closes the links that are not in paths.
func (m *mounts) closeOthers(paths []Path) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	for at, mt := range m.at {
		if !slices.Contains(paths, at) {
			err = errors.Join(err, mt.root.Close())
			delete(m.at, at)
		}
	}
	return err
}
