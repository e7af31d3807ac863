package vault

import (
	"io/fs"
	"syscall"
	"time"
)

func bornAt(_ string, info fs.FileInfo) (time.Time, bool) {
	st, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(0, st.CreationTime.Nanoseconds()), true
}
