package vault

import "path/filepath"

// Inside is where a file of this machine is in a folder, if it is in there, whatever links
// lead to either.
func Inside(dir, file string) (p Path, ok bool) {
	real := func(name string) string {
		if at, err := filepath.EvalSymlinks(name); err == nil {
			return at
		}
		return name
	}
	for _, dir := range []string{dir, real(dir)} {
		for _, file := range []string{file, real(file)} {
			if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
				return Path(filepath.ToSlash(rel)), true
			}
		}
	}
	return "", false
}
