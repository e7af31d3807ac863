//go:build unix

package vault

import (
	"io/fs"
	"syscall"
)

// idOf returns the identity of the file that info describes, independent of its name.
func idOf(info fs.FileInfo) fileID {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fileID{dev: uint64(st.Dev), ino: uint64(st.Ino)}
	}
	return fileID{}
}
