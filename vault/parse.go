package vault

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"ibid/vault/md"
)

// imageTypes are the extensions that Obsidian shows as pictures.
const imageTypes = " png jpg jpeg gif bmp svg webp avif "

// Warnings of notes whose bytes are no text in UTF-8.
const (
	notUTF8 = "not valid UTF-8: broken characters are shown as \uFFFD"
	inUTF16 = "in UTF-16, which other programs may not read: save it as UTF-8"
)

// parseNote makes the Note of a text in one pass, until stop, which may be nil, says
// that nobody waits for it.
func parseNote(p Path, text string, stop func() bool) *Note {
	var d draft
	return d.parse(p, text, stop)
}

// parse is parseNote with the memory of the note before.
func (d *draft) parse(p Path, text string, stop func() bool) *Note {
	d.reset(p)
	s, body := scanner{text: text, note: d}, 0
	if block, rest, ok := md.Frontmatter(text); ok {
		body = rest
		d.BodyLine = 1 + strings.Count(text[:rest], "\n")
		if !strings.HasSuffix(text[:rest], "\n") { // its last line is the last of the text, without an end
			d.BodyLine++
		}
		readFrontmatter(d, block, &s.tags)
	} else if soundsPrivate(unclosedFrontmatter(text)) {
		d.Private = true
		warn(&d.Note, "the properties have no beginning or no end (---), and a line in them begins with private: the note counts as private")
	}
	s.body(body, d.BodyLine, stop)
	d.Tags = s.tags.list
	d.markChat(d.Tags)
	if isConflictCopy(p.Name()) {
		warn(&d.Note, "a copy that a sync conflict left behind")
	}
	return unpack(p, d.pack())
}

// normalize brings the bytes of a file into the form in which all text is
// handled: no byte order mark, LF, valid UTF-8. odd is what a person should know
// about the bytes, "" if they were UTF-8.
func normalize(data []byte) (text, odd string) {
	if isUTF16(data) {
		text, odd = fromUTF16(data), inUTF16
	} else {
		text = string(data)
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	if !utf8.ValidString(text) {
		return strings.ToValidUTF8(text, "\uFFFD"), notUTF8
	}
	return text, odd
}

// Decode is the text in data, as that of a note is read: UTF-8, or UTF-16 with a byte
// order mark. It fails with ErrBinary for anything else.
func Decode(data []byte) (text string, err error) {
	text, odd := normalize(data)
	if odd == notUTF8 || strings.IndexByte(text, 0) >= 0 {
		return "", ErrBinary
	}
	return text, nil
}

// isBinary reports whether data is no text: it holds a NUL near its start, or begins as
// files of other kinds do.
func isBinary(data []byte) bool {
	return !isUTF16(data) && (bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0 || begunAs(data) != "")
}

// isUTF16 reports whether data begins with the byte order mark of UTF-16, and not
// with that of UTF-32.
func isUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xFE, 0xFF}) || bytes.HasPrefix(data, []byte{0xFF, 0xFE}) && !bytes.HasPrefix(data, []byte{0xFF, 0xFE, 0, 0})
}

// fromUTF16 is the text in data, which begins with a byte order mark.
func fromUTF16(data []byte) string {
	var order binary.ByteOrder = binary.BigEndian
	if data[0] == 0xFF {
		order = binary.LittleEndian
	}
	units := make([]uint16, 0, len(data)/2+1)
	for ; len(data) >= 2; data = data[2:] {
		units = append(units, order.Uint16(data))
	}
	if len(data) > 0 { // half a unit
		units = append(units, utf8.RuneError)
	}
	return string(utf16.Decode(units))
}

// isImage reports whether a link target names a picture.
func isImage(target string) bool {
	dot := strings.LastIndexByte(target, '.')
	return dot >= 0 && len(target)-dot <= 5 && len(target)-dot > 1 &&
		strings.Contains(imageTypes, " "+strings.ToLower(target[dot+1:])+" ")
}

// isConflictCopy knows the names that Syncthing, Dropbox and Obsidian Sync
// give to the losing side of a conflict.
func isConflictCopy(name string) bool {
	return strings.Contains(name, ".sync-conflict-") || strings.Contains(strings.ToLower(name), "conflicted copy")
}
