package vault

import (
	"container/list"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

// Read returns the content of a note or another text file as it is on disk
// now, unless it must not leave this machine: what Read and ReadFile return is
// all that may be sent to a model. It fails with ErrPrivate, ErrIgnored,
// ErrTooLarge, ErrBinary or ErrOutside, or with the reason of the system
// (fs.ErrNotExist, fs.ErrPermission). A file that did not change since it was
// last read comes from memory.
func (v *Vault) Read(p Path) (Text, error) {
	t, err := v.read(p, true)
	if err != nil {
		return Text{}, fmt.Errorf("read %s: %w", p, err)
	}
	return t, nil
}

// ReadLocal is Read for showing on this machine: private and excluded notes
// are read too.
func (v *Vault) ReadLocal(p Path) (Text, error) {
	t, err := v.read(p, false)
	if err != nil {
		return Text{}, fmt.Errorf("read %s: %w", p, err)
	}
	return t, nil
}

func (v *Vault) read(p Path, guarded bool) (Text, error) {
	p, err := checked(p)
	if err != nil {
		return Text{}, err
	}
	if hasDotPart(p) || guarded && v.Ignored(p) {
		return Text{}, ErrIgnored
	}
	t, err := v.text(p)
	if err == nil && guarded && t.Note.Private {
		return Text{}, ErrPrivate
	}
	return t, err
}

// text reads a file, or finds it in the cache. A file that changes while it is
// read is read again, a few times.
func (v *Vault) text(p Path) (Text, error) {
	root, name, _ := v.locate(p)
	for try := 0; ; try++ {
		info, err := regular(root, name)
		if err != nil {
			return Text{}, err
		}
		if info.Size() > v.opts.MaxNote {
			return Text{}, fmt.Errorf("%w: %s, the limit is %s", ErrTooLarge, megabytes(info.Size()), megabytes(v.opts.MaxNote))
		}
		filters := v.filters.Load()
		if t, ok := v.cache.get(p, info, filters); ok {
			return t, nil
		}
		v.onRead(p)
		data, after, err := slurp(root, name, v.opts.MaxNote)
		if err != nil {
			return Text{}, err
		}
		if try < 3 && (after.Size() != int64(len(data)) || after.Size() != info.Size() || !after.ModTime().Equal(info.ModTime())) {
			continue
		}
		if isBinary(data) {
			return Text{}, ErrBinary
		}
		t := Text{Hash: sha256.Sum256(data), ModTime: after.ModTime(), Size: int64(len(data))}
		t.Content, t.Repaired = normalize(data)
		t.Note = v.textNote(p, &t, filters)
		v.cache.put(p, after, filters, t)
		return t, nil
	}
}

// textNote is the Note of a text just read.
func (v *Vault) textNote(p Path, t *Text, f *filters) *Note {
	if !p.IsNote() {
		return &Note{Path: p, Title: p.Name(), BodyLine: 1, Size: t.Size, ModTime: t.ModTime}
	}
	n := v.parse(p, t.Content, f)
	n.Size, n.ModTime = t.Size, t.ModTime
	if t.Repaired {
		warn(n, notUTF8)
	}
	return n
}

// ReadFile returns the bytes of an attachment, at most limit of them; a longer
// one fails with ErrTooLarge. Notes are guarded as in Read. Of the dot folders
// only .ibid, where this program keeps its own things, can be read.
func (v *Vault) ReadFile(p Path, limit int64) ([]byte, error) {
	data, err := v.readFile(p, limit)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", p, err)
	}
	return data, nil
}

func (v *Vault) readFile(p Path, limit int64) ([]byte, error) {
	p, err := checked(p)
	if err != nil {
		return nil, err
	}
	if p.IsNote() {
		if _, err := v.read(p, true); err != nil {
			return nil, err
		}
	}
	if hasDotPart(p) && !p.In(".ibid") || v.Ignored(p) {
		return nil, ErrIgnored
	}
	v.onRead(p)
	return v.readRaw(p, limit)
}

func (v *Vault) onRead(p Path) {
	if v.opts.OnRead != nil {
		v.opts.OnRead(p)
	}
}

// readRaw reads any file of the vault.
func (v *Vault) readRaw(p Path, limit int64) ([]byte, error) {
	root, name, _ := v.locate(p)
	info, err := regular(root, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%w: %s, the limit is %s", ErrTooLarge, megabytes(info.Size()), megabytes(limit))
	}
	data, _, err := slurp(root, name, limit)
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: the limit is %s", ErrTooLarge, megabytes(limit))
	}
	return data, err
}

// slurp reads a file, at most one byte more than limit, and says what it was
// afterwards.
func slurp(root *os.Root, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, nil, bare(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, bare(err)
	}
	data, err := readInto(nil, f, min(info.Size(), limit)+1)
	if err != nil {
		return nil, nil, bare(err)
	}
	info, err = f.Stat()
	if err != nil {
		return nil, nil, bare(err)
	}
	return data, info, nil
}

// regular is the state of the file name, which must be a file: opening a pipe
// would wait for somebody to write to it.
func regular(root *os.Root, name string) (fs.FileInfo, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, bare(err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("this is a folder: %w", fs.ErrInvalid)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("this is no file: %w", fs.ErrInvalid)
	}
	return info, nil
}

// Stat describes the file or folder at p.
func (v *Vault) Stat(p Path) (fs.FileInfo, error) {
	c, err := checked(p)
	if err == nil {
		root, name, _ := v.locate(c)
		var info fs.FileInfo
		if info, err = root.Stat(name); err == nil {
			return info, nil
		}
	}
	return nil, fmt.Errorf("stat %s: %w", p, bare(err))
}

// textCache keeps the texts read last, as long as their files stay the same.
type textCache struct {
	limit int64 // bytes
	mu    sync.Mutex
	size  int64
	order list.List // of *cached, the one used last in front
	byKey map[Path]*list.Element
}

type cached struct {
	path    Path
	text    Text
	id      fileID
	changed int64    // when the file's entry changed, see changedAt
	filters *filters // that Note.Private was decided by
}

// get returns the text of p if its file is still what info describes.
func (c *textCache) get(p Path, info fs.FileInfo, f *filters) (Text, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.byKey[p]
	if !ok {
		return Text{}, false
	}
	e := el.Value.(*cached)
	if e.text.Size != info.Size() || !e.text.ModTime.Equal(info.ModTime()) || e.id != idOf(info) || e.changed != changedAt(info) || e.filters != f {
		return Text{}, false
	}
	c.order.MoveToFront(el)
	return e.text, true
}

// put keeps a text, unless its file is so young that it could change again
// without showing it.
func (c *textCache) put(p Path, info fs.FileInfo, f *filters, t Text) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[p]; ok {
		c.remove(el)
	}
	if racy(info.ModTime(), time.Now()) || t.Size > c.limit {
		return
	}
	if c.byKey == nil {
		c.byKey = map[Path]*list.Element{}
	}
	c.byKey[p] = c.order.PushFront(&cached{path: p, text: t, id: idOf(info), changed: changedAt(info), filters: f})
	c.size += t.Size
	for c.size > c.limit {
		c.remove(c.order.Back())
	}
}

func (c *textCache) remove(el *list.Element) {
	e := c.order.Remove(el).(*cached)
	delete(c.byKey, e.path)
	c.size -= e.text.Size
}
