package vault

import (
	"io/fs"
	"os"
)

// plainFile is an open file, as it was when it was opened.
type plainFile struct {
	*os.File
	info fs.FileInfo
}

// openPlain opens a file of a folder. What is no regular file, such as a link, is an
// error.
func openPlain(folder *os.Root, name string) (*plainFile, error) {
	info, err := folder.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		_ = f.Close() // opened to look, nothing to lose
		return nil, err
	}
	return &plainFile{f, info}, nil
}
