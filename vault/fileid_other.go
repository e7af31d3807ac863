//go:build !unix

package vault

import "io/fs"

// idOf returns the zero fileID: the system does not report a file's number without opening the file. Sizes,
// times and content have to suffice.
func idOf(fs.FileInfo) fileID { return fileID{} }
