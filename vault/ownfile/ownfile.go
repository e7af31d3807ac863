package ownfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// kinds are what a file can be that is none to read.
var kinds = map[fs.FileMode]string{
	fs.ModeDir: "a folder", fs.ModeNamedPipe: "a named pipe", fs.ModeSocket: "a socket",
	fs.ModeDevice: "a device", fs.ModeDevice | fs.ModeCharDevice: "a device",
}

// Read is what a regular file holds, or what a link to one leads to.
func Read(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if kind := info.Mode().Type(); kind != 0 {
		return nil, fmt.Errorf("%s is %s and no regular file", name, cmp.Or(kinds[kind], "something else"))
	}
	return os.ReadFile(name)
}

// Replace puts data in place of what a file held, all at once, with that mode. Its
// folder is made if there is none.
func Replace(name string, data []byte, mode fs.FileMode) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(name)+"-*") // for its owner only, until all is in it
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Chmod(f.Name(), mode)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what stopped the rest is told
	}
	return err
}
