package vault

import (
	"io/fs"
	"syscall"
)

// ChangedAt is when the system last changed anything about a file, in
// nanoseconds. Unlike the time of the last write nobody can set it, so it tells
// an edit that kept the file's size and put its time back; 0 where there is no
// such thing.
func ChangedAt(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctimespec.Nano()
	}
	return 0
}

// dataless reports whether the data of a file are not on this machine: reading it would
// wait for them.
func dataless(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Flags&0x40000000 != 0 // SF_DATALESS
}
