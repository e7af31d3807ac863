package vault

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ibid/vault/ownfile"
)

// Each file of a vault that is read is opened here: a regular file only, without waiting for a writer where the name is
// that of a pipe, and never behind a link that leads out of the root. Readers also limit how much they read.

// openFile opens a regular file for reading.
func openFile(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	f, info, err := openAny(root, name)
	if err == nil && !info.Mode().IsRegular() {
		err = irregularError(info)
	}
	if err != nil {
		return nil, nil, closeAfter(f, err)
	}
	return f, info, nil
}

// openAny opens a file or a folder. It returns the file also with an error, unless it could not be opened.
func openAny(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	return f, info, err
}

// closeAfter closes a file, unless it is nil, and returns err.
func closeAfter(f *os.File, err error) error {
	if f != nil {
		_ = f.Close() // it was opened for reading, nothing to lose
	}
	return err
}

// irregularError returns the error for what is no regular file.
func irregularError(info fs.FileInfo) error {
	if info.IsDir() {
		return fmt.Errorf("this is a folder: %w", fs.ErrInvalid)
	}
	return fmt.Errorf("this is no regular file: %w", fs.ErrInvalid)
}

// readAll returns the content of a regular file of at most limit bytes.
func readAll(root *os.Root, name string, limit int64) ([]byte, error) {
	data, _, err := readLimited(root, name, limit)
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: the limit is %s", ErrTooLarge, ownfile.FormatSize(limit))
	}
	return data, err
}

// FS returns the files and folders of the vault, for readers of the settings of other programs.
func (v *Vault) FS() fs.FS { return vaultFS{v.root} }

type vaultFS struct{ root *os.Root }

// Open implements fs.FS.
func (f vaultFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, info, err := openAny(f.root, filepath.FromSlash(name))
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: irregularError(info)}
	}
	if err != nil {
		return nil, closeAfter(file, err)
	}
	return file, nil
}

// Stat implements fs.StatFS.
func (f vaultFS) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	return f.root.Stat(filepath.FromSlash(name))
}
