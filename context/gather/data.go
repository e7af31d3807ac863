package gather

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"ibid/vault/md"
)

// A note may contain a whole file, as "data:image/png;base64,…". Such text is worthless for a model and costs more
// than the rest of the note. It is never sent: a short placeholder with a hash replaces it, so that a change of the
// file is a change of the note.

// dataBegin matches a data URI up to its data: its type, and parameters of it.
var dataBegin = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll("data:(#/#)(?:;#)*;base64,", "#", "[^;:,\\s()<>\"'`]{1,120}"))
})

const base64Chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_%"

// dataURI is a data URI in a text.
type dataURI struct {
	start, end int // byte offsets in the text
	kind       string
	payload    string
}

// smallData is the length, in characters, below which data that is no image stays in the text: it may be an example
// in a note about data URIs.
const smallData = 256

// dataURIs returns the data URIs of a text to replace, in order. They do not overlap: one ends where the next
// begins.
func dataURIs(text string) (all []dataURI) {
	for from := 0; ; {
		m := dataBegin().FindStringSubmatchIndex(text[from:])
		if m == nil {
			return all
		}
		d := dataURI{start: from + m[0], kind: strings.ToLower(text[from+m[2] : from+m[3]])}
		from += m[1]
		d.end = len(text) - len(strings.TrimLeft(text[from:], base64Chars))
		if strings.HasPrefix(text[d.end:], ":") { // its last letters are the beginning of the next one
			d.end = from + len(strings.TrimSuffix(text[from:d.end], "data"))
		}
		if d.payload = text[from:d.end]; d.isImage() || len(d.payload) >= smallData {
			all = append(all, d)
		}
		from = d.end
	}
}

func (d *dataURI) isImage() bool { return strings.HasPrefix(d.kind, "image/") }

// placeholder returns the text that replaces the data.
func (d *dataURI) placeholder() string {
	sum := sha256.Sum256([]byte(d.payload))
	size := len(strings.TrimRight(d.payload, "=")) * 3 / 4
	return fmt.Sprintf("data:%s;size=%d;sha256=%s", d.kind, size, hex.EncodeToString(sum[:8]))
}

// decode returns the decoded data. It fails if that is longer than limit.
func (d *dataURI) decode(limit int64) ([]byte, error) {
	text := strings.TrimRight(d.payload, "=")
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

// withoutData returns a text with placeholders for the files in it, and without the hidden parts of a saved chat.
// It returns text without these unchanged, without a copy.
func withoutData(text string) string {
	text = md.CutHidden(text)
	all := dataURIs(text)
	if len(all) == 0 {
		return text
	}
	var b strings.Builder
	done := 0
	for _, d := range all {
		b.WriteString(text[done:d.start])
		b.WriteString(d.placeholder())
		done = d.end
	}
	b.WriteString(text[done:])
	return b.String()
}

// embeddedData lists the images that a text embeds as ![…](data:…), outside of
// code fences.
func embeddedData(text string) []embed {
	all := dataURIs(text)
	if len(all) == 0 {
		return nil
	}
	var found []embed
	offset := 0
	var code md.Fences
	number := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		number++
		inside := code.Line(strings.TrimSuffix(line, "\n"))
		for len(all) > 0 && all[0].start < offset+len(line) {
			d := all[0]
			all = all[1:]
			if !inside && d.isImage() && embeds(text[offset:d.start]) {
				found = append(found, embed{line: number, data: d})
			}
		}
		offset += len(line)
	}
	return found
}

// embeds reports whether the text of a line so far ends with the beginning of an embedded image, "![…](".
func embeds(before string) bool {
	before, ok := strings.CutSuffix(strings.TrimRight(before, " <"), "](")
	open := strings.LastIndexByte(before, '[')
	return ok && open > 0 && before[open-1] == '!'
}
