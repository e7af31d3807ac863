package history

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// stateFolder is the folder for what does not belong into the vault. It may serve
// several vaults.
type stateFolder struct {
	dir   string // "" if there is none
	vault string // the vault whose chats these are, with links resolved
	err   error  // why it cannot be used
	told  bool   // that a person knows of err
}

// folder is a folder in it that exists, "" if there is none.
func (f *stateFolder) folder(name string) string {
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

// replace writes a file in one step, for nobody else to read. Of one file one goroutine
// is the writer.
func replace(name string, data []byte) error {
	err := os.WriteFile(name+".tmp", data, 0o600)
	if err == nil {
		err = os.Rename(name+".tmp", name)
	}
	if err != nil {
		err = errors.Join(err, removeFile(name+".tmp"))
	}
	return err
}

// warning says once that the folder cannot be used.
func (f *stateFolder) warning() []Warning {
	if f.err == nil || f.told {
		return nil
	}
	f.told = true
	text := fmt.Sprintf("the state folder cannot be written (%v): a second window is not kept from writing the same chat, and a reply is kept by saving the chat every second", f.err)
	return []Warning{{Kind: "state", Text: text}}
}

// key stands for something of this vault in names of files.
func (f *stateFolder) key(of string) string {
	sum := sha256.Sum256([]byte(f.vault + of))
	return hex.EncodeToString(sum[:8])
}

// lock is the file that is locked for a chat. It is named after the vault and the
// identity of the chat, so that renaming a chat does not lose its lock.
func (f *stateFolder) lock(epoch int64) string {
	return filepath.Join(f.dir, "locks", "chat-"+f.key("\x00"+strconv.FormatInt(epoch, 10))+".lock")
}

// locked reports whether a process has the chat open.
func (f *stateFolder) locked(epoch int64) bool {
	name := f.lock(epoch)
	if _, err := os.Stat(name); err != nil {
		return false
	}
	l := flock.New(name, flock.SetFlag(os.O_RDONLY))
	ok, err := l.TryRLock()
	_ = l.Close() // if it is not ours, there is nothing to give back
	return err == nil && !ok
}

// prefix begins the names of what was not saved of this vault's chats.
func (f *stateFolder) prefix() string { return f.key("") + "-" }

// create makes a file for something of a chat that is not saved in its place, for
// nobody else to read.
func (f *stateFolder) create(epoch int64, ext string) (*os.File, error) {
	for n := 1; ; n++ {
		name := filepath.Join(f.dir, "unsaved", fmt.Sprintf("%s%d-%d%s", f.prefix(), epoch, n, ext))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// oldUnsaved is a name that does not say which vault it belongs to.
var oldUnsaved = regexp.MustCompile(`^\d+-\d+\.md$`)

// unsaved lists what was not saved of a chat: of this identity followed by a dash,
// or "" for all.
func (f *stateFolder) unsaved(chat string) (files []string) {
	if f.dir == "" {
		return nil
	}
	dir := filepath.Join(f.dir, "unsaved")
	entries, _ := os.ReadDir(dir) // what cannot be read holds nothing for us
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), f.prefix()+chat) || chat == "" && oldUnsaved.MatchString(e.Name()) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}
