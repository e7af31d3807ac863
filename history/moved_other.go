//go:build !linux && !darwin

package history

import (
	"io/fs"
	"time"
)

// movedAt is when a file was written last: this system does not tell when it was
// moved.
func movedAt(info fs.FileInfo) time.Time { return info.ModTime() }
