package vault

import (
	"io/fs"
	"syscall"
)

// isDataless reports whether the data of a file are not on this machine: reading it would
// wait for them.
func isDataless(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Flags&0x40000000 != 0 // SF_DATALESS
}
