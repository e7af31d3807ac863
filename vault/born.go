package vault

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/djherbis/times"
)

// CreatedAt is when the file at p was made, where the file system knows that, else when it
// was changed.
func CreatedAt(v *Vault, p Path) (time.Time, error) {
	info, err := v.Stat(p)
	if err != nil {
		return time.Time{}, err
	}
	to, _, err := v.destination(p)
	if err != nil {
		return time.Time{}, fmt.Errorf("stat %s: %w", p, reason(err))
	}
	root, name, _ := v.locate(to)
	if t, err := times.Lstat(filepath.Join(root.Name(), name)); err == nil && t.HasBirthTime() {
		return t.BirthTime(), nil
	}
	return info.ModTime(), nil
}

// ChangedAt is when the system last changed anything about a file, in
// nanoseconds. Unlike the time of the last write nobody can set it, so it tells
// an edit that kept the file's size and put its time back; 0 where there is no
// such thing, or the system does not tell it with the others.
func ChangedAt(info fs.FileInfo) int64 {
	if t := times.Get(info); t.HasChangeTime() {
		return t.ChangeTime().UnixNano()
	}
	return 0
}
