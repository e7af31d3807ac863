package vault

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Encoding is the encoding of a text file. A byte order mark is part of its text.
type Encoding uint8

// The encodings of notes. A file that is in neither counts as UTF-8 with broken characters.
const (
	UTF8 Encoding = iota
	UTF16LE
	UTF16BE
)

// DecodeFile returns the text of a file so that Encode returns the same bytes: with its line ends and its byte order
// mark. It fails with ErrBinary for anything but text, for UTF-16 with broken characters, and for the encodings of the
// time before Unicode, which are read but not written.
func DecodeFile(data []byte) (text string, e Encoding, err error) {
	e = encodingOf(data)
	content := Judge(data)
	switch {
	case content.Binary:
		return "", e, &NoTextError{Format: content.Format}
	case !content.isUnicode():
		return "", e, fmt.Errorf("%w: it is in %s, save it as UTF-8 before it is changed", ErrBinary, content.Encoding)
	}
	text = e.decode(data)
	if strings.ContainsRune(text, 0) || e != UTF8 && !bytes.Equal(e.Encode(text), data) {
		return "", e, ErrBinary
	}
	return text, e, nil
}

// Encode returns a text in this encoding.
func (e Encoding) Encode(text string) []byte {
	if e == UTF8 {
		return []byte(text)
	}
	var data []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		data = e.order().AppendUint16(data, unit)
	}
	return data
}

// decode returns data as text, with broken characters if it is not in this encoding.
func (e Encoding) decode(data []byte) string {
	if e == UTF8 {
		return string(data)
	}
	units := make([]uint16, len(data)/2)
	_, _ = binary.Decode(data, e.order(), units) // data are long enough
	if len(data)%2 > 0 {
		units = append(units, utf8.RuneError) // half a unit
	}
	return string(utf16.Decode(units))
}

// order returns the order of the bytes of UTF-16.
func (e Encoding) order() interface {
	binary.ByteOrder
	binary.AppendByteOrder
} {
	if e == UTF16LE {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// utf16Name is the name of UTF-16 for people.
const utf16Name = "UTF-16"

// hasUTF16Mark reports whether data begins with the byte order mark of UTF-16, and not with that of UTF-32.
func hasUTF16Mark(data []byte) bool {
	isUTF32 := bytes.HasPrefix(data, []byte{0xFF, 0xFE, 0, 0})
	return bytes.HasPrefix(data, []byte{0xFE, 0xFF}) || bytes.HasPrefix(data, []byte{0xFF, 0xFE}) && !isUTF32
}

// encodingOf tells the encoding of a file from its byte order mark, and without one from the zeros in UTF-16.
func encodingOf(data []byte) Encoding {
	switch {
	case hasUTF16Mark(data) && data[0] == 0xFE:
		return UTF16BE
	case hasUTF16Mark(data):
		return UTF16LE
	case len(data)%2 > 0 || len(data) < minSniffed:
		return UTF8
	}
	start := data[:min(len(data), headBytes)]
	var zeros [2]int // at even and at odd offsets
	for i, c := range start {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch enough := len(start) / 2 / zeroShare; {
	case zeros[0] > enough && zeros[1] == 0 && !hasControls(UTF16BE.decode(start)):
		return UTF16BE
	case zeros[1] > enough && zeros[0] == 0 && !hasControls(UTF16LE.decode(start)):
		return UTF16LE
	}
	return UTF8
}

const (
	minSniffed = 8 // bytes that UTF-16 without a mark has at least
	zeroShare  = 4 // of so many characters in it, more than one have to be Latin letters
)

// hasControls reports whether a text has characters that occur only in binary files.
func hasControls(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' && !strings.ContainsRune("\t\n\f\r", r) || r == 0x7F
	})
}
