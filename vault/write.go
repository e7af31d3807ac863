package vault

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ibid/vault/ownfile"
)

// trashDir is the folder for deleted files, the same as Obsidian's.
const trashDir = ".trash"

// WriteOptions are the conditions under which a file is written.
type WriteOptions struct {
	// Old, unless nil, is what the caller last read: nothing is written if the file has other content now, or is
	// gone.
	Old []byte

	// Create writes only if the file does not exist yet.
	Create bool
}

// WriteFile replaces the content of the file p by data, as a whole or not at all: a crash leaves the old
// content or the new. Missing folders are created. It fails
//
//   - with ErrChanged if the file does not have the content Old,
//   - with fs.ErrExist if Create is set and the file exists,
//   - with both ErrNotDownloaded and fs.ErrExist if only the placeholder of the file is here,
//   - with ErrIgnored for dot files outside of .ibid and .trash, also as targets of links,
//   - with ErrOutside for files behind a link out of the vault.
//
// The vault's metadata of p changes with the next Update or Revalidate, which report the change like any other.
func (v *Vault) WriteFile(p Path, data []byte, opts WriteOptions) (err error) {
	defer describeError(&err, "write %s", p)
	v.writing.Lock()
	defer v.writing.Unlock()
	name, err := v.writable(p)
	if err == nil {
		err = v.replace(name, data, opts)
	}
	return missingVaultError(v.root, err)
}

// missingVaultError adds to an error of a missing file that the whole vault is missing, if that is true.
func missingVaultError(root *os.Root, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, is := os.Stat(root.Name()); !errors.Is(is, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("the folder of the vault is gone: %w", reason(err))
}

// replace writes data to a new file beside the old one and renames it.
func (v *Vault) replace(p Path, data []byte, opts WriteOptions) error {
	name := p.Native()
	mode := fs.FileMode(0o644) // of a new file; an existing one keeps its mode
	info, err := v.root.Stat(name)
	old := err == nil
	switch {
	case err == nil && !info.Mode().IsRegular():
		return irregularError(info)
	case err == nil && opts.Create:
		return fs.ErrExist
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case errors.Is(absentError(v, p, err), ErrNotDownloaded):
		return fmt.Errorf("%w (%w)", ErrNotDownloaded, fs.ErrExist)
	}
	if err := checkUnchanged(v.root, name, opts.Old); err != nil {
		return err
	}
	if err := mkdirs(v.root, p.Dir()); err != nil {
		return err
	}
	temp := p.Dir().Join(tempPrefix + rand.Text() + tempSuffix).Native()
	if err := writeNew(v.root, temp, data, mode, old); err != nil {
		return errors.Join(reason(err), removeIfExists(v.root, temp))
	}
	switch {
	case opts.Create:
		if err = moveNew(v.root, temp, name); err != nil && sameFile(v.root, temp, name) {
			err = nil // the file exists under the new name; Sweep removes the other name
		}
	case opts.Old == nil:
		err = ownfile.RenameOver(func() error { return v.root.Rename(temp, name) })
	default:
		return replaceUnchanged(v, p, temp, opts.Old, data)
	}
	if err != nil {
		return errors.Join(reason(err), removeIfExists(v.root, temp))
	}
	v.syncDir(p.Dir())
	return nil
}

// maxSwaps limits how often a write retries while other programs write the same file; maxWaits limits the
// milliseconds that it waits for a program that has the file open for writing.
const maxSwaps, maxWaits = 10, 50

// replaceUnchanged moves the new file temp, with the content mine, over the file p beside it, if that still has the
// content want. Where the system can, it swaps the two files and then checks the old one: a change that was made in
// the meantime is swapped back.
func replaceUnchanged(v *Vault, p Path, temp string, want, mine []byte) error {
	name := p.Native()
	err := checkUnchanged(v.root, name, want)
	if err == nil {
		switch err = exchange(v.root, name, temp); {
		case err == nil:
			return finishSwap(v, p, temp, want, mine)
		case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.EINVAL): // files cannot be exchanged here
			if err = v.root.Rename(temp, name); err == nil {
				v.syncDir(p.Dir())
				return nil
			}
		case errors.Is(err, fs.ErrNotExist):
			err = ErrChanged
		}
	}
	return errors.Join(reason(err), removeIfExists(v.root, temp))
}

// finishSwap removes temp, which was swapped with p, if it has the content out, which is to be replaced. A program
// that has opened the file may still write to it, so it is checked twice.
func finishSwap(v *Vault, p Path, temp string, out, in []byte) (err error) {
	name := p.Native()
	for range maxSwaps {
		if _, gone := v.root.Lstat(temp); errors.Is(gone, fs.ErrNotExist) { // another process took it for unfinished
			v.syncDir(p.Dir())
			return err
		}
		now := readRegular(v.root, temp)
		if now != nil && bytes.Equal(now, out) {
			v.syncDir(p.Dir())
			for wait := 0; wait < maxWaits && openForWriting(v.root, temp); wait++ {
				time.Sleep(time.Millisecond) // the program opened it under its old name, and writes it here
			}
			now = readRegular(v.root, temp)
		}
		if now != nil && bytes.Equal(now, out) {
			return errors.Join(err, removeIfExists(v.root, temp))
		}
		err = ErrChanged
		if failed := exchange(v.root, name, temp); failed != nil { // another program has removed it
			if failed = moveNew(v.root, temp, name); failed != nil {
				return fmt.Errorf("what another program wrote is in %s: %w", keepForeign(v.root, temp), reason(failed))
			}
			return err
		}
		out, in = in, now
	}
	return fmt.Errorf("what another program wrote is in %s: %w", keepForeign(v.root, temp), err)
}

// readRegular returns the content of a regular file, nil for anything else.
func readRegular(root *os.Root, name string) []byte {
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := readAll(root, name, maxRead)
	if err != nil {
		return nil
	}
	return data
}

// The beginning and the end of names of unfinished files, and the end of the names of files that hold what another
// program wrote at the same moment, which are never removed.
const tempPrefix, tempSuffix, foreignSuffix = ".ibid-", ".tmp", ".kept"

// unfinishedAge is the age from which an unfinished file counts as one of a write that was killed.
const unfinishedAge = time.Hour

func isUnfinished(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// unfinishedIn returns the files in a folder that writes left there that were killed. They hold old text of notes.
func unfinishedIn(dir Path, entries []fs.DirEntry) (all []Path) {
	for _, e := range entries {
		if !isUnfinished(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > unfinishedAge {
			all = append(all, dir.Join(e.Name()))
		}
	}
	return all
}

// sweepUnfinished removes unfinished files. One that cannot be removed is found again by the next walk.
func (v *Vault) sweepUnfinished(files []Path) {
	v.writing.Lock()
	defer v.writing.Unlock()
	for _, p := range files {
		_ = removeIfExists(v.root, p.Native())
	}
}

// keepForeign gives a file that holds what another program wrote a name under which it stays, and returns that.
func keepForeign(root *os.Root, temp string) string {
	kept := strings.TrimSuffix(temp, tempSuffix) + foreignSuffix
	if err := root.Rename(temp, kept); err != nil {
		return temp
	}
	return kept
}

// Sweep removes, from the folder p and those below it, the unfinished files of earlier writes that nobody has
// changed since old.
func (v *Vault) Sweep(p Path, old time.Time) (err error) {
	defer describeError(&err, "sweep %s", p)
	name, err := v.writable(p)
	if err != nil {
		return err
	}
	return fs.WalkDir(v.root.FS(), cmp.Or(string(name), "."), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !isUnfinished(d.Name()) {
			return nil //nolint:nilerr // what cannot be looked into holds nothing for us
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(old) {
			return removeIfExists(v.root, filepath.FromSlash(name))
		}
		return nil
	})
}

// checkUnchanged returns ErrChanged unless the file has the content want or want is nil.
func checkUnchanged(root *os.Root, name string, want []byte) error {
	if want == nil {
		return nil
	}
	data, err := readAll(root, name, maxRead)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(data, want) {
		return ErrChanged
	}
	return err
}

// writeNew creates a file with the content data, and waits until that is on the disk. The umask applies to mode
// unless exact is set.
func writeNew(root *os.Root, name string, data []byte, mode fs.FileMode, exact bool) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && exact {
		err = f.Chmod(mode)
	}
	return errors.Join(err, ownfile.Sync(f), f.Close())
}

// removeIfExists removes an unfinished file, if it exists.
func removeIfExists(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reason(err)
	}
	return nil
}

// moveNew moves a file to a name that must be free. A hard link takes the name in one step, without a moment in
// which another program's file could be overwritten; on file systems without hard links it checks the name and
// renames.
func moveNew(root *os.Root, from, to string) error {
	err := root.Link(from, to)
	if err == nil {
		return root.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) {
		return fs.ErrExist
	}
	if _, err := root.Lstat(to); err == nil {
		return fs.ErrExist
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return root.Rename(from, to)
}

func sameFile(root *os.Root, a, b string) bool {
	x, err := root.Lstat(a)
	if err != nil {
		return false
	}
	y, err := root.Lstat(b)
	return err == nil && os.SameFile(x, y)
}

func mkdirs(root *os.Root, dir Path) error {
	if dir == "" {
		return nil
	}
	return root.MkdirAll(dir.Native(), 0o755)
}

// syncDir makes a rename in dir durable. Not every system can; the content is safe either way, and a failure
// costs at most the new name.
func (v *Vault) syncDir(dir Path) {
	if d, err := v.root.Open(cmp.Or(dir.Native(), ".")); err == nil {
		_ = ownfile.Sync(d)
		_ = d.Close()
	}
}

// Rename moves a file or a folder. It never overwrites: if to exists, it fails with fs.ErrExist and nothing
// moves. Missing folders are created. Links to the file are not changed.
func (v *Vault) Rename(from, to Path) (err error) {
	defer describeError(&err, "rename %s to %s", from, to)
	v.writing.Lock()
	defer v.writing.Unlock()
	return v.rename(from, to)
}

func (v *Vault) rename(from, to Path) error {
	from, err := v.movable(from)
	if err != nil {
		return err
	}
	if to, err = v.movable(to); err != nil {
		return err
	}
	a, b := from.Native(), to.Native()
	info, err := v.root.Lstat(a)
	if err != nil {
		return err
	}
	if err := mkdirs(v.root, to.Dir()); err != nil {
		return err
	}
	there, err := v.root.Lstat(b)
	switch {
	case err == nil && os.SameFile(info, there) && strings.EqualFold(a, b) && a != b:
		err = v.root.Rename(a, b) // only the case changes, on a file system that ignores case
	case err == nil:
		err = fs.ErrExist
	case !errors.Is(err, fs.ErrNotExist):
	case errors.Is(absentError(v, to, err), ErrNotDownloaded):
		err = fmt.Errorf("%w (%w)", ErrNotDownloaded, fs.ErrExist)
	case info.Mode().IsRegular():
		err = moveNew(v.root, a, b)
	default:
		err = v.root.Rename(a, b)
	}
	if err == nil {
		v.syncDir(to.Dir())
	}
	return err
}

// Trash moves a file or a folder into the vault's .trash, where Obsidian keeps deleted notes, and returns the
// new path. The path in the trash has the same folders; a number is added to the name if it is taken.
func (v *Vault) Trash(p Path) (to Path, err error) {
	defer describeError(&err, "trash %s", p)
	v.writing.Lock()
	defer v.writing.Unlock()
	if p, err = checkPath(p); err != nil {
		return "", err
	}
	ext := path.Ext(string(p))
	stem := strings.TrimSuffix(string(p), ext)
	for n := 0; ; n++ {
		to = Path(trashDir).Join(string(p))
		if n > 0 {
			to = Path(trashDir).Join(stem + " " + strconv.Itoa(n) + ext)
		}
		if err = v.rename(p, to); !errors.Is(err, fs.ErrExist) || n == 10000 {
			return to, err
		}
	}
}
