package vault

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Content describes the bytes of a file, whatever its name is. Judge makes it for every way in which a file comes:
// attached, piped in, dropped, read by a tool of a model.
type Content struct {
	Text     string // with LF, in valid UTF-8, without a byte order mark; "" if the file has no text
	Encoding string // of the file, if its text is in another encoding than UTF-8: "GB18030"
	Format   string // of a file that has no text, with its article: "a PDF document"; "" if it is not known
	Binary   bool   // the file has no text
	Damaged  bool   // some bytes were not valid, and are U+FFFD in Text
}

// Warnings for notes whose bytes are not valid UTF-8.
const (
	damagedText   = "not valid UTF-8: broken characters are shown as \uFFFD"
	otherEncoding = "in %s, which other programs may not read: save it as UTF-8"
)

// Formats that several tests have in common.
const (
	pdfFormat     = "a PDF document"
	imageFormat   = "an image"
	officeFormat  = "an office document"
	bookFormat    = "an e-book"
	archiveFormat = "an archive"
	soundFormat   = "a sound file"
	videoFormat   = "a video"

	unknownEncoding = "text in an encoding that is not known (saved as UTF-8 it can be read)"
)

// Judge says what the bytes of a file are. Text is UTF-8, UTF-16, or one of the encodings of the time before Unicode
// if it reads like a language in it. Formats that are text themselves, such as HTML, canvases and CSV, are text.
func Judge(data []byte) Content {
	if format := textualFormat(data); format != "" {
		return Content{Binary: true, Format: format}
	}
	if hasUTF16Mark(data) {
		return newText(encodingOf(data).decode(data), utf16Name)
	}
	head := data[:min(len(data), headBytes)]
	hasNUL := bytes.IndexByte(head, 0) >= 0
	if !hasNUL && utf8.Valid(data) {
		return newText(string(data), "")
	}
	if format := binaryFormat(data); format != "" {
		return Content{Binary: true, Format: format}
	}
	if hasNUL {
		if e := encodingOf(data); e != UTF8 {
			return newText(e.decode(data), utf16Name)
		}
		return Content{Binary: true}
	}
	whole, broken := countSequences(data)
	isMarked := bytes.HasPrefix(data, []byte("\uFEFF"))
	if isMarked || whole > 0 && whole >= broken {
		return damaged(data)
	}
	if text, encoding := decodeLegacy(data); encoding != "" {
		return newText(text, encoding)
	}
	if broken <= len(data)/strayShare {
		return damaged(data)
	}
	if isMostlyText(data) {
		return Content{Binary: true, Format: unknownEncoding}
	}
	return Content{Binary: true}
}

// strayShare is of how many bytes one may be broken in a text that is no language in another encoding.
const strayShare = 500

// damaged returns the content of a text with broken characters.
func damaged(data []byte) Content {
	c := newText(strings.ToValidUTF8(string(data), "\uFFFD"), "")
	c.Damaged = true
	return c
}

// headBytes is the length of the beginning in which a NUL means that a file is no text, and in which the properties of
// a binary note are looked for.
const headBytes = 8 << 10

// newText returns the content of a text, with its line ends made LF.
func newText(text, encoding string) Content {
	text = strings.TrimPrefix(text, "\uFEFF")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return Content{Text: text, Encoding: encoding}
}

// isUnicode reports whether the text is in UTF-8 or UTF-16.
func (c *Content) isUnicode() bool { return c.Encoding == "" || c.Encoding == utf16Name }

// warning returns what a person should know about the bytes, "" if there is nothing.
func (c *Content) warning() string {
	switch {
	case c.Damaged:
		return damagedText
	case c.Encoding != "":
		return fmt.Sprintf(otherEncoding, c.Encoding)
	}
	return ""
}

// Error returns nil for a text, else a *NoTextError. name is the name of the file, which tells the format where the
// bytes do not.
func (c *Content) Error(name Path) error {
	if !c.Binary {
		return nil
	}
	return &NoTextError{Format: cmp.Or(c.Format, FileKind(name))}
}

// NoTextError is the ErrBinary for a file whose format may be known.
type NoTextError struct {
	Format string // with its article: "a PDF document"; "" if it is not known
}

// Error implements error.
func (e *NoTextError) Error() string {
	if e.Format == "" {
		return ErrBinary.Error()
	}
	return fmt.Sprintf("%v: it is %s", ErrBinary, e.Format)
}

// Is makes the error an ErrBinary.
func (e *NoTextError) Is(target error) bool { return target == ErrBinary }

// Reason returns in words for a person, to follow the name of the file, why it is not sent.
func (e *NoTextError) Reason() string {
	switch e.Format {
	case "":
		return "is not a text file: it is not sent"
	case imageFormat:
		return "is an image: images go along as image files of the vault"
	}
	return "is " + e.Format + ": ibid cannot read it yet"
}

// textualFormat returns the format of a file that could pass for text, since all its bytes may be ASCII.
func textualFormat(data []byte) string {
	head := bytes.TrimLeft(data[:min(len(data), headBytes)], "\xef\xbb\xbf \t\r\n\x00")
	version, isPDF := bytes.CutPrefix(head, []byte("%PDF-"))
	switch {
	case isPDF && len(version) > 0 && '0' <= version[0] && version[0] <= '9':
		return pdfFormat
	case bytes.HasPrefix(head, []byte(`{\rtf`)):
		return "an RTF document"
	}
	return ""
}

// signatures are the first bytes of formats that net/http does not tell.
var signatures = []struct{ prefix, format string }{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document of an old kind (doc, xls, ppt)"},
	{"7z\xbc\xaf\x27\x1c", archiveFormat},
	{"BZh", archiveFormat},
	{"\xfd7zXZ\x00", archiveFormat},
	{"\x28\xb5\x2f\xfd", archiveFormat},
	{"II*\x00", imageFormat},
	{"MM\x00*", imageFormat},
	{"8BPS", imageFormat},
	{"fLaC", soundFormat},
	{"SQLite format 3\x00", "a database"},
	{"\x7fELF", "a program"},
	{"MZ", "a program"},
	{"\xff\xfe\x00\x00", "text in UTF-32 (saved as UTF-8 it can be read)"},
	{"\x00\x00\xfe\xff", "text in UTF-32 (saved as UTF-8 it can be read)"},
}

// binaryFormat returns the format of a file that is no valid UTF-8 or has a NUL, "" if it is not known.
func binaryFormat(data []byte) string {
	for _, s := range signatures {
		if bytes.HasPrefix(data, []byte(s.prefix)) {
			return s.format
		}
	}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06")) {
		return zipFormat(data)
	}
	if len(data) > 12 && string(data[4:8]) == "ftyp" {
		switch string(data[8:11]) {
		case "hei", "hev", "avi", "mif", "msf":
			return imageFormat
		case "M4A":
			return soundFormat
		}
		return videoFormat
	}
	mediaType, _, _ := strings.Cut(http.DetectContentType(data), ";")
	kind, _, _ := strings.Cut(mediaType, "/")
	switch {
	case mediaType == "image/bmp" && !bytes.Contains(data[:min(len(data), 64)], []byte{0}):
		return "" // words may begin with BM
	case kind == "image":
		return imageFormat
	case kind == "audio":
		return soundFormat
	case kind == "video", mediaType == "application/ogg":
		return videoFormat
	case strings.Contains(mediaType, "zip"), strings.Contains(mediaType, "rar"):
		return archiveFormat
	}
	return ""
}

// zipContents tell what a zip archive is by the name of a file in it.
var zipContents = []struct{ part, format string }{
	{"application/epub+zip", bookFormat},
	{"application/vnd.oasis.opendocument.text", "an ODT document"},
	{"application/vnd.oasis.opendocument", officeFormat},
	{"word/document", "a Word document (docx)"},
	{"xl/workbook", "an Excel workbook (xlsx)"},
	{"ppt/presentation", "a PowerPoint presentation (pptx)"},
	{"[Content_Types].xml", officeFormat},
	{"META-INF/container.xml", bookFormat},
}

func zipFormat(data []byte) string {
	for _, c := range zipContents {
		if bytes.Contains(data, []byte(c.part)) {
			return c.format
		}
	}
	return archiveFormat
}

// countSequences counts the characters of two bytes and more in UTF-8, and the bytes that are none.
func countSequences(data []byte) (whole, broken int) {
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size == 1:
			broken++
		case size > 1:
			whole++
		}
		data = data[size:]
	}
	return whole, broken
}

// isMostlyText reports whether data without a NUL looks like text in some encoding: it has next to no control
// characters.
func isMostlyText(data []byte) bool {
	control := 0
	for _, c := range data {
		isBlank := c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0x1b
		if c < ' ' && !isBlank || c == 0x7f {
			control++
		}
	}
	return control*100 <= len(data)
}
