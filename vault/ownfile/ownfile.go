package ownfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// kinds describes files that cannot be read.
var kinds = map[fs.FileMode]string{
	fs.ModeDir: "a folder", fs.ModeNamedPipe: "a named pipe", fs.ModeSocket: "a socket",
	fs.ModeDevice: "a device", fs.ModeDevice | fs.ModeCharDevice: "a device",
}

// Read returns the content of a regular file or of the target of a symbolic link to one.
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

// Durable says that what is written has to survive a power failure. Tests switch it off,
// since they are several times as fast then: see vaulttest.
var Durable = true

// Sync waits until the content of a file is on the disk.
func Sync(f *os.File) error {
	if !Durable {
		return nil
	}
	return f.Sync()
}

// Replace replaces a file by one with content data and that mode, atomically. It creates the folder if
// necessary.
func Replace(name string, data []byte, mode fs.FileMode) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(name)+"-*") // readable by its owner only until it is complete
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, Sync(f), f.Close()); err == nil {
		err = os.Chmod(f.Name(), mode)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is returned
	}
	return err
}
