package vault

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"ibid/vault/md"
)

// Warnings for notes whose bytes are not valid UTF-8.
const (
	notUTF8 = "not valid UTF-8: broken characters are shown as \uFFFD"
	inUTF16 = "in UTF-16, which other programs may not read: save it as UTF-8"
)

// parseNote parses a text in one pass.
func parseNote(p Path, text string) *Note { return new(draft).parse(p, text, nil) }

// parse implements parseNote, reusing the memory of the last note. It gives up when stop, which may be nil, returns
// true.
func (d *draft) parse(p Path, text string, stop func() bool) *Note {
	d.reset(p)
	s, body := scanner{text: text, note: d}, 0
	if block, rest, ok := md.Frontmatter(text); ok {
		body = rest
		d.BodyLine = 1 + strings.Count(text[:rest], "\n")
		// the last line of the frontmatter is the last of the text, without a line end
		if !strings.HasSuffix(text[:rest], "\n") {
			d.BodyLine++
		}
		readFrontmatter(d, block, &s.tags)
	}
	if len(d.props) == 0 {
		d.readPrivateHead(text, body)
	}
	s.body(body, d.BodyLine, stop)
	d.Tags = s.tags.list
	d.markChat(d.Tags)
	if isConflictCopy(p.Name()) {
		addWarning(&d.Note, "a copy that a sync conflict left behind")
	}
	return unpack(p, d.pack())
}

// Normalize converts the bytes of a file to the form in which all text is handled: no byte order mark, LF,
// valid UTF-8. odd is a warning about the bytes, "" if they were UTF-8.
func Normalize(data []byte) (text, odd string) {
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

// Decode converts data to text as it does for a note: from UTF-8, or from UTF-16 with a byte order mark. It
// fails with ErrBinary for anything else.
func Decode(data []byte) (text string, err error) {
	text, odd := Normalize(data)
	if odd == notUTF8 || strings.IndexByte(text, 0) >= 0 {
		return "", ErrBinary
	}
	return text, nil
}

// isBinary reports whether data is no text: it has a NUL near its beginning, or is a PDF document, in which there may
// be none.
func isBinary(data []byte) bool {
	return !isUTF16(data) &&
		(bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0 || bytes.HasPrefix(data, []byte("%PDF-")))
}

// isUTF16 reports whether data begins with the byte order mark of UTF-16, and not with that of UTF-32.
func isUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xFE, 0xFF}) ||
		bytes.HasPrefix(data, []byte{0xFF, 0xFE}) && !bytes.HasPrefix(data, []byte{0xFF, 0xFE, 0, 0})
}

// fromUTF16 decodes data, which begins with a byte order mark.
func fromUTF16(data []byte) string {
	var order binary.ByteOrder = binary.BigEndian
	if data[0] == 0xFF {
		order = binary.LittleEndian
	}
	units := make([]uint16, len(data)/2)
	_, _ = binary.Decode(data, order, units) // data are long enough
	if len(data)%2 > 0 {
		units = append(units, utf8.RuneError) // half a unit
	}
	return string(utf16.Decode(units))
}

// isConflictCopy reports whether name is a name that Syncthing, Dropbox or Obsidian Sync give to the losing
// side of a conflict.
func isConflictCopy(name string) bool {
	return strings.Contains(name, ".sync-conflict-") || strings.Contains(strings.ToLower(name), "conflicted copy")
}
