package statefolder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// Folder is where what belongs to the chats of a vault is kept outside of it.
type Folder struct {
	dir    string // "" if there is none
	vault  string
	now    func() time.Time
	err    error // why it cannot be used
	told   bool  // that a person knows of err
	drafts Drafts
}

// New is the part of the folder dir that belongs to a vault, whose path has no links in
// it. With dir "" nothing is kept.
func New(dir, vault string, now func() time.Time) *Folder {
	f := &Folder{dir: dir, vault: vault, now: now}
	f.drafts.folder = f
	return f
}

// Trouble is why the folder cannot be used, once.
func (f *Folder) Trouble() error {
	if f.told {
		return nil
	}
	f.told = f.err != nil
	return f.err
}

// sub is a folder in it that exists, "" if there is none.
func (f *Folder) sub(name string) string {
	if f.dir == "" {
		return ""
	}
	dir := filepath.Join(f.dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		f.err = fmt.Errorf("make the folder %s: %w", dir, err)
		return ""
	}
	return dir
}

// key stands for something of this vault in names of files.
func (f *Folder) key(of string) string {
	sum := sha256.Sum256([]byte(f.vault + of))
	return hex.EncodeToString(sum[:8])
}

// prefix begins the names of files of this vault's chats.
func (f *Folder) prefix() string { return f.key("") + "-" }

// file is the file of a chat in a folder of one for each.
func (f *Folder) file(folder string, epoch int64, ext string) string {
	return filepath.Join(f.dir, folder, f.prefix()+strconv.FormatInt(epoch, 10)+ext)
}

// File is a file of a chat.
type File struct {
	Name    string
	Epoch   int64
	Written time.Time
}

// Whole reports whether it holds a whole chat.
func (f File) Whole() bool { return filepath.Ext(f.Name) == ".md" }

// list is the files of the vault's chats in a folder, the newest first.
func (f *Folder) list(folder string) (all []File) {
	if f.dir == "" {
		return nil
	}
	// Some old names of what was not saved do not say which vault they belong to.
	form := regexp.MustCompile(`^(?:\.?` + f.prefix() + `(-?\d+)|(\d+)-\d+\.md$)`)
	dir := filepath.Join(f.dir, folder)
	entries, _ := os.ReadDir(dir) // what cannot be read holds nothing for us
	for _, e := range entries {
		m := form.FindStringSubmatch(e.Name())
		if info, err := e.Info(); err == nil && m != nil {
			epoch, _ := strconv.ParseInt(m[1]+m[2], 10, 64) // a number that is no epoch is of no chat
			all = append(all, File{filepath.Join(dir, e.Name()), epoch, info.ModTime()})
		}
	}
	slices.SortStableFunc(all, func(a, b File) int { return b.Written.Compare(a.Written) })
	return all
}

// Unsaved lists what was not saved of the vault's chats in its place, the newest first:
// whole chats, and journals of replies.
func (f *Folder) Unsaved() []File { return f.list("unsaved") }

// create makes a file for something of a chat that is not saved in its place.
func (f *Folder) create(epoch int64, ext string) (*os.File, error) {
	for n := 1; ; n++ {
		file, err := os.OpenFile(f.file("unsaved", epoch, fmt.Sprintf("-%d%s", n, ext)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// Rescue writes a chat that cannot be saved in its place, and says where it is.
func (f *Folder) Rescue(epoch int64, data []byte) (name string, err error) {
	switch {
	case f.dir == "":
		return "", errors.New("there is no folder to write it to")
	case f.sub("unsaved") == "":
		return "", f.err
	}
	file, err := f.create(epoch, ".md")
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}
