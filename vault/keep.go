package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"path/filepath"
	"strings"

	"ibid/vault/codec"
	"ibid/vault/ownfile"
)

// keptMagic begins the file of kept notes. The number goes up whenever notes are parsed or packed in another
// way; a test checks that.
const keptMagic = "ibid notes 11\n"

// keptNotes are the notes as an earlier process read them, so that only notes that changed since are read
// again. The file has a magic line, a checksum and packed notes. Processes replace it as a whole. A damaged
// file counts as empty: the data can be read again, which only takes time.
type keptNotes map[Path]keptNote

// keptNote is a note at the time when its file had this size and time.
type keptNote struct {
	size, mtime int64
	sum         uint64
	packed      string
}

func (k *keptNote) code(c *codec.Coder, p *Path) {
	codec.Text(c, p)
	codec.Number(c, &k.size, &k.mtime)
	codec.Number(c, &k.sum)
	codec.Text(c, &k.packed)
}

// match returns the kept note of a file; ok is false if there is none or the file has changed.
func (k keptNotes) match(e *entry) (keptNote, bool) {
	n, ok := k[e.path]
	return n, ok && n.size == e.size && n.mtime == e.mtime.UnixNano()
}

// keptFile returns the name of the file of kept notes, in the folder cache, for the vault at dir.
func keptFile(cache, dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(cache, hex.EncodeToString(sum[:12])+".notes")
}

// checksum returns a checksum of a note's bytes, never 0.
func checksum(data []byte) uint64 {
	return uint64(crc32.Checksum(data, castagnoli))<<32 | uint64(crc32.ChecksumIEEE(data)) | 1
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// loadKept reads the file of kept notes. A missing or damaged file gives nil.
func loadKept(name string) keptNotes {
	data, err := ownfile.Read(name)
	packed, sound := bytes.CutPrefix(data, []byte(keptMagic))
	if err != nil || !sound || len(packed) < 8 || binary.LittleEndian.Uint64(packed) != checksum(packed[8:]) {
		return nil
	}
	c := codec.Reader(string(packed[8:]))
	kept := make(keptNotes, len(packed)/500)
	for c.Rest() != "" {
		var p Path
		var n keptNote
		n.code(c, &p)
		kept[p] = n
	}
	return kept
}

// keepShare is the share of all notes, one in so many, that must have been read anew for the file to be
// written: reading fewer again next time costs less than writing all.
const keepShare = 20

// saveKept writes the file of kept notes if many were read anew. Private notes are left out. A file that cannot be
// written only costs time.
func (v *Vault) saveKept() {
	if v.opts.Cache == "" {
		return
	}
	name := keptFile(v.opts.Cache, v.dir)
	temporary := "." + filepath.Base(name) + "-"
	ownfile.Sweep(v.opts.Cache, func(name string) bool { return strings.HasPrefix(name, temporary) })
	var known []*entry
	fresh := 0
	for _, e := range v.disk.entries {
		switch {
		case e.kept:
			known = append(known, e)
		case e.keepable():
			known, fresh = append(known, e), fresh+1
		}
	}
	if fresh == 0 || fresh*keepShare < len(known) {
		return
	}
	c := codec.Coder{Out: []byte(keptMagic + "checksum")}
	for _, e := range known {
		n := keptNote{e.size, e.mtime.UnixNano(), e.sum, e.note.packed()}
		n.code(&c, &e.path)
	}
	packed := c.Out[len(keptMagic):]
	binary.LittleEndian.PutUint64(packed, checksum(packed[8:]))
	written := ownfile.Replace(name, c.Out, 0o600) == nil
	for _, e := range known {
		e.kept = written
	}
}

// keepable reports whether the note may be kept: what is known of it holds as long as its file has the same
// size and time.
func (e *entry) keepable() bool {
	return e.note != nil && e.sum != 0 && !e.again && !e.failed && !e.note.Private
}
