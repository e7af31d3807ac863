package vault

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"ibid/vault/ownfile"
)

// Defaults and limits of Options.
const (
	defaultMaxNote    = 4 << 20
	maxRead           = 1 << 30
	defaultCacheBytes = 32 << 20
)

// Errors that callers check for. They come wrapped with the operation and the path.
var (
	ErrBinary   = errors.New("not a text file") // followed by the kind of file, if that is known
	ErrTooLarge = errors.New("too large")
	ErrPrivate  = errors.New("private: it stays on this machine")
	ErrIgnored  = errors.New("excluded by the vault's settings")
	ErrChanged  = errors.New("changed on disk since it was read")

	// ErrNotDownloaded is the error for a file whose content iCloud has removed from this machine.
	ErrNotDownloaded = errors.New("not downloaded from iCloud to this machine")
)

// Options configure a vault. The zero value is right for most people.
type Options struct {
	// FollowLinks includes folders and files outside of the vault to which symbolic links lead. They can be
	// read, never written.
	FollowLinks bool

	// Ignore adds to the vault's own list of excluded files: the beginning of a path ("Archive/"), a regular
	// expression of JavaScript between slashes ("/\.draft\.md$/"), or a tag ("#journal"), which makes its notes private.
	Ignore []string

	// MaxNote is the size in bytes above which a note is listed but neither parsed nor read; 0 means 4 MB.
	MaxNote int64

	// ReadLarge lets Read return notes above MaxNote too, up to 1 GB. They are still not parsed with the
	// others.
	ReadLarge bool

	// Cache is a folder for the metadata of notes, so that the next process reads only the notes that changed;
	// "" for none. It is created if missing, and may be deleted at any time.
	Cache string

	// CacheBytes limits the text that is cached in memory; 0 means 32 MB.
	CacheBytes int64

	// OnRead, if set, is called whenever Read or ReadFile read the content of a file from disk, in the
	// goroutine that reads.
	OnRead func(Path)
}

// Vault is an open folder of notes.
type Vault struct {
	// OnChange, if set, is called with the changes that Revalidate and Update find after the first Scan, in
	// order and in the goroutine that called them. It must not call these methods itself, and must be set
	// before several goroutines use the vault.
	OnChange func([]Change)

	dir  string // absolute, as given by the caller
	real string // absolute, symbolic links resolved
	root *os.Root
	opts Options

	chats   Path // folder of saved chats, "" for none
	filters atomic.Pointer[filters]
	snap    atomic.Pointer[snapshot]
	scanned atomic.Bool
	cost    atomic.Int64
	done    atomic.Int64
	total   atomic.Int64

	refreshing sync.Mutex // held by Scan, Revalidate and Update; guards disk
	disk       diskState
	writing    sync.Mutex // held while a file is replaced, moved or trashed

	mounts mounts
	cache  textCache
	agreed sync.Map // by Path: the error of Withheld at which a person agreed to send the file
}

// Open opens the folder dir as a vault. It reads the folder's settings but not its notes: call Scan for that.
// The error says whether the folder is missing, is a file, or may not be read.
func Open(dir string, opts Options) (_ *Vault, err error) {
	defer describeError(&err, "open vault %s", dir)
	if opts.MaxNote <= 0 {
		opts.MaxNote = defaultMaxNote
	}
	if opts.CacheBytes <= 0 {
		opts.CacheBytes = defaultCacheBytes
	}
	own, fault := parseFilters(opts.Ignore, nil)
	if fault != nil {
		return nil, fault
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, errors.New("this is a file; a vault is the folder that holds the notes")
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, err
	}
	if _, err := readDir(root, "."); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	v := &Vault{dir: abs, real: real, root: root, opts: opts, disk: newDiskState()}
	v.cache.limit = opts.CacheBytes
	v.filters.Store(v.loadFilters(own, nil))
	v.snap.Store(newSnapshot())
	return v, nil
}

// Close releases the folder. No method of the vault may be called afterwards.
func (v *Vault) Close() error {
	if v.scanned.Load() {
		v.saveKept()
	}
	return errors.Join(v.root.Close(), v.mounts.closeOthers(nil))
}

// Dir returns the absolute path of the vault's folder.
func (v *Vault) Dir() string { return v.dir }

// Scanned reports whether a Scan or Revalidate has completed, so that a note that is not found does not exist.
func (v *Vault) Scanned() bool { return v.scanned.Load() }

// Progress returns the number of files that the running (or last) Scan, Revalidate or Update has parsed, and
// the number that it has to parse. Both are 0 while the folders are still being listed.
func (v *Vault) Progress() (done, total int) {
	return int(v.done.Load()), int(v.total.Load())
}

// Cost returns the approximate processor time of the last Revalidate that read no note, 0 before there was one.
func (v *Vault) Cost() time.Duration { return time.Duration(v.cost.Load()) }

// locate returns the open folder through which p is reached: the vault's own, or, if linked is true, the target
// of a followed link.
func (v *Vault) locate(p Path) (root *os.Root, name string, linked bool) {
	if mt, rest, ok := v.mounts.lookup(p); ok {
		return mt.root, cmp.Or(mt.base, filepath.FromSlash(rest), "."), true
	}
	return v.root, cmp.Or(p.Native(), "."), false
}

// locateEntry works like locate for the directory entry p itself: it does not follow p if p is a followed link.
func (v *Vault) locateEntry(p Path) (root *os.Root, name string) {
	root, dir, _ := v.locate(p.Dir())
	return root, filepath.Join(dir, p.Name())
}

// checkPath cleans p and refuses paths that leave the vault, however the Path was made.
func checkPath(p Path) (Path, error) {
	if len(p) > 0 && p[0] == '/' {
		return "", ErrOutside
	}
	c, err := ParsePath(string(p))
	if err != nil {
		return "", err
	}
	if c != "" && !filepath.IsLocal(c.Native()) {
		return "", ErrOutside
	}
	return c, nil
}

// describeError is for defer: it puts the operation, with what it was about, in front of an error's reason.
func describeError(err *error, operation string, about ...any) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", fmt.Sprintf(operation, about...), reason(*err))
	}
}

// reason is ownfile.Reason, with the error for paths that leave the vault.
func reason(err error) error {
	err = ownfile.Reason(err)
	// os has no exported name for this one.
	if err != nil && err.Error() == "path escapes from parent" {
		return ErrOutside
	}
	return err
}
