package vault

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ibid/vault/routine"
)

// Read returns the content of a note or another text file as it is on disk
// now, unless it must not leave this machine: what Read and ReadFile return is
// all that may be sent to a model. It fails with ErrPrivate, ErrIgnored,
// ErrTooLarge, ErrBinary, ErrNotDownloaded or ErrOutside, or with the reason of the system
// (fs.ErrNotExist, fs.ErrPermission). A file that did not change since it was
// last read comes from memory.
func (v *Vault) Read(p Path) (Text, error) {
	t, err := v.read(p)
	if err != nil {
		return Text{}, fmt.Errorf("read %s: %w", p, err)
	}
	return t, nil
}

func (v *Vault) read(p Path) (Text, error) {
	f, err := v.readable(p)
	if err != nil {
		return Text{}, err
	}
	t, err := v.text(f)
	if err == nil && t.Note.Private {
		return Text{}, ErrPrivate
	}
	return t, err
}

// text reads a file, or finds it in the cache. A file that changes while it is
// read is read again, a few times.
func (v *Vault) text(f file) (t Text, err error) {
	defer routine.Catch(&err)
	p := f.path
	root, name, _ := v.locate(f.at)
	limit := v.opts.MaxNote
	if v.opts.ReadLarge {
		limit = max(limit, mostRead)
	}
	for try := 0; ; try++ {
		info, err := regular(root, name, f.info)
		f.info = nil
		if err != nil {
			return Text{}, err
		}
		if info.Size() > limit {
			return Text{}, fmt.Errorf("%w: %s, the limit is %s", ErrTooLarge, megabytes(info.Size()), megabytes(limit))
		}
		filters := v.filters.Load()
		if t, ok := v.cache.get(p, info, filters); ok {
			return t, nil
		}
		v.onRead(p)
		data, after, err := readLimited(root, name, limit)
		if err != nil {
			return Text{}, err
		}
		if try < 3 && (after.Size() != int64(len(data)) || after.Size() != info.Size() || !after.ModTime().Equal(info.ModTime())) {
			continue
		}
		if isBinary(data) {
			return Text{}, noText(p, data)
		}
		t := Text{Hash: sha256.Sum256(data), ModTime: after.ModTime(), Size: int64(len(data))}
		var odd string
		t.Content, odd = normalize(data)
		t.Note = v.textNote(f, &t, filters)
		warn(t.Note, odd)
		v.cache.put(p, after, filters, t)
		return t, nil
	}
}

// textNote is the Note of a text just read.
func (v *Vault) textNote(f file, t *Text, by *filters) *Note {
	if !f.isNote() {
		return &Note{Path: f.path, Title: f.path.Name(), BodyLine: 1, Size: t.Size, ModTime: t.ModTime}
	}
	n := parseNote(f.path, t.Content, nil)
	v.classify(n, by)
	n.Size, n.ModTime = t.Size, t.ModTime
	return n
}

// ReadFile returns the bytes of an attachment, at most limit of them; a longer
// one fails with ErrTooLarge. Notes are guarded as in Read.
func (v *Vault) ReadFile(p Path, limit int64) ([]byte, error) {
	data, err := v.readFile(p, limit)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", p, err)
	}
	return data, nil
}

func (v *Vault) readFile(p Path, limit int64) ([]byte, error) {
	f, err := v.readable(p)
	if err != nil {
		return nil, err
	}
	if f.isNote() {
		if _, err := v.read(p); err != nil {
			return nil, err
		}
	}
	v.onRead(f.path)
	return v.readRaw(f.at, limit)
}

// ReadHead returns the first n bytes of a file that is not a note, however large it is,
// or all if it has fewer; its errors are those of ReadFile.
func ReadHead(v *Vault, p Path, n int64) ([]byte, error) {
	f, err := v.readable(p)
	if err == nil && f.isNote() {
		err = ErrBinary // of a note the whole says whether it may be read
	}
	var data []byte
	if err == nil {
		v.onRead(f.path)
		root, name, _ := v.locate(f.at)
		if _, err = regular(root, name, nil); err == nil {
			data, _, err = readLimited(root, name, n)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", p, err)
	}
	return data[:min(int64(len(data)), n)], nil
}

// ReadOwn returns the bytes of a file that this program writes, such as a chat:
// it goes by the rules of WriteFile and not by those of Read, so that a file
// that is private or excluded can be read.
func (v *Vault) ReadOwn(p Path) ([]byte, error) {
	name, err := v.writable(p)
	if err == nil {
		var data []byte
		if data, err = v.root.ReadFile(filepath.FromSlash(string(name))); err == nil {
			return data, nil
		}
	}
	return nil, fmt.Errorf("read %s: %w", p, absentError(v, p, reason(err)))
}

// ReadOwnDir describes what is in a folder, by the rules of WriteFile and in no
// order. Unlike there, the trash may be named itself, and so may the vault, as "".
func (v *Vault) ReadOwnDir(p Path) ([]fs.FileInfo, error) {
	name, err := v.writable(p)
	switch p {
	case trashDir:
		name, err = p, nil
	case "":
		name, err = ".", nil
	}
	if err == nil {
		var d *os.File
		if d, err = v.root.Open(filepath.FromSlash(string(name))); err == nil {
			var all []fs.FileInfo
			all, err = d.Readdir(-1)
			if err = errors.Join(err, d.Close()); err == nil {
				return all, nil
			}
		}
	}
	return nil, fmt.Errorf("list %s: %w", p, reason(err))
}

func (v *Vault) onRead(p Path) {
	if v.opts.OnRead != nil {
		v.opts.OnRead(p)
	}
}

// readRaw reads any file of the vault.
func (v *Vault) readRaw(p Path, limit int64) ([]byte, error) {
	root, name, _ := v.locate(p)
	info, err := regular(root, name, nil)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%w: %s, the limit is %s", ErrTooLarge, megabytes(info.Size()), megabytes(limit))
	}
	data, _, err := readLimited(root, name, limit)
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: the limit is %s", ErrTooLarge, megabytes(limit))
	}
	return data, err
}

// readLimited reads a file, at most one byte more than limit, and says what it was
// afterwards.
func readLimited(root *os.Root, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, nil, reason(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, reason(err)
	}
	data, err := readInto(nil, f, min(info.Size(), limit)+1)
	if err != nil {
		return nil, nil, reason(err)
	}
	info, err = f.Stat()
	if err != nil {
		return nil, nil, reason(err)
	}
	return data, info, nil
}

// regular is the state of the file name, if info does not have it already; it
// must be a file: opening a pipe would wait for somebody to write to it.
func regular(root *os.Root, name string, info fs.FileInfo) (fs.FileInfo, error) {
	if info == nil {
		var err error
		if info, err = root.Stat(name); err != nil {
			return nil, reason(err)
		}
	}
	if info.IsDir() {
		return nil, fmt.Errorf("this is a folder: %w", fs.ErrInvalid)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("this is no file: %w", fs.ErrInvalid)
	}
	if isDataless(info) {
		return nil, ErrNotDownloaded
	}
	return info, nil
}

// Stat describes the file or folder at p. Dot files are out of bounds, named
// or linked.
func (v *Vault) Stat(p Path) (fs.FileInfo, error) {
	info, err := v.stat(p)
	if err != nil {
		return nil, fmt.Errorf("stat %s: %w", p, reason(err))
	}
	return info, nil
}

func (v *Vault) stat(p Path) (fs.FileInfo, error) {
	p, err := checkPath(p)
	if err != nil {
		return nil, err
	}
	to, info, err := v.destination(p)
	switch {
	case err != nil:
		return nil, err
	case hasDotPart(to):
		return nil, dotFile(to)
	case info != nil:
		return info, nil
	}
	root, name, _ := v.locate(to)
	return root.Stat(name)
}

// textCache keeps texts as long as their files stay the same. When they are more
// than limit it begins anew.
type textCache struct {
	limit  int64 // bytes
	mu     sync.Mutex
	size   int64
	byPath map[Path]cachedText
}

type cachedText struct {
	text    Text
	id      fileID
	changed int64    // when the file's entry changed, see ChangedAt
	filters *filters // that Note.Private was decided by
}

// get returns the text of p if its file is still what info describes.
func (c *textCache) get(p Path, info fs.FileInfo, f *filters) (Text, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byPath[p]
	ok = ok && e.text.Size == info.Size() && e.text.ModTime.Equal(info.ModTime()) && e.id == idOf(info) && e.changed == ChangedAt(info) && e.filters == f
	if !ok {
		return Text{}, false
	}
	return e.text, true
}

// put keeps a text, unless its file is so young that it could change again
// without showing it.
func (c *textCache) put(p Path, info fs.FileInfo, f *filters, t Text) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size -= c.byPath[p].text.Size
	delete(c.byPath, p)
	if mayChangeUnseen(info.ModTime(), time.Now()) || t.Size > c.limit {
		return
	}
	if c.size += t.Size; c.byPath == nil || c.size > c.limit {
		c.byPath, c.size = map[Path]cachedText{}, t.Size
	}
	c.byPath[p] = cachedText{text: t, id: idOf(info), changed: ChangedAt(info), filters: f}
}
