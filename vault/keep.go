package vault

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ibid/vault/ownfile"
)

// keptMagic begins a file of kept notes. The number goes up whenever notes are
// read or packed in another way; a test tells.
const keptMagic = "ibid notes 4\n"

// keptNotes is what a file knows of notes as they were read by an earlier process,
// so that only those that changed since are read again. The file holds chunks,
// each with its length and checksums in front; a later word about a note counts
// more than an earlier one. Processes only append whole chunks or replace the file
// as a whole. What is damaged, and what stands behind it, is not there. The file is
// derived: to lose it costs time.
type keptNotes struct {
	byPath  map[Path]keptNote // nil when the vault was read
	whole   bool              // the file can be appended to
	records int               // notes in the file, with those that do not count any more
}

// keptNote is a note as it was when its file had this size and time.
type keptNote struct {
	size, mtime int64
	sum         uint64
	packed      string
}

// match is what is known of a file, if that still holds.
func (k *keptNotes) match(e *entry) (keptNote, bool) {
	n, ok := k.byPath[e.path]
	return n, ok && n.size == e.size && n.mtime == e.mtime.UnixNano()
}

// keptFile is where what is known of the notes of the vault at dir is kept in a
// folder of caches.
func keptFile(cache, dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(cache, hex.EncodeToString(sum[:12])+".notes")
}

// checksum is the sum of a note's bytes, never 0.
func checksum(data []byte) uint64 {
	return uint64(crc32.Checksum(data, castagnoli))<<32 | uint64(crc32.ChecksumIEEE(data)) | 1
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// keptHead is the length of what stands before a chunk: its length and checksum.
const keptHead = 4 + 8

// keptChunk is the length in bytes from which on a chunk is written.
const keptChunk = 1 << 20

// loadKept reads the file of kept notes.
func loadKept(name string) (k keptNotes) {
	f, err := ownfile.Open(name)
	if err != nil {
		return k
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return k
	}
	magic := make([]byte, len(keptMagic))
	if _, err := io.ReadFull(f, magic); err != nil || string(magic) != keptMagic {
		return k
	}
	var all strings.Builder
	all.Grow(int(info.Size()))
	buf := make([]byte, keptHead, keptChunk+keptChunk/4)
	for left := info.Size() - int64(len(magic)); ; {
		_, err := io.ReadFull(f, buf[:keptHead])
		if err != nil {
			k.whole = err == io.EOF
			break
		}
		length, sum := int64(binary.LittleEndian.Uint32(buf)), binary.LittleEndian.Uint64(buf[4:])
		if left -= keptHead + length; left < 0 {
			break
		}
		if int64(cap(buf)) < length {
			buf = make([]byte, length)
		}
		chunk := buf[:length]
		if _, err := io.ReadFull(f, chunk); err != nil || checksum(chunk) != sum {
			break
		}
		all.Write(chunk)
	}
	k.read(all.String())
	return k
}

// read takes the notes out of the chunks.
func (k *keptNotes) read(text string) {
	u := unpacker{text}
	k.byPath = make(map[Path]keptNote, len(text)/500)
	for u.rest != "" {
		p := Path(u.text())
		n := keptNote{size: int64(u.number()), mtime: int64(u.number()), sum: uint64(u.number())}
		n.packed = u.text()
		k.byPath[p] = n
		k.records++
	}
}

// keep writes what was read of notes and is not in the file of kept notes. Private
// notes are not written. That it cannot be written costs time only.
func (v *Vault) keep() {
	if v.opts.Cache == "" {
		return
	}
	k := &v.disk.kept
	var fresh []*entry
	known := 0
	for _, e := range v.disk.entries {
		switch {
		case e.kept:
			known++
		case e.keepable():
			fresh = append(fresh, e)
		}
	}
	name := keptFile(v.opts.Cache, v.dir)
	sweepKept(name)
	if len(fresh) == 0 {
		return
	}
	if known += len(fresh); k.whole && k.records+len(fresh) <= 2*known {
		k.whole = appendKept(name, fresh) == nil
		k.records += len(fresh)
	} else {
		for _, e := range v.disk.entries {
			if e.kept {
				fresh = append(fresh, e)
			}
		}
		k.whole, k.records = replaceKept(name, fresh) == nil, len(fresh)
	}
	for _, e := range fresh {
		e.kept = k.whole
	}
}

// keepable reports whether what is known of a note holds as long as its file has the
// same size and time.
func (e *entry) keepable() bool {
	return e.note != nil && e.sum != 0 && !e.again && !e.failed && !e.note.Private
}

// appendKept adds notes to a file that is sound.
func appendKept(name string, notes []*entry) error {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	magic := make([]byte, len(keptMagic))
	if _, err = io.ReadFull(f, magic); err == nil && string(magic) != keptMagic {
		err = errors.New("of another version")
	}
	if err == nil {
		err = writeKept(f, notes)
	}
	return errors.Join(err, f.Close())
}

// replaceKept writes a new file with these notes.
func replaceKept(name string, notes []*entry) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*"+tempSuffix)
	if err != nil {
		return err
	}
	_, err = f.WriteString(keptMagic)
	if err == nil {
		err = writeKept(f, notes)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what stopped the rest is told
	}
	return err
}

// sweepKept removes the files that processes were writing when they were killed.
func sweepKept(name string) {
	entries, _ := os.ReadDir(filepath.Dir(name)) // a folder that is not there holds none
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), filepath.Base(name)+".") || !strings.HasSuffix(e.Name(), tempSuffix) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > time.Minute {
			_ = os.Remove(filepath.Join(filepath.Dir(name), e.Name())) // the next one tries again
		}
	}
}

// writeKept writes notes in chunks.
func writeKept(w io.Writer, notes []*entry) error {
	b := make(packer, keptHead, keptChunk+keptChunk/4)
	for i, e := range notes {
		b.text(string(e.path))
		b.number(int(e.size))
		b.number(int(e.mtime.UnixNano()))
		b.number(int(e.sum))
		at := len(b)
		b.head(e.note)
		b = append(b, e.note.rest...)
		b = insertLength(b, at)
		if len(b) < keptChunk && i < len(notes)-1 {
			continue
		}
		binary.LittleEndian.PutUint32(b, uint32(len(b)-keptHead))
		binary.LittleEndian.PutUint64(b[4:], checksum(b[keptHead:]))
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:keptHead]
	}
	return nil
}

// insertLength puts the length of b[at:] in front of it.
func insertLength(b packer, at int) packer {
	var length packer
	length.number(len(b) - at)
	return slices.Insert(b, at, length...)
}
