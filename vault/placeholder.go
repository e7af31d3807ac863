package vault

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// iCloud removes the content of unused files from the machine. Newer systems keep the file, and isDataless
// detects it; older ones leave a placeholder in its folder, called .Note.md.icloud for Note.md. Such a file
// belongs to the vault, but cannot be read.

const placeholderEnd = ".icloud"

// placeholder returns the file p if only its placeholder exists.
func placeholder(v *Vault, p Path) (f walkedFile, ok bool) {
	root, name, _ := v.locate(p)
	dir, base := filepath.Split(name)
	info, err := root.Lstat(dir + "." + base + placeholderEnd)
	if err != nil || hasDotPart(p) || isScratch(p) {
		return f, false
	}
	_, err = root.Lstat(name)
	f = foundFile(p, info)
	f.dataless = true
	return f, errors.Is(err, fs.ErrNotExist)
}

// absentError returns err, or ErrNotDownloaded if p does not exist but has a placeholder.
func absentError(v *Vault, p Path, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		if _, ok := placeholder(v, p); ok {
			return ErrNotDownloaded
		}
	}
	return err
}
