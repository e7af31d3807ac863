package vault

import (
	"io/fs"
	"path/filepath"
	"time"

	"github.com/djherbis/times"
)

// CreatedAt returns the time when the file at p was created, or that of its last change if the file system does
// not record it; the zero time if the file cannot be found.
func CreatedAt(v *Vault, p Path) time.Time {
	info, err := v.Stat(p)
	if err != nil {
		return time.Time{}
	}
	if to, _, err := v.destination(p); err == nil {
		root, name, _ := v.locate(to)
		if t, err := times.Lstat(filepath.Join(root.Name(), name)); err == nil && t.HasBirthTime() {
			return t.BirthTime()
		}
	}
	return info.ModTime()
}

// ChangedAt returns the time, in nanoseconds, when the system last changed anything about a file. Unlike the
// modification time no program can set it, so it reveals an edit that kept the file's size and restored its
// time. It is 0 if the system does not report it.
func ChangedAt(info fs.FileInfo) int64 {
	if t := times.Get(info); t.HasChangeTime() {
		return t.ChangeTime().UnixNano()
	}
	return 0
}
