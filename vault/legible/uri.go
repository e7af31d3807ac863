package legible

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// URI is a data URI in a text: a whole file, as in "data:image/png;base64,…". Its placeholder has a hash, so that a
// change of the file is a change of the note.
type URI struct {
	Start, End int    // byte offsets in the text
	Type       string // media type in lower case
	data       string // what comes after the comma
	isBase64   bool
}

// uriHead matches the beginning of a data URI up to its data: its type, and parameters of it.
var uriHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll("^(?i:data:(#/#)((?:;#)*),)", "#", "[^;:,\\s()<>\"'`]{1,120}"))
})

const (
	base64Chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_%"
	uriEnd      = " \t\r\n\"'`()<>" // characters that end a data URI in other encodings
)

// smallData is the length, in characters, below which data that is no image stays in the text: it may be an example
// in a note about data URIs.
const smallData = 256

// wrappedLine is the length of the shortest line, in characters, after which base64 goes on in the next line.
const wrappedLine = 40

// URIs returns the data URIs of a text to replace, in order. They do not overlap: one ends where the next
// begins.
func URIs(text string) (all []URI) {
	for from := 0; ; {
		at := indexFold(text[from:], "data:")
		if at < 0 {
			return all
		}
		start := from + at
		m := uriHead().FindStringSubmatchIndex(text[start:])
		if m == nil {
			from = start + len("data:")
			continue
		}
		u := URI{Start: start, Type: strings.ToLower(text[start+m[2] : start+m[3]])}
		parameters := strings.ToLower(text[start+m[4] : start+m[5]])
		u.isBase64 = strings.HasSuffix(parameters, ";base64")
		begin := start + m[1]
		u.End = begin + u.dataLength(text[begin:])
		u.data = text[begin:u.End]
		if u.isToReplace() {
			all = append(all, u)
		}
		from = u.End
	}
}

// isToReplace reports whether the URI is an image in base64, or a long one of an image or in base64.
func (u *URI) isToReplace() bool {
	if len(u.data) >= smallData {
		return u.IsImage() || u.isBase64
	}
	return u.IsImage() && u.isBase64
}

// indexFold returns the offset of an ASCII text in any case, -1 if there is none. It ends with a colon.
func indexFold(text, name string) int {
	for from := 0; ; {
		colon := strings.IndexByte(text[from:], ':')
		if colon < 0 {
			return -1
		}
		end := from + colon + 1
		if end >= len(name) && strings.EqualFold(text[end-len(name):end], name) {
			return end - len(name)
		}
		from = end
	}
}

// dataLength returns the length of the data at the beginning of rest.
func (u *URI) dataLength(rest string) int {
	if !u.isBase64 {
		if end := strings.IndexAny(rest, uriEnd); end >= 0 {
			return end
		}
		return len(rest)
	}
	end := base64Length(rest)
	for lineLength := end; lineLength >= wrappedLine; end += 1 + lineLength {
		next, isWrapped := strings.CutPrefix(rest[end:], "\n")
		if !isWrapped {
			break
		}
		lineLength = base64Length(next)
		isWholeLine := lineLength > 0 && (lineLength == len(next) || strings.IndexByte("\n)\">", next[lineLength]) >= 0)
		if !isWholeLine {
			break
		}
	}
	const next = "data"
	if strings.HasPrefix(rest[end:], ":") && end >= len(next) && strings.EqualFold(rest[end-len(next):end], next) {
		return end - len(next)
	}
	return end
}

// base64Length returns the length of the base64 at the beginning of a text.
func base64Length(text string) int { return len(text) - len(strings.TrimLeft(text, base64Chars)) }

// IsImage reports whether the URI is that of an image.
func (u *URI) IsImage() bool { return strings.HasPrefix(u.Type, "image/") }

// Placeholder returns the text that replaces the URI.
func (u *URI) Placeholder() string {
	sum := sha256.Sum256([]byte(u.data))
	size := len(u.data)
	if u.isBase64 {
		size = len(strings.TrimRight(u.data, "=")) * 3 / 4
	}
	return fmt.Sprintf("data:%s;size=%d;sha256=%s", u.Type, size, hex.EncodeToString(sum[:8]))
}

// Decode returns the file of the URI. It fails if the file is longer than limit, in bytes, or no base64.
func (u *URI) Decode(limit int64) ([]byte, error) {
	text := strings.TrimRight(strings.ReplaceAll(u.data, "\n", ""), "=")
	if n := int64(len(text)) * 3 / 4; n > limit {
		return nil, fmt.Errorf("it is too large: %.1f MB, the limit is %.1f MB",
			float64(n)/(1<<20), float64(limit)/(1<<20))
	}
	data, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("its data is damaged")
	}
	return data, nil
}
