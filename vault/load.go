package vault

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"ibid/vault/ownfile"
	"ibid/vault/routine"
)

// batch is the number of files, neighbours by path, that one goroutine loads in a row.
const batch = 32

// load parses the notes among jobs, which are sorted by path.
func (v *Vault) load(ctx context.Context, jobs []*entry, f *filters) error {
	v.total.Store(int64(len(jobs)))
	return routine.Share(ctx, len(jobs), batch, func(mine iter.Seq[int]) {
		l := loader{v: v, filters: f, stop: func() bool { return ctx.Err() != nil }}
		defer l.closeFolder()
		for i := range mine {
			l.load(jobs[i])
			v.done.Add(1)
		}
	})
}

// loader loads files one after another. It keeps the folder of the last file open, because opening a file
// through its folder takes one system call, and through the vault one for every element of the path.
type loader struct {
	v       *Vault
	filters *filters
	stop    func() bool
	dir     Path
	folder  *os.Root // nil if no folder is open
	buf     []byte
	draft   draft
}

// closeFolder closes the open folder.
func (l *loader) closeFolder() {
	if l.folder != nil {
		_ = l.folder.Close() // opened for reading, nothing to lose
		l.folder = nil
	}
}

// load fills in the entry of one file. A panic on its content costs only this note.
func (l *loader) load(e *entry) {
	if e.ignored || !e.path.IsNote() {
		return
	}
	if fault := routine.Call(func() { l.loadNote(e) }); fault != nil {
		l.draft = draft{}
		e.note, e.failed = bareNote(e.walkedFile, fmt.Sprintf("cannot be read: a fault of ibid: %v", fault.Value)), true
	}
}

func (l *loader) loadNote(e *entry) {
	if e.size > l.v.opts.MaxNote {
		e.note = bareNote(e.walkedFile, fmt.Sprintf("too large to read: %s, the limit is %s",
			ownfile.FormatSize(e.size), ownfile.FormatSize(l.v.opts.MaxNote)))
		e.note.Large = true
		l.markLargeHead(e)
		return
	}
	if e.dataless {
		e.note = bareNote(e.walkedFile, ErrNotDownloaded.Error())
		return
	}
	if k, ok := l.v.disk.kept.match(e); ok {
		e.note, e.sum, e.kept = unpack(e.path, k.packed), k.sum, true
		e.note.Size, e.note.ModTime = e.size, e.mtime
		if strings.HasPrefix(e.note.Warning, ErrBinary.Error()) { // private ones are not kept
			e.note.Unread = headKnown
		}
		l.v.classify(e.note, l.filters)
		return
	}
	data, now, err := l.read(e.path)
	if err != nil {
		e.note = bareNote(e.walkedFile, fmt.Sprintf("cannot be read: %v", reason(err)))
		e.failed, e.again = true, true
		return
	}
	now.path = e.path
	e.walkedFile = now
	e.again = int64(len(data)) != e.size
	e.sum = checksum(data)
	content := Judge(data)
	if content.Binary {
		e.note = bareNote(e.walkedFile, content.Error(e.path).Error())
		l.markHead(e.note, data[:min(len(data), headBytes)])
		return
	}
	e.note = l.draft.parse(e.path, content.Text, l.stop)
	l.v.classify(e.note, l.filters)
	e.note.Size, e.note.ModTime = e.size, e.mtime
	addWarning(e.note, content.warning())
}

// largeHead is the size of the beginning of a large note that is read.
const largeHead = 64 << 10

// openFolder opens a folder, unless it is open already. It does not work for followed links.
func (l *loader) openFolder(dir Path) error {
	if l.folder != nil && l.dir == dir {
		return nil
	}
	l.closeFolder()
	open, err := l.v.root.OpenRoot(filepath.FromSlash(cmp.Or(string(dir), ".")))
	if err == nil {
		l.folder, l.dir = open, dir
	}
	return err
}

// read returns the bytes of a note, valid until the next call, and the file's state when it was opened.
func (l *loader) read(p Path) ([]byte, walkedFile, error) { return l.readUpTo(p, l.v.opts.MaxNote) }

// readUpTo works like read, for a limit of bytes; there is one byte more if the file is longer.
func (l *loader) readUpTo(p Path, limit int64) ([]byte, walkedFile, error) {
	if root, name, linked := l.v.locate(p); linked {
		data, info, err := readLimited(root, name, limit)
		if err != nil {
			return nil, walkedFile{}, err
		}
		return data, foundFile(p, info), nil
	}
	if err := l.openFolder(p.Dir()); err != nil {
		return nil, walkedFile{}, err
	}
	f, err := openPlain(l.folder, p.Name())
	if err != nil {
		return nil, walkedFile{}, err
	}
	defer f.Close()
	l.buf, err = readInto(l.buf, f, min(f.info.Size(), limit)+1)
	return l.buf, foundFile(p, f.info), err
}

// readInto reads at most limit bytes from r, into buf if that is large enough.
func readInto(buf []byte, r io.Reader, limit int64) ([]byte, error) {
	if int64(cap(buf)) < limit {
		buf = make([]byte, limit+limit/4)
	}
	n, err := io.ReadFull(r, buf[:limit])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return buf[:n], err
}

// bareNote returns a note with the data of the file only.
func bareNote(f walkedFile, warning string) *Note {
	return &Note{
		Path: f.path, Title: f.path.Base(), Size: f.size, ModTime: f.mtime,
		BodyLine: 1, Warning: warning, Unread: nothingKnown,
	}
}

// markLargeHead marks a large note as private that says so: its name goes to models, and parts of it may.
func (l *loader) markLargeHead(e *entry) {
	if e.dataless {
		return
	}
	head, _, err := l.readUpTo(e.path, largeHead)
	if err == nil {
		l.markHead(e.note, head)
	}
}

// markHead marks a note as private that says so in its beginning, though its text is not read.
func (l *loader) markHead(n *Note, head []byte) {
	text, _ := Normalize(head)
	parsed := new(draft).parse(n.Path, text, l.stop)
	n.Unread = headKnown
	n.Private, n.PrivateBecause = parsed.Private, parsed.PrivateBecause
}

// addWarning appends text to the note's warning, if text is not empty.
func addWarning(n *Note, text string) {
	if n.Warning != "" && text != "" {
		n.Warning += "; "
	}
	n.Warning += text
}
