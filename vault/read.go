package vault

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"ibid/vault/ownfile"
	"ibid/vault/routine"
)

// Read returns the present content of a note or another text file, unless it must not leave this machine: only
// results of Read and ReadFile may be sent to a model. It fails with ErrPrivate, ErrIgnored, ErrRules, ErrTooLarge,
// ErrBinary, ErrNotDownloaded or ErrOutside, or with the error of the system (fs.ErrNotExist,
// fs.ErrPermission). A file that did not change since it was last read comes from memory.
func (v *Vault) Read(p Path) (_ Text, err error) {
	defer describeError(&err, "read %s", p)
	f, err := v.readable(p)
	if err != nil {
		return Text{}, err
	}
	t, err := v.readPublic(f)
	if err != nil {
		return Text{}, err
	}
	if err := v.checkRules(f.path); err != nil {
		return Text{}, err
	}
	return t, nil
}

// Read works like [Vault.Read] for content that stays on this machine.
func (l LocalVault) Read(p Path) (_ Text, err error) {
	defer describeError(&err, "read %s", p)
	f, err := l.readable(p)
	if err != nil {
		return Text{}, err
	}
	return l.readPublic(f)
}

// readPublic reads a file, and refuses it if its text says that it is private.
func (v *Vault) readPublic(f readableFile) (Text, error) {
	t, err := v.readText(f)
	if err == nil && t.Note.Private {
		return Text{}, ErrPrivate
	}
	return t, err
}

// readText reads a file, or returns it from the cache. A file that changes while it is read is read again, up to
// three times.
func (v *Vault) readText(f readableFile) (t Text, err error) {
	defer routine.Catch(&err)
	p := f.path
	root, name, _ := v.locate(f.at)
	limit := v.opts.MaxNote
	if v.opts.ReadLarge {
		limit = max(limit, maxRead)
	}
	for try := 0; ; try++ {
		info, err := statRegular(root, name, f.info, limit)
		f.info = nil
		if err != nil {
			return Text{}, err
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
		if try < 3 && (after.Size() != int64(len(data)) || after.Size() != info.Size() ||
			!after.ModTime().Equal(info.ModTime())) {
			continue
		}
		content := Judge(data)
		if content.Binary {
			return Text{}, content.Error(p)
		}
		t := Text{Content: content.Text, ModTime: after.ModTime(), Size: int64(len(data))}
		t.Note = v.textNote(f, &t, filters)
		addWarning(t.Note, content.warning())
		v.cache.put(p, after, filters, t)
		return t, nil
	}
}

// textNote returns the Note for a text that was just read.
func (v *Vault) textNote(f readableFile, t *Text, by *filters) *Note {
	if !f.isNote() {
		return &Note{Path: f.path, Title: f.path.Name(), BodyLine: 1, Size: t.Size, ModTime: t.ModTime}
	}
	n := parseNote(f.path, t.Content)
	v.classify(n, by)
	n.Size, n.ModTime = t.Size, t.ModTime
	return n
}

// ReadFile returns the bytes of an attachment; one longer than limit fails with ErrTooLarge. Notes are refused
// under the same conditions as in Read.
func (v *Vault) ReadFile(p Path, limit int64) (_ []byte, err error) {
	defer describeError(&err, "read %s", p)
	f, err := v.readable(p)
	if err != nil {
		return nil, err
	}
	data, err := v.readPublicFile(f, limit)
	if err != nil {
		return nil, err
	}
	if err := v.checkRules(f.path); err != nil {
		return nil, err
	}
	return data, nil
}

// ReadFile works like [Vault.ReadFile] for content that stays on this machine.
func (l LocalVault) ReadFile(p Path, limit int64) (_ []byte, err error) {
	defer describeError(&err, "read %s", p)
	f, err := l.readable(p)
	if err != nil {
		return nil, err
	}
	return l.readPublicFile(f, limit)
}

// readPublicFile reads the bytes of a file, and refuses a note that says that it is private.
func (v *Vault) readPublicFile(f readableFile, limit int64) ([]byte, error) {
	if f.isNote() {
		if _, err := v.readPublic(f); err != nil {
			return nil, err
		}
	}
	v.onRead(f.path)
	return v.readRaw(f.at, limit)
}

// ReadOwn returns the bytes of a file that this program writes, such as a chat. It follows the rules of
// WriteFile instead of those of Read, so that private and excluded files can be read.
func (v *Vault) ReadOwn(p Path) (data []byte, err error) {
	defer describeError(&err, "read %s", p)
	name, err := v.writable(p)
	if err == nil {
		data, err = readAll(v.root, name.Native(), maxRead)
	}
	return data, absentError(v, p, err)
}

// ReadOwnDir lists the files in a folder, in no order, by the rules of WriteFile. In addition p may be the
// trash itself, or the vault, as "".
func (v *Vault) ReadOwnDir(p Path) (_ []fs.DirEntry, err error) {
	defer describeError(&err, "list %s", p)
	name, err := v.writable(p)
	switch p {
	case trashDir:
		name, err = p, nil
	case "":
		name, err = ".", nil
	}
	if err != nil {
		return nil, err
	}
	return readDir(v.root, name.Native())
}

func (v *Vault) onRead(p Path) {
	if v.opts.OnRead != nil {
		v.opts.OnRead(p)
	}
}

// readRaw reads any file of the vault, without checks.
func (v *Vault) readRaw(p Path, limit int64) ([]byte, error) {
	root, name, _ := v.locate(p)
	if _, err := statRegular(root, name, nil, limit); err != nil {
		return nil, err
	}
	return readAll(root, name, limit)
}

// readLimited reads a file, at most one byte more than limit, and returns its state afterwards.
func readLimited(root *os.Root, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := openFile(root, name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := readInto(nil, f, min(info.Size(), limit)+1)
	if err == nil {
		info, err = f.Stat()
	}
	return data, info, err
}

// statRegular returns the state of a file, which is info unless that is nil. It refuses files larger than limit, and
// anything but regular files.
func statRegular(root *os.Root, name string, info fs.FileInfo, limit int64) (fs.FileInfo, error) {
	if info == nil {
		var err error
		if info, err = root.Stat(name); err != nil {
			return nil, err
		}
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, irregularError(info)
	case isDataless(info):
		return nil, ErrNotDownloaded
	case info.Size() > limit:
		return nil, fmt.Errorf("%w: %s, the limit is %s",
			ErrTooLarge, ownfile.FormatSize(info.Size()), ownfile.FormatSize(limit))
	}
	return info, nil
}

// Stat describes the file or folder at p. Dot files are refused, also as targets of links.
func (v *Vault) Stat(p Path) (_ fs.FileInfo, err error) {
	defer describeError(&err, "stat %s", p)
	if p, err = checkPath(p); err != nil {
		return nil, err
	}
	to, info, err := v.destination(p)
	switch {
	case err != nil:
		return nil, err
	case hasDotPart(to):
		return nil, dotFileError(to)
	case info != nil:
		return info, nil
	}
	root, name, _ := v.locate(to)
	return root.Stat(name)
}

// textCache keeps texts as long as their files do not change. When their size exceeds limit it drops all of
// them.
type textCache struct {
	limit  int64 // bytes
	mu     sync.Mutex
	size   int64
	byPath map[Path]cachedText
}

type cachedText struct {
	text    Text
	id      fileID
	changed int64    // time of the last change of the file's entry, see ChangedAt
	filters *filters // the rules on which Note.Private is based
}

// get returns the text of p if its file still has the state info.
func (c *textCache) get(p Path, info fs.FileInfo, f *filters) (Text, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byPath[p]
	ok = ok && e.text.Size == info.Size() && e.text.ModTime.Equal(info.ModTime()) && e.id == idOf(info) &&
		e.changed == ChangedAt(info) && e.filters == f
	if !ok {
		return Text{}, false
	}
	return e.text, true
}

// put stores a text, unless its file is so new that it could change again unnoticed.
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
