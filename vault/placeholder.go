package vault

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// iCloud takes the data of files that are not used off the machine. Newer systems leave
// the file, which dataless knows; older ones a placeholder beside the place of Note.md,
// called .Note.md.icloud. Such a file is in the vault, and cannot be read.

const placeholderEnd = ".icloud"

// placeholder is the file p if it is not there, and a placeholder stands for it.
func placeholder(v *Vault, p Path) (f walkedFile, ok bool) {
	root, name, _ := v.locate(p)
	dir, base := filepath.Split(name)
	info, err := root.Lstat(dir + "." + base + placeholderEnd)
	if err != nil || hasDotPart(p) || scratch(p) {
		return f, false
	}
	_, err = root.Lstat(name)
	f = foundFile(p, info)
	f.dataless = true
	return f, errors.Is(err, fs.ErrNotExist)
}

// absentError is the error that there is no file p, or ErrNotDownloaded.
func absentError(v *Vault, p Path, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		if _, ok := placeholder(v, p); ok {
			return ErrNotDownloaded
		}
	}
	return err
}
