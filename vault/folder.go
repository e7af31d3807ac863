package vault

import (
	"io/fs"
	"os"
)

// plainFile is an open file with its state at the time of opening.
type plainFile struct {
	*os.File
	info fs.FileInfo
}

// openPlain opens a regular file of a folder; anything else, such as a link, is an error.
func openPlain(folder *os.Root, name string) (*plainFile, error) {
	info, err := folder.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	f, info, err := openFile(folder, name)
	if err != nil {
		return nil, err
	}
	return &plainFile{f, info}, nil
}
