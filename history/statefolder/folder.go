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

	"github.com/gofrs/flock"

	"ibid/vault/ownfile"
)

// Folder is the place outside of the vault for data of its chats.
type Folder struct {
	dir      string // "" if there is none
	vault    string
	now      func() time.Time
	err      error // reason why the folder cannot be used
	reported bool  // Trouble has returned err
	drafts   Drafts
}

// New returns the part of the folder dir for a vault, given by its path without symbolic links. With dir ""
// nothing is kept.
func New(dir, vault string, now func() time.Time) *Folder {
	f := &Folder{dir: dir, vault: vault, now: now}
	f.drafts = Drafts{folder: f, held: map[int64]*flock.Flock{}, queued: map[int64]draft{}}
	return f
}

// Trouble returns the reason why the folder cannot be used, nil from the second call on.
func (f *Folder) Trouble() error {
	if f.reported {
		return nil
	}
	f.reported = f.err != nil
	return f.err
}

// makeSub makes a subfolder and returns its name, "" if it cannot be made.
func (f *Folder) makeSub(name string) string {
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

// key returns a hash of the vault and of, for file names.
func (f *Folder) key(of string) string {
	sum := sha256.Sum256([]byte(f.vault + of))
	return hex.EncodeToString(sum[:8])
}

// prefix returns the beginning of the names of files of this vault's chats.
func (f *Folder) prefix() string { return f.key("") + "-" }

// fileName returns the name of a chat's file in a subfolder.
func (f *Folder) fileName(folder string, epoch int64, ext string) string {
	return filepath.Join(f.dir, folder, f.prefix()+strconv.FormatInt(epoch, 10)+ext)
}

// File is a file of a chat.
type File struct {
	Name    string
	Epoch   int64
	Written time.Time
}

// Whole reports whether the file holds a whole chat.
func (f File) Whole() bool { return filepath.Ext(f.Name) == ".md" }

// list returns the files of the vault's chats in a subfolder, newest first.
func (f *Folder) list(folder string) (all []File) {
	if f.dir == "" {
		return nil
	}
	// Old names of unsaved chats do not contain the vault.
	form := regexp.MustCompile(`^(?:\.?` + f.prefix() + `(-?\d+)|(\d+)-\d+\.md$)`)
	dir := filepath.Join(f.dir, folder)
	entries, _ := os.ReadDir(dir) // a folder that cannot be read counts as empty
	for _, e := range entries {
		m := form.FindStringSubmatch(e.Name())
		if info, err := e.Info(); err == nil && m != nil {
			epoch, _ := strconv.ParseInt(m[1]+m[2], 10, 64) // a number that is too large belongs to no chat
			all = append(all, File{filepath.Join(dir, e.Name()), epoch, info.ModTime()})
		}
	}
	slices.SortStableFunc(all, func(a, b File) int { return b.Written.Compare(a.Written) })
	return all
}

// Unsaved returns the files with unsaved chats and journals of replies, newest first.
func (f *Folder) Unsaved() []File { return f.list("unsaved") }

// create creates a file in the subfolder of unsaved texts.
func (f *Folder) create(epoch int64, ext string) (*os.File, error) {
	for n := 1; ; n++ {
		file, err := os.OpenFile(f.fileName("unsaved", epoch, fmt.Sprintf("-%d%s", n, ext)),
			os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// Rescue writes a chat that cannot be saved in its place, and returns the name of the file.
func (f *Folder) Rescue(epoch int64, data []byte) (name string, err error) {
	switch {
	case f.dir == "":
		return "", errors.New("there is no folder to write it to")
	case f.makeSub("unsaved") == "":
		return "", f.err
	}
	file, err := f.create(epoch, ".md")
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, ownfile.Sync(file), file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}
