//go:build !linux

package vault

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// folder is an open folder of the vault, from which many files are read.
type folder struct{ *os.Root }

// openTop opens the folder of the vault itself.
func openTop(root *os.Root) (folder, error) { return folder{root}.folder(".") }

// folder opens a folder below d.
func (d folder) folder(name string) (folder, error) {
	below, err := d.OpenRoot(filepath.FromSlash(name))
	return folder{below}, err
}

func (d folder) close() { _ = d.Close() } // opened to look, nothing to lose

// plainFile is an open file, as it was when it was opened.
type plainFile struct {
	*os.File
	size  int64
	mtime time.Time
	id    fileID
}

// open opens a file of the folder. What is no regular file, such as a link, is an
// error.
func (d folder) open(name string) (*plainFile, error) {
	info, err := d.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		_ = f.Close() // opened to look, nothing to lose
		return nil, err
	}
	return &plainFile{File: f, size: info.Size(), mtime: info.ModTime(), id: idOf(info)}, nil
}

func (f *plainFile) close() { _ = f.Close() } // opened to look, nothing to lose
