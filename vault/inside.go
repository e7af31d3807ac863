package vault

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ibid/vault/ownfile"
)

// Inside returns the path of file relative to the folder dir; ok is false if it is not in dir. Symbolic links
// in both paths are resolved.
func Inside(dir, file string) (p Path, ok bool) {
	for _, dir := range []string{dir, ownfile.RealPath(dir)} {
		for _, file := range []string{file, ownfile.RealPath(file)} {
			if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
				return Path(filepath.ToSlash(rel)), true
			}
		}
	}
	return "", false
}

// ParseNotePath returns the vault path of an existing note. path is the argument as a path of this machine, name
// is the argument as a path in the vault.
func ParseNotePath(dir, name, path string) (Path, error) {
	if inside, ok := Inside(dir, path); ok && isFile(path) {
		return inside, nil
	}
	p, err := ParsePath(filepath.ToSlash(name))
	if err != nil {
		return "", fmt.Errorf("active note %s: %w", name, err)
	}
	for _, try := range []Path{p, p + ".md"} {
		if isFile(filepath.Join(dir, try.Native())) {
			return try, nil
		}
	}
	return "", fmt.Errorf("active note %s: there is no such note in %s", name, dir)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// SplitLineNumber splits "note.md:12" into the name and the line number, 0 if there is none.
func SplitLineNumber(s string) (name string, line int) {
	if i := strings.LastIndexByte(s, ':'); i > 0 {
		if n, err := strconv.Atoi(s[i+1:]); err == nil && n > 0 {
			return s[:i], n
		}
	}
	return s, 0
}
