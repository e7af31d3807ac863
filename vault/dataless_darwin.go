package vault

import (
	"io/fs"
	"syscall"
)

// isDataless reports whether the content of a file is not on this machine: reading it would wait for a
// download.
func isDataless(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Flags&0x40000000 != 0 // SF_DATALESS
}
