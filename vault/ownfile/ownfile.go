package ownfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// Read returns the content of a regular file or of the target of a symbolic link to one.
func Read(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return os.ReadFile(name)
}

// Durable says that what is written has to survive a power failure. Tests switch it off,
// since they are several times as fast then: see vaulttest.
var Durable = true

// Remove removes a file, if it exists.
func Remove(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

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
	return replace(name, data, mode, Sync)
}

// ReplaceSoon works like Replace, but does not wait for the disk: a power failure may cost the content.
func ReplaceSoon(name string, data []byte, mode fs.FileMode) error {
	return replace(name, data, mode, func(*os.File) error { return nil })
}

func replace(name string, data []byte, mode fs.FileMode, sync func(*os.File) error) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(name)+"-*") // readable by its owner only until it is complete
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, sync(f), f.Close()); err == nil {
		err = os.Chmod(f.Name(), mode)
	}
	if err == nil {
		err = RenameOver(func() error { return os.Rename(f.Name(), name) })
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is returned
	}
	return err
}

// FormatJSON encodes a value for a file that people may read: with a line for each part, and without escapes of the
// characters that are special in HTML only.
func FormatJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// Change replaces the content of a file by what edit makes of it, unless that is the same. It holds a lock against
// other processes and goroutines that change the file, and waits for it. A missing file is created, and only its owner
// may read it. The errors of edit are returned as they are; doing stands in front of all others.
func Change(name, doing string, edit func(data []byte) ([]byte, error)) error {
	failed := func(err error) error { return fmt.Errorf("%s: %w", doing, err) }
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return failed(err)
	}
	lock := flock.New(name + ".lock")
	if err := lock.Lock(); err != nil {
		return failed(fmt.Errorf("lock %s: %w", name, err))
	}
	defer lock.Unlock() //nolint:errcheck // closing cannot lose data
	data, err := Read(name)
	mode := fs.FileMode(0o600)
	switch info, statErr := os.Stat(name); {
	case statErr == nil:
		mode = info.Mode().Perm()
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return failed(err)
	}
	after, err := edit(data)
	if err != nil || bytes.Equal(after, data) {
		return err
	}
	if err := Replace(name, after, mode); err != nil {
		return failed(err)
	}
	return nil
}

// RenameOver renames a file to the name of another with rename. Windows refuses while a reader has the old file
// open, which lasts microseconds; so it tries 20 times there.
func RenameOver(rename func() error) error {
	for try := 0; ; try++ {
		err := rename()
		if err == nil || runtime.GOOS != "windows" || try == 20 || !errors.Is(err, fs.ErrPermission) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Sweep removes those files of a folder whose names unfinished accepts and that nobody has changed for a minute:
// processes that were killed while they wrote have left them.
func Sweep(dir string, unfinished func(name string) bool) {
	for _, info := range list(dir, unfinished) {
		if time.Since(info.ModTime()) > time.Minute {
			_ = os.Remove(filepath.Join(dir, info.Name())) // the next process tries again
		}
	}
}

// RealPath returns a path without symbolic links, or name itself where that cannot be resolved.
func RealPath(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

// Reason returns the cause inside of an error of package os, without operation and path, which the caller adds in
// its own words.
func Reason(err error) error {
	for at := (*fs.PathError)(nil); errors.As(err, &at); {
		err = at.Err
	}
	for moved := (*os.LinkError)(nil); errors.As(err, &moved); {
		err = moved.Err
	}
	return err
}
