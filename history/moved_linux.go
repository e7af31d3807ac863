package history

import (
	"io/fs"
	"syscall"
	"time"
)

// movedAt is when a file was moved, written or had its mode changed last.
func movedAt(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return info.ModTime()
}
