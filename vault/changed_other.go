//go:build !linux && !darwin

package vault

import "io/fs"

// ChangedAt is 0: the system has no time that only it can set, or does not tell
// it with the others. Sizes and times of the last write have to do.
func ChangedAt(fs.FileInfo) int64 { return 0 }

// dataless reports whether the data of a file are not on this machine, which the system
// does not tell.
func dataless(fs.FileInfo) bool { return false }
